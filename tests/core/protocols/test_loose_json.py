"""Almost-JSON: each leniency reads the value that was meant, and nothing that was not written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.protocols.loose_json import read_object

READ: list[tuple[str, dict[str, Any]]] = [
    ('{"a": 1,}', {"a": 1}),
    ("{'a': 'it''s'}", {"a": "it''s"}),
    ("{'name': 'Elena's friend'}", {"name": "Elena's friend"}),
    ("{“a”: “b”}", {"a": "b"}),
    ("{„a“: ‘b’}", {"a": "b"}),
    ("{a: True, b: None, c: false}", {"a": True, "b": None, "c": False}),
    ("{due-date = '2026-12-01'}", {"due-date": "2026-12-01"}),
    ("{a: 12, b: -3, c: 1.5}", {"a": 12, "b": -3, "c": 1.5}),
    ("{a: [1, 'two', [3,],], b: {}}", {"a": [1, "two", [3]], "b": {}}),
    ("{a: 1 // one\n, b: 2 # two\n, /* three */ c: 3}", {"a": 1, "b": 2, "c": 3}),
    ("{'a': 'x\\n\\ty \\u00e9 \\' q'}", {"a": "x\n\ty é ' q"}),
    ("{'a': 'C:\\Users\\nina'}", {"a": "C:\\Users\\nina"}),
    ("{'a': '\\u00zz'}", {"a": "\\u00zz"}),
    ('{"a": "one\ntwo"}', {"a": "one\ntwo"}),
    ("{'a': 'whole'", {"a": "whole"}),
    ("{'a': [1, 'b'", {"a": [1, "b"]}),
    ("{'a': [1, 2}", {"a": [1, 2]}),
    ("{'a': 'b' // no more", {"a": "b"}),
    ("{'a': 'b' /* no more", {"a": "b"}),
]
REFUSED = [
    "[1, 2]", "['a']", "{'a' 1}", "{'a': 1 2}", "{'a': 'cut o", "{'a': 12", "{'a': maybe}", "{: 1}",
    "{'a': ", "{'a", "{'a'", "{a: " + "[" * 40 + "]" * 40 + "}", "", "{a: 1.2.3}",
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), READ)
def test_what_was_meant_is_read(text: str, value: dict[str, Any]) -> None:
    assert read_object(text, 0) == (value, len(text))


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_whole_object_is_no_value(text: str) -> None:
    assert read_object(text, 0) is None


def test_reading_begins_at_the_position_and_ends_after_the_object() -> None:
    assert read_object("x {'a': 1} y", 2) == ({"a": 1}, 10)
    assert read_object('x {"a": 1} y', 2) == ({"a": 1}, 10)


@given(st.dictionaries(st.text(), st.recursive(st.integers() | st.text() | st.booleans() | st.none(), st.lists)))
def test_strict_json_is_read_as_json_reads_it(value: dict[str, Any]) -> None:
    text = json.dumps(value)
    assert read_object(text, 0) == (value, len(text))


@given(st.text(alphabet="{}[]:,'\"ab1\\u /*#\n=", max_size=40))
def test_any_text_is_an_object_or_none(text: str) -> None:
    found = read_object("{" + text, 0)
    assert found is None or (isinstance(found[0], dict) and 0 < found[1] <= len(text) + 1)
