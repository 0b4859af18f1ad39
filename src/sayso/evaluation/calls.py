"""Texts with labelled tool calls: how the reader's own calls compare, whole and as they stream.

`{id, family, text, advertised_tools: [{name, schema}], expected_calls: [{name, args}], expected_text, tags}`, one a
line. A call counts as read when it could run: one that names no tool on offer, or whose arguments are handed on
unread, is answered with an error and counted nowhere. Texts tagged `contested` are told apart. It runs no tool.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel

from sayso.core.protocols.hiding import ProseStream
from sayso.core.protocols.reading import TextReading, read_text
from sayso.core.tools import ProposeResult, ReadResult, Tool, ToolContext, ToolKind
from sayso.errors import FactError
from sayso.evaluation.records import each_line
from sayso.evaluation.scoring import share
from sayso.verifying.reading import listed

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class LabelledReply:
    """A model's reply, the tools that were on offer, and the calls that are in it."""

    id: str
    family: str
    text: str
    tools: Mapping[str, Tool]
    expected: tuple[Call, ...]
    expected_text: str | None
    contested: bool


@dataclass(frozen=True, slots=True)
class ReadReply:
    """A labelled reply with the calls and the prose that were read from it."""

    label: LabelledReply
    found: tuple[Call, ...]
    prose: str
    seconds: float

    @property
    def exact(self) -> bool:
        """Names and arguments, in order; true and 1 are not the same."""
        return _plain(self.found) == _plain(self.label.expected)

    @property
    def names(self) -> bool:
        return [name for name, _ in self.found] == [name for name, _ in self.label.expected]

    @property
    def prose_kept(self) -> bool:
        """Whether the reader of the answer sees what was expected, white space aside."""
        expected = self.label.expected_text
        return expected is None or self.prose.split() == expected.split()


@dataclass(frozen=True, slots=True)
class CallFigures:
    """What a set shows. Shares are of the texts with calls; false calls stand in texts without any."""

    scored: tuple[ReadReply, ...]
    contested: tuple[ReadReply, ...]

    @property
    def positives(self) -> tuple[ReadReply, ...]:
        return tuple(r for r in self.scored if r.label.expected)

    @property
    def negatives(self) -> tuple[ReadReply, ...]:
        return tuple(r for r in self.scored if not r.label.expected)

    @property
    def false_calls(self) -> int:
        return sum(len(r.found) for r in self.negatives)

    @property
    def wrong(self) -> tuple[ReadReply, ...]:
        return tuple(r for r in self.scored if not r.exact)

    @property
    def milliseconds(self) -> float:
        """Processor time of a text, on average."""
        replies = (*self.scored, *self.contested)
        return 1000 * sum(r.seconds for r in replies) / len(replies) if replies else 0.0

    def by_family(self) -> dict[str, dict[str, int]]:
        families = sorted({r.label.family for r in self.scored})
        return {family: _counts([r for r in self.scored if r.label.family == family]) for family in families}

    def as_json(self) -> dict[str, Any]:
        positives = self.positives
        return {
            "exact": round(share(sum(r.exact for r in positives), len(positives)), 4),
            "names": round(share(sum(r.names for r in positives), len(positives)), 4),
            "false_calls": self.false_calls,
            "positives": len(positives),
            "negatives": len(self.negatives),
            "prose": round(share(sum(r.prose_kept for r in self.scored), len(self.scored)), 4),
            "contested": _counts(self.contested),
            "by_family": self.by_family(),
            "ms": round(self.milliseconds, 3),
        }


def labelled_replies(path: Path) -> Iterator[LabelledReply]:
    """Raises ImportFailed, which names the line, for one that cannot be read."""
    return each_line(path, _labelled)


def read_replies(replies: Iterable[LabelledReply]) -> Iterator[ReadReply]:
    for reply in replies:
        begun = time.process_time()
        reading = read_text(reply.text, reply.tools)
        yield ReadReply(reply, runnable(reading), reading.prose, time.process_time() - begun)


def call_figures(replies: Iterable[ReadReply]) -> CallFigures:
    read = tuple(replies)
    return CallFigures(
        tuple(r for r in read if not r.label.contested), tuple(r for r in read if r.label.contested)
    )  # fmt: skip


def runnable(reading: TextReading) -> tuple[Call, ...]:
    """The calls that a run would carry out, with their arguments as values."""
    return tuple((call.name, json.loads(call.arguments)) for call in reading.calls if not call.fault)


def shown_while_streaming(text: str, names: Iterable[str], chunks: Sequence[int] = ()) -> str:
    """What a person sees before the reply is whole, when it comes cut at these offsets (else by the character)."""
    stream = ProseStream(names)
    cuts = [0, *(chunks or range(1, len(text))), len(text)]
    return "".join(stream.feed(text[a:b]) for a, b in pairwise(cuts))


def _counts(replies: Sequence[ReadReply]) -> dict[str, int]:
    return {"texts": len(replies), "exact": sum(r.exact for r in replies)}


def _plain(calls: Sequence[Call]) -> list[str]:
    return [json.dumps(call, sort_keys=True, ensure_ascii=False) for call in calls]


def _labelled(record: Mapping[str, Any]) -> LabelledReply:
    text, shown = record.get("text"), record.get("expected_text")
    if not isinstance(text, str):
        raise FactError('it has no "text": write the reply of a model')
    tools = [_tool(tool) for tool in listed(record, "advertised_tools")]
    return LabelledReply(
        str(record.get("id", "")),
        str(record.get("family") or "none"),
        text,
        {tool.name: tool for tool in tools},
        tuple(_call(call) for call in listed(record, "expected_calls")),
        shown if isinstance(shown, str) else None,
        "contested" in cast("list[Any]", record.get("tags") or []),
    )


def _call(record: Mapping[str, Any]) -> Call:
    name, args = record.get("name"), record.get("args")
    if not isinstance(name, str) or not isinstance(args, dict):
        raise FactError('an entry of "expected_calls" is not {"name": "find", "args": {}}')
    return name, cast("dict[str, Any]", args)


def _tool(record: Mapping[str, Any]) -> Tool:
    name, schema = record.get("name"), record.get("schema", record.get("parameters"))
    if not isinstance(name, str):
        raise FactError('an entry of "advertised_tools" is not {"name": "find", "schema": {}}')
    return Tool(
        name=name, kind=ToolKind.READ, description="", arguments=BaseModel, example={}, permission="", covers=None,
        words=(), takes_name=None, takes_text=None, pure=True, can_leave=False, run=_never_run, title=name,
        schema=cast("dict[str, Any]", schema) if isinstance(schema, dict) else {},
    )  # fmt: skip


async def _never_run(arguments: Any, context: ToolContext) -> ReadResult | ProposeResult:
    raise FactError("a tool of a labelled set is only named")
