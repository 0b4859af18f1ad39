"""The tools and kinds that a request declares: a sealed catalogue of the gateway, and the caller's own tools.

A declaration says what may be asked for; nothing here can run anything. Schemas come from outside: their size is
bounded, nothing is fetched, and no pattern of theirs is ever matched.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from pydantic import BaseModel, ConfigDict, Field
from pydantic import ValidationError as Unfit
from referencing import Registry as Schemas
from referencing.exceptions import Unresolvable

from sayso.core.encoding import decode_kind
from sayso.core.facts import LOOKUP, PROPOSAL, PROVIDED, RECEIPT, SECOND_HAND, FactKind, kinds_by_name
from sayso.core.images import ATTACHED
from sayso.core.messages import CallStatus, ResultReason, ToolCall, ToolResult
from sayso.core.proposals import unique_pairs
from sayso.core.tools import Registry, Tool, ToolContext, ToolKind
from sayso.errors import SaysoError
from sayso.inference.bodies import ClientTool
from sayso.inference.schemas import bounded
from sayso.serving.problems import Problem

_log = logging.getLogger(__name__)
CORE_KINDS = kinds_by_name((LOOKUP, PROPOSAL, RECEIPT, SECOND_HAND, PROVIDED, ATTACHED))
"""The kinds that are always declared, and by us alone."""
MAX_TOOLS = 200
MAX_KINDS = 200
MAX_ARGUMENTS = 64_000

CallKind = Literal["read", "propose", "client"]
_NOWHERE: Schemas[Any] = Schemas()  # a schema is never fetched from anywhere


class _Entry(BaseModel):
    """A tool of a catalogue. What a newer gateway says beside this is left aside."""

    model_config = ConfigDict(strict=True, frozen=True)

    name: str = Field(pattern="^[A-Za-z_][A-Za-z0-9_]{0,127}$")
    title: str = Field("", max_length=200)
    description: str = Field(max_length=8000)
    input_schema: dict[str, Any]
    read_only: bool
    permission: str = Field("", max_length=200)
    example: dict[str, Any] = {}
    covers: str | None = None
    words: list[str] = Field(default=[], max_length=500)
    takes_name: str | None = None
    takes_text: str | None = None
    can_leave: bool = False


class _AsWritten(BaseModel):
    """Arguments are judged by their schema, and go to the caller as they are."""

    model_config = ConfigDict(extra="allow")


@dataclass(frozen=True, slots=True)
class Declared:
    """What a run may ask for. `client` names the caller's own tools."""

    tools: Registry
    kinds: Mapping[str, FactKind]
    client: frozenset[str]
    checks: Mapping[str, Draft202012Validator]

    def kind_of(self, name: str) -> CallKind:
        """What may come of a call: a tool of the gateway reads or proposes, the caller's own does neither."""
        tool = self.tools.get(name)
        if name in self.client or tool is None:
            return "client"
        return "read" if tool.kind is ToolKind.READ else "propose"

    def arguments(self, call: ToolCall) -> dict[str, Any] | None:
        """The arguments of a call, or None where they do not fit."""
        check = self.checks.get(call.name)
        if check is None or len(call.arguments) > MAX_ARGUMENTS:
            return None
        try:
            value = json.loads(call.arguments or "{}", object_pairs_hook=unique_pairs, parse_constant=_no_number)
            fits = check.is_valid(value)  # pyright: ignore[reportUnknownMemberType]
        except (ValueError, RecursionError, Unresolvable):
            return None
        return value if fits and isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType]


@dataclass(frozen=True, slots=True)
class CallerRunner:
    """Leaves every call to the caller but those that cannot be meant: they are answered at once."""

    declared: Declared

    def may_run(self, call: ToolCall) -> bool:
        return self.declared.arguments(call) is None

    async def run(self, call: ToolCall) -> ToolResult:
        known = self.declared.tools.get(call.name) is not None
        reason = ResultReason.BAD_ARGUMENTS if known else ResultReason.UNKNOWN_TOOL
        return ToolResult(call.id, CallStatus.FAILED, reason=reason)


@dataclass(frozen=True, slots=True)
class Offered:
    """The tools and kinds of one catalogue."""

    tools: tuple[Tool, ...]
    kinds: Mapping[str, FactKind]
    checks: Mapping[str, Draft202012Validator]


