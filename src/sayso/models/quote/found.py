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
    def failed(self) -> bool:
        return self.result.status is not CallStatus.SUCCESS and not self.result.facts

    @property
    def proposes(self) -> bool:
        return self.tool is not None and self.tool.kind is ToolKind.PROPOSE

    @property
    def arguments(self) -> Mapping[str, Any]:
        return read_arguments(self.call.arguments)


@dataclass(frozen=True, slots=True)
class Exchange:
    """The exchange so far: the question, the seed facts, and each call with its result.

    Of the exchange before it: its question, and the record that its answer spoke of.
    """

    question: str
    seeds: tuple[Numbered, ...]
    outcomes: tuple[Outcome, ...]
    asked: frozenset[str]
    before: str = ""
    told_of: Numbered | None = None


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
    before = next((m.text.strip() for m in reversed(earlier) if m.role is Role.USER and m.text.strip()), "")
    asked = frozenset(spelling(c.name, c.arguments) for c in calls)
    return Exchange(last.text.strip(), seeds, outcomes, asked, before, _told_of(earlier))


def _told_of(earlier: Sequence[Message]) -> Numbered | None:
    """The record that the last answer cites first, look-ups left out."""
    answer = next((m.text for m in reversed(earlier) if m.role is Role.ASSISTANT and m.text.strip()), "")
    known = {n.ref: n for m in earlier for n in m.facts if n.fact.kind.name not in {"lookup", "proposal"}}
    return next((known[ref] for ref in _REF.findall(answer) if ref in known), None)


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
