"""How facts and tool results are written for a model: one path for both tool protocols.

Everything here is our own wording around escaped values: no stored text can forge a header, a
ref, a call, a chat template's mark or the end of a block.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

from sayso.core.evidence import Numbered
from sayso.core.facts import NOT_RECORDED, Fact, Provenance, value_text
from sayso.core.messages import CallStatus, ResultReason, ToolCall, ToolResult
from sayso.core.tools import Tool, near_names

BLOCK_START, BLOCK_END = "RECORDS", "END OF RECORDS"

_REF = re.compile(r"([\[({【［（〔〈<＜「『])(\s*)(?=[FUfu]\s*\d)")
_TEMPLATE = re.compile(r"([<＜\[])(?=[|｜/A-Za-z_!])")
_KEYWORD = re.compile(r"\b(TOOL|ARGS|Action|Action Input|Observation)(\s*)[:：]", re.IGNORECASE)
_PROVENANCE = {
    Provenance.OWN: "",
    Provenance.REPORTED: ", reported by the client",
    Provenance.SECOND_HAND: ", second-hand: say who says so",
    Provenance.PROVIDED: ", from the user",
}


@lru_cache(maxsize=8192)
def escape(text: str) -> str:
    """One line of plain text: nothing in it can be read as structure, and nothing in it is invisible."""
    line = " ⏎ ".join(part.strip() for part in text.splitlines() if part.strip())
    if line.isascii() and line.isprintable() and not _SUSPICIOUS.search(line):
        return line
    line = "".join(c if _visible(c) else f"\\u{{{ord(c):x}}}" for c in line)
    line = _REF.sub(r"\1\\\2", line)
    line = _TEMPLATE.sub(r"\1\\", line)
    line = _KEYWORD.sub(r"\1\2\\:", line)
    return line.replace(BLOCK_END, "END\\ OF RECORDS")


_SUSPICIOUS = re.compile(r"[\[({<:]|END OF")


def _visible(char: str) -> bool:
    return char == " " or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def render_fact(numbered: Numbered) -> str:
    """One fact as the model reads it: a header, one field a line, gaps together. A lookup is one line."""
    fact = numbered.fact
    if fact.kind.name == "lookup":
        return f"[{numbered.ref}] {_lookup_line(fact)}"
    source = escape(fact.source) + _PROVENANCE[fact.provenance]
    lines = [f"[{numbered.ref}] {fact.kind.name}: {escape(fact.subject)}  ({source})"]
    lines += [f"     {name}: {escape(value_text(value))}" for name, value in fact.values.items()]
    if fact.gaps:
        lines.append(f"     {', '.join(fact.gaps)}: {NOT_RECORDED}")
    return "\n".join(lines)


def _lookup_line(fact: Fact) -> str:
    query = escape(value_text(fact.values["query"]))
    matched, searched = fact.values.get("matched", 0), fact.values.get("searched", 0)
    return f"{query}: {matched} of {searched}"


def render_facts(facts: Iterable[Numbered]) -> str:
    return "\n".join(render_fact(n) for n in facts)


def render_block(facts: Iterable[Numbered]) -> str:
    return f"{BLOCK_START}\n{render_facts(facts)}\n{BLOCK_END}"


def render_result(
    result: ToolResult, call: ToolCall, tools: Mapping[str, Tool], shown: frozenset[str] | None = None
) -> str:
    """What came of one call. Facts outside `shown` are counted, not repeated."""
    facts = [n for n in result.facts if shown is None or n.ref in shown or n.fact.kind.name == "lookup"]
    lines = [_outcome_line(result, call, tools)]
    if facts:
        lines.append(render_block(facts))
    if left_out := len(result.facts) - len(facts):
        lines.append(f"({left_out} records left out to save space; look them up again if needed)")
    return "\n".join(line for line in lines if line) or "Done."


def _outcome_line(result: ToolResult, call: ToolCall, tools: Mapping[str, Tool]) -> str:
    name = escape(call.name)[:80]
    match result.reason:
        case None:
            return "" if result.status is CallStatus.SUCCESS else f"{name}: {result.status.value}."
        case ResultReason.UNKNOWN_TOOL:
            near = near_names(call.name, tools)
            hint = f" Did you mean {' or '.join(near)}?" if near else f" There are {len(tools)} tools."
            return f'There is no tool "{name}".{hint}'
        case ResultReason.BAD_ARGUMENTS:
            example = json.dumps(dict(tools[call.name].example), ensure_ascii=False) if call.name in tools else "{}"
            return f"{name} was not run: its arguments do not fit. Write them like this: {example}"
        case ResultReason.REPEATED:
            return f"{name} was asked before with the same arguments; nothing new. Answer from these:"
        case reason:
            return _REASONS[reason].format(name=name)


_REASONS: Mapping[ResultReason, str] = {
    ResultReason.NOT_ALLOWED: "{name} was not run: this person's role does not allow it.",
    ResultReason.TOOL_FAILED: "{name} failed: its answer is unknown (which is not the same as none).",
    ResultReason.TOOL_TIMEOUT: "{name} took too long: its answer is unknown (which is not the same as none).",
    ResultReason.TOOLS_CLOSED: "{name} was not run: no more look-ups in this exchange. Answer from the records.",
    ResultReason.TOO_MANY_CALLS: "{name} was not run: too many calls in one step. Ask again if it is needed.",
    ResultReason.CUT_OFF: "{name} was not run: the reply was cut off. Write less.",
    ResultReason.NEEDS_CHOICE: "{name}: it is not clear which record is meant. Ask the person which one:",
    ResultReason.NO_TARGET: "{name}: no record matches what was named. Ask the person who or what is meant.",
    ResultReason.ALREADY_PENDING: "{name}: the same proposal waits already:",
    ResultReason.STOPPED: "{name} was not run: the person stopped it.",
}
