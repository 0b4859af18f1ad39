"""The sample workspace at a fixed moment, asked by the real tools: what a thread's evidence holds.

Facts, lookups, proposals and receipts are made by the code that makes them in the product; nothing here knows a wording.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32
from zoneinfo import ZoneInfo

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import Fact
from sayso.core.messages import ToolCall
from sayso.core.proposals import Change, Proposal, ProposalState
from sayso.core.runner import InProcessRunner
from sayso.core.tools import Actor, Registry, Tool, ToolContext
from sayso.inapp.conversation import canonical_of, proposal_fact
from sayso.store.database import open_database
from sayso.store.receipts import receipt
from sayso.workspace.facts import fact_of
from sayso.workspace.sample import sample_records
from sayso.workspace.tools import workspace_tools
from sayso.workspace.workspace import Settings, Workspace

ZONE = ZoneInfo("Europe/Zurich")
MOMENTS = (datetime(2026, 11, 30, 8, 30, tzinfo=ZONE), datetime(2027, 5, 19, 8, 5, tzinfo=ZONE))
"""A Monday and a Wednesday; the sample's days are counted from the day it is loaded on."""
ME = Actor("local", "local")
SENT = "I am ten minutes late, please start without me."


@dataclass(frozen=True, slots=True)
class Call:
    """A tool and its arguments, so that the same call is run once."""

    tool: str
    arguments: tuple[tuple[str, str | int], ...] = ()


def call(tool: str, **arguments: str | int) -> Call:
    return Call(tool, tuple(sorted(arguments.items())))


@dataclass(slots=True)
class World:
    """The records of one moment as facts, and what each call of a tool finds."""

    now: datetime
    workspace: Workspace
    kinds: Mapping[str, tuple[Fact, ...]]
    passages: tuple[Fact, ...]
    tools: Registry
    _found: dict[Call, tuple[Fact, ...]] = field(default_factory=dict[Call, tuple[Fact, ...]])

    def found(self, asked: Call) -> tuple[Fact, ...]:
        """The facts of one call, the lookup last, as the product's runner gives them."""
        if asked not in self._found:
            self._found[asked] = asyncio.run(_run(self, asked))
        return self._found[asked]

    def lookup(self, asked: Call) -> Fact:
        return next(f for f in self.found(asked) if f.kind.name == "lookup")

    def records(self) -> Iterator[Fact]:
        return itertools.chain.from_iterable(self.kinds.values())

    def named(self, kind: str, subject: str) -> Fact:
        return next(f for f in self.kinds[kind] if f.subject == subject)


@cache
def world_at(now: datetime) -> World:
    folder = tempfile.TemporaryDirectory(prefix="sayso-gold-")
    database = open_database(f"sqlite:///{Path(folder.name) / 'sayso.db'}")
    workspace = Workspace(database, defaults=Settings("Europe/Zurich", "en", "monday"))
    workspace.upsert(ME.owner, sample_records(now.date(), ZONE), now)
    names = ("person", "project", "goal", "habit", "commitment", "event", "document")
    kinds = {name: tuple(fact_of(s, now) for s in workspace.list(ME.owner, name)) for name in names}
    _KEPT.append(folder)
    tools = Registry(workspace_tools(workspace))
    return World(now, workspace, kinds, kinds.pop("document"), tools)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []  # removed when the process ends


async def _run(world: World, asked: Call) -> tuple[Fact, ...]:
    evidence = Evidence()
    runner = InProcessRunner(world.tools, ToolContext(ME, world.now), evidence, _filer(world.now))
    await runner.run(ToolCall("c1", asked.tool, json.dumps(dict(asked.arguments))))
    return tuple(n.fact for n in evidence)


def _filer(now: datetime) -> Any:
    async def file(change: Change, tool: Tool, told: ToolCall, context: ToolContext) -> tuple[Fact, bool]:
        return proposal_fact(filed(change, tool, now), now), False

    return file


class _Counted:
    """Ids that are the same in every run."""

    def new(self, prefix: str) -> str:
        return f"{prefix}_0001"


def filed(change: Change, tool: Tool, now: datetime) -> Proposal:
    """The change as a pending proposal with the bytes that the product would file."""
    canonical = canonical_of(change, tool, ToolContext(ME, now), _Counted())
    return Proposal(f"p_{crc32(change.title.encode()) % 9973}", "thread", "exchange", "c1", canonical)


def receipt_of(world: World, change: Change, outcome: str, *, failed: bool = False) -> Fact:
    """How an approved change ended, some minutes before now."""
    tool = world.tools.get("propose_action")
    assert tool
    pending = filed(change, tool, world.now)
    state = ProposalState.FAILED if failed else ProposalState.DONE
    ended = Proposal(pending.id, pending.thread_id, pending.exchange_id, pending.call_id, pending.canonical, state)
    return receipt(ended, "failed" if failed else outcome, "", world.now - timedelta(minutes=4))


def evidence_of(facts: Iterable[Fact]) -> Evidence:
    evidence = Evidence()
    evidence.add_all(facts)
    return evidence


def ref_of(evidence: Evidence, fact: Fact) -> str | None:
    found: Iterator[Numbered] = (n for n in evidence if n.fact.identity == fact.identity)
    return next((n.ref for n in found), None)
