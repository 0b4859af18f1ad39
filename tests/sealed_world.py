"""A gateway's side of the contract for tests: catalogues, results and histories with real seals, over small people.

It executes nothing. What would have been executed is counted by whoever uses it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sayso.core.actors import Actor
from sayso.core.encoding import canonical_digest, encode_fact, encode_kind, exact
from sayso.core.evidence import Numbered
from sayso.core.facts import PROPOSAL, RECEIPT, Fact, lookup_fact
from sayso.core.tools import Tool, ToolKind
from sayso.signing.keys import Keyring, new_keyring
from sayso.signing.tokens import TokenKind, sign
from small_world import EVERYONE, NOW, PERSON, PROPOSE, SEARCH

Json = dict[str, Any]
USER = Actor("u1", "acme")
OTHER = Actor("u2", "acme")
TOOLS = (SEARCH, EVERYONE, PROPOSE)
NAVIGATE: Json = {
    "name": "navigate", "title": "Open a page", "description": "Open a page of the application.",
    "input_schema": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
    "read_only": True, "example": {"to": "/people"},
}  # fmt: skip


class MovingClock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.at = NOW
        self.seconds = 0.0

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.seconds

    def pass_(self, **time: float) -> None:
        self.at += timedelta(**time)


@dataclass
class GatewayDouble:
    """Seals with a key of its own."""

    clock: MovingClock = field(default_factory=MovingClock)
    ring: Keyring = field(default_factory=new_keyring)

    def catalogue(self, actor: Actor = USER, tools: Sequence[Tool] = TOOLS) -> Json:
        signed = exact({"kinds": [encode_kind(PERSON)], "tools": [declaration(tool) for tool in tools]})
        claims = {"sub": actor.id, "owner": actor.owner, "digest": canonical_digest(signed)}
        seal = sign(self.ring, TokenKind.CATALOGUE, claims, self.clock.now(), 3600)
        return {**signed, "expires": (self.clock.now() + timedelta(hours=1)).isoformat(), "seal": seal}

    def result(
        self, call: Mapping[str, str], *facts: Fact, kind: str = "read", status: str = "success",
        reason: str | None = None, actor: Actor = USER, **claims: Any,
    ) -> Json:  # fmt: skip
        """The sealed result of an issued call (an event's data), or of "context" with `call_id` ""."""
        documents = [encode_fact(Numbered("", fact)) for fact in facts]
        signed = {"facts": documents, "reason": reason, "status": status}
        told = {
            "sub": actor.id, "owner": actor.owner, "call_id": call["call_id"], "name": call["name"], "kind": kind,
            "arguments": canonical_digest(json.loads(call["arguments"])), "digest": canonical_digest(signed), **claims,
        }  # fmt: skip
        seal = sign(self.ring, TokenKind.RESULT, told, self.clock.now(), 900)
        return {"call_id": call["call_id"], "name": call["name"], "kind": kind, **signed, "seal": seal}

    def found(self, call: Mapping[str, str], *facts: Fact) -> Json:
        """What a read found, with the trace that it leaves."""
        trace = lookup_fact(
            call["name"], call["arguments"], covers="person", matched=len(facts), searched=3, as_of=NOW,
            key=call["name"] + call["arguments"],
        )  # fmt: skip
        return self.result(call, *facts, trace)

    def seeds(self, *facts: Fact, actor: Actor = USER) -> Json:
        return self.result({"call_id": "", "name": "context", "arguments": "{}"}, *facts, actor=actor)

    def history(self, thread: str, messages: Sequence[Json], transcript: str, next_ref: int, **claims: Any) -> str:
        told = {"sub": USER.id, "owner": USER.owner, "thread": thread, "transcript": transcript,
                "messages": len(messages), "next_ref": next_ref, **claims}  # fmt: skip
        return sign(self.ring, TokenKind.HISTORY, told, self.clock.now(), 900)


def declaration(tool: Tool) -> Json:
    return {
        "name": tool.name, "title": tool.title, "description": tool.description, "input_schema": dict(tool.schema),
        "read_only": tool.kind is ToolKind.READ, "permission": tool.permission, "example": dict(tool.example),
        "covers": tool.covers.name if tool.covers else None, "words": list(tool.words),
        "takes_name": tool.takes_name, "takes_text": tool.takes_text, "can_leave": tool.can_leave,
    }  # fmt: skip


def pending(title: str = "Message to Elena", key: str = "prop_1") -> Fact:
    values = {"title": title, "state": "pending", "action": "message", "proposal_id": key}
    return PROPOSAL.fact(values, source="proposals", key=key, as_of=NOW)


def receipt(title: str = "Message to Elena", key: str = "prop_1", outcome: str = "sent") -> Fact:
    values = {"title": title, "outcome": outcome, "action": "message", "proposal_id": key, "done_at": NOW}
    return RECEIPT.fact(values, source="gateway", key=key, as_of=NOW)
