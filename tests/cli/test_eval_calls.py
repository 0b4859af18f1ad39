"""`sayso eval calls`: how many calls of a labelled set are read exactly, and how many where there are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from sayso.cli.commands import COMMANDS, app_of

TOOLS = [{"name": "find", "schema": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}}]
CALL = [{"name": "find", "args": {"q": "x"}}]
ROWS: list[dict[str, Any]] = [
    {"id": "a", "family": "hermes", "text": '<tool_call>{"name": "find", "arguments": {"q": "x"}}</tool_call>', "expected_calls": CALL, "expected_text": ""},
    {"id": "b", "family": "hermes", "text": "<tool_call>find</tool_call> and more", "expected_calls": CALL},
    {"id": "c", "family": "none", "text": 'find(q="x") is a call.', "expected_calls": []},
    {"id": "d", "family": "none", "text": '{"name": "find", "arguments": {"q": "x"}}', "expected_calls": []},
    {"id": "e", "family": "none", "text": "TOOL: Find\nARGS: {'q': 'x'}", "expected_calls": CALL, "tags": ["contested"]},
]  # fmt: skip


def written(path: Path, rows: list[dict[str, Any]] = ROWS) -> str:
    path.write_text("\n".join(json.dumps({"advertised_tools": TOOLS, **row}) for row in rows))
    return str(path)


def test_figures_as_json(tmp_path: Path) -> None:
    done = CliRunner().invoke(app_of(COMMANDS), ["eval", "calls", "--data", written(tmp_path / "set.jsonl"), "--json"])
    told = json.loads(done.output)
    told.pop("ms")
    assert told == {
        "data": "set.jsonl", "exact": 0.5, "names": 1.0, "false_calls": 1, "positives": 2, "negatives": 2, "prose": 1.0,
        "contested": {"texts": 1, "exact": 1},
        "by_family": {"hermes": {"texts": 2, "exact": 1}, "none": {"texts": 2, "exact": 1}},
    }  # fmt: skip


def test_figures_as_a_table_name_what_was_read_otherwise(tmp_path: Path) -> None:
    done = CliRunner().invoke(app_of(COMMANDS), ["eval", "calls", "--data", written(tmp_path / "set.jsonl")])
    assert done.exit_code == 0
    assert "exact 50.0%" in done.output
    assert "d: 1 calls read, 0 expected" in done.output


def test_a_set_that_cannot_be_read_says_where_and_why(tmp_path: Path) -> None:
    for row, reason in (
        ({"text": 3}, "write the reply of a model"),
        ({"text": "x", "expected_calls": [{"name": 3}]}, "expected_calls"),
        ({"text": "x", "advertised_tools": [{}]}, "advertised_tools"),
    ):
        done = CliRunner().invoke(
            app_of(COMMANDS), ["eval", "calls", "--data", written(tmp_path / "bad.jsonl", [{"id": "x", **row}])]
        )
        assert done.exit_code == 2
        assert reason in " ".join(done.output.split())
