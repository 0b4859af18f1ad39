"""Sayso as the benchmark runs it: the same two tools and the same question, in memory and on SQLite.

The same people in each exchange are read once and known from then on; so there is a second world in
which each exchange asks for another person, with other values, under other refs.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from bench.people import firm_of, name_of, neighbours, phone_of
from sayso.core.events import Answer
from sayso.core.evidence import Evidence
from sayso.core.facts import Fact
from sayso.core.loop import run_exchange
from sayso.core.messages import Message, Role, TextPart
from sayso.core.progress import Limits, Task
from sayso.core.runner import InProcessRunner
from sayso.core.tools import ReadResult, Registry, ToolContext
from sayso.core.verify import Setting, Verifier
from sayso.inapp.assistant import Assistant
from sayso.inapp.surroundings import RandomIds, SystemClock
from sayso.models.providers import model_at
from small_world import ACTOR, EVERYONE, PERSON, SEARCH, Nothing, Query, file_proposal

QUESTION = "Who is Elena?"


def history(count: int) -> list[str]:
    """Texts of an earlier conversation, question and answer in turns."""
    return [
        f"Message {i} of a long conversation about nothing in particular, told at some length." for i in range(count)
    ]


def fresh_person(name: str) -> Fact:
    values = {"name": name, "affiliation": firm_of(name), "channels": (f"whatsapp {phone_of(name)}",)}
    return PERSON.fact(values, source="people", key=name, as_of=datetime.now(UTC))


async def search_fresh(arguments: Query, context: ToolContext) -> ReadResult:
    return ReadResult((fresh_person(arguments.query),), 1, 3)


async def list_fresh(arguments: Nothing, context: ToolContext) -> ReadResult:
    name = context.user_message.removeprefix("Who is ").removesuffix("?")
    return ReadResult(tuple(map(fresh_person, (name, *neighbours(name)))), 3, 3)


class Subject:
    """What is measured, and the same data for the hand-written loops."""

    def __init__(self, url: str, folder: Path) -> None:
        from zoneinfo import ZoneInfo

        self.model = model_at("chat", "bench", url)
        self.registry = Registry([SEARCH, EVERYONE])
        self.fresh = Registry([replace(SEARCH, run=search_fresh), replace(EVERYONE, run=list_fresh)])
        self.asked = 0
        self.clock, self.ids = SystemClock(ZoneInfo("UTC")), RandomIds()
        self.folder = folder
        self.limits = Limits()
        self.history: tuple[Message, ...] = ()

    async def open(self, long_text: list[str]) -> None:
        from sayso.gateway.gateway import Gateway
        from sayso.store.database import open_database
        from sayso.store.proposals import Proposals
        from sayso.store.threads import Threads

        roles = (Role.USER, Role.ASSISTANT)
        self.history = tuple(
            Message(f"m{i}", roles[i % 2], (TextPart(text),), f"x{i // 2}") for i, text in enumerate(long_text)
        )
        self.database = open_database(f"sqlite:///{self.folder / 'bench.db'}")
        proposals = Proposals(self.database)

        async def no_seeds(*_: Any) -> tuple[()]:
            return ()

        self.assistant = Assistant(
            self.registry, Threads(self.database), proposals, Gateway(self.database, proposals, {}, self.clock),
            self.model, self.clock, self.ids, no_seeds, self.limits,
        )  # fmt: skip

    async def close(self) -> None:
        await self.model.aclose()
        self.database.close()

    async def in_memory(self) -> str:
        return await self._exchange(QUESTION, Evidence(), self.registry)

    async def in_memory_fresh(self) -> str:
        """Another person each time, under another ref."""
        self.asked += 1
        evidence = Evidence(next_number=self.asked % 900 * 10 + 1)
        return await self._exchange(self._fresh_question(), evidence, self.fresh)

    async def in_memory_long(self) -> str:
        """All 1,000 messages are sent again, as the hand-written loops do."""
        return await self._exchange(QUESTION, Evidence(), self.registry, self.history, Limits(history=10_000_000))

    async def _exchange(
        self, question: str, evidence: Evidence, registry: Registry,
        before: tuple[Message, ...] = (), limits: Limits | None = None,
    ) -> str:  # fmt: skip
        now = datetime.now(UTC)
        context = ToolContext(ACTOR, now, "en", question)
        events = run_exchange(
            Task("run", "thread", self.ids.new("ex"), question, before), model=self.model, tools=registry,
            runner=InProcessRunner(registry, context, evidence, file_proposal), evidence=evidence,
            verifier=Verifier(evidence, Setting(now, "en", question, frozenset())), clock=self.clock, ids=self.ids,
            limits=limits or self.limits,
        )  # fmt: skip
        return "".join([event.text async for event in events if isinstance(event, Answer)])

    async def on_sqlite(self) -> str:
        events = self.assistant.ask(QUESTION, actor=ACTOR)
        return "".join([event.text async for event in events if isinstance(event, Answer)])

    def bare_messages(self, long_text: list[str] | None = None, question: str = QUESTION) -> list[dict[str, Any]]:
        roles = ("user", "assistant")
        before = [{"role": roles[i % 2], "content": text} for i, text in enumerate(long_text or ())]
        return [{"role": "system", "content": "Answer."}, *before, {"role": "user", "content": question}]

    def bare_fresh_messages(self) -> list[dict[str, Any]]:
        self.asked += 1
        return self.bare_messages(question=self._fresh_question())

    def _fresh_question(self) -> str:
        return f"Who is {name_of(self.asked)}?"

    def bare_tool(self, name: str, arguments: dict[str, Any]) -> str:
        return "Elena Weber, SINGA Switzerland, whatsapp +41 77 473 00 93"

    def bare_fresh_tool(self, name: str, arguments: dict[str, Any]) -> str:
        asked = arguments.get("query", "")
        return f"{asked}, {firm_of(asked)}, whatsapp {phone_of(asked)}"
