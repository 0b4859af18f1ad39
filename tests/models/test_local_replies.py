"""What a local model makes of its engine's chunks: kept back, told, cut, refused. The engine is played."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from sayso.core.messages import FactsPart, Message, Role, TextPart, Usage
from sayso.core.ports import FinishReason, ModelEvent, ModelRequest, ReplyEnd, TextChunk
from sayso.core.protocols.history import ChatMessage, Image
from sayso.errors import ContextOverflow, ImageRefused, ModelError
from sayso.models.local import LocalModel, model
from sayso.models.local.engine import Chunk, Engine

pytestmark = pytest.mark.anyio
RequestOf = Callable[..., ModelRequest]


class Played:
    """Gives the same chunks to each request, or those of its turn; keeps what it was asked."""

    context, path, is_loaded = 1000, Path("played.gguf"), True

    def __init__(self, *turns: list[Chunk]) -> None:
        self.turns, self.bodies = list(turns), list[Mapping[str, Any]]()

    async def chat(self, body: Mapping[str, Any]) -> AsyncGenerator[Chunk, None]:
        self.bodies.append(body)
        for chunk in self.turns[min(len(self.bodies), len(self.turns)) - 1]:
            yield chunk


def says(*words: str, reason: str = "stop") -> list[Chunk]:
    told: list[Chunk] = [{"choices": [{"delta": {"content": word}, "finish_reason": None}]} for word in words]
    return [*told, {"choices": [{"delta": {}, "finish_reason": reason}]}]


def played(*turns: list[Chunk], **options: Any) -> tuple[LocalModel, Played]:
    engine = Played(*turns)
    return LocalModel("m", cast(Engine, engine), **options), engine


async def events_of(asked: tuple[LocalModel, Played], request: ModelRequest) -> list[ModelEvent]:
    return [event async for event in asked[0].stream(request)]


def text_of(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextChunk))


CALL = 'TOOL: search_people\nARGS: {"query": "Elena"}'
BAD = 'TOOL: search_people\nARGS: {"q": 1}'


async def test_prose_is_told_as_it_comes_and_calls_are_told_whole(request_of: RequestOf) -> None:
    events = await events_of(played(says("TO", "NIC", " water")), request_of())
    assert [event.text for event in events if isinstance(event, TextChunk)] == ["TONIC", " water"]
    events = await events_of(played(says("TO", "OL: ", *CALL[6:])), request_of())
    assert events == [TextChunk(CALL), ReplyEnd(FinishReason.STOP, Usage(0, len(CALL) - 4))]


async def test_what_was_kept_back_is_told_at_the_end(request_of: RequestOf) -> None:
    assert text_of(await events_of(played(says("TOO")), request_of())) == "TOO"


async def test_a_call_that_is_refused_is_asked_for_once_more_then_an_answer_is(request_of: RequestOf) -> None:
    asked = played(says(BAD), says(CALL))
    assert text_of(await events_of(asked, request_of())) == CALL
    assert [body["temperature"] for body in asked[1].bodies] == [0, 0.7]
    asked = played(says(BAD), says(BAD), says("I could not look that up."))
    assert text_of(await events_of(asked, request_of())) == "I could not look that up."
    assert "TOOL" not in asked[1].bodies[2]["grammar"].partition("\n")[0]


async def test_without_the_grammar_it_writes_what_it_likes(request_of: RequestOf) -> None:
    asked = played(says("TO", BAD), held=False)
    assert text_of(await events_of(asked, request_of())) == "TO" + BAD
    assert "grammar" not in asked[1].bodies[0]


async def test_a_text_that_goes_round_in_circles_is_cut(request_of: RequestOf) -> None:
    asked = played(says(*["She is Elena and she is a person. "] * 500))
    events = await events_of(asked, request_of())
    assert len(text_of(events)) < 1400
    end = cast(ReplyEnd, events[-1])
    assert end.reason is FinishReason.LENGTH
    assert end.usage.output_tokens < 50


async def test_a_reply_is_no_longer_than_the_model_may_write(request_of: RequestOf) -> None:
    asked = played(says("Yes."), longest=100)
    await events_of(asked, request_of())
    await events_of(asked, request_of(max_output_tokens=50))
    assert [body["max_tokens"] for body in asked[1].bodies] == [100, 50]


async def test_long_lists_are_no_circles(request_of: RequestOf) -> None:
    lines = [f"- Person number {n} works at firm {n} [F{n}].\n" for n in range(200)]
    assert text_of(await events_of(played(says(*lines)), request_of())) == "".join(lines)


async def test_a_fault_before_the_first_word_is_raised_and_after_it_cuts(request_of: RequestOf) -> None:
    broken: Chunk = {"error": {"code": 500, "message": "the graph broke"}}
    with pytest.raises(ModelError, match="the graph broke"):
        await events_of(played([broken]), request_of())
    with pytest.raises(ModelError, match="odd"):
        await events_of(played([{"error": "odd"}]), request_of())
    events = await events_of(played([says("Elena")[0], broken]), request_of())
    assert events == [TextChunk("Elena")]


async def test_no_room_for_a_reply_is_an_overflow(request_of: RequestOf) -> None:
    def counted(tokens: int) -> Chunk:
        return {"choices": [{"delta": {"content": None}}], "prompt_progress": {"total": tokens}}

    with pytest.raises(ContextOverflow) as told:
        await events_of(played([counted(900)]), request_of())
    assert told.value.limit == 1000
    events = await events_of(played([counted(700), *says("Yes.")]), request_of())
    assert events[-1] == ReplyEnd(FinishReason.STOP, Usage(700, 1))
    full: Chunk = {"error": {"type": "exceed_context_size_error", "n_prompt_tokens": 1200, "message": "too long"}}
    with pytest.raises(ContextOverflow, match="1200 tokens"):
        await events_of(played([full]), request_of())


async def test_a_first_question_is_looked_up_without_the_rules_of_answering(request_of: RequestOf) -> None:
    asked = played(says(CALL), looks_up_first=True)
    await events_of(asked, request_of())
    body = asked[1].bodies[0]
    assert body["grammar"].startswith("root ::= call\n")
    assert body["messages"][0]["content"].startswith("To look something up")


async def test_with_records_before_it_a_question_may_be_answered(request_of: RequestOf) -> None:
    asked = played(says("Hello."), looks_up_first=True)
    seeded = (Message("m1", Role.USER, (FactsPart(()), TextPart("Who?")), "ex_1"),)
    await events_of(asked, request_of(messages=seeded))
    assert "| prose" in asked[1].bodies[0]["grammar"].partition("\n")[0]
    assert asked[1].bodies[0]["messages"][0]["content"].startswith("Be brief.")


async def test_images_are_refused_by_name(request_of: RequestOf, monkeypatch: pytest.MonkeyPatch) -> None:
    with_image = (ChatMessage("user", "What is this?", images=(Image("image/png", b"x"),)),)
    monkeypatch.setattr(model, "text_chat", lambda request: with_image)
    with pytest.raises(ImageRefused, match="reads no images"):
        await events_of(played(says("A cat.")), request_of())


def test_messages_of_one_role_in_a_row_become_one() -> None:
    chat = [ChatMessage("user", "a"), ChatMessage("user", "b"), ChatMessage("assistant", "c")]
    assert [(m.role, m.text) for m in model.merged(chat)] == [("user", "a\n\nb"), ("assistant", "c")]
