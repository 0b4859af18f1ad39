"""`find_page`: where something is listed, shown or made, as facts."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.core.tools import ReadResult, ToolKind
from sayso.workspace.pages import WORKSPACE_PAGES
from sayso.workspace.tools import workspace_tools
from sayso.workspace.tools.pages import find_pages, page_tool

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("proposals", "/proposals"),
        ("proposal", "/proposals"),
        ("Vorschläge", "/proposals"),
        ("where are the changes that wait for me?", "/proposals"),
        ("open the conversation page", "/"),
        ("chat history", "/t/{thread_id}"),
        ("start a new conversation", "/"),
    ],
)
def test_a_page_is_found_by_what_it_shows(query: str, first: str) -> None:
    assert find_pages(WORKSPACE_PAGES, query)[0].route == first


@pytest.mark.parametrize("query", ["", "pages", "all pages", "the"])
def test_a_query_without_a_topic_lists_every_page(query: str) -> None:
    assert len(find_pages(WORKSPACE_PAGES, query)) == len(WORKSPACE_PAGES)


def test_what_no_page_shows_is_not_found() -> None:
    assert find_pages(WORKSPACE_PAGES, "invoices") == []


async def test_i5_what_it_finds_are_facts_with_the_route_as_it_is_registered(context: Any) -> None:
    tool = page_tool(WORKSPACE_PAGES)
    assert (tool.kind, tool.pure, tool.can_leave) == (ToolKind.READ, True, False)
    found = await tool.run(tool.arguments.model_validate({"query": "proposals"}), context)
    assert isinstance(found, ReadResult)
    assert (found.matched, found.searched) == (1, len(WORKSPACE_PAGES))
    assert dict(found.facts[0].values) == {
        "title": "Proposals", "route": "/proposals", "page_kind": "list", "record_kind": "proposal",
    }  # fmt: skip


def test_it_is_offered_where_there_are_pages(workspace: Any) -> None:
    assert "find_page" not in {tool.name for tool in workspace_tools(workspace)}
    assert "find_page" in {tool.name for tool in workspace_tools(workspace, pages=WORKSPACE_PAGES)}
