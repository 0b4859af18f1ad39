"""`sayso verify` in a terminal: what it prints, how it ends, and one line for each bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from sayso.cli import verify
from sayso.cli.commands import COMMANDS, app_of
from sayso.cli.verdicts import show_verdicts
from sayso.core.verify.report import Judged, Report, Verdict
from sayso.verifying import files
from sayso.verifying.calling import verify as verified
from sayso.verifying.reading import read_facts

FACTS = [{"id": "F1", "entity": "Ann Lee", "fields": {"points": 12, "due": "2026-12-01", "role": None}}]
RECORD = {
    "lang": "en", "now": "2026-11-30T09:00+01:00", "user_message": "How is Ann?", "facts": FACTS,
    "answer": "Ann Lee's due date is tomorrow [F1].",
}  # fmt: skip


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "facts.json").write_text(json.dumps(FACTS))
    (tmp_path / "right.txt").write_text("Ann Lee has 12 points [F1].")
    (tmp_path / "wrong.txt").write_text("Ann Lee has 13 points [F1]. She likes opera and chess.")
    return tmp_path


def run(*arguments: str, given: str | bytes = "") -> Result:
    environ = {"COLUMNS": "200", "NO_COLOR": "1"}
    return CliRunner().invoke(app_of(COMMANDS), ["verify", *arguments], env=environ, input=given)


def test_a_text_that_follows_from_its_facts_ends_well() -> None:
    done = run("facts.json", "right.txt")
    assert done.exit_code == 0
    assert "supported" in done.stdout
    assert "1 sentence: 0 withheld, 0 marked (default profile, 1 fact)" in done.stdout


def test_a_text_with_a_wrong_value_ends_with_one_and_the_reason() -> None:
    done = run("facts.json", "wrong.txt")
    assert done.exit_code == 1
    assert 'wrong value: "13"' in done.stdout
    assert "(nearest: F1 record Ann Lee)" in " ".join(done.stdout.split())  # wherever the terminal breaks the line


@pytest.mark.parametrize(("profile", "counts"), [("default", (0, 1)), ("strict", (1, 0))])
def test_what_is_unsupported_is_marked_or_in_the_strict_profile_withheld(
    monkeypatch: pytest.MonkeyPatch, profile: str, counts: tuple[int, int]
) -> None:
    doubted = (Judged("She likes opera.", 0, Verdict.UNSUPPORTED),)
    monkeypatch.setattr(verify, "verified", lambda *_, profile, **__: Report(doubted, profile))
    done = run("facts.json", "right.txt", "--json", "--profile", profile)
    told = json.loads(done.stdout)
    assert (done.exit_code, (told["withheld"], told["marked"])) == (1, counts)


def test_the_words_that_facts_do_not_carry_are_in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    from sayso.cli import verdicts

    screen = Console(force_terminal=True, color_system="standard", width=100, record=True)
    monkeypatch.setattr(verdicts, "out", screen)
    monkeypatch.setattr(verdicts, "say", lambda *_: None)
    show_verdicts(verified(FACTS, "\n\nAnn Lee has 13 points [F1].\n"), read_facts(FACTS))
    assert "\x1b[1;4;31m13\x1b[0m" in screen.export_text(styles=True)


def test_a_record_brings_its_own_text_clock_and_question() -> None:
    assert run("-", given=json.dumps(RECORD)).exit_code == 0
    assert run("-", "--now", "2026-01-01", given=json.dumps(RECORD)).exit_code == 1


def test_a_text_may_come_from_standard_input() -> None:
    done = run("facts.json", "-", "--json", given="Ann Lee has 13 points.")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["sentences"][0]["verdict"] == "contradicted"


def test_a_page_is_written_beside_what_is_printed(place: Path) -> None:
    done = run("facts.json", "wrong.txt", "--html", "page.html")
    assert "page: page.html" in done.stdout
    assert (place / "page.html").read_text().startswith("<!doctype html>")
    assert run("facts.json", "right.txt", "--html", "page.html", "--json").exit_code == 0


def test_terminal_marks_in_a_text_are_not_obeyed(place: Path) -> None:
    (place / "odd.txt").write_text("Hello \x1b[31m there\u202e.")
    assert "\x1b" not in run("facts.json", "odd.txt").stdout


BAD: list[tuple[str | bytes, str]] = [
    ("", "facts.json is empty: give a JSON list"),
    ("{", "facts.json is not JSON: "),
    ("[1] [2]", "facts.json holds several JSON documents: give one"),
    ('{"a": 1}', 'facts.json holds no facts: write a list such as [{"id"'),
    ('{"facts": 3}', 'facts.json: its "facts" is a number: write a list'),
    ('{"facts": [], "lang": 3}', 'facts.json: "lang" is no text'),
    ('{"facts": [], "now": "soon"}', "facts.json: 'soon' is no moment"),
    ('[{"id": "F1", "entity": "x"}]', "facts.json: fact 1: it has no fields"),
    ('[{"ref": "F1", "subject": "x", "fields": {}}, {"ref": "F1", "subject": "y", "fields": {}}]', "both have the ref F1"),
    ('[{"id": "F1", "id": "F2"}]', "facts.json: 'id' stands twice in one object"),
    ('[{"id": "F1", "entity": "x", "fields": {"n": NaN}}]', "field 'n': a number is not finite"),
    ('[{"id": "F1", "entity": "x", "fields": {"n": ' + "9" * 5000 + "}}]", "facts.json: Exceeds the limit"),
    ("[" * 200_000, "facts.json is nested too deeply"),
    (b"\xff\xfe[]", "facts.json is not UTF-8 text (byte 0)"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "told"), BAD)
def test_facts_that_are_none_are_told_in_one_line(place: Path, content: str | bytes, told: str) -> None:
    (place / "facts.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert_one_line(run("facts.json", "right.txt"), told)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("none.json", "right.txt"), "there is no file none.json: check its name"),
        ((".", "right.txt"), ". is a folder"),
        (("facts.json", "none.txt"), "there is no file none.txt"),
        (("facts.json",), "facts.json holds no answer: name the text's file after it"),
        (("-", "-"), "only one can come from standard input"),
        (("facts.json", "-"), "standard input is empty: there is nothing to verify"),
        (("facts.json", "right.txt", "--now", "soon"), "--now: 'soon' is no moment"),
        (("facts.json", "right.txt", "--lexicon", "right.txt"), "right.txt: not TOML"),
        (("facts.json", "right.txt", "--lexicon", "other.toml"), "other.toml: the lexicon has no section other"),
        (("x\0y", "right.txt"), "'x\\x00y' is no file's name"),
    ],
)  # fmt: skip
def test_what_is_given_wrongly_is_told_in_one_line(place: Path, arguments: tuple[str, ...], told: str) -> None:
    (place / "other.toml").write_text("[other]")
    assert_one_line(run(*arguments), told)


def test_a_file_of_any_size_is_refused_before_it_is_read_whole(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FACTS", 2_000_000)
    with (place / "large.json").open("wb") as large:
        large.truncate(1_000_000_000)  # a hole: it takes no space
    assert_one_line(run("large.json", "right.txt"), "large.json is over 2 MB: give only what the text is about")
    assert_one_line(run("facts.json", "large.json"), "large.json is over 8 MB")


def test_standard_input_that_is_closed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(verify.ImportFailed, match="standard input is closed"):
        files.read_text("-")


def assert_one_line(done: Result, told: str) -> None:
    assert done.exit_code == 2, done.exception
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_every_answer_beside_its_facts_can_be_given(place: Path) -> None:
    records: list[dict[str, Any]] = [RECORD, {"facts": FACTS, "text": "Ann Lee has 12 points."}]
    for record in records:
        (place / "facts.json").write_text(json.dumps(record))
        assert run("facts.json").exit_code == 0
