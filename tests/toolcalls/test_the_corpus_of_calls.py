"""The corpus of calls is sound in itself. Knows nothing of the reader that it measures."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
KEYS = {
    "id",
    "source",
    "family",
    "text",
    "advertised_tools",
    "expected_calls",
    "expected_text",
    "tags",
    "notes",
}
SETS = sorted(path.name for path in HERE.glob("*.jsonl"))


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def unknown_to(record: dict[str, Any], call: dict[str, Any]) -> bool:
    """Whether a call names a tool, or a parameter, that the record does not offer."""
    schemas = {tool["name"]: tool["schema"] for tool in record["advertised_tools"]}
    return call["name"] not in schemas or bool(set(call["args"]) - set(schemas[call["name"]]["properties"]))


@pytest.mark.parametrize("name", SETS)
def test_each_record_has_the_same_keys_and_an_id_of_its_own(name: str) -> None:
    records = rows(name)
    assert all(set(record) == KEYS for record in records)
    assert len({record["id"] for record in records}) == len(records)


@pytest.mark.parametrize("name", SETS)
def test_no_text_is_told_twice(name: str) -> None:
    assert [text for text, n in Counter(record["text"] for record in rows(name)).items() if n > 1] == []


@pytest.mark.parametrize("name", SETS)
def test_each_expected_call_names_a_tool_on_offer_and_parameters_that_it_has(name: str) -> None:
    strange = [record["id"] for record in rows(name) for call in record["expected_calls"] if unknown_to(record, call)]
    assert strange == []


@pytest.mark.parametrize("name", SETS)
def test_what_the_reader_of_an_answer_sees_is_part_of_the_reply(name: str) -> None:
    for record in rows(name):
        for line in (record["expected_text"] or "").splitlines():
            assert line.strip() in record["text"], record["id"]


@pytest.mark.parametrize("name", SETS)
def test_a_third_of_the_texts_are_look_alikes(name: str) -> None:
    records = rows(name)
    negative = [record for record in records if not record["expected_calls"]]
    assert 0.3 <= len(negative) / len(records) <= 0.4
    assert all("negative" in record["tags"] for record in negative)


def test_every_family_is_there_at_least_four_times() -> None:
    families = Counter(record["family"] for record in rows("corpus.jsonl"))
    assert len(families) >= 50
    assert min(families.values()) >= 4
