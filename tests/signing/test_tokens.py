"""Signed tokens: one kind never passes for another, keys rotate, times are judged with a minute of skew."""

from __future__ import annotations

import base64
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jwt
import pytest

from sayso.errors import ConfigError
from sayso.signing.keys import KEPT, PublicKeys, new_keyring, open_keyring, read_key_set, rotate
from sayso.signing.tokens import BadToken, TokenKind, read, sign

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def reason(keys: PublicKeys, kind: TokenKind, token: str, now: datetime = NOW) -> str:
    with pytest.raises(BadToken) as refused:
        read(keys, kind, token, now)
    return refused.value.reason


def test_what_was_signed_is_read() -> None:
    keys = new_keyring()
    token = sign(keys, TokenKind.RESULT, {"call": "call_1"}, NOW, 60)
    claims = read(keys.public, TokenKind.RESULT, token, NOW)
    assert (claims["call"], claims["exp"] - claims["iat"]) == ("call_1", 60)


def test_one_kind_never_passes_for_another() -> None:
    keys = new_keyring()
    for kind in TokenKind:
        token = sign(keys, kind, {}, NOW, 60)
        for other in TokenKind:
            if other is not kind:
                assert reason(keys.public, other, token) == "kind"


def test_a_changed_or_foreign_signature_does_not_hold() -> None:
    keys, others = new_keyring(), new_keyring()
    token = sign(keys, TokenKind.RESULT, {"call": "call_1"}, NOW, 60)
    head, body, signature = token.split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    forged = base64.urlsafe_b64encode(json.dumps({**claims, "call": "call_2"}).encode()).rstrip(b"=").decode()
    assert reason(keys.public, TokenKind.RESULT, f"{head}.{forged}.{signature}") == "signature"
    assert reason(others.public, TokenKind.RESULT, token) == "signature"


def test_an_unsigned_token_is_none() -> None:
    keys = new_keyring()
    headers = {"typ": TokenKind.RESULT.value, "kid": keys.kid}
    unsigned = jwt.encode({"exp": 1, "iat": 1, "jti": "a"}, None, algorithm="none", headers=headers)
    by_secret = jwt.encode({"exp": 1, "iat": 1, "jti": "a"}, "x" * 32, algorithm="HS256", headers=headers)
    assert {reason(keys.public, TokenKind.RESULT, token) for token in (unsigned, by_secret)} == {"signature"}


@pytest.mark.parametrize("token", ["", "a", "a.b.c", "..", "\x00", "é.é.é", "x" * (1 << 17)])
def test_noise_is_malformed(token: str) -> None:
    assert reason(new_keyring().public, TokenKind.RESULT, token) == "malformed"


def test_times_have_a_minute_of_skew() -> None:
    keys = new_keyring()
    token = sign(keys, TokenKind.RESULT, {}, NOW, 600)
    assert read(keys.public, TokenKind.RESULT, token, NOW + timedelta(seconds=659))
    assert reason(keys.public, TokenKind.RESULT, token, NOW + timedelta(seconds=661)) == "expired"
    assert read(keys.public, TokenKind.RESULT, token, NOW - timedelta(seconds=59))
    assert reason(keys.public, TokenKind.RESULT, token, NOW - timedelta(seconds=61)) == "early"


def test_times_that_are_no_numbers_are_malformed() -> None:
    keys = new_keyring()
    headers = {"typ": TokenKind.RESULT.value, "kid": keys.kid}
    odd = jwt.encode({"exp": "soon", "iat": 1, "jti": "a"}, keys.private, algorithm="EdDSA", headers=headers)
    assert reason(keys.public, TokenKind.RESULT, odd) in ("malformed", "signature")


def test_a_new_key_signs_and_older_ones_still_verify(tmp_path: Path) -> None:
    first = open_keyring(tmp_path / "keys")
    token = sign(first, TokenKind.RESULT, {}, NOW, 60)
    rotate(tmp_path / "keys")
    second = open_keyring(tmp_path / "keys")
    assert second.kid != first.kid
    assert read(second.public, TokenKind.RESULT, token, NOW)
    for _ in range(KEPT):
        rotate(tmp_path / "keys")
    assert reason(open_keyring(tmp_path / "keys").public, TokenKind.RESULT, token) == "signature"
    assert len(list((tmp_path / "keys").iterdir())) == KEPT


def test_keys_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    open_keyring(tmp_path / "keys")
    assert [oct(os.stat(path).st_mode & 0o777) for path in (tmp_path / "keys").iterdir()] == ["0o600"]


def test_a_damaged_key_says_what_to_do(tmp_path: Path) -> None:
    open_keyring(tmp_path)
    (path,) = tmp_path.glob("*.pem")
    path.write_text("no key")
    with pytest.raises(ConfigError, match="remove it"):
        open_keyring(tmp_path)


def test_the_public_keys_travel_as_a_key_set() -> None:
    keys = new_keyring()
    public = read_key_set(json.dumps(keys.public.as_set()))
    assert read(public, TokenKind.CATALOGUE, sign(keys, TokenKind.CATALOGUE, {}, NOW, 60), NOW)


@pytest.mark.parametrize("document", ["", "{}", "[]", '{"keys": []}', '{"keys": [{"kid": "a", "kty": "RSA"}]}'])
def test_a_wrong_key_set_says_so(document: str) -> None:
    with pytest.raises(ConfigError):
        read_key_set(document)