def read_catalogue(document: Mapping[str, Any]) -> Offered:
    """The tools and kinds of a catalogue. A tool whose schema is out of bounds is left out: the others stay.

    Raises Problem 422 for what is no catalogue.
    """
    tools, kinds = document.get("tools"), document.get("kinds")
    if not isinstance(tools, list) or not isinstance(kinds, list) or len(tools) > MAX_TOOLS or len(kinds) > MAX_KINDS:  # pyright: ignore[reportUnknownArgumentType]
        raise _no_catalogue(f"it has `tools` and `kinds`, {MAX_TOOLS} of each at most")
    known = _kinds(kinds)  # pyright: ignore[reportUnknownArgumentType]
    found: dict[str, Tool] = {}
    checks: dict[str, Draft202012Validator] = {}
    for entry in _entries(tools):  # pyright: ignore[reportUnknownArgumentType]
        check = check_of(entry.input_schema)
        if check is None:
            _log.warning("the tool %s is left out: its schema is none, or out of bounds", entry.name)
        else:
            found[entry.name], checks[entry.name] = _tool(entry, known), check
    return Offered(tuple(found.values()), known, checks)


def declare(offered: Offered, own: Iterable[ClientTool]) -> Declared:
    """A catalogue together with the caller's own tools. Raises Problem 422: a name of the catalogue is taken."""
    found = {tool.name: tool for tool in offered.tools}
    checks = dict(offered.checks)
    client: set[str] = set()
    for entry in own:
        if entry.name in found:
            raise Problem(422, "name_taken", f"client_tools: {entry.name!r} is declared already; name it otherwise")
        check = check_of(entry.input_schema)
        if check is None:
            raise Problem(422, "schema_unfit", f"client_tools: the input_schema of {entry.name!r} is no JSON Schema "
                          "of an object within bounds (size, depth, references within itself)")  # fmt: skip
        document = entry.model_dump(exclude={"covers"})
        found[entry.name] = _tool(_Entry(**document), {})
        checks[entry.name] = check
        client.add(entry.name)
    return Declared(Registry(found.values()), offered.kinds, frozenset(client), MappingProxyType(checks))


def check_of(schema: Mapping[str, Any]) -> Draft202012Validator | None:
    """What judges arguments; None for a schema that is none, or out of bounds."""
    plain = bounded(schema)
    if plain is None or plain.get("type", "object") != "object":
        return None
    try:
        Draft202012Validator.check_schema(plain)
    except (SchemaError, RecursionError):
        return None
    return Draft202012Validator({**plain, "type": "object"}, registry=_NOWHERE)


def _kinds(documents: list[Any]) -> Mapping[str, FactKind]:
    try:
        decoded = [decode_kind(document) for document in documents]
    except (SaysoError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise _no_catalogue(f"a kind cannot be read: {wrong}") from wrong
    return {**{kind.name: kind for kind in decoded}, **CORE_KINDS}


def _entries(documents: list[Any]) -> list[_Entry]:
    entries: list[_Entry] = []
    for number, document in enumerate(documents, 1):
        try:
            entries.append(_Entry.model_validate(document))
        except Unfit as wrong:
            _log.warning("tool %d of a catalogue is left out: %s", number, wrong.errors(include_url=False)[0]["msg"])
    if len({entry.name for entry in entries}) < len(entries):
        raise _no_catalogue("two tools have one name")
    return entries


def _tool(entry: _Entry, kinds: Mapping[str, FactKind]) -> Tool:
    kind = ToolKind.READ if entry.read_only else ToolKind.PROPOSE
    return Tool(
        name=entry.name, kind=kind, description=entry.description, arguments=_AsWritten, example=entry.example,
        permission=entry.permission or f"{kind}:{entry.name}", covers=kinds.get(entry.covers or ""),
        words=tuple(entry.words), takes_name=_property(entry, entry.takes_name),
        takes_text=_property(entry, entry.takes_text), pure=entry.read_only, can_leave=entry.can_leave, run=_not_here,
        title=entry.title or entry.name.replace("_", " "), schema=entry.input_schema,
    )  # fmt: skip


def _property(entry: _Entry, name: str | None) -> str | None:
    properties: Mapping[str, Any] = entry.input_schema.get("properties", {})
    return name if name in properties else None


async def _not_here(arguments: Any, context: ToolContext) -> Any:
    raise AssertionError("a tool of the application runs at its gateway, never here")


def _no_catalogue(why: str) -> Problem:
    return Problem(422, "catalogue_unfit", f"this is no catalogue of a gateway: {why}")


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no JSON number")
