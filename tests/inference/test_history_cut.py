"""What may be left out of a history: whole exchanges, and none whose calls are still open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sayso.core.encoding import read_outside, transcript_digest
from sayso.models.scripted import call, say
from small_world import ELENA

Serve = Callable[..., Any]


def digest_of(documents: list[Any]) -> str:
    return transcript_digest([read_outside(document, {}) for document in documents])


@pytest.mark.parametrize("left_out", [1, 2, 3])
def test_a_history_that_begins_within_an_exchange_is_refused(serve: Serve, left_out: int) -> None:
    service = serve(call("search_people", query="Elena"), say("Elena Weber [F1]."))
    panel = service.panel()
    panel.give(service.gateway.found(panel.ask("Who is Elena?").calls[0], ELENA))
    spoken, panel.history, panel.exchange = [*panel.history, *panel.exchange], [], []
    panel.exchange = spoken[left_out:]
    told = panel.ask("And Ilya?", history_before=digest_of(spoken[:left_out]))
    assert (told.status, told.code) == (409, "exchange_incomplete")
    assert len(service.model.requests) == 2


def test_an_exchange_that_waits_cannot_be_left_out_of_the_next_message(serve: Serve) -> None:
    service = serve(call("search_people", query="Elena"), say("Hello."))
    panel = service.panel()
    finish = panel.ask("Who is Elena?").finish
    spoken, panel.history, panel.exchange = panel.exchange, [], []
    told = panel.ask("Hello", history_before=finish["transcript"])
    assert (told.status, told.code) == (409, "exchange_incomplete")
    panel.exchange = spoken
    told = panel.ask("Hello")
    assert told.finish["messages"][0]["parts"][0]["result"][1] == "superseded"


def test_nor_where_the_stored_thread_waits(serve: Serve) -> None:
    service = serve(call("search_people", query="Elena"), say("Hello."))
    panel = service.panel()
    finish = panel.ask("Who is Elena?").finish
    spoken = panel.exchange
    seal = service.gateway.history(
        finish_thread(service, finish), spoken, finish["transcript"], 1, waits=spoken[-1]["exchange"]
    )
    panel.continuation, panel.history, panel.exchange = None, [], []
    told = panel.ask("Hello", history_seal=seal, history_before=finish["transcript"])
    assert (told.status, told.code) == (409, "exchange_incomplete")
    panel.history = spoken
    assert panel.ask("Hello", history_seal=seal).finish["messages"][0]["parts"][0]["result"][1] == "superseded"


def finish_thread(service: Any, finish: Any) -> str:
    return service.chat.proving.continuations.read(finish["continuation"]).thread
