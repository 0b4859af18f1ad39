"""Whatever the models of a chain do, somebody answers, nobody goes on with another's words, and no wait is long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.messages import Message, Role, TextPart, Usage
from sayso.core.ports import FinishReason, ModelEvent, ModelRequest, Notice, Passed, ReasoningChunk, ReplyEnd, TextChunk
from sayso.errors import (
    ContextOverflow,
    ImageRefused,
    ModelBusy,
    ModelError,
    ModelGone,
    ModelProtocolError,
    ModelTimeout,
    QuotaSpent,
)
from sayso.models.chain import Chain
from small_world import NOW, SEARCH

ERRORS = st.one_of(
    st.sampled_from([ModelError("500"), ModelGone("gone"), ModelProtocolError("html"), ModelTimeout("slow")]),
    st.builds(ModelBusy, st.just("429"), st.none() | st.floats(0, 600)),
    st.builds(QuotaSpent, st.just("per day"), st.none() | st.floats(0, 90_000)),
    st.builds(ContextOverflow, st.just("long"), st.none() | st.integers(-1, 10**6), st.none() | st.integers(0, 10**6)),
    st.just(ImageRefused("blind")),
)
ACTS = st.one_of(ERRORS, st.sampled_from(["answers", "thinks and answers", "cut", "nothing", "thinks only"]))


class Acting:
    """Does one thing a request, over and over."""

    def __init__(self, name: str, acts: list[Any]) -> None:
        self.name, self._acts, self.asked = name, acts, 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        act = self._acts[self.asked % len(self._acts)]
        self.asked += 1
        if isinstance(act, ModelError):
            raise act
        if act.startswith("thinks"):
            yield ReasoningChunk("hm")
        if act.endswith("answers") or act == "cut":
            yield TextChunk(f"<{self.name}>")
            yield TextChunk(f"<{self.name}>")
        if act.endswith("answers"):
            yield ReplyEnd(FinishReason.STOP, Usage(1000, 10))


class Clock:
    def __init__(self) -> None:
        self.seconds, self.slept = 0.0, 0.0

    def __call__(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.slept += seconds
        self.seconds += seconds


def request(exchange: int) -> ModelRequest:
    old = [Message(f"m{n}", Role.USER, (TextPart("words " * 200),), f"old_{n}") for n in range(5)]
    now = Message(f"now{exchange}", Role.USER, (TextPart("Who is Elena?"),), f"ex_{exchange}")
    return ModelRequest("Be brief.", (*old, now), (SEARCH,), True, (), "", NOW, "en", 100.0)


async def _run(models: list[Acting], images: bool) -> None:
    clock = Clock()
    chain = Chain(models, Acting("quote", ["answers"]), monotonic=clock, sleep=clock.sleep)
    for exchange in (1, 1, 2):
        before, clock.slept = [m.asked for m in models], 0.0
        asked = replace(request(exchange), images={"d": b"x"} if images else {})
        events, taken = list[ModelEvent](), chain.name
        try:
            events = [event async for event in chain.stream(asked)]
        except ImageRefused:
            if not images:
                raise
            continue
        words = {e.text for e in events if isinstance(e, TextChunk)}
        assert len(words) == 1, "one model answers, whole or cut"
        named = [e.model for e in events if isinstance(e, Notice) and e.model]
        answering = next(iter(words)).strip("<>")
        assert answering == (named[-1] if named else taken)
        assert not (images and answering == "quote")
        assert clock.slept <= 20 + 2 * len(models)
        assert all(m.asked - n <= 3 for m, n in zip(models, before, strict=True))
        if answering != models[0].name:
            assert any(isinstance(e, Passed) for e in events)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(ACTS, min_size=1, max_size=3), min_size=1, max_size=4), st.booleans())
def test_somebody_answers_and_only_one(acts: list[list[Any]], images: bool) -> None:
    asyncio.run(_run([Acting(f"m{n}", one) for n, one in enumerate(acts)], images))
