"""Signing in by a one-time link, with no password: whoever can run `sayso link` may open the page.

A link's token and a session's secret are kept only as hashes, each a file of its own under the home
(mode 0600), so that another process can make a link, a token is redeemed at most once, and a restart
keeps the sessions.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from sayso.errors import Forbidden

LINK_SECONDS = 15 * 60
SESSION_SECONDS = 90 * 24 * 3600
_MAX_TOKEN = 128


class SignIn:
    """Links and sessions under `home`. `now` gives seconds since the epoch."""

    def __init__(self, home: Path, now: Callable[[], float] = time.time) -> None:
        self._links = home / "sign-in" / "links"
        self._sessions = home / "sign-in" / "sessions"
        self._now = now
        for folder in (self._links.parent, self._links, self._sessions):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def new_link(self, base_url: str) -> str:
        """A link that signs in once, within 15 minutes."""
        self._forget_old(self._links)
        token = secrets.token_urlsafe(32)
        self._write(self._links / _hash(token), LINK_SECONDS)
        return f"{base_url.rstrip('/')}/sign-in?token={token}"

    def redeem(self, token: str) -> str:
        """Use a link's token up and give a new session's secret. Raises Forbidden for a used or old one."""
        path = self._links / _hash(token)
        alive = len(token) <= _MAX_TOKEN and self._alive(path)
        try:
            # The file's removal decides: of two who come at once, one finds it gone.
            path.unlink()
        except FileNotFoundError:
            alive = False
        if not alive:
            raise Forbidden("this link was used or is too old; run `sayso link` for a new one")
        self._forget_old(self._sessions)
        session = secrets.token_urlsafe(32)
        self._write(self._sessions / _hash(session), SESSION_SECONDS)
        return session

    def knows(self, session: str) -> bool:
        return 0 < len(session) <= _MAX_TOKEN and self._alive(self._sessions / _hash(session))

    def sign_out(self, session: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            (self._sessions / _hash(session)).unlink()

    def secret(self) -> bytes:
        """A key of this home, made once: for the tokens of pages whose visitors have no session here."""
        path = self._links.parent / "key"
        if not path.exists():
            draft = path.with_name(f"key.{secrets.token_hex(8)}")
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_bytes(32))
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)  # of two that come at once the first one's stays
            draft.unlink()
        return path.read_bytes()

    def _write(self, path: Path, seconds: float) -> None:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(str(int(self._now() + seconds)))

    def _alive(self, path: Path) -> bool:
        try:
            return self._now() < int(path.read_text(encoding="ascii"))
        except (FileNotFoundError, ValueError):
            return False

    def _forget_old(self, folder: Path) -> None:
        for path in folder.iterdir():
            if not self._alive(path):
                with contextlib.suppress(FileNotFoundError):
                    path.unlink()


def csrf_token(session: str) -> str:
    """The token that a page of this session sends with each change; it needs no storage."""
    return hmac.new(session.encode(), b"csrf", hashlib.sha256).hexdigest()


def same(a: str, b: str) -> bool:
    return hmac.compare_digest(a.encode("utf-8", "replace"), b.encode("utf-8", "replace"))


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
