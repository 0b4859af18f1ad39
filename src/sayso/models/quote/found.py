"""What the calls of an exchange have brought: records, look-ups, failures, proposals."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sayso.core.evidence import Numbered
from sayso.core.messages import CallStatus, Message, Role, ToolCall, ToolResult
from sayso.core.tools import Tool, ToolKind

_REF = re.compile(r"\b[FU]\d+\b")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One call with its result. `lookup` is the trace of a read."""

    call: ToolCall
    result: ToolResult
    tool: Tool | None

    @property
    def lookup(self) -> Numbered | None:
        return next((n for n in self.result.facts if n.fact.kind.name == "lookup"), None)

    @property
    def records(self) -> tuple[Numbered, ...]:
        return tuple(n for n in self.result.facts if n.fact.kind.name not in {"lookup", "proposal"})

    @property
    def proposal(self) -> Numbered | None:
        return next((n for n in self.result.facts if n.fact.kind.name == "proposal"), None)

    @property
    def receipt(self) -> Numbered | None:
        return next((n for n in self.result.facts if n.fact.kind.name == "receipt"), None)

    @property
    def failed(self) -> bool:
        return self.result.status is not CallStatus.SUCCESS and not self.result.facts

    @property
    def proposes(self) -> bool:
        return self.tool is not None and self.tool.kind is ToolKind.PROPOSE

    @property
    def arguments(self) -> Mapping[str, Any]:
        return read_arguments(self.call.arguments)


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier exchange: what was asked, and what was answered."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """The exchange so far: the question, the seed facts, and each call with its result.

    Of the exchanges before it: `past`, the newest last, and the records that the last answer cites, in order.
    """

    question: str
    seeds: tuple[Numbered, ...]
    outcomes: tuple[Outcome, ...]
    asked: frozenset[str]
    past: tuple[Past, ...] = ()
    cited: tuple[Numbered, ...] = ()
    earlier: tuple[Numbered, ...] = ()  # the records of all exchanges before

    @property
    def before(self) -> str:
        return self.past[-1].question if self.past else ""

    @property
    def told_of(self) -> Numbered | None:
        """The record that the last answer spoke of first."""
        return next(iter(self.cited), None)

    @property
    def listed(self) -> tuple[Numbered, ...]:
        """The records of the last answer's list, in its order."""
        return records_of_lines(self.past[-1].answer, self.earlier) if self.past else ()


def records_of_lines(answer: str, known: Sequence[Numbered]) -> tuple[Numbered, ...]:
    by_ref = {n.ref: n for n in known}
    lines = (line for line in answer.splitlines() if line.startswith("- "))
    return tuple(by_ref[refs[-1]] for line in lines if (refs := _REF.findall(line)) and refs[-1] in by_ref)


def read_exchange(messages: Sequence[Message], tools: Sequence[Tool]) -> Exchange:
    last = next((m for m in reversed(messages) if m.role is Role.USER and m.text.strip()), None)
    if last is None:
        return Exchange("", (), (), frozenset())
    own = [m for m in messages if m.exchange_id == last.exchange_id]
    by_name = {tool.name: tool for tool in tools}
    calls = [call for m in own for call in m.calls]
    results = {result.call_id: result for m in own for result in m.results}
    outcomes = tuple(Outcome(c, results[c.id], by_name.get(c.name)) for c in calls if c.id in results)
    brought = {n.ref for o in outcomes for n in o.result.facts}
    seeds = tuple(n for m in own for n in m.facts if n.ref not in brought)
    earlier = [m for m in messages if m.exchange_id != last.exchange_id]
    asked = frozenset(spelling(c.name, c.arguments) for c in calls)
    past = _past(earlier)
    known = {n.ref: n for m in earlier for n in m.facts if n.fact.kind.name not in {"lookup", "proposal"}}
    refs = dict.fromkeys(_REF.findall(past[-1].answer)) if past else ()
    cited = tuple(known[ref] for ref in refs if ref in known)
    return Exchange(last.text.strip(), seeds, outcomes, asked, past, cited, tuple(known.values()))


def _past(earlier: Sequence[Message]) -> tuple[Past, ...]:
    questions, answers = dict[str, str](), dict[str, str]()
    for message in earlier:
        if text := message.text.strip():
            if message.role is Role.USER:
                questions[message.exchange_id] = text
            elif message.role is Role.ASSISTANT:
                answers[message.exchange_id] = text
    return tuple(Past(text, answers.get(id, "")) for id, text in questions.items())


def spelling(name: str, arguments: str | Mapping[str, Any]) -> str:
    """One spelling of a call, by which a repeated one is known."""
    given = read_arguments(arguments) if isinstance(arguments, str) else arguments
    return f"{name} {json.dumps(dict(given), sort_keys=True, ensure_ascii=False, default=str)}"


def read_arguments(raw: str) -> Mapping[str, Any]:
    try:
        value: Any = json.loads(raw or "{}")
    except (ValueError, RecursionError):
        return {}
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
