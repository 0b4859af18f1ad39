"""The reader of event streams: bytes cut anywhere give the same events."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.caller.errors import Broken
from sayso.caller.stream import EventReader, ServerEvent

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
FIELD = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\n\0"), max_size=20)


def read(*pieces: bytes) -> list[ServerEvent]:
    reader = EventReader()
    return [event for piece in pieces for event in reader.feed(piece)]


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        (b"data: a\n\n", [("message", "a", "")]),
        (b"event: x\ndata: a\ndata: b\n\n", [("x", "a\nb", "")]),
        (b"id: 7\nevent: x\ndata: a\r\n\r\ndata: b\r\r", [("x", "a", "7"), ("message", "b", "7")]),
        (b"\xef\xbb\xbfdata:a\n\n", [("message", "a", "")]),
        (b"data:  a\n\n", [("message", " a", "")]),
        (b"data\n\n", [("message", "", "")]),
        (b": heartbeat\n\nevent: x\n\ndata: a\n\n", [("message", "a", "")]),
        (b"id: 1\0\ndata: a\n\n", [("message", "a", "")]),
        (b"data: a\n", []),
        (b"unknown: a\ndata: b\n\n", [("message", "b", "")]),
        ("data: Zürich 🏔\n\n".encode(), [("message", "Zürich 🏔", "")]),
    ],
)
def test_events_are_read_as_the_standard_says_wherever_the_bytes_are_cut(
    stream: bytes, events: list[tuple[str, str, str]]
) -> None:
    expected = [ServerEvent(*event) for event in events]
    assert read(stream) == expected
    for cut in range(len(stream) + 1):
        assert read(stream[:cut], stream[cut:]) == expected, f"cut at {cut}"
    assert read(*(stream[i : i + 1] for i in range(len(stream)))) == expected


def test_g3_no_character_is_split_at_any_byte() -> None:
    text = "é ß 漢字 🏔 👩‍👩‍👧"
    stream = f"data: {text}\n\n".encode()
    for cut in range(len(stream)):
        assert [e.data for e in read(stream[:cut], stream[cut:])] == [text]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(FIELD, st.lists(FIELD, min_size=1, max_size=3)), max_size=5),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.lists(st.integers(0, 400), max_size=8),
)
def test_what_is_written_is_read_for_any_cut_and_line_end(
    events: list[tuple[str, list[str]]], end: str, cuts: list[int]
) -> None:
    stream = "".join(
        f"event: {name}{end}" + "".join(f"data: {line}{end}" for line in lines) + end for name, lines in events
    ).encode()
    places = sorted({0, *(cut for cut in cuts if cut < len(stream)), len(stream)})
    pieces = [stream[a:b] for a, b in pairwise(places)]
    assert [(e.name, e.data) for e in read(*pieces)] == [(n or "message", "\n".join(d)) for n, d in events]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=10))
def test_any_bytes_at_all_are_read_without_a_fault_and_alike_for_any_cut(pieces: list[bytes]) -> None:
    assert read(*pieces) == read(b"".join(pieces))


@pytest.mark.parametrize("data", ["[1]", "1", "{", "", "null", "[" * 100_000])
def test_data_that_is_no_json_object_is_a_broken_answer(data: str) -> None:
    with pytest.raises(Broken):
        ServerEvent("finish", data).document  # noqa: B018


def test_an_event_without_an_end_is_refused_before_it_fills_the_memory() -> None:
    reader = EventReader(max_event=1000)
    with pytest.raises(Broken, match="larger"):
        for _ in range(100):
            reader.feed(b"data: " + b"x" * 50)
