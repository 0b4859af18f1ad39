"""A person's decision on a proposal, through the gateway's own resource. Nothing else can approve.

The card is the gateway's: what is approved is the digest that it names. This module asks, sends what was decided,
and never decides.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sayso.caller.connection import Connection
from sayso.caller.errors import Refused

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Approve:
    """Exactly what the card shows, by its digest."""


@dataclass(frozen=True, slots=True)
class Deny:
    words: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """Other values for some inputs: a new card comes of it."""

    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Later:
    """It waits: the model is told that it is queued."""


Decision = Approve | Deny | Edit | Later
Decide = Callable[[Mapping[str, Any]], Awaitable[Decision]]
"""Shows a card and gives the person's decision. After an edit that does not fit, the card has `errors`."""


async def decided(gateway: Connection, proposal_id: str, decide: Decide, told: Callable[[Json], None]) -> Json:
    """Ask until a decision is made. The last state of the card: approved, denied ..., pending where it waits."""
    path = f"/api/v1/proposals/{quote(proposal_id, safe='')}"
    card = await gateway.json("GET", path)
    while card.get("state") == "pending":
        told(card)
        decision = await decide(card)
        if isinstance(decision, Later):
            break
        card = await _sent(gateway, path, card, decision)
    return card


async def _sent(gateway: Connection, path: str, card: Json, decision: Decision) -> Json:
    try:
        match decision:
            case Approve():
                return await gateway.json("POST", f"{path}/approve", {"digest": card["digest"]})
            case Deny(words):
                return await gateway.json("POST", f"{path}/deny", {"words": words})
            case Edit(arguments):
                body = {"digest": card["digest"], "arguments": dict(arguments)}
                return await gateway.json("POST", f"{path}/edit", body)
            case _:
                raise TypeError(f"{decision!r} is no decision")
    except Refused as wrong:
        if wrong.status == 422 and isinstance(decision, Edit):
            return {**card, "errors": wrong.members.get("errors", [{"field": "", "message": wrong.detail}])}
        if wrong.status in (409, 410):  # decided elsewhere, edited, or its time is over: look again
            again = await gateway.json("GET", path)
            if again.get("state") != "pending" or again.get("digest") != card.get("digest"):
                return again
        raise
