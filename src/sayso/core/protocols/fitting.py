"""A request made to fit what a model reads: what is left out, in which order, and the line that tells so.

Pure: sizes are characters of the chat as it would be sent. It knows no token and no provider; who asks a model
turns its limit into characters.

Shed, in this order, and only as much as is needed:
1. records of older exchanges, the oldest first;
2. older exchanges, whole (a call is never parted from its result), the oldest first;
3. records of the exchange before this one, which a follow-up may mean;
4. records that this exchange began with or found earlier;
5. the exchange before this one;
6. the newest results, the last of each first.
The newest question, its calls and the lines of their results stay always.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sayso.core.messages import Message
from sayso.core.ports import ModelRequest
from sayso.core.protocols.history import native_chat
from sayso.core.tools import Tool

_ROLE = 32  # characters that a message costs beyond its own
_IMAGE = 4_000  # characters that an image costs, about a thousand tokens


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a request had to do without: records, and earlier exchanges (those that were left out before among them)."""

    facts: int = 0
    exchanges: int = 0

    def __bool__(self) -> bool:
        return bool(self.facts or self.exchanges)


class _Shed(NamedTuple):
    """One thing that may be left out: a record, or a whole exchange."""

    ref: str = ""
    exchange: str = ""


def size(request: ModelRequest) -> int:
    """Characters of a request: its chat, its tools and what surrounds them."""
    return _chat_size(request) + _tools_size(request.tools)


def fit(request: ModelRequest, room: int) -> tuple[ModelRequest, LeftOut]:
    """The request in at most `room` characters, or as small as it can be made; and what it does without."""
    fixed = _tools_size(request.tools)
    if _chat_size(request) + fixed <= room:
        return request, LeftOut()
    order = _order(request)
    low, high = 1, len(order)
    while low < high:
        middle = (low + high) // 2
        if _chat_size(_without(request, order[:middle])[0]) + fixed <= room:
            high = middle
        else:
            low = middle + 1
    sent, left = _without(request, order[:high])
    if _chat_size(sent) >= _chat_size(request):  # the line that tells costs more than what it tells of
        return request, LeftOut()
    return sent, left


def _chat_size(request: ModelRequest) -> int:
    total = 0
    for message in native_chat(request):
        total += len(message.text) + _ROLE + _IMAGE * len(message.images)
        for call in message.calls:
            total += len(call.name) + len(call.arguments) + _ROLE
    return total


def _tools_size(tools: Sequence[Tool]) -> int:
    return sum(len(t.name) + len(t.description) + len(json.dumps(dict(t.schema))) + 2 * _ROLE for t in tools)


def _order(request: ModelRequest) -> list[_Shed]:
    """Everything that may be left out, in the order in which it goes."""
    messages = request.messages
    if not messages:
        return []
    own = messages[-1].exchange_id
    exchanges = list(dict.fromkeys(m.exchange_id for m in messages if m.exchange_id != own))
    before = exchanges[-1] if exchanges else None
    last_seen = {n.ref: at for at, message in enumerate(messages) for n in message.facts}
    records = [n.ref for n in request.shown if n.fact.kind.name != "lookup" and n.ref in last_seen]
    records.sort(key=last_seen.__getitem__)  # a record belongs to the newest message that has it
    newest = _newest_results(messages)
    of = {ref: messages[last_seen[ref]].exchange_id for ref in records}
    older = [ref for ref in records if of[ref] not in (own, before)]
    previous = [ref for ref in records if of[ref] == before]
    mine = [ref for ref in records if of[ref] == own and last_seen[ref] != newest]
    found = [ref for ref in records if of[ref] == own and last_seen[ref] == newest]
    return [
        *(_Shed(ref=ref) for ref in older),
        *(_Shed(exchange=id) for id in exchanges[:-1]),
        *(_Shed(ref=ref) for ref in (*previous, *mine)),
        *(_Shed(exchange=id) for id in exchanges[-1:]),
        *(_Shed(ref=ref) for ref in reversed(found)),
    ]


def _newest_results(messages: Sequence[Message]) -> int:
    """Where the newest results with facts are; -1 where the exchange has none."""
    own = messages[-1].exchange_id
    found = [at for at, message in enumerate(messages) if message.exchange_id == own and message.results]
    return next((at for at in reversed(found) if messages[at].facts), -1)


def _without(request: ModelRequest, sheds: Sequence[_Shed]) -> tuple[ModelRequest, LeftOut]:
    hidden = {shed.ref for shed in sheds if shed.ref}
    dropped = {shed.exchange for shed in sheds if not shed.ref}
    left = LeftOut(len(hidden), len(dropped) + request.earlier)
    return replace(
        request,
        messages=tuple(m for m in request.messages if m.exchange_id not in dropped),
        shown=tuple(n for n in request.shown if n.ref not in hidden),
        hint="\n".join(line for line in (request.hint, _line(left, request.tools_open)) if line),
    ), left


def _line(left: LeftOut, tools_open: bool) -> str:
    """What a model is told; nothing where nothing is left out."""
    if not left:
        return ""
    what = " and ".join(
        f"{number} {one if number == 1 else many}"
        for number, one, many in (
            (left.facts, "record", "records"), (left.exchanges, "earlier exchange", "earlier exchanges"),
        )
        if number
    )  # fmt: skip
    advice = "Look up again what you need." if tools_open else "Say so if the answer hangs on them."
    return f"(To save space, {what} of this conversation are not shown here. {advice} Do not guess about them.)"
