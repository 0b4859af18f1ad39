"""A caller drives the loop: reads, writes, client tools, several exchanges, and what bounds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sayso.core.progress import Limits
from sayso.models.scripted import call, calls, say
from sealed_world import NAVIGATE, pending, receipt
from small_world import ELENA, ILYA, MARA

Serve = Callable[..., Any]
GOOD = "Elena Weber works at SINGA Switzerland [F1]. Her role is not recorded [F1]."
SEARCH = call("search_people", query="Elena")


def test_a_call_goes_to_the_caller_and_its_result_makes_the_answer(serve: Serve) -> None:
    service = serve(SEARCH, say(GOOD))
    panel = service.panel()
    first = panel.ask("Who is Elena?")
    assert first.finish["outcome"] == "waiting"
    (asked,) = first.calls
    assert (asked["name"], asked["arguments"]) == ("search_people", '{"query": "Elena"}')
    second = panel.give(service.gateway.found(asked, ELENA))
    assert second.answer == GOOD
    assert second.of("answer")[0]["citations"] == ["F1"]
    assert second.finish["outcome"] == "answered"
    assert second.finish["next_ref"] == 3
    assert [m["role"] for m in panel.exchange] == ["user", "assistant", "tool", "assistant"]


def test_two_reads_of_one_step_are_answered_together(serve: Serve) -> None:
    service = serve(calls(SEARCH, call("search_people", query="Mara")), say("Elena Weber and Mara Lindt [F1] [F3]."))
    panel = service.panel()
    first, second = panel.ask("Who are Elena and Mara?").calls
    told = panel.give(service.gateway.found(second, MARA), service.gateway.found(first, ELENA))
    # Refs follow the order of the calls, not that of their results.
    assert [f["ref"] for f in told.of("facts")[0]["facts"]] == ["F1", "F2", "F3", "F4"]
    assert [f["subject"] for f in told.of("facts")[0]["facts"]][::2] == ["Elena Weber", "Mara Lindt"]
    assert told.finish["outcome"] == "answered"


def test_f6_a_follow_up_keeps_its_facts_and_refs_and_gives_new_ones(serve: Serve) -> None:
    service = serve(SEARCH, say(GOOD), call("search_people", query="Ilya"), say("Ilya Druzhnikov [F3]."), say(GOOD))
    panel = service.panel()
    panel.give(service.gateway.found(panel.ask("Who is Elena?").calls[0], ELENA))
    asked = panel.ask("And Ilya?").calls[0]
    told = panel.give(service.gateway.found(asked, ILYA))
    assert [f["ref"] for f in told.of("facts")[0]["facts"]] == ["F3", "F4"]
    assert panel.ask("Once more: who is Elena?").answer == GOOD
    assert len(panel.history) == 8


def test_a_proposal_is_pending_and_its_receipt_seeds_the_next_exchange(serve: Serve) -> None:
    service = serve(
        call("propose_message", person="Elena", text="Hi"), say("The message is proposed [F1]."),
        say("The message to Elena was sent [F2]."),
    )  # fmt: skip
    panel = service.panel()
    asked = panel.ask("Write to Elena").calls[0]
    told = panel.give(service.gateway.result(asked, pending(), kind="propose"))
    assert told.answer == "The message is proposed [F1]."
    later = panel.ask("Did you send it?", seeds=service.gateway.seeds(receipt()))
    assert later.answer == "The message to Elena was sent [F2]."


def test_a_caller_that_waited_for_the_person_gives_the_receipt(serve: Serve) -> None:
    service = serve(call("propose_message", person="Elena"), say("The message to Elena was sent [F1]."))
    panel = service.panel()
    asked = panel.ask("Write to Elena").calls[0]
    told = panel.give(service.gateway.result(asked, receipt(), kind="execute"))
    assert told.answer == "The message to Elena was sent [F1]."


def test_b5_a_denied_write_has_a_result_and_the_talk_goes_on(serve: Serve) -> None:
    service = serve(call("propose_message", person="Elena"), say("All right, nothing was sent."), say("Hello!"))
    panel = service.panel()
    asked = panel.ask("Write to Elena").calls[0]
    told = panel.give({"call_id": asked["call_id"], "name": asked["name"], "status": "denied"})
    assert told.finish["outcome"] == "answered"
    assert panel.ask("Hello").finish["outcome"] == "answered"


def test_a_client_tool_leaves_our_receipt_and_what_it_says_is_reported(serve: Serve) -> None:
    service = serve(call("navigate", to="/people"), say("I opened the page [F1]."))
    panel = service.panel(client_tools=[NAVIGATE])
    asked = panel.ask("Open the people page").calls[0]
    told = panel.give(
        {"call_id": asked["call_id"], "name": "navigate", "status": "success",
         "facts": [{"kind": "page", "subject": "People", "values": {"title": "People", "reached": True}}]}
    )  # fmt: skip
    done, page = told.of("facts")[0]["facts"]
    assert (done["kind"], done["source"], done["fields"]["outcome"]) == ("receipt", "client", "done")
    assert (page["kind"], page["provenance"], page["source"]) == ("page", "reported", "client: navigate")
    assert told.finish["outcome"] == "answered"


def test_b3_a_new_message_closes_what_was_open(serve: Serve) -> None:
    service = serve(calls(SEARCH, call("list_people")), say("Hello! How can I help?"))
    panel = service.panel()
    first, second = panel.ask("Who is Elena?").calls
    told = panel.ask("Never mind. Hello", tool_results=[service.gateway.found(second, ELENA)])
    assert told.finish["outcome"] == "answered"
    closing = told.finish["messages"][0]
    results = {part["result"][0]: part["result"][1] for part in closing["parts"]}
    assert results == {first["call_id"]: "superseded", second["call_id"]: "success"}
    assert closing["exchange"] != told.finish["messages"][1]["exchange"]
    assert panel.history[-1] == closing


def test_what_cannot_be_meant_is_answered_here_and_never_sent(serve: Serve) -> None:
    wrong = calls(
        call("find_person", name="x"), call("search_people", name="Elena"), call("search_people", query="x" * 70_000)
    )
    service = serve(wrong, say("Hello! How can I help?"))
    told = service.panel().ask("Who is Elena?")
    assert told.calls == []
    results = [part["result"] for m in told.finish["messages"] if m["role"] == "tool" for part in m["parts"]]
    assert [r[2] for r in results] == ["unknown_tool", "bad_arguments", "bad_arguments"]


def test_a3_steps_are_counted_over_resubmissions(serve: Serve) -> None:
    names = ["Elena", "Ilya", "Mara"]
    service = serve(*(call("search_people", query=n) for n in names), say("Nobody."), limits=Limits(steps=3))
    panel = service.panel()
    told = panel.ask("Who is Elena?")
    for _ in names[:2]:
        told = panel.give(service.gateway.found(told.calls[0], ELENA))
    # The third step offers no tools, so its call is not run, and the exchange ends with an answer.
    assert told.calls == []
    assert told.finish["reason"] == "step_limit"
    assert not service.model.requests[2].tools_open
    assert told.of("usage")[0]["steps"] >= 3


def test_the_open_record_is_the_first_fact(serve: Serve) -> None:
    service = serve(say("Her affiliation is SINGA Switzerland [F1]."))
    context = {"route": "/people/p1", "record": {"kind": "person", "key": "p1"}, "selection": "Elena likes tea"}
    told = service.panel().ask("Where does she work?", seeds=service.gateway.seeds(ELENA), context=context)
    assert [f["ref"] for f in told.of("facts")[0]["facts"]] == ["F1", "U2"]
    assert told.answer == "Her affiliation is SINGA Switzerland [F1]."


def test_s6_a_stored_thread_goes_on_without_a_continuation(serve: Serve) -> None:
    service = serve(SEARCH, say(GOOD), say(GOOD))
    panel = service.panel()
    finish = panel.give(service.gateway.found(panel.ask("Who is Elena?").calls[0], ELENA)).finish
    stored = panel.exchange
    seal = service.gateway.history("th_9", stored, finish["transcript"], finish["next_ref"])
    told = service.post(
        {"catalogue": service.gateway.catalogue(), "message": "Who is Elena?", "history": stored, "history_seal": seal}
    )
    assert told.answer == GOOD
    assert told.of("run-started")[0]["thread_id"] == "th_9"


def test_old_exchanges_may_be_left_out_and_their_refs_are_never_used_again(serve: Serve) -> None:
    service = serve(SEARCH, say(GOOD), call("search_people", query="Ilya"), say("Ilya Druzhnikov [F3]."))
    panel = service.panel()
    finish = panel.give(service.gateway.found(panel.ask("Who is Elena?").calls[0], ELENA)).finish
    panel.history, panel.exchange = [], []
    told = panel.ask("And Ilya?", history_before=finish["transcript"])
    told = panel.give(service.gateway.found(told.calls[0], ILYA), history_before=finish["transcript"])
    assert [f["ref"] for f in told.of("facts")[0]["facts"]] == ["F3", "F4"]
    assert told.answer == "Ilya Druzhnikov [F3]."


@pytest.mark.parametrize("seconds", [17 * 60, 3 * 86400])
def test_b19_after_the_wait_a_new_message_still_goes_on(serve: Serve, seconds: int) -> None:
    service = serve(call("propose_message", person="Elena"), say("The message to Elena was sent [F1]."))
    panel = service.panel()
    panel.ask("Write to Elena")
    service.gateway.clock.pass_(seconds=seconds)
    told = panel.ask("Did it go out?", seeds=service.gateway.seeds(receipt()))
    assert told.answer == "The message to Elena was sent [F1]."
    assert told.finish["messages"][0]["parts"][0]["result"][1] == "expired"
