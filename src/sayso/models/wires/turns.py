"""A chat in the order that strict providers want: roles that alternate, a user first and last, no empty text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from sayso.core.protocols.history import ChatMessage

_EMPTY = "(no words)"
_EARLIER = ChatMessage("user", "(What was said before is left out.)", cache_key="turns:earlier")
_GO_ON = ChatMessage("user", "(Go on.)", cache_key="turns:go on")
_UNANSWERED = ChatMessage("assistant", "(There was no answer.)", cache_key="turns:unanswered")
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ID_LENGTH = 9


def joined(chat: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Neighbours of one role as one message: templates of several model families refuse two in a row."""
    out: list[ChatMessage] = []
    group: list[ChatMessage] = []
    for message in chat:
        if group and (message.role != group[0].role or message.role == "tool" or group[-1].calls):
            out.append(_one(group))
            group = []
        group.append(message)
    return [*out, _one(group)] if group else out


def mended(chat: Iterable[ChatMessage]) -> list[ChatMessage]:
    """A user first, and an answer after results: what an interrupted or shortened thread lacks, templates insist on."""
    out: list[ChatMessage] = []
    for message in chat:
        before = out[-1].role if out else "system"
        if (before, message.role) == ("system", "assistant"):
            out.append(_EARLIER)
        elif (before, message.role) == ("tool", "user"):
            out.append(_UNANSWERED)
        out.append(message)
    return out


def _one(group: list[ChatMessage]) -> ChatMessage:
    if len(group) == 1:
        return group[0]
    keys = [message.cache_key for message in group]
    return group[-1]._replace(
        text="\n\n".join(message.text for message in group if message.text.strip()) or group[-1].text,
        images=tuple(image for message in group for image in message.images),
        cache_key="+".join(keys) if all(keys) else "",
    )


def alternating(chat: Iterable[ChatMessage]) -> list[tuple[str, list[ChatMessage]]]:
    """Turns of the user (results among them) and the assistant, one after the other, the user first and last."""
    turns: list[tuple[str, list[ChatMessage]]] = []
    for message in chat:
        role = "assistant" if message.role == "assistant" else "user"
        if turns and turns[-1][0] == role:
            turns[-1][1].append(message)
        else:
            turns.append((role, [message]))
    if turns and turns[0][0] == "assistant":
        turns.insert(0, ("user", [_EARLIER]))
    if not turns or turns[-1][0] == "assistant":
        turns.append(("user", [_GO_ON]))
    return turns


def words(message: ChatMessage) -> str:
    """A message's text, never blank: a block of nothing is refused."""
    return message.text if message.text.strip() else _EMPTY


def short_id(call_id: str) -> str:
    """Our call id as nine letters and digits: the one form that every provider and template takes."""
    number = int.from_bytes(hashlib.sha256(call_id.encode("utf-8", "replace")).digest()[:8], "big")
    out = ""
    for _ in range(_ID_LENGTH):
        number, digit = divmod(number, len(_DIGITS))
        out += _DIGITS[digit]
    return out
