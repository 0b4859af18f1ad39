"""Proposals: changes that wait for a person, as one canonical byte string each.

The bytes are what is stored, hashed, rendered on the card, compared and executed; no step after
the digest may alter them. An edit makes new bytes and so a new digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sayso.errors import DeclarationError

MAX_SAFE_INTEGER = 2**53 - 1


class ProposalState(StrEnum):
    PENDING = "pending"
    APPROVED = "approved"
    EXECUTING = "executing"
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"  # it may have run; a person must look
    DENIED = "denied"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"


NEXT_STATES: Mapping[ProposalState, frozenset[ProposalState]] = {
    ProposalState.PENDING: frozenset(
        {ProposalState.APPROVED, ProposalState.DENIED, ProposalState.EXPIRED, ProposalState.SUPERSEDED}
    ),
    ProposalState.APPROVED: frozenset({ProposalState.EXECUTING, ProposalState.EXPIRED, ProposalState.DENIED}),
    ProposalState.EXECUTING: frozenset({ProposalState.DONE, ProposalState.FAILED, ProposalState.UNKNOWN}),
    ProposalState.UNKNOWN: frozenset({ProposalState.DONE, ProposalState.FAILED}),
}
"""Every allowed change of state; the others are final. An approved one is denied only where the approver's role
was taken away before it ran."""


@dataclass(frozen=True, slots=True)
class Target:
    """A resolved record that a change is about: never a bare name."""

    kind: str
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Change:
    """What a propose tool asks for: an action of the gateway with validated arguments.

    `arguments` hold text, whole numbers, booleans, None and lists or objects of these (amounts as
    decimal text); `precondition` is the target's version at the time of asking; `unbacked` the words
    of its free texts that neither the records nor the user carry: the card marks them.
    """

    action: str
    title: str
    arguments: Mapping[str, Any]
    target: Target | None = None
    precondition: str | None = None
    unbacked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A filed change. `canonical` is the truth; the other fields are read from it or are its state."""

    id: str
    thread_id: str
    exchange_id: str
    call_id: str
    canonical: bytes
    state: ProposalState = ProposalState.PENDING

    @property
    def digest(self) -> str:
        return digest_of(self.canonical)

    @property
    def content(self) -> Mapping[str, Any]:
        return strict_json(self.canonical)

    @property
    def owner(self) -> str:
        """Whose records it changes. Raises ValueError where the bytes do not say."""
        owner = self.content.get("owner")
        if not isinstance(owner, str):
            raise ValueError(f"proposal {self.id} does not say whose records it changes")
        return owner

    @property
    def expires(self) -> datetime:
        return datetime.fromisoformat(self.content["expires"])


def canonical_bytes(
    change: Change, *, tool: str, schema: Mapping[str, Any], actor: str, owner: str,
    created: datetime, expires: datetime, nonce: str,
) -> bytes:  # fmt: skip
    """The one byte string of a proposal: sorted, compact, ASCII JSON of everything that decides it.

    Raises DeclarationError for a value that JSON readers disagree on (floats, large integers,
    lone surrogates).
    """
    target = change.target
    document = {
        "action": change.action,
        "actor": actor,
        "arguments": _plain(change.arguments, "arguments"),
        "created": _utc(created),
        "expires": _utc(expires),
        "nonce": nonce,
        "owner": owner,
        "precondition": change.precondition,
        "schema": digest_of(json.dumps(schema, sort_keys=True).encode()),
        "target": {"kind": target.kind, "key": target.key, "name": target.name} if target else None,
        "title": _plain(change.title, "title"),
        "tool": tool,
        "unbacked": _plain(change.unbacked, "unbacked"),
    }
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def digest_of(data: bytes) -> str:
    """SHA-256, as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def strict_json(data: bytes | str) -> Any:
    """Read JSON that decides something: no duplicate keys, floats, NaN, large integers or lone surrogates.

    Raises ValueError, which says what is wrong.
    """
    text = data.decode("utf-8") if isinstance(data, bytes) else data
    value = json.loads(text, object_pairs_hook=unique_pairs, parse_float=_no_float, parse_constant=_no_float)
    return _plain(value, "document", error=ValueError)


def content_digest(canonical: bytes) -> str:
    """The same for two proposals that ask for the same act: of all but when, nonce and remarks."""
    content = {k: v for k, v in strict_json(canonical).items() if k not in _VARYING}
    return digest_of(json.dumps(content, sort_keys=True).encode())


_VARYING = frozenset(["created", "expires", "nonce", "unbacked"])


def unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """For `json.loads`: an object none of whose keys occurs twice. Raises ValueError."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return result


def _no_float(text: str) -> Any:
    raise ValueError(f"{text} is not an exact number: write amounts as text")


def _plain(value: Any, where: str, error: type[Exception] = DeclarationError) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        if any("\ud800" <= c <= "\udfff" for c in value):
            raise error(f"{where}: holds a lone surrogate")
        return value
    if isinstance(value, int):
        if abs(value) > MAX_SAFE_INTEGER:
            raise error(f"{where}: {value} is beyond 2^53-1; write it as text")
        return value
    if isinstance(value, list | tuple):
        return [_plain(item, f"{where}[{i}]", error) for i, item in enumerate(value)]  # pyright: ignore
    if isinstance(value, Mapping):
        return {str(k): _plain(v, f"{where}.{k}", error) for k, v in value.items()}  # pyright: ignore
    raise error(f"{where}: {type(value).__name__} has no exact JSON form; write it as text")


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")
