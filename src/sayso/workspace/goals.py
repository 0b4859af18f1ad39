"""Goals: their computed status and their order in the tree. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime

from sayso.core.facts import Fact, Quantity
from sayso.workspace.kinds import GOAL
from sayso.workspace.names import fold
from sayso.workspace.records import GoalRecord
from sayso.workspace.repository import Stored

SLACK = 10
"""Percentage points by which a goal may lag behind the time passed and still be on track."""


def goal_status(goal: GoalRecord, today: date) -> str | None:
    """ "done", "behind", "on track"; where it cannot be computed what the source states, or None.

    Behind: the target date has passed, or progress is more than 10 points under the share of time
    that has passed between `started` and `target_date`. Without a target date nothing is computed;
    without `started` or progress only a passed target is.
    """
    if goal.done or (goal.progress is not None and goal.progress >= 100):
        return "done"
    if goal.target_date is None:
        return goal.status
    if goal.target_date < today:
        return "behind"
    if goal.started is None or goal.progress is None:
        return goal.status
    span = (goal.target_date - goal.started).days
    passed = 100 * max(0, (today - goal.started).days) / span if span > 0 else 100
    return "behind" if goal.progress < passed - SLACK else "on track"


def goal_fact(stored: Stored, now: datetime) -> Fact:
    goal = stored.record
    assert isinstance(goal, GoalRecord)
    return GOAL.fact(
        {
            "title": goal.title,
            "progress": Quantity(goal.progress, "%") if goal.progress is not None else None,
            "target_date": goal.target_date,
            "status": goal_status(goal, now.date()),
            "parent": goal.parent,
            "description": goal.description,
            "updated": goal.updated,
        },
        source="goals",
        key=stored.id,
        as_of=now,
    )


def in_tree_order(goals: Sequence[Stored]) -> list[Stored]:
    """Parents before their children, children beside each other; a circle is cut where it begins."""
    titles = {fold(goal.title) for goal in goals}
    children: dict[str, list[Stored]] = {}
    for goal in goals:
        children.setdefault(_parent(goal) if _parent(goal) in titles else "", []).append(goal)
    ordered: dict[str, Stored] = {}
    _visit(children.get("", ()), children, ordered)
    for goal in goals:
        _visit([goal], children, ordered)
    return list(ordered.values())


def _visit(goals: Iterable[Stored], children: dict[str, list[Stored]], ordered: dict[str, Stored]) -> None:
    waiting = list(goals)
    while waiting:
        goal = waiting.pop(0)
        if goal.id not in ordered:
            ordered[goal.id] = goal
            waiting = [*children.get(fold(goal.title), ()), *waiting]


def _parent(goal: Stored) -> str:
    assert isinstance(goal.record, GoalRecord)
    return fold(goal.record.parent or "")
