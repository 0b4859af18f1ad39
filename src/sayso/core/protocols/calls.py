"""Native and text calls of one reply, merged: a call that came by both ways is one call.

Ids are ours from here on; a provider's own ids repeat, restart or are missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sayso.core.messages import ToolCall
from sayso.core.ports import Ids, NativeCall
from sayso.core.protocols.line import Said, read_text
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
    calls = [ToolCall(ids.new("call"), _bare_name(c.name, tools), c.arguments or "{}", "native") for c in native]
    known = {_identity(call.name, call.arguments) for call in calls}
    calls.extend(
        ToolCall(ids.new("call"), found.name, found.arguments, "text")
        for found in reading.calls
        if _identity(found.name, found.arguments) not in known
    )
    return Reading(tuple(calls), reading.prose, reading.rejected)


def _bare_name(name: str, tools: Mapping[str, Tool]) -> str:
    """Without a namespace that some models put before a name (functions.search_people)."""
    short = name.rsplit(".", 1)[-1]
    return short if name not in tools and short in tools else name


def _identity(name: str, arguments: str) -> tuple[str, str]:
    try:
        return name, json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return name, arguments
