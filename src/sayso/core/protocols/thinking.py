"""A model's reasoning in its text: where it begins and ends. It is never parsed and never shown."""

from __future__ import annotations

import re
from typing import NamedTuple

from sayso.core.protocols.families import MARKED

_TAGS = (
    r"(?:\w+:)?(?:think|thinking|reasoning|reason|thought|thoughts|reflection|analysis|scratchpad|internal_monologue)"
)
OPENER = (
    rf"<{_TAGS}>|<\|begin_of_thought\|>|<\|think:start\|>|\[THINK\]|<\|START_THINKING\|>|◁think▷|<\|channel>thought\b"
    r"|(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|final|commentary)(?:[ ]?<\|constrain\|>\w+)?<\|message\|>"
    r"|<\|(?:return|end|im_end|eot_id|eom_id|endoftext|end_of_text)\|>(?=\s*\Z)"
)
_CLOSERS = (
    ("<|begin", re.compile(r"<\|end_of_thought\|>")),
    ("<|think", re.compile(r"<\|think:end\|>")),
    ("[THINK]", re.compile(r"\[/THINK\]")),
    ("<|START_T", re.compile(r"<\|END_THINKING\|>")),
    ("◁", re.compile(r"◁/think▷")),
    ("<|channel>", re.compile(r"<channel\|>")),
    ("<|", re.compile(r"<\|(?:end|call|return)\|>|(?=<\|start\|>|<\|channel\|>)")),
)
_DEEPEST = 8
_NOTHING = re.compile("")
_END = re.compile(r"<\|(?:return|end|im_end|eo[tm]_id|endoftext|end_of_text)\|>")
_LEADING = re.compile(r"</(think|thinking|reasoning|seed:think)>|\[/THINK\]|◁/think▷", re.IGNORECASE)
_ANY_OPENER = re.compile(rf"(?i:{OPENER})")


class Thinking(NamedTuple):
    start: int
    end: int


def thinking_at(text: str, start: int) -> Thinking:
    """The reasoning that begins at `start`. Where it never ends, a special-token envelope ends it."""
    opener = _ANY_OPENER.match(text, start)
    begun = opener.group() if opener else ""
    closer = closer_of(begun).search(text, start + len(begun))
    if closer:
        return Thinking(start, _end_of_nested(text, start + len(begun), begun) or closer.end())
    marked = MARKED.search(text, start + len(begun))
    return Thinking(start, marked.start() if marked else len(text))


def _end_of_nested(text: str, at: int, begun: str) -> int | None:
    """Where reasoning within reasoning ends for the last time; None where that is not as often as it begins."""
    inner = re.compile(f"(?P<open>{re.escape(begun)})|{closer_of(begun).pattern}", re.IGNORECASE)
    depth = 1
    for mark in inner.finditer(text, at):
        depth += 1 if mark["open"] else -1
        if not depth:
            return mark.end()
        if depth > _DEEPEST:
            return None
    return None


def leading_end(text: str) -> int | None:
    """Where reasoning ends whose opener stood in the prompt; None when there is none."""
    closer = _LEADING.search(text)
    if closer is None or _ANY_OPENER.search(text, 0, closer.start()):
        return None
    return closer.end()


def closer_of(opener: str) -> re.Pattern[str]:
    """What ends the reasoning that this opener began."""
    if (opener[-11:] == "<|message|>" and "analysis" not in opener) or _END.match(opener):
        return _NOTHING  # the header of an answer, or the mark of its end: only the mark itself goes
    for begins, closer in _CLOSERS:
        if opener.startswith(begins) or (begins == "<|" and "<|channel|>" in opener):
            return closer
    return re.compile(re.escape(f"</{opener[1:-1]}>"), re.IGNORECASE)
