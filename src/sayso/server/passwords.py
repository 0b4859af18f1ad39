"""Passwords: Argon2id with the parameters of RFC 9106, and signing in without telling who exists.

RFC 9106, section 4, second recommended option: 3 passes over 64 MiB with 4 lanes, 16 bytes of salt, 32 of hash. At
least 15 characters, as NIST SP 800-63B-4 (section 3.1.1) asks of a password that stands alone, and no other rules.
"""

from __future__ import annotations

import asyncio
import secrets
from functools import cache

from argon2 import PasswordHasher, profiles
from argon2.exceptions import InvalidHashError, VerificationError

from sayso.errors import SaysoError
from sayso.store.users import User, Users, WrongUser

LEAST, MOST = 15, 256
_AT_ONCE = 2  # each takes 64 MiB
_HASHER = PasswordHasher.from_parameters(profiles.RFC_9106_LOW_MEMORY)


class WrongPassword(SaysoError):
    """A new password that cannot be taken; the message says why."""

    code = "wrong_password"


class Passwords:
    """Checks names and passwords. As long as a wrong one takes for a known name, it takes for an unknown one."""

    def __init__(self, users: Users) -> None:
        self._users = users
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._nobodys = nobodys()

    async def check(self, name: str, password: str) -> User | None:
        """The user, if the password is theirs and they may sign in."""
        try:
            found = await self._users.get(name)
        except WrongUser:
            found = None
        kept = found.password if found and found.password else None
        async with self._turns:
            fits = await asyncio.to_thread(matches, kept or self._nobodys, password)
            if not fits or kept is None or found is None or found.disabled:
                return None
            if _HASHER.check_needs_rehash(kept):
                fresh = await asyncio.to_thread(_HASHER.hash, password)
                await self._users.set_password(found.id, fresh, end_sessions=False)
        return found


def hashed(password: str) -> str:
    """The hash to keep. Raises WrongPassword for one that is too short or long."""
    if len(password) < LEAST:
        raise WrongPassword(f"a password has at least {LEAST} characters; a sentence of your own is a good one")
    if len(password) > MOST:
        raise WrongPassword(f"a password has at most {MOST} characters")
    return _HASHER.hash(password)


def matches(kept: str, password: str) -> bool:
    if len(password) > MOST:
        return False
    try:
        return _HASHER.verify(kept, password.encode("utf-8", "replace"))
    except (VerificationError, InvalidHashError):
        return False


@cache
def nobodys() -> str:
    """A hash that no password fits, to compare with where there is none."""
    return _HASHER.hash(secrets.token_hex(16))
