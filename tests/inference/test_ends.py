"""How runs end otherwise: stopped, failed, resumed; and what an operator may set."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from sayso.core.encoding import read_outside
from sayso.core.messages import open_calls
from sayso.core.ports import FinishReason, ModelEvent, ModelRequest, ReplyEnd, TextChunk
from sayso.errors import ModelBusy, ModelRefused
from sayso.models.scripted import Scripted, call, calls, fail, say
from sayso.signing.keys import Keyring, PublicKeys, new_keyring
from sealed_world import NAVIGATE, pending, receipt
from small_world import ELENA

Serve = Callable[..., Any]
GOOD = "Elena Weber works at SINGA Switzerland [F1]."
SEARCH = call("search_people", query="Elena")


class Slow:
    """Says a sentence and then nothing more, until it is stopped; later it answers at once."""

    name = "slow"

    def __init__(self) -> None:
        self.requests: list[ModelRequest] = []

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        self.requests.append(request)
        if len(self.requests) > 1:
            yield TextChunk("Hello! How can I help?")
        else:
            yield TextChunk("One. Two. Three. Four. Five. Six. Seven. ")
            await asyncio.Event().wait()
        yield ReplyEnd(FinishReason.STOP)


def test_g4_a_stopped_run_can_be_gone_on_from(serve: Serve) -> None:
    service = serve(model=Slow())
    panel = service.panel()
    with service.asking(panel.body("Count")) as (run, asking):
        assert service.stop(run).json() == {"run_id": run, "stopped": True}
        told = asking.result(60)
    assert told.finish["reason"] == "stopped"
    panel.keep(told.finish)
    said = panel.exchange[-1]["parts"][0]["text"] if panel.exchange[-1]["role"] == "assistant" else ""
    assert said == "".join(delta["text"] for delta in told.of("text-delta"))
    assert panel.ask("Hello").answer == "Hello! How can I help?"
    # Stopping what has ended changes nothing.
    assert service.stop(run).json()["stopped"] is True


def test_g4_no_call_stays_open_when_a_run_is_stopped_between_steps(serve: Serve) -> None:
    """An invented call was answered, and the model is asked again, when the person stops."""

    class Then(Slow):
        async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
            if not self.requests:
                self.requests.append(request)
                async for event in Scripted([call("search_nobody", query="x")]).stream(request):
                    yield event
                return
            self.requests.append(request)
            await asyncio.Event().wait()

    service = serve(model=Then())
    with service.asking(service.panel().body("Who?")) as (run, asking):
        while len(service.model.requests) < 2:
            pass
        service.stop(run)
        messages = asking.result(60).finish["messages"]
    assert open_calls(tuple(read_outside(m, {}) for m in messages)) == ()


@pytest.mark.parametrize("error", [ModelBusy("busy"), ModelRefused("no key")])
def test_a_failed_run_leaves_the_thread_as_it_was(serve: Serve, error: Exception) -> None:
    """Its continuation holds again: the same results, or a new message, go on."""
    service = serve(calls(call("navigate", to="/a")), fail(error), say("Hello! How can I help?"))
    panel = service.panel(client_tools=[NAVIGATE])
    asked = panel.ask("Open the page").calls[0]
    told = panel.give({"call_id": asked["call_id"], "name": "navigate", "status": "cancelled"})
    assert told.events[-1][0] == "error"
    assert panel.ask("Hello").answer == "Hello! How can I help?"


def test_g1_a_run_is_read_again_from_any_of_its_events(serve: Serve) -> None:
    service = serve(say("Hello! How can I help?"))
    told = service.panel().ask("Hello")
    for after in range(len(told.events)):
        assert service.events(told.run, after).events == told.events[after:]


def test_b12_a_continuation_is_used_once_for_as_long_as_it_proves_a_history(serve: Serve) -> None:
    service = serve(*[say("Hello! How can I help?")] * 3)
    panel = service.panel()
    panel.ask("Hello")
    proof = panel.continuation
    body = panel.body("Hello again")
    assert panel.send(body).status == 200
    began = time.monotonic()
    for days, code in ((0.05, "continuation_used"), (29.9, "continuation_used")):
        service.chat.runs._claims.monotonic = lambda days=days: began + days * 86400
        assert service.post({**body, "message": "Something else"}).code == code
        assert service.post(body).status == 200
    assert service.chat.parts.proof_seconds == 30 * 86400
    assert panel.continuation != proof


def test_a_receipt_that_the_thread_was_told_is_no_news_however_often_it_is_sent(serve: Serve) -> None:
    service = serve(say("It was sent [F1]."), say("Hello!"), say("Hello!"))
    panel = service.panel()

    def opened(told: Any) -> list[str]:
        return [fact["key"] for fact in told.finish["messages"][0]["parts"][0].get("facts", ())]

    panel.send(panel.body("Did it go out?", seeds=service.gateway.seeds(receipt())))
    again = panel.ask("And?", seeds=service.gateway.seeds(receipt(), receipt(key="prop_2")))
    assert opened(again) == ["prop_2"]
    changed = panel.ask("And?", seeds=service.gateway.seeds(receipt(outcome="failed"), receipt(key="prop_2")))
    assert opened(changed) == ["prop_1"]


def test_a_continuation_holds_over_a_rotation_of_keys(serve: Serve) -> None:
    service = serve(SEARCH, say(GOOD))
    panel = service.panel()
    asked = panel.ask("Who is Elena?").calls[0]
    old, new = service.keyring[0], new_keyring()
    both = PublicKeys({**old.public.keys, **new.public.keys})
    service.keyring[0] = Keyring(new.kid, new.private, both)
    assert [k["kid"] for k in service.client.get("/api/v1/ai/keys").json()["keys"]] == [old.kid, new.kid]
    assert panel.give(service.gateway.found(asked, ELENA)).answer == GOOD
    service.keyring[0] = Keyring(new.kid, new.private, new.public)
    assert panel.ask("Hello", continuation=panel.continuation).status == 200


def test_a_key_that_was_taken_away_ends_what_it_signed(serve: Serve) -> None:
    service = serve(SEARCH, say(GOOD))
    panel = service.panel()
    asked = panel.ask("Who is Elena?").calls[0]
    service.keyring[0] = new_keyring()
    assert panel.give(service.gateway.found(asked, ELENA)).code == "continuation_forged"


def test_without_a_gateways_keys_every_fact_is_merely_reported(serve: Serve) -> None:
    service = serve(calls(SEARCH, call("propose_message", person="Elena")), say("Hello! How can I help?"), sealed=False)
    panel = service.panel()
    read, write = panel.ask("Who is Elena?").calls
    told = panel.give(service.gateway.found(read, ELENA), service.gateway.result(write, receipt(), kind="execute"))
    assert {fact["provenance"] for fact in told.of("facts")[0]["facts"]} == {"reported"}


def test_s18_without_seals_a_token_may_be_asked_for(serve: Serve) -> None:
    service = serve(say("Hello! How can I help?"), sealed=False, secret="s3cret")
    body = service.panel().body("Hello")
    assert service.post(body).code == "bearer_missing"
    assert service.post(body, authorization="Bearer wrong").status == 401
    assert service.post(body, authorization="Bearer s3cret").status == 200
    assert service.client.get("/healthz").json() == {"status": "ok", "role": "inference"}


def test_where_a_token_and_a_seal_are_both_asked_for_a_run_can_be_read_again_and_stopped(serve: Serve) -> None:
    """The token is the bearer then, and the seal a header of its own; neither does without the other."""
    service = serve(say("Hello! How can I help?"), secret="s3cret")
    token, seal = {"authorization": "Bearer s3cret"}, service.gateway.catalogue()["seal"]
    run = service.post(service.panel().body("Hello"), **token).run
    both = {**token, "x-sayso-catalogue": seal}
    assert service.client.get(f"/api/v1/ai/runs/{run}/events", headers=both).status_code == 200
    assert service.client.post(f"/api/v1/ai/runs/{run}/stop", json={}, headers=both).status_code == 200
    for lacking, code in (
        (token, "catalogue_unsealed"),
        ({"x-sayso-catalogue": seal}, "bearer_missing"),
        ({"authorization": f"Bearer {seal}"}, "bearer_missing"),
    ):
        answer = service.client.post(f"/api/v1/ai/runs/{run}/stop", json={}, headers=lacking)
        assert (answer.status_code, answer.json()["code"]) == (401, code)


def test_behind_a_proxy_that_sets_its_own_bearer_the_seal_is_a_header(serve: Serve) -> None:
    service = serve(say("Hello! How can I help?"))
    proxied = {"authorization": "Bearer sayso_1_abc"}
    run = service.post(service.panel().body("Hello"), **proxied).run
    for headers, status in (
        (proxied, 401),
        ({**proxied, "x-sayso-catalogue": service.gateway.catalogue()["seal"]}, 200),
    ):
        assert service.client.get(f"/api/v1/ai/runs/{run}/events", headers=headers).status_code == status
        assert service.client.post(f"/api/v1/ai/runs/{run}/stop", json={}, headers=headers).status_code == status


def test_the_document_asks_for_exactly_what_the_service_asks_for(serve: Serve) -> None:
    """Each operation is called without any proof: it is refused where the document names one, and only there."""
    for secret in ("", "s3cret"):
        client = serve(secret=secret).client
        bearer = {"authorization": f"Bearer {secret}"} if secret else {}
        document = client.get("/api/v1/openapi.json", headers=bearer).json()
        for path, item in document["paths"].items():
            for method, operation in item.items():
                kind = {"content-type": "application/json"}
                answer = client.request(method, path.replace("{run_id}", "run_1"), content="{}", headers=kind)
                assert (answer.status_code == 401) is bool(operation["security"]), (secret, method, path)


def test_s17_only_known_host_names_are_served(serve: Serve) -> None:
    service = serve()
    answer = service.client.get("/healthz", headers={"host": "evil.example"})
    assert (answer.status_code, answer.json()["code"]) == (421, "unknown_host")


def test_s19_one_explicit_origin_may_ask_and_no_other(serve: Serve) -> None:
    service = serve(say("Hello! How can I help?"), origin="https://app.example")
    body = service.panel().body("Hello")
    refused = service.post(body, origin="https://evil.example")
    assert (refused.code, "--origin" in refused.problem["detail"]) == ("cross_site", True)
    answer = service.client.post("/api/v1/ai/chat", json=body, headers={"origin": "https://app.example"})
    assert answer.headers["access-control-allow-origin"] == "https://app.example"
    assert "access-control-allow-credentials" not in answer.headers
    preflight = {"origin": "https://app.example", "access-control-request-method": "POST"}
    asked = service.client.options("/api/v1/ai/chat", headers=preflight)
    assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (204, "https://app.example")
    assert "content-type" in asked.headers["access-control-allow-headers"]


def test_s19_without_an_origin_no_page_may_ask(serve: Serve) -> None:
    service = serve()
    for headers in ({"origin": "https://app.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        answer = service.client.post("/api/v1/ai/chat", json={}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_site")
        assert "access-control-allow-origin" not in answer.headers


def test_b14_one_request_brings_approvals_and_client_results_alike(serve: Serve) -> None:
    service = serve(
        calls(call("propose_message", person="Elena"), call("navigate", to="/people")), say("Proposed [F1].")
    )
    panel = service.panel(client_tools=[NAVIGATE])
    write, own = panel.ask("Write to Elena and open the page").calls
    told = panel.give(
        {"call_id": own["call_id"], "name": "navigate", "status": "success"},
        service.gateway.result(write, pending(), kind="propose"),
    )
    assert [f["kind"] for f in told.of("facts")[0]["facts"]] == ["proposal", "receipt"]


def test_e4_every_call_for_the_caller_is_told_and_then_the_run_ends(serve: Serve) -> None:
    """B11: no result is made up for any of them."""
    service = serve(calls(SEARCH, call("navigate", to="/a"), call("navigate", to="/b"), call("list_people")))
    told = service.panel(client_tools=[NAVIGATE]).ask("Go")
    assert [c["name"] for c in told.calls] == ["search_people", "navigate", "navigate", "list_people"]
    assert told.finish["outcome"] == "waiting"
    assert [m["role"] for m in told.finish["messages"]] == ["user", "assistant"]
