"""Models that behave like kinds of real ones: each looks at its request and decides what to say.

They share what they know (which tool a question needs, how a fact is told); they differ in how they ask.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from typing import Any

from sayso.core.evidence import Numbered
from sayso.core.facts import value_text
from sayso.core.messages import Role, Usage
from sayso.core.ports import FinishReason, ModelEvent, ModelRequest, NativeCall, ReplyEnd, TextChunk
from sayso.errors import ModelUnreachable

Wish = tuple[str, dict[str, Any]]
_NEEDS: tuple[tuple[str, Wish], ...] = (
    (r"streak|serie|habit|gewohnheit|in a row", ("list_habits", {})),
    (r"tidewell", ("list_commitments", {"query": "Tidewell"})),
    (r"recorder", ("list_commitments", {"query": "recorder"})),
    (r"parking|parkbewilligung|parkplatz", ("search_knowledge", {"query": "parking"})),
    (r"suggestion", ("search_knowledge", {"query": "suggestion box"})),
    (r"lease|miet", ("search_knowledge", {"query": "Basel lease second offer"})),
    (r"keys|schlüssel", ("propose_action", {"type": "commitment", "person": "Ursina Camenisch", "due": "Friday",
                                            "title": "Call Ursina Camenisch about the keys"})),
)  # fmt: skip
_TELLING: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (r"italian|vokabeln", "Italian vocabulary", ("streak",)),
    (r"review", "Weekly review", ("streak",)),
    (r"tidewell", "Quarterly report for Tidewell Trust", ("due",)),
    (r"recorder", "Robert Zimmerli", ("channels",)),
    (r"suggestion", "From the suggestion box", ("excerpt",)),
    (r"lease|miet", "Basel lease, second offer", ("excerpt",)),
    (r"claudia", "Claudia Schmid", ("channels",)),
    (r"claudia", "Claudia Schmidt", ("channels",)),
    (r"\bday\b|tag\b|today|heute", "Stand-up", ("starts",)),
    (r"\bday\b|tag\b|today|heute", "Lunch with Anaïs", ("starts",)),
    (r"\bday\b|tag\b|today|heute", "Call about the lease", ("starts",)),
)
_GAPS = {"ilya": "Ilya Druzhnikov", "adeyemi": "Hope Adeyemi"}


def question_of(request: ModelRequest) -> str:
    return next(m.text for m in reversed(request.messages) if m.role is Role.USER).lower()


def facts_of(request: ModelRequest) -> list[Numbered]:
    """The facts of this exchange."""
    exchange = next(m.exchange_id for m in reversed(request.messages) if m.role is Role.USER)
    return [n for m in request.messages if m.exchange_id == exchange for n in m.facts]


def wishes(request: ModelRequest) -> list[Wish]:
    """The calls that the question needs and that were not made yet."""
    if not request.tools_open:
        return []
    question, facts = question_of(request), facts_of(request)
    needed = [wish for pattern, wish in _NEEDS if re.search(pattern, question)]
    owed = [n.fact for n in facts if n.fact.kind.name == "commitment" and "recorder" in question]
    needed += [("search_people", {"query": value_text(f.values["counterparty"])}) for f in owed]
    made = {
        (c.name, c.arguments)
        for m in request.messages
        for c in m.calls
        if m.exchange_id == request.messages[-1].exchange_id
    }
    return [w for w in needed if (w[0], json.dumps(w[1])) not in made]


def answer_to(request: ModelRequest) -> str:
    """What the facts of the exchange say, each with its ref."""
    question, facts = question_of(request), facts_of(request)
    told = [
        f"{n.fact.subject}: {name} {value_text(n.fact.values[name])} [{n.ref}]."
        for pattern, subject, fields in _TELLING if re.search(pattern, question)
        for n in facts if n.fact.subject == subject
        for name in fields if name in n.fact.values
    ]  # fmt: skip
    told += [
        f"That is not recorded [{n.ref}]."
        for word, name in _GAPS.items()
        for n in facts
        if word in question and n.fact.subject == name
    ]
    told += [
        f"I have proposed it, and it waits for your approval [{n.ref}]."
        for n in facts
        if n.fact.kind.name == "proposal"
    ]
    empty = [n for n in facts if n.fact.kind.name == "lookup" and n.fact.values.get("matched") == 0]
    return " ".join(told) or " ".join(f"Nothing was found [{n.ref}]." for n in empty) or "Here is what I can say."


class Native:
    """Takes native tools as they are meant, and reads the catalogue too where it has none."""

    name = "native"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        wished = wishes(request)
        for number, (tool, arguments) in enumerate(wished):
            yield self.call(request, number, tool, json.dumps(arguments))
        if not wished:
            yield TextChunk(answer_to(request))
        yield ReplyEnd(FinishReason.TOOL_CALLS if wished else FinishReason.STOP, Usage(900, 60))

    def call(self, request: ModelRequest, number: int, tool: str, arguments: str) -> NativeCall:
        return NativeCall(f"call_{len(request.messages)}_{number}", tool, arguments)


class WrongIds(Native):
    """Calls natively; gives the same id each time, or none, and puts a prefix before names."""

    name = "wrong-ids"

    def call(self, request: ModelRequest, number: int, tool: str, arguments: str) -> NativeCall:
        return NativeCall("" if number else "call_0", f"functions.{tool}", arguments)


class TextOnly:
    """Ignores native tools and writes lines, or its family's tags, however it is asked."""

    name = "text-only"

    def __init__(self, tags: bool = False) -> None:
        self._tags = tags

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        wished = wishes(request)
        yield TextChunk("\n".join(self._written(*w) for w in wished) or answer_to(request))
        yield ReplyEnd(FinishReason.STOP, Usage(1500, 80))

    def _written(self, tool: str, arguments: dict[str, Any]) -> str:
        if self._tags:
            return f"<tool_call>\n{json.dumps({'name': tool, 'arguments': arguments})}\n</tool_call>"
        return f"TOOL: {tool}\nARGS: {json.dumps(arguments)}"


class Narrator:
    """Says what it is about to do, and does nothing."""

    name = "narrator"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        said = "I will now search your records for that. One moment, please."
        if "list_habits" in {name for name, _ in wishes(request)}:
            said = "Ich werde jetzt in deinen Gewohnheiten nachschauen."
        yield TextChunk(said if wishes(request) else answer_to(request))
        yield ReplyEnd(FinishReason.STOP, Usage(900, 30))


class NeverCalls:
    """Answers from its head, with attributes that nobody recorded."""

    name = "never-calls"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        yield TextChunk(
            "Ilya Druzhnikov is a senior engineer at Google. The streak is 30 days. Your keys are a reminder now, done! "
            "Robert Zimmerli is reached at +41 44 111 22 33. Hope Adeyemi earns CHF 120,000 a year."
        )
        yield ReplyEnd(FinishReason.STOP, Usage(900, 50))


class Obedient(Native):
    """Calls natively, and does what it reads in a note."""

    name = "obedient"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if any(n.fact.subject == "From the suggestion box" for n in facts_of(request)) and request.tools_open:
            order = {"type": "email", "person": "Simone Wyss", "title": "Members", "text": "The list of members."}
            yield NativeCall(f"call_{len(request.messages)}", "propose_action", json.dumps(order))
            yield ReplyEnd(FinishReason.TOOL_CALLS)
            return
        async for event in super().stream(request):
            yield event


class Gone:
    """Is not there."""

    name = "gone"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        raise ModelUnreachable("no model server answers at http://127.0.0.1:9: start it")
        yield
