"""Several models in one text: how they are written, and the chain that they make."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sayso.cli.probe import _new
from sayso.config import load
from sayso.core.ports import Notice, TextChunk
from sayso.errors import ConfigError
from sayso.models.chain import Chain
from sayso.models.order import Wanted, build_order, read_order, split
from sayso.models.scripted import Scripted, say

KEYS = {"GROQ_API_KEY": "k", "OPENAI_API_KEY": "k"}


def test_models_stand_in_one_text_with_commas_between_them() -> None:
    assert split(" groq:a ,ollama:b:7b,, quote ") == ("groq:a", "ollama:b:7b", "quote")
    assert read_order("groq:a, http://h:1/v1#m#ctx=6000, quote") == (
        Wanted("groq:a"), Wanted("http://h:1/v1#m", 6000),
    )  # fmt: skip
    assert read_order("quote") == ()


@pytest.mark.parametrize(
    ("specs", "words"),
    [
        ("", "commas between them"),
        ("quote, groq:a", "write it last"),
        ("groq:a#ctx=many", "#ctx=8192"),
        ("groq:a#ctx=12", "512 at least"),
        ("groq:a, nonsense", "unknown model 'nonsense'"),
        ("groq:a, mistral:b", "set MISTRAL_API_KEY"),
    ],
)
def test_a_wrong_text_says_what_to_write(specs: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        build_order(specs, quote=Scripted([]), environ=KEYS)


def test_the_first_one_gives_the_name_and_quote_alone_is_itself() -> None:
    quote = Scripted([], "quote")
    assert build_order("quote", quote=quote, environ={}) is quote
    several = build_order("groq:a, openai:b", quote=quote, environ=KEYS)
    assert isinstance(several, Chain)
    assert several.name == "a"


def test_a_script_alone_is_not_caught(tmp_path: Path) -> None:
    (tmp_path / "script.json").write_text(json.dumps([{"fail": "model_busy"}]))
    assert isinstance(build_order(f"scripted:{tmp_path}/script.json", quote=Scripted([]), environ={}), Scripted)


def test_what_was_proven_of_each_model_is_asked_by_its_spec() -> None:
    asked: list[str] = []
    build_order("groq:a#ctx=9000, openai:b", quote=Scripted([]), environ=KEYS, native_tools=asked.append)  # type: ignore[func-returns-value]
    assert asked == ["groq:a", "openai:b"]


@pytest.mark.anyio
async def test_scripts_in_an_order_answer_one_for_another(tmp_path: Path, request_of: Any) -> None:
    for name, entry in (("a", {"fail": "model_timeout"}), ("b", {"fail": "model_unreachable"})):
        (tmp_path / f"{name}.json").write_text(json.dumps([entry]))
    specs = f"scripted:{tmp_path}/a.json, scripted:{tmp_path}/b.json"
    with Scripted([say("Records.")], "quote") as quote:
        events = [e async for e in build_order(specs, quote=quote, environ={}).stream(request_of())]
    assert TextChunk("Records.") in events
    assert [e.model for e in events if isinstance(e, Notice)] == ["scripted", "quote"]


def test_a_probe_asks_a_model_with_the_room_that_it_has_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path))
    settings = load({}, {"SAYSO_HOME": str(tmp_path)}, tmp_path)
    record = _new(settings, "ollama:tiny#ctx=4096, quote", 1, True, None)
    assert record.plan.models == ("ollama:tiny#ctx=4096",)  # quote needs no probing
