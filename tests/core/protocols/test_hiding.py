"""While it streams, call text and reasoning never show, and prose is hardly held."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.protocols.hiding import ProseStream

NAMES = ("search_people", "list_habits")


def streamed(chunks: list[str]) -> str:
    stream = ProseStream(NAMES)
    return "".join(stream.feed(chunk) for chunk in chunks)


HIDDEN = [
    ('Let me look.\nTOOL: search_people\nARGS: {"query": "E"}', "Let me look.\n"),
    ("**TOOL:** list_habits", ""),
    ("list_habits()", ""),
    ("search_people (query='E')", ""),
    ("```\nTOOL: list_habits\n```", ""),
    ("<think>I could write TOOL: x</think>Hello.", "Hello."),
    ("Hm. <think>so\nlong</think>Yes.", "Hm. Yes."),
    ("<think>never closed", ""),
    ("Tools help. Listen: 1 < 2 and <b>.", "Tools help. Listen: 1 < 2 and <b>."),
    ("- Elena: SINGA\n- Ilya: nothing", "- Elena: SINGA\n- Ilya: nothing"),
    ("Search for people in the list.\nThat is it.", "Search for people in the list.\nThat is it."),
    ("a\n\nb\n", "a\n\nb\n"),
]


@pytest.mark.parametrize(("text", "shown"), HIDDEN)
def test_whole_and_by_the_character(text: str, shown: str) -> None:
    assert streamed([text]) == shown
    assert streamed(list(text)) == shown


@pytest.mark.parametrize(("text", "shown"), HIDDEN)
def test_at_each_split(text: str, shown: str) -> None:
    for at in range(len(text)):
        assert streamed([text[:at], text[at:]]) == shown


def test_prose_is_passed_on_after_the_first_word() -> None:
    stream = ProseStream(NAMES)
    assert stream.feed("Elena is") == "Elena is"
    assert stream.feed(" at SINGA") == " at SINGA"


def test_nothing_is_passed_on_after_a_call() -> None:
    stream = ProseStream(NAMES)
    stream.feed("TOOL: list_habits\n")
    assert stream.holding
    assert stream.feed("more") == ""


@given(st.lists(st.text(alphabet="TOL: ARGS<>think/`\nabc(_", max_size=12), max_size=12))
def test_no_call_line_ever_shows(chunks: list[str]) -> None:
    shown = streamed(chunks)
    assert not any(line.lstrip(" \t*-•+>_`\"'“”0123456789.)").upper().startswith("TOOL:") for line in shown.split("\n"))
