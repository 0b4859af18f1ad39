"""Which model is chosen and why; falling back."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.core.messages import Attempt
from sayso.core.ports import FinishReason, Notice, Passed, ReplyEnd, TextChunk
from sayso.errors import ConfigError, ModelUnreachable
from sayso.models.chain import Chain
from sayso.models.choice import Choice, build, choose
from sayso.models.local_servers import Found, chat_models, find_local
from sayso.models.scripted import Scripted, fail, say

LOCAL = (Found("ollama", "http://127.0.0.1:11434/v1", ("qwen3", "other")),)
KEY = {"OPENAI_API_KEY": "sk-1"}


def test_each_source_wins_over_the_next() -> None:
    env = {"SAYSO_MODEL": "ollama:b"}
    assert choose(flag="ollama:a", environ=env, stored="ollama:c", found=LOCAL).spec == "ollama:a"
    assert choose(environ=env, stored="ollama:c", found=LOCAL).spec == "ollama:b"
    assert choose(environ={}, stored="ollama:c", found=LOCAL).spec == "ollama:c"
    assert choose(environ={}, found=LOCAL) == Choice("ollama:qwen3", "ollama runs on this machine")
    assert choose(environ={}).spec == "quote"


def test_a_key_is_offered_and_used_only_after_a_yes() -> None:
    offered = choose(environ=KEY)
    assert offered.spec == "quote"
    assert offered.offers[0].startswith("openai:")
    assert choose(environ=KEY, consented={"openai"}).spec.startswith("openai:")


@pytest.mark.parametrize(
    "spec", ["nope", "nope:x", "ollama:", "openai:gpt", "http://127.0.0.1:1/v1", "http://u:p@h/v1#m"]
)
def test_a_wrong_spec_says_how_it_is_written(spec: str) -> None:
    with pytest.raises(ConfigError):
        build(spec, quote=Scripted([]), environ={})


def test_specs_build_models() -> None:
    quote = Scripted([])
    assert build("quote", quote=quote, environ={}) is quote
    assert build("openai:gpt-x", quote=quote, environ=KEY).name == "gpt-x"
    assert build("http://127.0.0.1:9/v1#m:7b", quote=quote, environ={}).name == "m:7b"


def test_embedding_models_are_skipped() -> None:
    assert chat_models({"data": [{"id": "nomic-embed-text"}, {"id": "qwen3"}, {"id": None}, 3]}) == ("qwen3",)
    assert chat_models([]) == ()


@pytest.mark.anyio
async def test_a_closed_port_is_no_server() -> None:
    assert await find_local({"ollama": "http://127.0.0.1:1/v1"}) == ()


@pytest.mark.anyio
async def test_the_second_model_answers_when_the_first_cannot(request_of: Any) -> None:
    with Scripted([fail(ModelUnreachable("no server answers"))]) as first, Scripted([say("Hi")], name="quote") as then:
        events = [e async for e in Chain([first], then).stream(request_of())]
    assert events == [
        Passed(Attempt("scripted", "model_unreachable", "no server answers")),
        Notice("no server answers. quote answers instead.", "quote"),
        TextChunk("Hi"),
        ReplyEnd(FinishReason.STOP),
    ]
