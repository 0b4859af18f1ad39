"""Continuations: an exchange so far, signed by this service, so that it keeps nothing and still knows what it asked.

A continuation proves a transcript for longer than it lets results in: after `until` only a new message goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sayso.core.actors import Actor
from sayso.core.messages import Usage
from sayso.core.ports import Clock
from sayso.inference.declared import CallKind
from sayso.serving.problems import Problem
from sayso.signing.keys import Keyring
from sayso.signing.tokens import SKEW, BadToken, TokenKind, read, sign

MAX_TOLD = 8000  # characters of an answer's beginning that a continuation carries


class State(StrEnum):
    WAITING = "waiting"  # for results
    FINISHED = "finished"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call that the caller owes a result of; `arguments` is the digest of their canonical form."""

    id: str
    name: str
    arguments: str
    kind: CallKind


@dataclass(frozen=True, slots=True)
class Continuation:
    """`transcript` is the digest of all `messages` of the thread; `told` is what of the answer was released."""

    id: str
    sub: str
    owner: str
    thread: str
    exchange: str
    state: State
    steps: int
    usage: Usage
    calls: tuple[OpenCall, ...]
    transcript: str
    messages: int
    next_ref: int
    question: str
    until: int
    told: str = ""

    def belongs_to(self, actor: Actor) -> bool:
        return (self.sub, self.owner) == (actor.id, actor.owner)

    def open_at(self, now: datetime) -> bool:
        """Whether results are still taken."""
        return now.timestamp() <= self.until + SKEW


@dataclass(frozen=True, slots=True)
class Continuations:
    """Makes and reads them. Older keys of the ring still verify."""

    keyring: Callable[[], Keyring]
    clock: Clock
    seconds: int
    proof_seconds: int

    def until(self) -> int:
        """Until when the results of an exchange that waits now are taken."""
        return int(self.clock.now().timestamp()) + self.seconds

    def write(self, continuation: Continuation) -> str:
        usage = continuation.usage
        claims: Mapping[str, Any] = {
            "jti": continuation.id,
            "sub": continuation.sub,
            "owner": continuation.owner,
            "thread": continuation.thread,
            "exchange": continuation.exchange,
            "state": continuation.state.value,
            "steps": continuation.steps,
            "usage": [usage.input_tokens, usage.output_tokens],
            "calls": [[c.id, c.name, c.arguments, c.kind] for c in continuation.calls],
            "transcript": continuation.transcript,
            "messages": continuation.messages,
            "next_ref": continuation.next_ref,
            "question": continuation.question,
            "until": continuation.until,
            "told": continuation.told if len(continuation.told) <= MAX_TOLD else "",
        }
        return sign(self.keyring(), TokenKind.CONTINUATION, claims, self.clock.now(), self.proof_seconds)

    def read(self, token: str) -> Continuation:
        """Raises Problem 410 for an old one, 403 for one that is not ours."""
        try:
            claims = read(self.keyring().public, TokenKind.CONTINUATION, token, self.clock.now())
        except BadToken as wrong:
            if wrong.reason == "expired":
                raise expired() from wrong
            raise Problem(403, "continuation_forged", f"continuation: {wrong}; send it as it came") from wrong
        return _read(claims)


def expired() -> Problem:
    return Problem(
        410, "continuation_expired",
        "the continuation has expired: send a new message; what was approved meanwhile comes with its seeds",
    )  # fmt: skip


def _read(claims: Mapping[str, Any]) -> Continuation:
    calls: Sequence[Sequence[Any]] = claims["calls"]
    return Continuation(
        claims["jti"], claims["sub"], claims["owner"], claims["thread"], claims["exchange"], State(claims["state"]),
        claims["steps"], Usage(*claims["usage"]), tuple(OpenCall(*call) for call in calls), claims["transcript"],
        claims["messages"], claims["next_ref"], claims["question"], claims["until"], claims.get("told", ""),
    )  # fmt: skip
