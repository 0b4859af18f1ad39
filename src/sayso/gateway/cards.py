"""What a proposal's card shows, from the canonical bytes and the stored records: never from a model's words.

Every argument is shown, in full; where the change alters a record, each field before and after. It reads on one
connection and decides nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Connection

from sayso.core.proposals import Proposal, ProposalState, Target
from sayso.gateway import stored
from sayso.gateway.actions import Action
from sayso.gateway.grounds import Grounds, Reason, cards_asked_for, read_grounds
from sayso.gateway.inputs import schema_of
from sayso.gateway.risks import Recorded, Risk, RiskCode, address_risks, money_in, text_risks
from sayso.store import proposal_rows as rows

JUST_NOW = timedelta(days=1)
NOTHING = "–"
_INDENT = "    "
_OPEN = (ProposalState.PENDING, ProposalState.APPROVED)


@dataclass(frozen=True, slots=True)
class Row:
    """One value of a change. `before` is what the record held, where the change alters one. Of a list that is
    altered both hold only what is taken away and added; `unchanged` counts the rest."""

    name: str
    after: str
    before: str | None = None
    risks: tuple[Risk, ...] = ()
    unchanged: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """`rows` hold the whole change; `risks` are those of the change as a whole, each row has its own."""

    rows: tuple[Row, ...]
    risks: tuple[Risk, ...] = ()
    target_risks: tuple[Risk, ...] = ()
    reasons: tuple[Reason, ...] = ()


def card_of(connection: Connection, desk: str, proposal: Proposal, action: Action | None, now: datetime) -> Card:
    """The card of one proposal, as things stand now."""
    content = proposal.content
    target = Target(**content["target"]) if content["target"] else None
    before = stored.fields_at(connection, proposal.owner, target, content["precondition"]) if target else None
    grounds = read_grounds(rows.load_grounds(connection, proposal.id))
    is_person = target is not None and target.kind == "person"
    recorded = Recorded(stored.contacts(connection, proposal.owner), target.key if target and is_person else None)
    return Card(
        tuple(_rows(content["arguments"], action, before or {}, recorded)),
        tuple(_risks(connection, desk, proposal, target, grounds, now)),
        text_risks(target.name) if target else (),
        grounds.reasons,
    )


def _rows(
    arguments: Mapping[str, Any], action: Action | None, before: Mapping[str, Any], recorded: Recorded
) -> list[Row]:
    """Every argument in the schema's order; what a change alters, field by field."""
    altered: Mapping[str, Any] = action.after(arguments, before) if action and action.after else {}
    declared: Mapping[str, Any] = (schema_of(action) or {}).get("properties", {}) if action else {}
    names = dict.fromkeys([*(n for n in declared if n in arguments), *arguments])
    shown = [_row(name, arguments[name], recorded) for name in names if name not in altered]
    return [*shown, *(_altered(name, before.get(name), value, recorded) for name, value in altered.items())]


def _altered(name: str, old: Any, new: Any, recorded: Recorded) -> Row:
    """A field before and after; of two lists what is taken away and what is added, and how much stays.

    Where what stays is put into another order, both lists are shown whole: the order is a change as well."""
    if not isinstance(old, list) or not isinstance(new, list):
        return _row(name, new, recorded, _text(old))
    left, right = cast(list[Any], old), cast(list[Any], new)
    taken, kept = _beyond(left, right)
    added, stays = _beyond(right, left)
    if kept != stays:
        return _row(name, right, recorded, _text(left))
    return replace(_row(name, added, recorded, _text(taken)), unchanged=len(stays))


def _beyond(some: list[Any], others: list[Any]) -> tuple[list[Any], list[Any]]:
    """The items that `others` does not hold, each as often as it is more there; and the rest, in their order."""
    left = Counter(map(_spelt, others))
    beyond: list[Any] = []
    rest: list[Any] = []
    for item in some:
        left[_spelt(item)] -= 1
        (rest if left[_spelt(item)] >= 0 else beyond).append(item)
    return beyond, rest


def _spelt(item: Any) -> str:
    return json.dumps(item, sort_keys=True)


def _row(name: str, value: Any, recorded: Recorded, before: str | None = None) -> Row:
    text = _text(value)
    return Row(name, text, before, (*text_risks(text), *money_in(name, text), *address_risks(name, value, recorded)))


def _risks(
    connection: Connection, desk: str, proposal: Proposal, target: Target | None, grounds: Grounds, now: datetime
) -> list[Risk]:
    content = proposal.content
    found: list[Risk] = [*text_risks(content["title"])]
    if unbacked := tuple(content.get("unbacked", ())):
        found.append(Risk(RiskCode.UNBACKED, unbacked))
    if grounds.asked is False:
        found.append(Risk(RiskCode.NOT_ASKED, (target.name if target else content["title"],)))
    if proposal.state in _OPEN:
        found += _standing(connection, desk, proposal, target, grounds, now)
    return found


def _standing(
    connection: Connection, desk: str, proposal: Proposal, target: Target | None, grounds: Grounds, now: datetime
) -> list[Risk]:
    """What matters only while it can still be decided."""
    found: list[Risk] = []
    if target is not None and proposal.content["precondition"] is not None:
        present = stored.version_of(connection, proposal.owner, target)
        if present is None:
            found.append(Risk(RiskCode.TARGET_GONE, (target.name,)))
        elif present != proposal.content["precondition"]:
            found.append(Risk(RiskCode.TARGET_CHANGED, (target.name,)))
    if when := rows.approved_alike(connection, proposal, now - JUST_NOW):
        found.append(Risk(RiskCode.REPEATED, (when.isoformat(timespec="minutes"),)))
    if grounds.words and proposal.exchange_id:
        filed = rows.filed_in(connection, desk, proposal.thread_id, proposal.exchange_id)
        if filed > cards_asked_for(grounds.words[0]):
            found.append(Risk(RiskCode.MANY, (str(filed),)))
    return found


def _text(value: Any) -> str:
    """A value as a person reads it, whole: one item a line, "–" for nothing (one that was written is quoted)."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, list):
        return "\n".join(_item(item) for item in cast(list[Any], value))
    return value if isinstance(value, str) and value != NOTHING else json.dumps(value, ensure_ascii=False)


def _item(item: Any) -> str:
    """One item of a list. Where it has several lines they must not read as items of their own."""
    if isinstance(item, dict):
        text = " ".join(str(v) for v in cast(dict[str, Any], item).values() if v not in (None, ""))
        indented = text.replace("\n", f"\n{_INDENT}")
        return json.dumps(text, ensure_ascii=False) if text[:1].isspace() else indented
    text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
    return text if "\n" not in text else json.dumps(text, ensure_ascii=False)
