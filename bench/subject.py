"""Sayso as the benchmark runs it: the same two tools and the same question, in memory and on SQLite."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from sayso.core.events import Answer
from sayso.core.evidence import Evidence
from sayso.core.loop import run_exchange
from sayso.core.messages import Message, Role, TextPart
from sayso.core.progress import Limits, Task
from sayso.core.runner import InProcessRunner
from sayso.core.tools import Registry, ToolContext
from sayso.core.verify import Setting, Verifier
from sayso.inapp.assistant import Assistant
from sayso.inapp.surroundings import RandomIds, SystemClock
from sayso.models.openai_compatible import OpenAICompatible
from small_world import ACTOR, EVERYONE, SEARCH, file_proposal

QUESTION = "Who is Elena?"


def history(count: int) -> list[str]:
    """Texts of an earlier conversation, question and answer in turns."""
    return [
        f"Message {i} of a long conversation about nothing in particular, told at some length." for i in range(count)
    ]


class Subject:
    """What is measured, and the same data for the hand-written loops."""

    def __init__(self, url: str, folder: Path) -> None:
        from zoneinfo import ZoneInfo

        self.model = OpenAICompatible("bench", url)
        self.registry = Registry([SEARCH, EVERYONE])
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
        return await self._exchange(self.history[:0], self.limits)

    async def in_memory_long(self) -> str:
        """All 1,000 messages are sent again, as the hand-written loops do."""
        return await self._exchange(self.history, Limits(history=10_000_000))

    async def _exchange(self, before: tuple[Message, ...], limits: Limits) -> str:
        evidence, now = Evidence(), datetime.now(UTC)
        context = ToolContext(ACTOR, now, "en", QUESTION)
        events = run_exchange(
            Task("run", "thread", self.ids.new("ex"), QUESTION, before), model=self.model, tools=self.registry,
            runner=InProcessRunner(self.registry, context, evidence, file_proposal), evidence=evidence,
            verifier=Verifier(evidence, Setting(now, "en", QUESTION, frozenset())), clock=self.clock, ids=self.ids,
            limits=limits,
        )  # fmt: skip
        return "".join([event.text async for event in events if isinstance(event, Answer)])

    async def on_sqlite(self) -> str:
        events = self.assistant.ask(QUESTION, actor=ACTOR)
        return "".join([event.text async for event in events if isinstance(event, Answer)])

    def bare_messages(self, long_text: list[str] | None = None) -> list[dict[str, Any]]:
        roles = ("user", "assistant")
        before = [{"role": roles[i % 2], "content": text} for i, text in enumerate(long_text or ())]
        return [{"role": "system", "content": "Answer."}, *before, {"role": "user", "content": QUESTION}]

    def bare_tool(self, name: str, arguments: dict[str, Any]) -> str:
        return "Elena Weber, SINGA Switzerland, whatsapp +41 77 473 00 93"
