"""Signing keys: Ed25519 (RFC 8032), one file each, with rotation. Whoever checks needs the public parts only.

A folder holds `KID.pem` for each key; the newest one signs, and older ones still verify until they are removed.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sayso.errors import ConfigError

_log = logging.getLogger(__name__)
KEPT = 3
"""Keys that stay when a new one is made: what they signed has long expired."""


@dataclass(frozen=True, slots=True)
class PublicKeys:
    """The keys by which signatures are checked, by their `kid`."""

    keys: Mapping[str, Ed25519PublicKey]

    def as_set(self) -> dict[str, Any]:
        """A JSON Web Key Set (RFC 7517, RFC 8037)."""
        return {"keys": [_jwk(kid, key) for kid, key in self.keys.items()]}


@dataclass(frozen=True, slots=True)
class Keyring:
    """A private key that signs, and the public keys that are still accepted."""

    kid: str
    private: Ed25519PrivateKey
    public: PublicKeys


def new_keyring() -> Keyring:
    """Keys that live as long as the process."""
    private = Ed25519PrivateKey.generate()
    kid = _kid(private.public_key())
    return Keyring(kid, private, PublicKeys({kid: private.public_key()}))


@dataclass(slots=True)
class OwnKeys:
    """The keys of a folder, read again when a key was added or taken away: nobody restarts a process for it."""

    folder: Path
    _seen: tuple[str, ...] = ()
    _ring: Keyring | None = field(default=None, repr=False)

    def __call__(self) -> Keyring:
        """The keys as they are now. Raises ConfigError for a damaged file, unless there are earlier ones to go on
        with."""
        there = tuple(path.name for path in key_files(self.folder))
        if self._ring is not None and there == self._seen:
            return self._ring
        try:
            self._ring = open_keyring(self.folder)
        except ConfigError as wrong:
            if self._ring is None:
                raise
            _log.error("the keys that were read before are used on: %s", wrong)
            self._seen = there
        else:
            # As they were before: what came meanwhile is found the next time.
            self._seen = there or tuple(path.name for path in key_files(self.folder))
        return self._ring


def open_keyring(folder: Path) -> Keyring:
    """The keys of a folder; the first one is made where there is none. Raises ConfigError for a damaged file."""
    if not key_files(folder):
        rotate(folder)
    loaded: dict[str, Ed25519PrivateKey] = {}
    for path in key_files(folder):
        with contextlib.suppress(FileNotFoundError):  # another process made a new key, and took the oldest away
            loaded[path.stem] = _load(path)
    newest = max(loaded)
    return Keyring(newest, loaded[newest], PublicKeys({kid: key.public_key() for kid, key in loaded.items()}))


def rotate(folder: Path) -> str:
    """Make a new key that signs from now on, and give its `kid`; of older ones the last few still verify."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = new_keyring()
    pem = fresh.private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    existing = key_files(folder)
    number = 1 + max((int(path.stem.partition("-")[0]) for path in existing), default=0)
    kid = f"{number:04d}-{fresh.kid}"
    draft = folder / f".{kid}.new"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(pem)
    os.replace(draft, folder / f"{kid}.pem")
    for old in existing[: max(0, len(existing) + 1 - KEPT)]:
        with contextlib.suppress(FileNotFoundError):
            old.unlink()
    return kid


def read_key_set(document: str | bytes, where: str = "the key set") -> PublicKeys:
    """Public keys from a JSON Web Key Set. Raises ConfigError, which says what is wrong."""
    try:
        entries = json.loads(document)["keys"]
        found = {str(entry["kid"]): _public(entry) for entry in entries}
    except (ValueError, KeyError, TypeError) as wrong:
        raise ConfigError(f"{where} is no set of Ed25519 keys ({wrong}); take it from the gateway as it is") from wrong
    if not found:
        raise ConfigError(f"{where} holds no key")
    return PublicKeys(found)


def _public(entry: Mapping[str, Any]) -> Ed25519PublicKey:
    if entry["kty"] != "OKP" or entry["crv"] != "Ed25519":
        raise ValueError("a key is not of the kind OKP, Ed25519")
    text = str(entry["x"])
    return Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def _jwk(kid: str, key: Ed25519PublicKey) -> dict[str, str]:
    return {"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": kid, "x": _raw(key)}


def _raw(key: Ed25519PublicKey) -> str:
    raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def _kid(key: Ed25519PublicKey) -> str:
    return hashlib.sha256(_raw(key).encode("ascii")).hexdigest()[:12]


def key_files(folder: Path) -> list[Path]:
    """The files of a folder's keys, the one that signs last."""
    return sorted(path for path in folder.glob("*.pem") if path.stem.partition("-")[0].isdigit())


def _load(path: Path) -> Ed25519PrivateKey:
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as wrong:
        raise ConfigError(f"{path} is no signing key ({wrong}); remove it, and a new one is made") from wrong
    if not isinstance(key, Ed25519PrivateKey):
        raise ConfigError(f"{path} is no Ed25519 key; remove it, and a new one is made")
    return key
