"""What comes back to an exchange that waited, by the numbers of the field notes (B): whatever else is sent along."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sayso.core.messages import CallStatus
from sayso.core.rendering import render_result
from sayso.models.scripted import Reply, call, calls, say
from sealed_world import NAVIGATE, Json, pending, receipt
from small_world import ELENA

Serve = Callable[..., Any]
WRITE = call("propose_message", person="Elena", text="Hi")
SENT = "The message to Elena was sent [F1]."
SEARCH = call("search_people", query="Elena")


def write(person: str, text: str) -> Reply:
    return call("propose_message", person=person, text=text)


@pytest.mark.parametrize(
    "more",
    [
        {"context": {"route": "/people/p1", "record": {"kind": "person", "key": "p1"}}},
        {"locale": "de"}, {"model": "scripted"}, {"client_tools": [NAVIGATE]}, {"context": {"route": "/"}, "locale": "de"},
    ],
    ids=lambda more: "+".join(more),
)  # fmt: skip
def test_b7_an_approved_calls_result_counts_whatever_else_is_sent_along(serve: Serve, more: Json) -> None:
    """What belongs to a message only (its context) is refused beside a result, by its name: nothing is passed over."""
    with_results = {name: value for name, value in more.items() if name != "context"}
    for first, later in ((more, {}), ({}, with_results), (more, with_results)):
        service = serve(WRITE, say(SENT))
        panel = service.panel()
        asked = panel.ask("Write to Elena", **first).calls[0]
        approved = service.gateway.result(asked, receipt(), kind="execute")
        if "context" in more:
            refused = panel.give(approved, **more)
            assert (refused.status, "context" in refused.problem["detail"]) == (422, True)
        told = panel.give(approved, **later)
        assert (told.answer, told.finish["outcome"]) == (SENT, "answered")
        (result,) = service.model.requests[-1].messages[-1].results
        assert (result.call_id, result.status) == (asked["call_id"], CallStatus.SUCCESS)


def test_b10_b11_calls_of_one_step_keep_their_own_results_and_none_is_asked_again(serve: Serve) -> None:
    """Three writes that look alike, and a read: decided otherwise each, given back in another order."""
    service = serve(calls(SEARCH, WRITE, write("Elena", "Bye"), write("Ilya", "Hi")), say("Done so far."))
    panel = service.panel()
    asked = panel.ask("Write to Elena, twice, and to Ilya").calls
    ids = [one["call_id"] for one in asked]
    assert len(set(ids)) == 4
    told = panel.give(
        {"call_id": ids[3], "name": "propose_message", "status": "denied"},
        service.gateway.result(asked[2], pending(), kind="propose"),
        service.gateway.found(asked[0], ELENA),
        service.gateway.result(asked[1], receipt(), kind="execute"),
    )
    assert told.finish["outcome"] == "answered"
    assert told.calls == [], "what ran before the pause is not asked for again"
    results = [part["result"] for m in told.finish["messages"] for part in m["parts"] if "result" in part]
    assert [(r[0], r[1]) for r in results] == list(zip(ids, ["success", "success", "success", "denied"], strict=True))
    kinds = [[fact["kind"] for fact in r[3]] for r in results]
    assert [k[:1] for k in kinds] == [["person"], ["receipt"], ["proposal"], []]


def test_b17_each_way_of_not_succeeding_is_told_as_itself(serve: Serve) -> None:
    """And the call beside them that nobody came to has a result too."""
    ways = ["denied", "failed", "cancelled", "not_run"]
    service = serve(calls(*(write(f"P{n}", "Hi") for n in range(4))), say("All right."))
    panel = service.panel()
    asked = panel.ask("Write to all of them").calls
    told = panel.give(
        *({"call_id": c["call_id"], "name": c["name"], "status": way} for c, way in zip(asked, ways, strict=True))
    )
    assert told.finish["outcome"] == "answered"
    request = service.model.requests[-1]
    results = request.messages[-1].results
    assert [result.status.value for result in results] == ways
    issued = {c.id: c for m in request.messages for c in m.calls}
    tools = {tool.name: tool for tool in request.tools}
    told_to_model = {render_result(result, issued[result.call_id], tools) for result in results}
    assert len(told_to_model) == len(ways)


def test_b17_the_siblings_of_a_call_that_was_left_are_ended_as_superseded_not_lost(serve: Serve) -> None:
    service = serve(calls(SEARCH, WRITE, write("Ilya", "Hi")), say("Hello! How can I help?"))
    panel = service.panel()
    read, first, second = panel.ask("Look, and write").calls
    denied = {"call_id": first["call_id"], "name": first["name"], "status": "denied"}
    told = panel.ask("Hello", tool_results=[denied])
    ends = {p["result"][0]: p["result"][1] for m in told.finish["messages"] for p in m["parts"] if "result" in p}
    assert ends == {read["call_id"]: "superseded", first["call_id"]: "denied", second["call_id"]: "superseded"}
