"""Users, their sessions and their API tokens, as rows. Secrets are kept as digests only.

It compares no password and reads no request; what a user may comes from their roles, whose patterns are passed in.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Boolean, Column, Connection, MetaData, String, Table, Text, delete, insert, select, update

from sayso.core.actors import ROLES, Actor, Grant, actor_with
from sayso.errors import Conflict, NotFound, SaysoError
from sayso.store.database import Database
from sayso.store.ports import now_utc, stamp

_META = MetaData()
USERS = Table(
    "users", _META,
    Column("id", String, primary_key=True), Column("owner", String), Column("roles", String),
    Column("password", String), Column("disabled", Boolean), Column("created", String),
)  # fmt: skip
SESSIONS = Table(
    "sessions", _META,
    Column("digest", String, primary_key=True), Column("user_id", String), Column("created", String),
    Column("expires", String),
)  # fmt: skip
TOKENS = Table(
    "api_tokens", _META,
    Column("id", String, primary_key=True), Column("digest", String), Column("user_id", String),
    Column("name", String), Column("scopes", Text), Column("created", String), Column("expires", String),
    Column("last_used", String), Column("revoked", String),
)  # fmt: skip
_NAME = re.compile(r"[\w][\w.@+-]{0,99}")
_USED_EVERY = timedelta(minutes=1)


class WrongUser(SaysoError):
    """A name, an owner or a role that cannot be used; the message says which can."""

    code = "wrong_user"


@dataclass(frozen=True, slots=True)
class User:
    """`password` is its hash; None for one who has none and signs in otherwise."""

    id: str
    owner: str
    roles: tuple[str, ...]
    password: str | None = None
    disabled: bool = False
    created: str = ""


@dataclass(frozen=True, slots=True)
class Token:
    """An API token without its secret. Times are UTC texts; `revoked` "" while it may be used."""

    id: str
    user_id: str
    name: str
    scopes: tuple[str, ...]
    created: str
    expires: str
    last_used: str = ""
    revoked: str = ""


class Users:
    """The users of one database. `roles` are all roles of this installation."""

    def __init__(
        self, database: Database, roles: tuple[Grant, ...] = ROLES, now: Callable[[], datetime] = now_utc
    ) -> None:
        self._database, self._roles, self._now = database, roles, now

    def actor(self, user: User, scopes: Collection[str] | None = None) -> Actor:
        """The person with their present roles. A role that is not known here (any more) gives nothing."""
        held = [grant for grant in self._roles if grant.role in user.roles]
        return actor_with(user.id, user.owner, held, self._roles, None if scopes is None else frozenset(scopes))

    def person(self, owner: str, id: str) -> Actor | None:
        """Who that is now, with what their present roles allow among the records of `owner`: nothing, for one who is
        disabled. None for one who is not known. It blocks."""
        found = self._database.read(lambda connection: _get(connection, id))
        if found is None:
            return None
        there = None if found.disabled else self.actor(found).within(owner)
        return there or Actor(found.id, owner, frozenset())

    async def get(self, id: str) -> User | None:
        key = user_id(id)
        return await self._database.aread(lambda connection: _get(connection, key))

    async def list(self) -> tuple[User, ...]:
        query = select(USERS).order_by(USERS.c.id)
        return await self._database.aread(lambda c: tuple(_user(row) for row in c.execute(query)))

    async def add(self, id: str, owner: str, roles: Collection[str], password: str | None = None) -> User:
        """Raises WrongUser, and Conflict for a name that is taken."""
        self._check(roles)
        if not _NAME.fullmatch(owner):
            raise WrongUser(f"{owner!r} cannot be an owner: use letters, digits and . @ + - _")
        user = User(user_id(id), owner, tuple(roles), password, created=stamp(self._now()))

        def put(connection: Connection) -> None:
            if _get(connection, user.id):
                raise Conflict(f"there is a user {user.id!r} already")
            connection.execute(insert(USERS), _row(user))

        await self._database.awrite(put, durable=True)
        return user

    async def set_roles(self, id: str, roles: Collection[str]) -> None:
        self._check(roles)
        await self._change(id, roles=json.dumps(list(roles)))

    async def set_password(self, id: str, password: str, *, end_sessions: bool = True) -> None:
        """`password` is a hash. Every session of the user ends, unless the hash is only a newer one of the same."""
        await self._change(id, end_sessions=end_sessions, password=password)

    async def set_disabled(self, id: str, disabled: bool) -> None:
        """A disabled user's sessions end; their API tokens are refused while it lasts."""
        await self._change(id, end_sessions=disabled, disabled=disabled)

    async def start_session(self, id: str, secret: str, lifetime: timedelta) -> None:
        now = self._now()
        row = {"digest": _digest(secret), "user_id": id, "created": stamp(now), "expires": stamp(now + lifetime)}

        def put(connection: Connection) -> None:
            connection.execute(delete(SESSIONS).where(SESSIONS.c.expires <= stamp(now)))
            connection.execute(insert(SESSIONS), row)

        await self._database.awrite(put)

    async def by_session(self, secret: str) -> User | None:
        """Whose session that is; None for an old or unknown one, and for a disabled user."""
        alive = (SESSIONS.c.digest == _digest(secret), SESSIONS.c.expires > stamp(self._now()))
        query = (
            select(USERS).join(SESSIONS, SESSIONS.c.user_id == USERS.c.id).where(*alive, USERS.c.disabled.is_(False))
        )
        found = await self._database.aread(lambda connection: connection.execute(query).first())
        return _user(found) if found else None

    async def end_session(self, secret: str) -> None:
        statement = delete(SESSIONS).where(SESSIONS.c.digest == _digest(secret))
        await self._database.awrite(lambda connection: connection.execute(statement))

    async def add_token(
        self, token_id: str, secret: str, id: str, name: str, scopes: Collection[str], expires: datetime
    ) -> Token:  # fmt: skip
        """Raises NotFound for an unknown user."""
        token = Token(token_id, user_id(id), name, tuple(scopes), stamp(self._now()), stamp(expires))

        def put(connection: Connection) -> None:
            if _get(connection, token.user_id) is None:
                raise NotFound(f"there is no user {token.user_id!r}; `sayso users list` names them")
            row = {
                "id": token.id, "digest": _digest(secret), "user_id": token.user_id, "name": name,
                "scopes": json.dumps(list(scopes)), "created": token.created, "expires": token.expires,
            }  # fmt: skip
            connection.execute(insert(TOKENS), row)

        await self._database.awrite(put, durable=True)
        return token

    async def by_token(self, token_id: str, secret: str) -> tuple[User, Token] | None:
        """Whose API token that is; None for a wrong, old or revoked one, and for a disabled user."""
        now = self._now()
        query = select(TOKENS).where(TOKENS.c.id == token_id)

        def find(connection: Connection) -> tuple[User, Token] | None:
            row = connection.execute(query).first()
            kept = row.digest if row else ""
            if not hmac.compare_digest(kept, _digest(secret)) or row is None:
                return None
            user = _get(connection, row.user_id)
            alive = row.expires > stamp(now) and not row.revoked and user is not None and not user.disabled
            return (user, _token(row)) if alive and user is not None else None

        found = await self._database.aread(find)
        if found and found[1].last_used <= stamp(now - _USED_EVERY):
            used = update(TOKENS).where(TOKENS.c.id == token_id).values(last_used=stamp(now))
            await self._database.awrite(lambda connection: connection.execute(used))
        return found

    async def tokens(self, id: str | None = None) -> tuple[Token, ...]:
        """The newest first; of one user or all."""
        query = select(TOKENS).order_by(TOKENS.c.created.desc(), TOKENS.c.id)
        if id is not None:
            query = query.where(TOKENS.c.user_id == user_id(id))
        return await self._database.aread(lambda c: tuple(_token(row) for row in c.execute(query)))

    async def revoke(self, token_id: str) -> Token:
        """For good. Raises NotFound."""
        where = (TOKENS.c.id == token_id, TOKENS.c.revoked.is_(None))
        statement = update(TOKENS).where(*where).values(revoked=stamp(self._now()))

        def change(connection: Connection) -> Token:
            connection.execute(statement)
            row = connection.execute(select(TOKENS).where(TOKENS.c.id == token_id)).first()
            if row is None:
                raise NotFound(f"there is no API token {token_id!r}; `sayso tokens list` names them")
            return _token(row)

        return await self._database.awrite(change, durable=True)

    async def _change(self, id: str, *, end_sessions: bool = False, **values: Any) -> None:
        key = user_id(id)

        def change(connection: Connection) -> None:
            if not connection.execute(update(USERS).where(USERS.c.id == key).values(**values)).rowcount:
                raise NotFound(f"there is no user {key!r}; `sayso users list` names them")
            if end_sessions:
                connection.execute(delete(SESSIONS).where(SESSIONS.c.user_id == key))

        await self._database.awrite(change, durable=True)

    def _check(self, roles: Collection[str]) -> None:
        known = [grant.role for grant in self._roles]
        for role in roles:
            if role not in known:
                raise WrongUser(f"there is no role {role!r}; there are {', '.join(known)}")


def user_id(name: str) -> str:
    """A user's name as it is kept: look-alikes of one name in other letter forms are one. Raises WrongUser."""
    folded = unicodedata.normalize("NFKC", name).strip().casefold()
    if not _NAME.fullmatch(folded):
        raise WrongUser("a user's name is letters, digits and . @ + - _, at most 100 of them")
    return folded


def _get(connection: Connection, id: str) -> User | None:
    row = connection.execute(select(USERS).where(USERS.c.id == id)).first()
    return _user(row) if row else None


def _user(row: Any) -> User:
    return User(row.id, row.owner, tuple(json.loads(row.roles)), row.password, bool(row.disabled), row.created)


def _row(user: User) -> dict[str, Any]:
    return {
        "id": user.id, "owner": user.owner, "roles": json.dumps(list(user.roles)), "password": user.password,
        "disabled": user.disabled, "created": user.created,
    }  # fmt: skip


def _token(row: Any) -> Token:
    scopes = tuple(json.loads(row.scopes))
    return Token(
        row.id, row.user_id, row.name, scopes, row.created, row.expires, row.last_used or "", row.revoked or ""
    )


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
