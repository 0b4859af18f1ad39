"""Who asks: the guard of a service finds it out, and every handler takes it from here, never from a body.

A request has one asker. Every look-up of a handler names that actor's owner.
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from sayso.core.actors import Actor
from sayso.serving.problems import Problem


@dataclass(frozen=True, slots=True)
class Asker:
    """`csrf` is the token that this asker's pages send with each change; "" where the request needs none (an API
    token, which no browser adds by itself). `session` is the secret of the session, for signing out."""

    actor: Actor
    csrf: str = ""
    session: str = ""


def set_asker(connection: HTTPConnection, asker: Asker) -> None:
    connection.state.asker = asker
    connection.state.actor = asker.actor


def asker_of(request: HTTPConnection) -> Asker:
    """Raises Problem 401 where nobody is signed in: only routes that are open to such get that far."""
    asker: Asker | None = getattr(request.state, "asker", None)
    if asker is None:
        raise Problem(401, "signed_out", "sign in first, or send an API token: Authorization: Bearer TOKEN")
    return asker


def actor_of(request: HTTPConnection) -> Actor:
    """The person that a request acts for. Raises Problem 401."""
    return asker_of(request).actor


def require(request: HTTPConnection, permission: str) -> Actor:
    """The person, who may do that. Raises Problem 403, which names the rule."""
    actor = actor_of(request)
    if not actor.may(permission):
        raise Problem(403, "forbidden", actor.rule_for(permission))
    return actor
