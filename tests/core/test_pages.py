"""Pages register what they are; a census knows which page a path is, and nothing else is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.pages import Census, Page, PageKind, read_census
from sayso.errors import DeclarationError

HOME = Page("/", "New conversation", PageKind.CREATE, "thread")
PEOPLE = Page("/people", "People", PageKind.LIST, "person", ("contacts",))
NEW = Page("/people/new", "New person", PageKind.CREATE, "person")
PERSON = Page("/people/{person_id}", "A person", PageKind.DETAIL, "person")
YEAR = Page("/years/{year}/days/{day}", "A day", PageKind.DETAIL, "day", patterns={"year": "[0-9]{4}"})
CENSUS = Census([YEAR, PERSON, NEW, PEOPLE, HOME])


@pytest.mark.parametrize(
    ("path", "page", "parameters"),
    [
        ("/", HOME, {}),
        ("/people", PEOPLE, {}),
        ("/people/new", NEW, {}),
        ("/people/p-1_x~.y", PERSON, {"person_id": "p-1_x~.y"}),
        ("/years/2026/days/7", YEAR, {"year": "2026", "day": "7"}),
    ],
)
def test_a_path_is_the_page_with_the_fewest_parameters(path: str, page: Page, parameters: dict[str, str]) -> None:
    assert CENSUS.find(path) == (page, parameters)


@pytest.mark.parametrize(
    "path",
    [
        "", "people", "//people", "/people/", "/people//", "/people/..", "/people/.", "/people/a/b", "/people/a%2fb",
        "/people/a b", "/people/a\n", "/people?x=1", "/people#x", "/People", "javascript:alert(1)", "data:text/html,x",
        "https://example.com/people", "//example.com/people", "\\people", "/years/26/days/1", "/years/2026/days",
        "/people/" + "x" * 201, "/people/é",
    ],
)  # fmt: skip
def test_i5_what_the_census_does_not_hold_is_no_page(path: str) -> None:
    assert CENSUS.find(path) is None


@given(st.text(max_size=60))
def test_i5_no_text_leaves_the_application(text: str) -> None:
    found = CENSUS.find(text)
    assert found is None or (text.startswith("/") and not text.startswith("//") and text.isascii() and ":" not in text)


def test_a_census_is_read_as_it_was_sent() -> None:
    assert [p.document for p in read_census(CENSUS.document)] == [p.document for p in CENSUS]
    assert len(CENSUS) == 5
    assert CENSUS.document["pages"][-1]["parameters"][0] == {"name": "year", "pattern": "[0-9]{4}"}


@pytest.mark.parametrize(
    ("route", "title", "kind", "patterns"),
    [
        ("people", "People", PageKind.LIST, {}),
        ("/People", "People", PageKind.LIST, {}),
        ("/people/", "People", PageKind.LIST, {}),
        ("/people", " ", PageKind.LIST, {}),
        ("/people", "People", PageKind.DETAIL, {}),
        ("/people/{id}", "People", PageKind.LIST, {}),
        ("/people/{id}/{id}", "People", PageKind.DETAIL, {}),
        ("/people/{id", "People", PageKind.DETAIL, {}),
        ("/people/{id}", "People", PageKind.DETAIL, {"other": "x"}),
    ],
)
def test_a_page_that_is_declared_wrongly_is_refused(
    route: str, title: str, kind: PageKind, patterns: dict[str, str]
) -> None:
    with pytest.raises(DeclarationError):
        Page(route, title, kind, "person", patterns=patterns)


def test_two_pages_that_one_path_could_mean_are_refused() -> None:
    with pytest.raises(DeclarationError, match="same route"):
        Census([PERSON, Page("/people/{key}", "Another", PageKind.DETAIL, "person")])
