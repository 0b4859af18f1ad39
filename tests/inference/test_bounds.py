"""What comes from outside is bounded: schemas, sizes, odd bodies; and any change to a request is refused or harmless."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso.inference.bodies import MAX_MESSAGES
from sayso.inference.schemas import bounded
from sayso.models.scripted import call, calls, say
from sealed_world import NAVIGATE, Json, pending
from small_world import ELENA

Serve = Callable[..., Any]
SEARCH, WRITE = call("search_people", query="Elena"), call("propose_message", person="Elena", text="Hi")
GOOD = say("Elena Weber works at SINGA Switzerland [F1].")
TEXT = {"type": "string"}


def tool(schema: Json, name: str = "draw") -> Json:
    return {"name": name, "description": "Draw a chart.", "input_schema": schema, "read_only": True}


def bomb() -> Json:
    """Each definition refers twice to the next: a few lines that unfold to a billion."""
    steps = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(30)}
    return {"type": "object", "properties": {"x": {"$ref": "#/$defs/a0"}}, "$defs": {**steps, "a30": TEXT}}


def deep() -> Json:
    schema: Json = {"type": "object"}
    for _ in range(40):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        bomb(), {"type": "array"}, {"type": 7}, {"type": "object", "properties": []},
        {"type": "object", "properties": {"x": {"$ref": "https://evil.example/schema.json"}}},
        {"type": "object", "properties": {"x": {"$ref": "#/properties/x"}}},
        {"type": "object", "properties": {"x": {"$ref": "#/nowhere"}}},
        {"type": "object", "properties": {"x": {"$ref": "file:///etc/passwd"}}},
        {"type": "object", "description": "a" * 70_000},
    ],
    ids=lambda schema: json.dumps(schema)[:50],
)  # fmt: skip
def test_p2_a_schema_out_of_bounds_is_refused(serve: Serve, schema: Json) -> None:
    service = serve(say("Hello! How can I help?"))
    panel = service.panel(client_tools=[tool(schema)])
    told = panel.ask("Hello")
    assert (told.status, told.code) == (422, "schema_unfit")


def test_p2_a_deep_schema_is_refused() -> None:
    assert bounded(deep()) is None
    assert bounded({"type": "object", "properties": {"x": TEXT}}) is not None


def test_p2_a_tool_of_the_catalogue_with_such_a_schema_is_left_out_and_the_others_stay(serve: Serve) -> None:
    from sayso.core.encoding import canonical_digest
    from sayso.signing.tokens import TokenKind, sign
    from sealed_world import USER

    service = serve(call("draw", x="a"), say("Hello! How can I help?"))
    gateway = service.gateway
    catalogue = gateway.catalogue()
    catalogue["tools"] += [{**tool(bomb()), "permission": "", "example": {}}, {"name": "no tool"}]
    signed = {"kinds": catalogue["kinds"], "tools": catalogue["tools"]}
    claims = {"sub": USER.id, "owner": USER.owner, "digest": canonical_digest(signed)}
    catalogue["seal"] = sign(gateway.ring, TokenKind.CATALOGUE, claims, gateway.clock.now(), 900)
    told = service.panel().ask("Hello", catalogue=catalogue)
    assert told.calls == []
    assert {t.name for t in service.model.requests[0].tools} == {"search_people", "list_people", "propose_message"}


def test_a_pattern_that_takes_for_ever_is_not_matched(serve: Serve) -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}, "required": ["x"]}
    service = serve(call("draw", x="a" * 60 + "!"))
    began = time.monotonic()
    told = service.panel(client_tools=[tool(schema)]).ask("Draw")
    assert told.calls[0]["name"] == "draw"
    assert time.monotonic() - began < 60


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"more": 1}, 422), ({"history": [{}] * (MAX_MESSAGES + 1)}, 422), ({"message": ""}, 422),
        ({"message": " \n "}, 422), ({"message": "a" * 32_001}, 422), ({"message": 7}, 422), ({"catalogue": None}, 422),
        ({"catalogue": {"tools": [], "kinds": []}}, 401), ({"tool_results": [{"call_id": 1}]}, 422),
        ({"model": "another"}, 422), ({"locale": "../../etc"}, 422), ({"attachments": ["ab" * 32]}, 422),
        ({"history": [{"role": "system", "parts": []}]}, 409), ({"message": "x" * (1 << 20)}, 413),
        ({"history_before": "ab" * 32}, 409), ({"continuation": "a.b.c"}, 403), ({"history_seal": "a.b.c"}, 403),
        ({"context": {"route": "/", "where": 1}}, 422),
    ],
    ids=lambda value: str(value)[:60],
)  # fmt: skip
def test_h3_odd_requests_are_refused(serve: Serve, change: Json, status: int) -> None:
    service = serve()
    told = service.post({**service.panel().body("Hello"), **change})
    assert told.status == status, told.problem
    assert told.problem["detail"]
    assert service.model.requests == []


def test_h3_what_is_no_message_and_no_continuation_is_refused(serve: Serve) -> None:
    service = serve()
    body = {k: v for k, v in service.panel().body("x").items() if k != "message"}
    assert service.post(body).status == 422


@pytest.mark.parametrize(
    "fact",
    [
        {"kind": "page"}, {"kind": "bad kind", "values": {}}, {"kind": "page", "values": {"a b": 1}},
        {"kind": "page", "values": {"x": {"decimal": "1e999999999"}}}, {"kind": "page", "values": {"x": {"evil": 1}}},
        {"kind": "page", "values": {"x": None}}, {"kind": "page", "values": {"x": [[1]]}},
        {"kind": "page", "values": {"x": "a" * 30_000}}, {"kind": "page", "values": {"x": 10**40}},
        {"kind": "page", "values": {"x": {"quantity": [True, "km"]}}}, {"kind": "page", "values": {"x": 1}, "more": 1},
        {"kind": "person", "values": {"name": 7}}, {"kind": "page", "values": {f"f{n}": 1 for n in range(70)}},
    ],
    ids=lambda fact: json.dumps(fact)[:60],
)  # fmt: skip
def test_i2_an_odd_fact_of_a_client_tool_is_refused_or_readable(serve: Serve, fact: Json) -> None:
    service = serve(call("navigate", to="/a"), say("Hello! How can I help?"))
    panel = service.panel(client_tools=[NAVIGATE])
    asked = panel.ask("Open it").calls[0]
    given = {"call_id": asked["call_id"], "name": "navigate", "status": "success"}
    told = panel.give({**given, "facts": [fact]})
    assert told.status == 200 or (told.status, told.code) == (422, "fact_unfit")
    if told.status != 200:
        assert panel.give(given).finish["outcome"] == "answered"


def test_f1_the_model_sees_whole_exchanges_that_fit_and_the_proof_covers_all(serve: Serve) -> None:
    """A long thread: what is sent to the model is bounded, and a call is never parted from its result."""
    long = "Elena Weber works at SINGA Switzerland [F1]. " + "Words. " * 400
    replies = [reply for _ in range(30) for reply in (SEARCH, say(long))]
    service = serve(*replies, say("Hello! How can I help?"))
    panel = service.panel()
    for _ in range(30):
        panel.give(service.gateway.found(panel.ask("Who is Elena?").calls[0], ELENA))
    assert panel.ask("Hello").finish["outcome"] == "answered"
    sent = service.model.requests[-1].messages
    assert 4 < len(sent) < len(panel.history)
    assert sent[0].role == "user"
    answered = {r.call_id for m in sent for r in m.results}
    assert {c.id for m in sent for c in m.calls} == answered


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    found = [path] if path else []
    if isinstance(value, dict):
        return found + [p for k, v in value.items() for p in places(v, (*path, k))]
    if isinstance(value, list):
        return found + [p for n, v in enumerate(value) for p in places(v, (*path, n))]
    return found


def changed(body: Json, path: tuple[Any, ...], value: Any) -> Json:
    """The body with one place replaced; `...` takes it away."""
    copied = copy.deepcopy(body)
    inner: Any = copied
    for step in path[:-1]:
        inner = inner[step]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return copied


ODD = st.sampled_from([..., None, "", "x", 0, -1, 1.5, True, [], {}, [{}], {"a": 1}, "success", "\ud800", 10**30])


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_change_to_a_resubmission_is_refused_or_gives_the_same_answer(serve: Serve, data: Any) -> None:
    service = RESUBMITTED.setdefault("service", None) or prepared(serve)
    body: Json = RESUBMITTED["body"]
    path = data.draw(st.sampled_from(RESUBMITTED["places"]))
    odd = changed(body, path, data.draw(ODD))
    told = service.post(json.loads(json.dumps(odd)))
    assert told.status < 500, (path, told.problem)
    if told.status == 200:
        assert told.events[-1][0] == "finish"
        assert told.answer == RESUBMITTED["answer"], path
    else:
        assert told.code
        assert told.problem["detail"]
    service.chat.runs._claims._claims.clear()  # each change is tried as if it were the first


RESUBMITTED: dict[str, Any] = {}


class Steady:
    """Asks for a read and a write, and says one thing of what comes."""

    name = "steady"

    async def stream(self, request: Any) -> Any:
        from sayso.models.scripted import Scripted

        done = any(m.results for m in request.messages)
        script = [GOOD] if done else [calls(SEARCH, WRITE)]
        async for event in Scripted(script).stream(request):
            yield event


def prepared(serve: Serve) -> Any:
    service = serve(model=Steady())
    panel = service.panel(client_tools=[NAVIGATE])
    read, write = panel.ask("Who is Elena?").calls
    results = [service.gateway.found(read, ELENA), service.gateway.result(write, pending(), kind="propose")]
    body = panel.body(None, results, locale="en")
    RESUBMITTED.update(service=service, body=body, places=places(body), answer=service.post(body).answer)
    service.chat.runs._claims._claims.clear()
    return service
