"""Tools: what a model may ask for. Two kinds exist, `read` and `propose`; none executes.

A tool returns facts, never prose: there is no field by which it could put words before the model.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from sayso.core.actors import Actor
from sayso.core.facts import Fact, FactKind
from sayso.core.plain import in_threads, is_plain
from sayso.core.proposals import Change
from sayso.errors import DeclarationError


class ToolKind(StrEnum):
    READ = "read"
    PROPOSE = "propose"


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool is told beside its arguments: for whom, when (with zone), the user's own words, and the record
    that is open on their page (kind, key)."""

    actor: Actor
    now: datetime
    locale: str = "en"
    user_message: str = ""
    record: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What a read found. `matched` of `searched` records; facts may be fewer than matched (cut)."""

    facts: tuple[Fact, ...]
    matched: int
    searched: int


@dataclass(frozen=True, slots=True)
class ProposeResult:
    """A change to put before a person; or, when a target is not clear, the records it may mean."""

    change: Change | None
    facts: tuple[Fact, ...] = ()


ToolFunction = Callable[[Any, ToolContext], Awaitable[ReadResult | ProposeResult]]
Arguments = TypeVar("Arguments", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Tool:
    """A declared tool; made by `define_tool`.

    `covers` is the fact kind a read searches; `words` are the words by which people ask for it;
    `takes_name` and `takes_text` name the arguments that take a person's or thing's name, and free text. `by_kind`
    are the kinds of record that its argument `kind` may name, where it is allowed by kind and not by its own name.
    """

    name: str
    kind: ToolKind
    description: str
    arguments: type[BaseModel]
    example: Mapping[str, Any]
    permission: str
    covers: FactKind | None
    words: tuple[str, ...]
    takes_name: str | None
    takes_text: str | None
    pure: bool
    can_leave: bool
    run: ToolFunction
    title: str
    schema: Mapping[str, Any]
    by_kind: tuple[str, ...] = ()

    @property
    def example_line(self) -> str:
        return f"TOOL: {self.name}\nARGS: {json.dumps(dict(self.example), ensure_ascii=False)}"

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(self.schema.get("required", ()))


def define_tool(
    name: str,
    *,
    kind: ToolKind | str,
    description: str,
    arguments: type[Arguments],
    run: Callable[[Arguments, ToolContext], Awaitable[ReadResult | ProposeResult] | ReadResult | ProposeResult],
    example: Mapping[str, Any],
    permission: str | None = None,
    covers: FactKind | None = None,
    words: Iterable[str] = (),
    takes_name: str | None = None,
    takes_text: str | None = None,
    pure: bool = True,
    can_leave: bool = False,
    title: str = "",
    by_kind: Iterable[str] = (),
) -> Tool:
    """Declare a tool. The only way to make one.

    `run` is an async function, which must not block; or a plain one, which may: each call of it has a thread of its
    own.

    Raises DeclarationError when the kind is neither read nor propose, when a read is not pure,
    when a read says not what it covers, or when the example does not fit the arguments.
    """
    if str(kind) not in {"read", "propose"}:
        raise DeclarationError(f"tool {name!r}: kind is read or propose, not {str(kind)!r}; nothing executes")
    tool_kind = ToolKind(str(kind))
    if tool_kind is ToolKind.READ and not pure:
        raise DeclarationError(f"tool {name!r}: a read changes nothing (pure=True); declare it as propose")
    if tool_kind is ToolKind.READ and covers is None:
        raise DeclarationError(f"tool {name!r}: a read names the fact kind that it covers")
    if not name.isidentifier():
        raise DeclarationError(f"tool {name!r}: a name is letters, digits and underscores")
    try:
        arguments.model_validate(dict(example))
    except ValidationError as wrong:
        raise DeclarationError(f"tool {name!r}: the example does not fit its arguments: {wrong}") from wrong
    return Tool(
        name=name, kind=tool_kind, description=description, arguments=arguments, example=dict(example),
        permission=permission or f"{tool_kind}:{name}", covers=covers, words=tuple(words),
        takes_name=takes_name, takes_text=takes_text, pure=pure, can_leave=can_leave,
        run=in_threads(name, run) if is_plain(run) else cast(ToolFunction, run),
        title=title or name.replace("_", " "), schema=_schema(arguments), by_kind=tuple(by_kind),
    )  # fmt: skip


def near_names(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Up to three of the known names that an unknown one may have meant."""
    return tuple(difflib.get_close_matches(name.lower(), list(known), n=3, cutoff=0.5))


class Registry:
    """The tools on offer, by name. Never changes; `for_actor` gives the part a person may use."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    def __iter__(self):
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def get(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def near(self, name: str) -> tuple[str, ...]:
        """Up to three names that an unknown one may have meant."""
        return near_names(name, self._tools)

    def for_actor(self, actor: Actor) -> Registry:
        return Registry(tool for tool in self if actor.may(tool.permission))

    @property
    def kinds(self) -> tuple[FactKind, ...]:
        return tuple({tool.covers.name: tool.covers for tool in self if tool.covers}.values())


def _schema(arguments: type[BaseModel]) -> Mapping[str, Any]:
    schema = arguments.model_json_schema()
    schema.pop("title", None)
    for prop in schema.get("properties", {}).values():
        prop.pop("title", None)
    return schema
