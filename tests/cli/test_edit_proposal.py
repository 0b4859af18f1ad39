"""Editing a proposal in the terminal: what is typed becomes typed inputs, and a wrong one is asked again."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sayso.cli.proposals import _edit
from sayso.core.proposals import Change, Proposal, canonical_bytes
from sayso.gateway.actions import Action, Done
from sayso.gateway.inputs import edited_bytes, schema_of
from sayso.inapp.inputs import EDITING

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
ACTION = Action("a", "p", lambda c, r: Done("created"), inputs=EDITING["workspace.create_event"].inputs)
VALUES = {
    "title": "Tea",
    "starts": "2026-12-04T15:00:00+00:00",
    "ends": None,
    "place": "Here",
    "attendees": ["Ann"],
    "notes": None,
}


@dataclass
class Desk:
    """Stands for the cards of a workspace."""

    action: Action | None = ACTION
    edits: list[Any] = field(default_factory=list)

    def card(self, proposal: Proposal) -> dict[str, Any]:
        schema, values = schema_of(self.action) if self.action else None, proposal.content["arguments"]
        told = [{"name": name, "value": str(value), "before": None} for name, value in values.items() if value]
        inputs = {"schema": schema, "values": values} if schema else None
        return {
            "id": "p1",
            "state": "pending",
            "arguments": told,
            "inputs": inputs,
            "digest": proposal.digest,
            "is": values,
        }

    async def edit(self, card: Any, changes: Any) -> dict[str, Any]:
        self.edits.append((dict(changes), card["digest"]))
        return self.card(Proposal("p1", "t", "e", "c", edited_bytes(PROPOSAL, self.action, changes, NOW)))


PROPOSAL = Proposal(
    "p1", "t", "e", "c",
    canonical_bytes(
        Change("a", "Tea", VALUES), tool="t", schema={}, actor="local", owner="local", created=NOW,
        expires=NOW + timedelta(days=1), nonce="n",
    ),
)  # fmt: skip


async def edited_by(desk: Desk) -> dict[str, Any]:
    return await _edit(desk, desk.card(PROPOSAL))  # pyright: ignore[reportArgumentType]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Any:
    def given(*lines: str) -> list[str]:
        asked: list[str] = []
        left = list(lines)
        monkeypatch.setattr(builtins, "input", lambda prompt="": (asked.append(prompt), left.pop(0))[1])
        return asked

    return given


async def test_enter_keeps_and_a_dash_empties(typed: Any) -> None:
    asked = typed("", "2026-12-05T16:00", "", "-", "Ann, Bob", "Bring cups")
    edited = await edited_by(Desk())
    assert asked[0] == "  title [Tea]: "
    assert asked[4] == "  attendees [Ann]: "
    assert edited["is"] == {
        **VALUES, "starts": "2026-12-05T16:00:00+00:00", "place": None, "attendees": ["Ann", "Bob"], "notes": "Bring cups",
    }  # fmt: skip


async def test_a_wrong_input_is_named_and_asked_again(typed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    typed("Coffee", "soon", "", "", "", "", "", "2026-12-05T16:00", "", "", "", "")
    desk = Desk()
    edited = await edited_by(desk)
    assert "starts: write a day and a time" in capsys.readouterr().err
    assert (edited["is"]["title"], len(desk.edits)) == ("Coffee", 2)


async def test_nothing_typed_edits_nothing(typed: Any) -> None:
    typed(*[""] * 6)
    desk = Desk()
    assert (await edited_by(desk))["is"] == VALUES
    assert desk.edits == []


async def test_without_declared_inputs_the_text_can_be_edited(typed: Any) -> None:
    asked = typed("", "There", "", "Coffee")
    edited = await edited_by(Desk(None))
    assert [a.split("[")[0].strip() for a in asked] == ["attendees", "place", "starts", "title"]
    assert edited["is"] == {**VALUES, "place": "There", "title": "Coffee"}
