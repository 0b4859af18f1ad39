"""API tokens: random, shown once, narrowed by scopes, and ended by a date or by revoking them.

A token is `sayso_ID_SECRET`: the id finds the row, of the secret only a digest is kept (256 random bits need no slow
hash).
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from sayso.core.actors import Actor
from sayso.errors import SaysoError
from sayso.store.users import Token, Users
from sayso.tables import permission_pattern

PREFIX = "sayso_"
DAYS, MOST_DAYS = 90, 366
_LONGEST = 200


class WrongToken(SaysoError):
    """A token that cannot be made as asked; the message says why."""

    code = "wrong_token"


async def new_token(
    users: Users, user: str, name: str, scopes: Collection[str], now: datetime, days: int = DAYS
) -> tuple[Token, str]:
    """The token, and its text: that is never shown again. Raises WrongToken, NotFound."""
    if not 1 <= days <= MOST_DAYS:
        raise WrongToken(f"an API token is good for 1 to {MOST_DAYS} days")
    if not scopes:
        raise WrongToken("name at least one scope, such as read:* (all that its user may: *)")
    try:
        checked = tuple(dict.fromkeys(permission_pattern(scope) for scope in scopes))
    except ValueError as wrong:
        raise WrongToken(str(wrong)) from wrong
    token_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    made = await users.add_token(token_id, secret, user, name[:100], checked, now + timedelta(days=days))
    return made, f"{PREFIX}{token_id}_{secret}"


async def actor_by_token(users: Users, text: str) -> Actor | None:
    """Whom a token's text acts for, with what both their roles and its scopes allow."""
    if not is_api_token(text) or len(text) > _LONGEST:
        return None
    token_id, _, secret = text.removeprefix(PREFIX).partition("_")
    found = await users.by_token(token_id, secret)
    return users.actor(found[0], found[1].scopes) if found else None


def is_api_token(text: str) -> bool:
    return text.startswith(PREFIX)
