"""The OpenAPI document: complete, valid, and in step with what is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from sayso import config
from sayso.core.events import (
    Answer,
    ClientToolCall,
    Event,
    FactsFound,
    Failed,
    Finish,
    Recorded,
    RunStarted,
    Status,
    TextDelta,
    UsageReport,
    Verified,
)
from sayso.core.evidence import Numbered
from sayso.core.facts import FactKind, Field
from sayso.core.messages import Attempt, CallStatus, Outcome, StopReason, ToolCall, Usage
from sayso.core.progress import Limits
from sayso.core.verify.report import Judged, Report, Verdict, Violation, ViolationKind
from sayso.inapp.wiring import assemble
from sayso.models.quote import Quote
from sayso.server.app import create_app
from sayso.server.local import LocalAssistant
from sayso.server.signin import SignIn, csrf_token
from sayso.serving.event_shapes import EVENTS
from sayso.serving.frames import event_json
from sayso.serving.openapi import PATH
from sayso.store.database import open_database
from sayso.workspace.workspace import Settings, Workspace

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
PERSON = FactKind("person", (Field("name"), Field("role")), subject="name")
ELENA = Numbered("F1", PERSON.fact({"name": "Elena Weber"}, source="people", key="p1", as_of=NOW))
HELD = Judged(
    "She is its director.", 0, Verdict.CONTRADICTED,
    (Violation(ViolationKind.STATED_GAP, "director", 11, 19, "The role is not recorded.", "F1"),), ("F1",),
)  # fmt: skip
EXAMPLES: tuple[Event, ...] = (
    RunStarted("run_1", "th_1", "ex_1", "fake"),
    Status("Looking up Elena", "search_people", "call_1", CallStatus.SUCCESS),
    TextDelta("Elena Weber is in your records [F1]."),
    ClientToolCall(ToolCall("call_1", "navigate", "{}")),
    FactsFound((ELENA,)),
    Verified(Report((HELD,)), True),
    Answer("Elena Weber is in your records [F1].", Outcome.ANSWERED, ("F1",)),
    UsageReport(Usage(3, 4), 1, "fake", (Attempt("fake", "cut", "It broke off."),)),
    Finish(Outcome.ANSWERED, StopReason.ANSWERED),
    Failed("model_busy", "Too many at once.", True),
)
BUILT_IN_ROUTES = ("/static",)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Starlette]:
    settings = config.load({"home": tmp_path}, {}, tmp_path)
    workspace = Workspace(open_database("sqlite://"), defaults=Settings("UTC", "en", "monday"))
    assistant = assemble(workspace, Quote(), settings, reason="test", limits=Limits())
    yield create_app(LocalAssistant(assistant), settings, SignIn(tmp_path))
    workspace.database.close()


@pytest.fixture
def client(app: Starlette, tmp_path: Path) -> Iterator[TestClient]:
    sign_in = SignIn(tmp_path)
    session = sign_in.redeem(sign_in.new_link("http://x").partition("token=")[2])
    with TestClient(app, base_url="http://127.0.0.1:8787", follow_redirects=False) as client:
        client.cookies.set("sayso_session", session)
        client.headers["x-sayso-csrf"] = csrf_token(session)
        yield client


@pytest.fixture
def document(client: TestClient) -> Any:
    return client.get(PATH).json()


def test_nothing_is_routed_that_is_not_described(app: Starlette, document: Any) -> None:
    routed = set[tuple[str, str]]()
    for route in app.routes:
        if isinstance(route, Mount):
            assert route.path in BUILT_IN_ROUTES, f"{route.path} is mounted and not described"
            continue
        assert isinstance(route, Route), f"{route} is no endpoint"
        routed |= {(route.path, method) for method in route.methods or () if method != "HEAD"}
    described = {(path, method.upper()) for path, item in document["paths"].items() for method in item}
    assert routed == described


def test_every_reference_of_the_document_leads_somewhere(document: Any) -> None:
    defined = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    used = set(_values_of(document, "$ref"))
    assert used <= defined
    assert used


def test_every_link_of_the_document_leads_to_an_operation(document: Any) -> None:
    operations = {op["operationId"] for item in document["paths"].values() for op in item.values()}
    linked = [
        link["operationId"]
        for item in document["paths"].values()
        for operation in item.values()
        for answer in operation["responses"].values()
        for link in answer.get("links", {}).values()
    ]
    assert linked
    assert set(linked) <= operations


def test_what_a_link_takes_from_an_answer_is_in_it(document: Any) -> None:
    """A link names a parameter of the operation it leads to, a member of its body, and a place that the answer has."""
    operations = {op["operationId"]: op for item in document["paths"].values() for op in item.values()}
    for operation in operations.values():
        for answer in operation["responses"].values():
            for link in answer.get("links", {}).values():
                target = operations[link["operationId"]]
                assert {p["name"] for p in target["parameters"] if p["in"] == "path"} == set(link["parameters"])
                if body := link.get("requestBody"):
                    assert set(body) <= set(_body_schema(document, target["requestBody"])["properties"])
                for place in (*link["parameters"].values(), *link.get("requestBody", {}).values()):
                    assert _has_place(document, answer, place), (operation["operationId"], place)


def _body_schema(document: Any, told: Any) -> Any:
    return _followed(document, told["content"]["application/json"]["schema"])


def _followed(document: Any, schema: Any) -> Any:
    reference = schema.get("$ref", "")
    return document["components"]["schemas"][reference.rpartition("/")[2]] if reference else schema


def _has_place(document: Any, answer: Any, place: str) -> bool:
    if place.startswith("$response.header."):
        return place.removeprefix("$response.header.") in answer["headers"]
    schema = _body_schema(document, answer)
    for step in place.removeprefix("$response.body#/").split("/"):
        inner = schema["items"] if step.isdigit() else schema["properties"].get(step)
        if inner is None:
            return False
        schema = _followed(document, inner)
    return True


def test_a_path_without_parameters_is_not_taken_for_one_with_them(client: TestClient) -> None:
    """What is told of its methods are its own: `decide` is no proposal."""
    told = client.put("/api/v1/proposals/decide")
    assert (told.status_code, told.headers["allow"]) == (405, "POST")


def test_an_approval_without_its_digest_is_no_body_of_a_batch(document: Any) -> None:
    schema = {**document["components"]["schemas"]["Decisions"], "components": document["components"]}
    valid = Draft202012Validator(schema).is_valid
    approval = {"id": "prop_1", "decision": "approve", "digest": "0" * 64}
    assert valid({"decisions": [approval, {"id": "prop_2", "decision": "deny", "words": "No."}]})
    assert not valid({"decisions": [{"id": "prop_1", "decision": "approve"}]})


def test_every_schema_of_the_document_is_a_json_schema(document: Any) -> None:
    for name, schema in document["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert schema.get("type") in ("object", "string", "array", "integer") or "enum" in schema, name


def test_every_operation_says_what_it_is_who_may_call_it_and_how_it_fails(document: Any) -> None:
    seen = set[str]()
    for path, item in document["paths"].items():
        for method, operation in item.items():
            assert operation["summary"], f"{method} {path}"
            assert operation["operationId"] not in seen
            seen.add(operation["operationId"])
            assert set(_values_of(operation["security"], None)) <= set(document["components"]["securitySchemes"])
            assert {"401", "403", "421", "422", "429"} <= set(operation["responses"])
            assert any(status < "400" for status in operation["responses"])


def test_the_document_is_ascii_and_tells_nothing_of_this_installation(client: TestClient, tmp_path: Path) -> None:
    text = client.get(PATH).text
    assert text.isascii()
    assert str(tmp_path) not in text


def test_whoever_is_not_signed_in_gets_no_document(client: TestClient) -> None:
    client.cookies.clear()
    assert client.get(PATH).status_code == 401


def test_every_event_that_can_be_sent_is_described_by_its_name() -> None:
    assert {event.name for event in get_args(Event)} - {Recorded.name} == set(EVENTS)


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: event.name)
def test_an_events_data_is_as_described(event: Event) -> None:
    """As JSON and back: what is sent must be what a reader of the document expects, member for member."""
    sent = json.loads(json.dumps(event_json(event)))
    shape = EVENTS[event.name]
    Draft202012Validator(shape.model_json_schema()).validate(sent)
    shape.model_validate_json(json.dumps(sent))


def test_the_end_of_a_run_in_process_has_no_empty_members() -> None:
    assert event_json(Finish(Outcome.ANSWERED, StopReason.ANSWERED)) == {"outcome": "answered", "reason": "answered"}


def test_the_examples_hold_every_event_and_leave_no_list_empty() -> None:
    """Else the test above would prove less than it says."""
    assert {event.name for event in EXAMPLES} == set(EVENTS)
    for event in EXAMPLES:
        assert is_dataclass(event)
        for field in fields(event):
            if field.name not in ("continuation", "cut", "messages", "transcript", "next_ref"):
                assert getattr(event, field.name) not in ((), "", None), f"{event.name}.{field.name}"


def _values_of(node: Any, key: str | None) -> Iterator[Any]:
    """Every value of this key, anywhere inside; of None, every key of the outermost objects."""
    if isinstance(node, list):
        for item in node:
            yield from _values_of(item, key)
    elif isinstance(node, dict):
        for name, value in node.items():
            if key is None:
                yield name
            elif name == key and isinstance(value, str):
                yield value
            else:
                yield from _values_of(value, key)
