"""The census of pages: what is registered is what is routed, and a path leads only to what somebody has."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.core.pages import Census, Page, PageKind, read_census
from sayso.errors import DeclarationError
from sayso.server.census import CensusRoutes
from sayso.serving.endpoints import Access
from sayso.workspace.pages import WORKSPACE_PAGES


def test_i5_every_page_that_is_routed_is_registered_and_the_other_way_round(stranger: Any) -> None:
    endpoints = stranger.app.state.endpoints
    routed = {e.path for e in endpoints if e.answers.get(200) == "text/html" and e.access is Access.SIGNED_IN}
    assert routed == {page.route for page in WORKSPACE_PAGES}


def test_i5_the_census_that_is_sent_is_the_one_that_is_routed(client: Any) -> None:
    sent = read_census(client.get("/api/v1/system/routes").json())
    assert [page.document for page in sent] == [page.document for page in WORKSPACE_PAGES]


def test_i5_each_page_of_the_census_opens(client: Any) -> None:
    thread = client.get("/api/v1/threads").json()["threads"][0]["id"]
    for page in WORKSPACE_PAGES:
        path = page.route.replace("{thread_id}", thread)
        answer = client.get(path)
        assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, "text/html"), path


def test_a_path_is_resolved_to_its_page_and_its_record(client: Any) -> None:
    found = client.get("/api/v1/system/routes/resolve", params={"path": "/proposals"}).json()
    assert found == {
        "path": "/proposals", "route": "/proposals", "title": "Proposals", "kind": "list", "record_kind": "proposal",
        "key": None,
    }  # fmt: skip
    thread = client.get("/api/v1/threads").json()["threads"][0]
    found = client.get("/api/v1/system/routes/resolve", params={"path": f"/t/{thread['id']}"}).json()
    assert (found["key"], found["title"], found["kind"]) == (thread["id"], thread["title"], "detail")


@pytest.mark.parametrize(
    "path", ["/t/nobody", "/settings", "javascript:alert(1)", "//example.com/t/x", "/t/a/b", "/proposals?x=1"]
)
def test_a_path_that_leads_nowhere_or_to_anothers_is_not_found(client: Any, path: str) -> None:
    answer = client.get("/api/v1/system/routes/resolve", params={"path": path})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_path_that_is_not_served_is_named_with_what_is(client: Any) -> None:
    told = client.get("/api/v1/nothing").json()
    assert told["detail"] == "GET /api/v1/nothing is not served here; GET /api/v1/openapi.json lists what is"
    told = client.get("/api/v1/ai/chat").json()
    assert (told["code"], told["detail"]) == (
        "method_not_allowed",
        "GET /api/v1/ai/chat is not served here; this path takes POST",
    )


def test_a_path_is_asked_for_once_and_is_not_empty(client: Any) -> None:
    assert client.get("/api/v1/system/routes/resolve").status_code == 422
    assert client.get("/api/v1/system/routes/resolve", params={"path": ""}).status_code == 422


def test_who_is_not_signed_in_sees_no_census(stranger: Any) -> None:
    assert stranger.get("/api/v1/system/routes").status_code == 401
    assert stranger.get("/api/v1/system/routes/resolve", params={"path": "/"}).status_code == 401


def test_a_page_of_records_that_nobody_resolves_is_refused_at_the_start() -> None:
    person = Page("/people/{id}", "A person", PageKind.DETAIL, "person")
    with pytest.raises(DeclarationError, match="resolves a person"):
        CensusRoutes(Census([person]), {})
