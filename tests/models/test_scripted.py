"""The scripted model: what it gives, and how it complains."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sayso.core.ports import FinishReason, NativeCall, ReplyEnd, TextChunk
from sayso.errors import ConfigError, ModelBusy
from sayso.models.scripted import Scripted, call, calls, cut, empty, fail, load_script, say, text_call


async def read(model: Any, request: Any) -> list[Any]:
    return [event async for event in model.stream(request)]


@pytest.mark.anyio
async def test_replies_come_in_order_and_requests_are_kept(request_of: Any) -> None:
    asked = request_of()
    with Scripted(
        [calls(call("a", name="x"), call("b")), text_call("c", q=1), say("Hallo", 2), cut("H"), empty()]
    ) as model:
        assert await read(model, asked) == [
            NativeCall("scripted_0_0", "a", '{"name": "x"}'),
            NativeCall("scripted_0_1", "b", "{}"),
            ReplyEnd(FinishReason.TOOL_CALLS),
        ]
        assert await read(model, asked) == [TextChunk('TOOL: c\nARGS: {"q": 1}'), ReplyEnd(FinishReason.STOP)]
        assert await read(model, asked) == [*map(TextChunk, ("Ha", "ll", "o")), ReplyEnd(FinishReason.STOP)]
        assert await read(model, asked) == [TextChunk("H")]
        assert await read(model, asked) == [ReplyEnd(FinishReason.STOP)]
    assert model.requests == [asked] * 5


@pytest.mark.anyio
async def test_asked_too_often_it_complains(request_of: Any) -> None:
    with pytest.raises(AssertionError, match="asked 1 times; its script has 0"):
        await read(Scripted([]), request_of())


def test_unused_replies_are_named() -> None:
    with (
        pytest.raises(AssertionError, match="unused replies: say 'Hello'; call search"),
        Scripted([say("Hello"), call("search")]),
    ):
        pass


@pytest.mark.anyio
async def test_a_script_is_read_from_json(tmp_path: Path, request_of: Any) -> None:
    file = tmp_path / "script.json"
    file.write_text(json.dumps([{"call": "a", "arguments": {"q": "é"}}, {"fail": "model_busy"}, {"say": "Hi"}]))
    model = load_script(file)
    assert (await read(model, request_of()))[0] == NativeCall("scripted_0_0", "a", '{"q": "é"}')
    with pytest.raises(ModelBusy):
        await read(model, request_of())
    assert fail(ModelBusy("x")).error is not None


@pytest.mark.parametrize("text", ["{", "{}", "[1]", '[{"call": "a", "arguments": []}]', '[{"fail": "nope"}]'])
def test_a_wrong_script_says_what_is_wrong(tmp_path: Path, text: str) -> None:
    file = tmp_path / "script.json"
    file.write_text(text)
    with pytest.raises(ConfigError, match="script"):
        load_script(file)
