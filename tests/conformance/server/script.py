"""What a model says, before any provider's format: text, reasoning, calls, an end, a usage.

A `Reply` is neutral; each provider's module writes it as that provider would.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Literal

Finish = Literal["stop", "calls", "length", "filter"]


@dataclass(frozen=True, slots=True)
class Text:
    chunks: tuple[str, ...]

    @property
    def whole(self) -> str:
        return "".join(self.chunks)


@dataclass(frozen=True, slots=True)
class Thought:
    chunks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """`arguments` is JSON text, sent in `pieces`; `id` None means one that the provider would give."""

    name: str
    arguments: str
    pieces: int = 3
    id: str | None = None

    @property
    def fragments(self) -> tuple[str, ...]:
        size = max(1, -(-len(self.arguments) // self.pieces))
        return tuple(self.arguments[at : at + size] for at in range(0, len(self.arguments), size)) or ("",)


Part = Text | Thought | Call


@dataclass(frozen=True, slots=True)
class Reply:
    parts: tuple[Part, ...]
    finish: Finish = "stop"
    usage: tuple[int, int] = (11, 7)

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(part for part in self.parts if isinstance(part, Call))

    @property
    def text(self) -> str:
        return "".join(part.whole for part in self.parts if isinstance(part, Text))

    def as_text(self) -> Reply:
        """The same reply by a model that writes its calls as two lines."""
        parts: list[Part] = []
        for part in self.parts:
            if isinstance(part, Call):
                lines = "\n" * bool(parts) + f"TOOL: {part.name}\nARGS: {part.arguments}\n"
                parts.append(Text(tuple(lines[at : at + 5] for at in range(0, len(lines), 5))))
            else:
                parts.append(part)
        return replace(self, parts=tuple(parts), finish="stop" if self.finish == "calls" else self.finish)


def say(*chunks: str, finish: Finish = "stop", usage: tuple[int, int] = (11, 7)) -> Reply:
    return Reply((Text(chunks),), finish, usage)


def call(name: str, **arguments: Any) -> Call:
    return Call(name, json.dumps(arguments, ensure_ascii=False))


def ask(*calls: Call, before: str = "", finish: Finish = "calls") -> Reply:
    """A reply that calls tools, with an optional preamble."""
    return Reply((*((Text((before,)),) if before else ()), *calls), finish)
