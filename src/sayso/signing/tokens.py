"""Signed claims as JSON Web Tokens (RFC 7519, EdDSA): a seal, a catalogue, a continuation, an identity.

Each has a kind of its own in its header, so that one can never pass for another. Times are judged by the clock that
is passed in, with `SKEW` seconds between machines. What the claims mean is for those who use them.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from sayso.errors import SaysoError
from sayso.signing.keys import Keyring, PublicKeys

SKEW = 60
MAX_TOKEN = 64 << 10


class TokenKind(StrEnum):
    """What a token is good for; the `typ` of its header."""

    CATALOGUE = "sayso-catalogue+jwt"  # the gateway: these tools, for this person
    RESULT = "sayso-result+jwt"  # the gateway: this came of this call
    HISTORY = "sayso-history+jwt"  # the gateway: these messages are stored
    CONTINUATION = "sayso-continuation+jwt"  # the inference service: an exchange so far


class BadToken(SaysoError):
    """A signature that does not hold. `reason` is stable: malformed, signature, kind, expired, early."""

    code = "bad_token"

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason

    @property
    def members(self) -> dict[str, Any]:
        return {"reason": self.reason}


def sign(keyring: Keyring, kind: TokenKind, claims: Mapping[str, Any], now: datetime, seconds: int) -> str:
    """A compact token; it gets `iat`, `exp` (after `seconds`) and a `jti` of its own where the claims have none."""
    issued = int(now.timestamp())
    document = {"jti": secrets.token_urlsafe(12), **claims, "iat": issued, "exp": issued + seconds}
    return jwt.encode(document, keyring.private, algorithm="EdDSA", headers={"kid": keyring.kid, "typ": kind.value})


def read(keys: PublicKeys, kind: TokenKind, token: str, now: datetime) -> dict[str, Any]:
    """The claims of a token of this kind that holds now. Raises BadToken."""
    if len(token) > MAX_TOKEN:
        raise BadToken("the signature is too long to be one of ours", "malformed")
    key = _key_of(keys, kind, token)
    try:
        claims: dict[str, Any] = jwt.decode(
            token, key, algorithms=["EdDSA"],
            options={"verify_exp": False, "verify_iat": False, "verify_nbf": False, "verify_aud": False,
                     "verify_sub": False, "require": ["exp", "iat", "jti"]},
        )  # fmt: skip
    except jwt.InvalidTokenError as wrong:
        raise BadToken(f"the {_name(kind)}'s signature does not hold", "signature") from wrong
    _check_times(claims, kind, now)
    return claims


def _key_of(keys: PublicKeys, kind: TokenKind, token: str) -> Ed25519PublicKey:
    try:
        header = jwt.get_unverified_header(token)
    except jwt.InvalidTokenError as wrong:
        raise BadToken(f"this is no signed {_name(kind)}", "malformed") from wrong
    if header.get("typ") != kind.value:
        raise BadToken(f"this is no {_name(kind)}", "kind")
    key = keys.keys.get(str(header.get("kid")))
    if key is None:
        raise BadToken(f"the {_name(kind)} was signed with a key that is not known here (any more)", "signature")
    return key


def _check_times(claims: Mapping[str, Any], kind: TokenKind, now: datetime) -> None:
    moment, issued, expires = now.timestamp(), claims["iat"], claims["exp"]
    if not (isinstance(issued, int) and isinstance(expires, int)):
        raise BadToken(f"the {_name(kind)}'s times cannot be read", "malformed")
    if issued > moment + SKEW:
        raise BadToken(f"the {_name(kind)} is from the future; set the clocks of both machines", "early")
    if expires < moment - SKEW:
        raise BadToken(f"the {_name(kind)} has expired", "expired")


def _name(kind: TokenKind) -> str:
    return kind.value.removeprefix("sayso-").removesuffix("+jwt")
