"""Native and text calls of one reply, merged: a call that came by both ways is one call.

Ids are ours from here on; a provider's own ids repeat, restart or are missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sayso.core.messages import ToolCall
from sayso.core.ports import Ids, NativeCall
from sayso.core.protocols.loose_json import Broken, Repeated, read_value
from sayso.core.protocols.objects import Found
from sayso.core.protocols.offer import Offer, plain_name
from sayso.core.protocols.reading import Said, read_text
from sayso.core.tools import Tool


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply asks for and says: calls in order, prose, and refused look-alikes."""

    calls: tuple[ToolCall, ...]
    prose: str
    rejected: int


def read_reply(
    text: str, native: Sequence[NativeCall], tools: Mapping[str, Tool], ids: Ids, *, cut: bool, said: Said
) -> Reading:
    """Read both protocols from one reply. `cut`: nothing in the text is a call."""
    reading = read_text(text, tools, cut=cut, said=said)
    offer = Offer(tools)
    calls = [_native(call, offer, ids) for call in native]
    known = {_identity(call.name, call.arguments) for call in calls}
    calls.extend(
        ToolCall(ids.new("call"), found.name, found.arguments, "text")
        for found in reading.calls
        if _identity(found.name, found.arguments) not in known
    )
    return Reading(tuple(calls), reading.prose, reading.rejected)


def _native(call: NativeCall, offer: Offer, ids: Ids) -> ToolCall:
    """A native call under the tool's own name: without namespaces and markers that leaked into it.

    Its arguments are brought to the tool's types, as those of a text call are; what cannot be read, or says a
    key twice, is handed on as it was written, and refused where it would run.
    """
    tool = offer.find(call.name)
    name = tool.name if tool else plain_name(call.name) or call.name
    arguments = call.arguments or "{}"
    if tool is not None:
        arguments = _fitted(arguments, tool, offer)
    return ToolCall(ids.new("call"), name, arguments, "native")


def _fitted(arguments: str, tool: Tool, offer: Offer) -> str:
    try:
        value, end = read_value(arguments, 0)
    except Repeated:
        return f"a key twice: {arguments}"
    except Broken:
        return arguments
    if arguments[end:].strip() or not isinstance(value, dict):
        return arguments
    given = cast("dict[str, Any]", value)
    try:
        fitted = offer.arguments(Found(tool.name, given), tool)
    except Broken:
        return arguments
    return arguments if fitted == given and _is_json(arguments) else json.dumps(fitted, ensure_ascii=False)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _identity(name: str, arguments: str) -> tuple[str, str]:
    try:
        return name, json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return name, arguments
