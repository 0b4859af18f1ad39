"""`sayso eval`: figures as tables and as JSON, predictions in a file, and one line for what is no set."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from sayso.cli.commands import COMMANDS, app_of

SET = {
    "id": "t1", "domain": "sport", "text": "Ann Lee scored 14 points [F1].",
    "facts": [{"id": "F1", "entity": "Ann Lee", "fields": {"points": 12}}],
    "errors": [{"start": 15, "end": 17, "kind": "NUMBER"}],
}  # fmt: skip
ANSWER = {
    "id": "a1", "lang": "de", "now": "2026-11-30T09:00+01:00", "user_message": "", "facts": [],
    "answer": "Hallo \x1b[31m!", "sentences": [{"text": "Hallo \x1b[31m!", "verdict": "contradicted"}],
}  # fmt: skip


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app_of(COMMANDS), ["eval", *map(str, arguments)], env={"COLUMNS": "200", "NO_COLOR": "1"})


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return written(tmp_path / "set.jsonl", SET)


def written(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


def test_scores_are_told_with_their_intervals(data: Path) -> None:
    done = run("verifier", "--data", data)
    assert done.exit_code == 0
    assert "set.jsonl, strict profile: 1 texts" in done.stdout
    assert "1.000 (1.000–1.000)" in done.stdout
    assert "NUMBER" in done.stdout
    assert "default profile: of 0 sentences without an error" in done.stdout


def test_predictions_are_written_a_text_a_line(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = run("verifier", "--data", data, "--predictions", out, "--json")
    assert [json.loads(line) for line in out.read_text().splitlines()] == [
        {"id": "t1", "spans": [[15, 17]], "kinds": ["wrong_value"]}
    ]
    told = json.loads(done.stdout)
    assert (told["data"], told["profile"], told["scores"]["span_f1"]) == ("set.jsonl", "strict", 1.0)
    assert list(tmp_path.glob("*.part")) == []


def test_only_some_kinds_of_error_may_count(tmp_path: Path) -> None:
    styled = SET | {"errors": [*SET["errors"], {"start": 0, "end": 3, "kind": "STYLE"}]}
    data = written(tmp_path / "s.jsonl", styled)
    recall = {
        kinds: json.loads(run("verifier", "--data", data, "--kinds", kinds, "--json").stdout)["scores"]["span_recall"]
        for kinds in ("", "all", "STYLE")
    }
    assert recall == {"": 1.0, "all": 0.5, "STYLE": 0.0}


def test_a_part_of_a_set_may_be_held_out(tmp_path: Path) -> None:
    data = written(tmp_path / "s.jsonl", *(SET | {"id": f"t{i}"} for i in range(6)))
    texts = [
        json.loads(run("verifier", "--data", data, "--part", p, "--json").stdout)["texts"]
        for p in ("held-out", "tuning")
    ]
    assert texts == [2, 4]


def test_a_lexicon_may_be_one_for_all_or_one_for_each_domain(data: Path, tmp_path: Path) -> None:
    (tmp_path / "sport.toml").write_text("")
    assert run("verifier", "--data", data, "--lexicons", tmp_path).exit_code == 0
    assert run("verifier", "--data", data, "--lexicon", tmp_path / "sport.toml").exit_code == 0


def test_answers_are_told_by_language_with_what_went_wrong(tmp_path: Path) -> None:
    data = written(tmp_path / "answers.jsonl", ANSWER)
    done = run("answers", "--data", data)
    assert done.exit_code == 0
    assert "contradicted sentences found: 0.0% of 1" in done.stdout
    assert "a1 [de] contradicted -> talk: Hallo �[31m!" in done.stdout
    assert json.loads(run("answers", "--data", data, "--json").stdout)["confusion"]["de"] == {
        "contradicted": {"talk": 1}
    }


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("verifier", "--data", "none.jsonl"), "there is no file none.jsonl: check its name"),
        (("answers", "--data", "."), ". is a folder: name a file in it"),
        (("verifier", "--data", "set.jsonl", "--kinds", "COLOUR"), "no error of kind COLOUR; it has NUMBER"),
        (("verifier", "--data", "set.jsonl", "--lexicons", "none"), "none is no folder"),
        (("verifier", "--data", "set.jsonl", "--lexicon", "none.toml"), "there is no file none.toml"),
        (("answers", "--data", "set.jsonl"), 'set.jsonl, line 1: it has no "answer"'),
    ],
)  # fmt: skip
def test_what_is_no_set_is_told_in_one_line(
    data: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(data.parent)
    done = run(*arguments)
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_what_was_predicted_before_stays_when_it_cannot_be_written(data: Path, tmp_path: Path) -> None:
    done = run("verifier", "--data", data, "--predictions", tmp_path / "none" / "out.jsonl")
    assert isinstance(done.exception, OSError)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_ctrl_c_ends_it_at_once_and_leaves_what_was_predicted_before(tmp_path: Path) -> None:
    out, pipe = tmp_path / "out.jsonl", tmp_path / "set.jsonl"
    out.write_text("before")
    os.mkfifo(pipe)
    command = [sys.executable, "-c", "from sayso.cli.main import main; main()", "eval", "verifier", "--data", str(pipe)]
    process = subprocess.Popen([*command, "--predictions", str(out)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with pipe.open("w") as lines:  # waits until it is read
        lines.write(json.dumps(SET) + "\n")
        lines.flush()
        process.send_signal(signal.SIGINT)
        told, wrong = process.communicate(timeout=60)
    assert (process.returncode, told, wrong) == (130, b"", b"")
    assert [p.name for p in tmp_path.iterdir() if p != pipe] == ["out.jsonl"]
    assert out.read_text() == "before"
