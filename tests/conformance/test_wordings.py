"""Each provider's own words for a refusal are understood for what they mean, and lead to the right next move."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from conformance.conftest import KEY, Asking, request_of, run_loop
from conformance.server.faults import ELENA, HELLO
from conformance.server.http import refusing
from conformance.server.script import say
from conformance.server.stage import Stage
from conformance.server.wordings import Meaning, Wording, meaning
from made_images import png
from sayso.core.events import Failed
from sayso.core.evidence import Numbered
from sayso.core.images import read_attachment
from sayso.core.messages import CallStatus, ImagePart, Message, Role, TextPart
from sayso.core.ports import ModelRequest, Notice, TextChunk
from sayso.errors import (
    ContextOverflow,
    ImageRefused,
    ModelBusy,
    ModelError,
    ModelGone,
    ModelRefused,
    QuotaSpent,
)
from small_world import NOW

pytestmark = pytest.mark.anyio


def worded(*wanted: Meaning) -> pytest.MarkDecorator:
    cases = meaning(*wanted)
    return pytest.mark.parametrize(("protocol", "worded"), [pytest.param(w.protocol, w, id=w.name) for w in cases])


async def _raised(stage: Stage, asking: Asking, wording: Wording, request: ModelRequest | None = None) -> ModelError:
    stage.play(wording.answer)
    heard = await asking.hear(asking.model(), request or request_of())
    assert heard.error is not None, heard
    assert not stage.refused
    assert KEY not in str(heard.error)
    assert all(0 <= wait <= 30 for wait in asking.waits)
    return heard.error


@worded("overflow")
async def test_m17_too_large_is_told_with_its_limit_and_not_tried_again(
    stage: Stage, asking: Asking, worded: Wording
) -> None:
    error = await _raised(stage, asking, worded)
    assert isinstance(error, ContextOverflow), repr(error)
    assert error.limit == worded.limit
    assert len(stage.asked) == 1
    assert not asking.waits


@worded("day")
async def test_m1_an_allowance_that_is_spent_is_not_waited_for(stage: Stage, asking: Asking, worded: Wording) -> None:
    error = await _raised(stage, asking, worded)
    assert isinstance(error, QuotaSpent), repr(error)
    assert len(stage.asked) == 1
    assert not asking.waits
    if worded.seconds is not None:
        assert error.seconds == pytest.approx(worded.seconds, abs=1)


@worded("busy")
async def test_m1_too_many_at_once_is_waited_for_as_told_then_told(
    stage: Stage, asking: Asking, worded: Wording
) -> None:
    error = await _raised(stage, asking, worded)
    assert isinstance(error, ModelBusy), repr(error)
    assert not isinstance(error, QuotaSpent)
    assert len(stage.asked) <= 3
    assert len(asking.waits) == len(stage.asked) - 1
    if worded.seconds is not None:
        assert error.seconds == pytest.approx(worded.seconds, abs=1)
        assert all(wait >= worded.seconds - 0.01 for wait in asking.waits), "never sooner than it asks"


@worded("busy", "down")
async def test_m1_m3_what_passes_is_tried_again_and_answers(stage: Stage, asking: Asking, worded: Wording) -> None:
    stage.play(worded.answer, HELLO)
    heard = await asking.hear(asking.model(), request_of())
    assert heard.text == HELLO.text
    assert len(stage.asked) == 2


@worded("down")
async def test_m3_a_server_that_stays_down_is_given_up_after_two_more_tries(
    stage: Stage, asking: Asking, worded: Wording
) -> None:
    error = await _raised(stage, asking, worded)
    assert error.retryable
    assert not isinstance(error, ModelRefused | ContextOverflow)
    assert len(stage.asked) == 3


@worded("key", "forbidden")
async def test_m3_a_key_that_is_refused_is_not_tried_again(stage: Stage, asking: Asking, worded: Wording) -> None:
    error = await _raised(stage, asking, worded)
    assert isinstance(error, ModelRefused | QuotaSpent), repr(error)
    assert len(stage.asked) == 1


@worded("gone")
async def test_m3_a_model_that_is_gone_is_told_as_gone(stage: Stage, asking: Asking, worded: Wording) -> None:
    error = await _raised(stage, asking, worded)
    assert isinstance(error, ModelGone), repr(error)
    assert not error.retryable
    assert len(stage.asked) == 1


@worded("tools")
async def test_native_tools_that_are_rejected_become_text_of_the_same_model(
    stage: Stage, asking: Asking, worded: Wording
) -> None:
    """The person is told once, the model is asked in text from then on, and the exchange is driven to its end."""
    good = "Elena Weber works at SINGA Switzerland [F1]."
    stage.play(worded.answer, ELENA.as_text(), say(good))
    ran = await run_loop(asking.model(), "Who is Elena?")
    assert not isinstance(ran.finish, Failed), ran.finish
    assert [result.status for result in ran.results] == [CallStatus.SUCCESS]
    assert ran.answer.text == good
    assert len(ran.told) >= 1
    assert not stage.refused
    assert "tools" in stage.asked[0].body
    assert "tools" not in stage.asked[1].body
    assert "tools" not in stage.asked[2].body or worded.vendor == "groq-empty", "a call that was not read is no rule"
    assert "TOOL: name" in json.dumps(stage.asked[1].body)
    assert len(stage.asked) == 3


@worded("image")
async def test_an_image_that_is_refused_is_told_as_such(stage: Stage, asking: Asking, worded: Wording) -> None:
    error = await _raised(stage, asking, worded, _request_with_an_image())
    assert isinstance(error, ImageRefused), repr(error)
    assert len(stage.asked) == 1


def _request_with_an_image() -> ModelRequest:
    attached = read_attachment(png(), "pixel.png")
    fact = Numbered("U1", attached.fact(NOW))
    asked = Message("m1", Role.USER, (ImagePart(fact), TextPart("What is this?")), "ex_1")
    return request_of(messages=(asked,), images={attached.digest: attached.data})


@pytest.mark.parametrize("native", [True, False], ids=["native", "text"])
async def test_an_image_is_sent_as_the_provider_takes_it(stage: Stage, asking: Asking, native: bool) -> None:
    stage.play(say("I see a pixel."))
    request = _request_with_an_image()
    heard = await asking.hear(asking.model(native=native), request)
    assert not stage.refused
    assert heard.text == "I see a pixel."
    assert base64.b64encode(next(iter(request.images.values()))) in stage.asked[0].data


GENERATIONS = {
    "a call of the line protocol": 'TOOL: search_people\nARGS: {"query": "Elena"}',
    "a function tag": '<function=search_people>{"query": "Elena"}</function>',
    "a tagged call": '<tool_call>\n{"name": "search_people", "arguments": {"query": "Elena"}}\n</tool_call>',
    "a function tag that is not closed": '<function=search_people>{"query": "Elena"}',
    "a function tag without its bracket": '<function=search_people{"query": "Elena"}</function>',
    "a fenced object": '```json\n{"tool_calls":[{"function":{"name":"search_people","arguments":"{\\"query\\":\\"Elena\\"}"}}]}\n```',
    "special tokens": "<|tool_calls_section_begin|><|tool_call_begin|>functions.search_people:0"
    '<|tool_call_argument_begin|>{"query": "Elena"}<|tool_call_end|><|tool_calls_section_end|>',
}


@pytest.mark.parametrize("protocol", ["chat"], indirect=True)
@pytest.mark.parametrize("wrapped", [False, True], ids=["plain", "wrapped"])
@pytest.mark.parametrize("generation", GENERATIONS.values(), ids=[name.replace(" ", "_") for name in GENERATIONS])
async def test_the_text_of_a_failed_tool_use_is_read_like_a_reply(
    stage: Stage, asking: Asking, generation: str, wrapped: bool
) -> None:
    """Also where a router passes the whole refusal on within its own message."""
    said: dict[str, Any] = {
        "message": "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        "type": "invalid_request_error", "code": "tool_use_failed", "failed_generation": generation,
    }  # fmt: skip
    if wrapped:
        inner = json.dumps({"error": said}).replace("<", "\\u003c").replace(">", "\\u003e")
        said = {
            "message": f"litellm.BadRequestError: GroqException - {inner}\n",
            "type": None,
            "param": None,
            "code": "400",
        }
    stage.play(refusing(400, {"error": said}), say("Elena Weber works at SINGA Switzerland [F1]."))
    ran = await run_loop(asking.model(), "Who is Elena?")
    assert [result.status for result in ran.results] == [CallStatus.SUCCESS]
    assert ran.answer.text == "Elena Weber works at SINGA Switzerland [F1]."
    assert len(stage.asked) == 2


@pytest.mark.parametrize("protocol", ["chat"], indirect=True)
async def test_the_text_of_a_failed_tool_use_is_shown_when_it_is_an_answer(stage: Stage, asking: Asking) -> None:
    said = {
        "message": "Failed to call a function.",
        "code": "tool_use_failed",
        "failed_generation": "Hello! How can I help?",
    }
    stage.play(refusing(400, {"error": said}))
    heard = await asking.hear(asking.model(), request_of())
    assert [e for e in heard.events if isinstance(e, TextChunk)] == [TextChunk("Hello! How can I help?")]
    assert heard.end is not None
    assert not [e for e in heard.events if isinstance(e, Notice)]
    assert len(stage.asked) == 1


@pytest.mark.parametrize("protocol", ["chat"], indirect=True)
async def test_a_failed_tool_use_that_was_not_handed_on_is_asked_again_as_text(stage: Stage, asking: Asking) -> None:
    said = {"message": "Failed to call a function. Please adjust your prompt.", "code": "tool_use_failed"}
    good = "Elena Weber works at SINGA Switzerland [F1]."
    stage.play(refusing(400, {"error": said}), ELENA.as_text(), say(good))
    ran = await run_loop(asking.model(), "Who is Elena?")
    assert [result.status for result in ran.results] == [CallStatus.SUCCESS]
    assert ran.answer.text == good
    assert "tools" not in stage.asked[1].body
    assert not stage.refused
