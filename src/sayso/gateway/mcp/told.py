"""What came of a call as an MCP client reads it: its facts as structure, and the same facts as plain text.

Both are made from the same facts by our code; no text of a tool's is passed on. It knows no transport.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from sayso.core.encoding import encode_fact
from sayso.core.evidence import Numbered
from sayso.core.facts import NOT_RECORDED, Fact, Provenance, value_text
from sayso.core.messages import CallStatus, ResultReason
from sayso.core.rendering import escape

_TEXT = {"type": "string"}
OUTPUT_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["status", "facts"],
    "properties": {
        "status": {"enum": [status.value for status in CallStatus], "description": "How the call ended."},
        "reason": {"type": ["string", "null"], "description": "Why, where the status alone does not say."},
        "rule": {**_TEXT, "description": "The rule by which a call was refused."},
        "facts": {
            "type": "array",
            "description": "What is recorded, each with its source. A lookup says how many of how many matched.",
            "items": {
                "type": "object",
                "required": ["kind", "subject", "values", "source", "key", "as_of", "provenance"],
                "properties": {
                    "kind": _TEXT, "subject": _TEXT, "values": {"type": "object"}, "source": _TEXT, "key": _TEXT,
                    "as_of": _TEXT, "provenance": {"enum": [provenance.value for provenance in Provenance]},
                },
            },
        },
        "proposal": {
            "type": ["object", "null"],
            "description": "A change that waits for a person. Nothing is done before they approve it.",
            "required": ["id", "state", "page"],
            "properties": {"id": _TEXT, "state": _TEXT, "title": _TEXT, "page": _TEXT},
        },
    },
}  # fmt: skip
_NOTES = {
    Provenance.OWN: "",
    Provenance.REPORTED: ", reported by a client",
    Provenance.SECOND_HAND: ", second-hand: say who says so",
    Provenance.PROVIDED: ", from the user",
}
_REASONS: Mapping[ResultReason, str] = {
    ResultReason.BAD_ARGUMENTS: "The arguments do not fit this tool; nothing was run.",
    ResultReason.NOT_ALLOWED: "This person's role does not allow it; nothing was run.",
    ResultReason.TOOL_FAILED: "The tool failed: its answer is unknown, which is not the same as none.",
    ResultReason.TOOL_TIMEOUT: "The tool took too long: its answer is unknown, which is not the same as none.",
    ResultReason.NEEDS_CHOICE: "It is not clear which record is meant. Ask the person which one:",
    ResultReason.NO_TARGET: "No record matches what was named. Ask the person who or what is meant.",
    ResultReason.ALREADY_PENDING: "The same proposal waits already.",
}


class Outcome(Protocol):
    """What came of a call, as the dispatcher tells it."""

    @property
    def status(self) -> CallStatus: ...
    @property
    def reason(self) -> ResultReason | None: ...
    @property
    def facts(self) -> tuple[Fact, ...]: ...
    @property
    def rule(self) -> str: ...


def structured(outcome: Outcome, page: Callable[[str], str]) -> dict[str, Any]:
    """The structured content; `page` gives the address at which a person decides on a proposal."""
    return {
        "status": outcome.status.value,
        "reason": outcome.reason.value if outcome.reason else None,
        **({"rule": outcome.rule} if outcome.rule else {}),
        "facts": [_fact(fact) for fact in outcome.facts],
        "proposal": _proposal(outcome.facts, page),
    }


def plain(outcome: Outcome, page: Callable[[str], str]) -> str:
    """The same as text: nothing stored can forge a line of it."""
    lines = [_REASONS.get(outcome.reason, "")] if outcome.reason else []
    if outcome.rule:
        lines.append(escape(outcome.rule))
    if waiting := _proposal(outcome.facts, page):
        lines.append(
            f"Nothing has been done. This is a proposal: a person decides on it here: {waiting['page']}"
            if waiting["state"] == "pending"
            else f"This proposal is {escape(waiting['state'])}: {waiting['page']}"
        )
    lines += _facts_told(outcome.facts)
    told = "\n".join(line for line in lines if line)
    return told or f"The call ended: {outcome.status.value}."


def _facts_told(facts: Sequence[Fact]) -> Iterable[str]:
    for fact in facts:
        if fact.kind.name == "lookup":
            matched, searched = fact.values.get("matched", 0), fact.values.get("searched", 0)
            yield f"{escape(fact.subject)}: {matched} of {searched}"
            continue
        yield f"{fact.kind.name}: {escape(fact.subject)} ({escape(fact.source)}{_NOTES[fact.provenance]})"
        yield from (f"  {name}: {escape(value_text(value))}" for name, value in fact.values.items())
        if fact.gaps:
            yield f"  {', '.join(fact.gaps)}: {NOT_RECORDED}"


def _fact(fact: Fact) -> dict[str, Any]:
    document = encode_fact(Numbered("", fact))
    return {name: document[name] for name in ("kind", "subject", "values", "source", "key", "as_of", "provenance")}


def _proposal(facts: Sequence[Fact], page: Callable[[str], str]) -> dict[str, Any] | None:
    found = next((fact for fact in facts if fact.kind.name == "proposal"), None)
    if found is None:
        return None
    id = str(found.values.get("proposal_id", found.key))
    return {"id": id, "state": str(found.values.get("state", "")), "title": found.subject, "page": page(id)}
