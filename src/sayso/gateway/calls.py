"""Calls and their results, as values and as JSON: what a caller sends, and what came of it.

A result has a status and facts and no field for a tool's words; `rule` says in ours why a call was refused.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from sayso.core.encoding import Kinds, decode_fact, encode_fact
from sayso.core.evidence import Numbered
from sayso.core.facts import Fact
from sayso.core.messages import CallStatus, ResultReason
from sayso.core.proposals import MAX_SAFE_INTEGER, digest_of


class CallKind(StrEnum):
    """What a result tells of: something looked up, a change that waits, or one that a person decided."""

    READ = "read"
    PROPOSE = "propose"
    EXECUTE = "execute"


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `id` is the caller's, unique for this person; `question` are the user's own words, `record` the kind
    and key of the record that they have open.

    `arguments` is a JSON object that was read strictly. With `proposal_id`, what became of that proposal is asked for.
    """

    id: str
    name: str
    arguments: Mapping[str, Any]
    proposal_id: str | None = None
    thread_id: str = ""
    exchange_id: str = ""
    question: str = ""
    record: tuple[str, str] | None = None

    @property
    def arguments_digest(self) -> str:
        return digest_of(canonical_json(self.arguments))

    @property
    def digest(self) -> str:
        """Of what is called: its name and arguments."""
        return digest_of(canonical_json([self.name, self.arguments]))


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call. `arguments` is their digest; `seal` our signature on it, "" in process."""

    call_id: str
    name: str
    arguments: str
    kind: CallKind
    status: CallStatus
    facts: tuple[Fact, ...] = ()
    reason: ResultReason | None = None
    rule: str = ""
    seal: str = ""

    def document(self) -> dict[str, Any]:
        """As JSON values: the shape that callers get and submit."""
        told = {"rule": self.rule} if self.rule else {}
        return {
            "call_id": self.call_id, "name": self.name, **self.sealed_part(), "kind": self.kind.value,
            **told, "seal": self.seal,
        }  # fmt: skip

    def sealed_part(self) -> dict[str, Any]:
        """What the seal's digest is of."""
        return {
            "status": self.status.value,
            "reason": self.reason.value if self.reason else None,
            "facts": [encode_fact(Numbered("", fact)) for fact in self.facts],
        }


def read_result(document: Mapping[str, Any], arguments: str, kinds: Kinds) -> Result:
    """Raises ValueError, KeyError or TypeError for what `Result.document` did not make."""
    reason = document["reason"]
    return Result(
        document["call_id"], document["name"], arguments, CallKind(document["kind"]), CallStatus(document["status"]),
        tuple(decode_fact(fact, kinds).fact for fact in document["facts"]),
        ResultReason(reason) if reason is not None else None, document.get("rule", ""), document["seal"],
    )  # fmt: skip


def canonical_json(value: Any) -> bytes:
    """The one spelling of a JSON value of which digests are made: sorted, compact, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def inexact(value: Any, *, floats: bool, where: str = "arguments") -> str | None:
    """What two JSON readers may read differently in a value, in words; None where they agree on all of it.

    Whole numbers beyond 2^53-1, half characters and names that are special to browsers are never exact; `floats`
    says whether binary fractions may pass.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        broken = any(c == "\x00" or "\ud800" <= c <= "\udfff" for c in value)
        return f"{where} holds half a character or a NUL" if broken else None
    if isinstance(value, int):
        return f"{where} is beyond 2^53-1; write it as text" if abs(value) > MAX_SAFE_INTEGER else None
    if isinstance(value, float):
        exact = floats and math.isfinite(value)
        return None if exact else f"{where} is not an exact number; write amounts as text"
    if isinstance(value, list):
        items = enumerate(cast("list[Any]", value))
        found = (inexact(item, floats=floats, where=f"{where}[{number}]") for number, item in items)
        return next((fault for fault in found if fault), None)
    if not isinstance(value, Mapping):
        return f"{where} is no JSON value"
    for name, item in cast("Mapping[Any, Any]", value).items():
        if not isinstance(name, str) or name == "__proto__" or inexact(name, floats=False):
            return f"{where} has a name that cannot be used"
        if fault := inexact(item, floats=floats, where=f"{where}.{name}"[:200]):
            return fault
    return None
