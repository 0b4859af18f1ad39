"""`sayso.verify`: facts and a text in, verdicts out, with nothing else loaded."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import sayso
from sayso.core.verify.report import Profile, Verdict, ViolationKind
from sayso.errors import ConfigError, DeclarationError, FactError
from sayso.verifying.calling import verify
from sayso.verifying.reading import read_facts
from sayso.verifying.telling import report_json

FACTS = [{"id": "F1", "entity": "Ann Lee", "fields": {"points": 12, "due": "2026-12-01", "role": None}}]
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


def verdicts(text: str, **more: object) -> list[str]:
    return [s.verdict.value for s in verify(FACTS, text, **more).sentences]  # pyright: ignore[reportArgumentType]


def test_each_sentence_has_a_verdict() -> None:
    report = sayso.verify(FACTS, "Ann Lee has 12 points [F1]. Ann Lee has 13 points [F1]. Anything else?")
    assert [s.verdict for s in report.sentences] == [Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.TALK]
    assert [(v.kind, v.words, v.nearest) for v in report.violations] == [(ViolationKind.WRONG_VALUE, "13", "F1")]
    assert not report.clean


def test_the_clock_says_what_tomorrow_is() -> None:
    text = "Ann Lee's due date is tomorrow [F1]."
    assert verdicts(text, now=NOW) == ["supported"]
    assert verdicts(text, now=datetime(2026, 1, 1)) == ["contradicted"]


def test_what_was_asked_is_not_held_against_a_text() -> None:
    assert verdicts("You wanted 99 points.", question="I want 99 points") == ["yours"]


def test_facts_of_a_hosts_own_kinds_are_taken_as_well() -> None:
    kind = sayso.FactKind("bill", (sayso.Field("name"), sayso.Field("due", sayso.FieldType.DATE)), "name")
    fact = kind.fact({"name": "Rent", "due": date(2026, 12, 1)}, source="bills", key="1", as_of=NOW)
    assert verify([fact], "Rent is due on 1 December 2026 [F1].").clean
    assert verify(read_facts([fact]), "Rent is due on 1 December 2026 [F1].").clean


def test_a_profile_and_a_lexicon_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("")
    assert verify(FACTS, "Hello.", profile="strict", lexicon=path).profile is Profile.STRICT
    assert verify(FACTS, "Hello.", lexicon={}).clean
    assert verify(FACTS, "Hello.", lexicon=sayso.Setting(NOW, "en", "").lexicon).clean


def test_what_cannot_be_read_is_told() -> None:
    with pytest.raises(ConfigError, match="no profile 'odd': give default or strict"):
        verify(FACTS, "Hello.", profile="odd")
    with pytest.raises(DeclarationError, match="unheard_of"):
        verify(FACTS, "Hello.", lexicon={"unheard_of": {}})
    with pytest.raises(FactError, match="fact 1 is a text"):
        verify(["F1"], "Hello.")  # pyright: ignore[reportArgumentType]


def test_a_report_as_json_tells_places_and_what_would_be_shown() -> None:
    text = "Ann Lee has 13 points [F1]."
    told = report_json(verify(FACTS, text), read_facts(FACTS))
    (sentence,) = told["sentences"]
    (violation,) = sentence["violations"]
    assert (told["clean"], told["withheld"], told["marked"]) == (False, 1, 0)
    assert text[violation["start"] : violation["end"]] == violation["words"] == "13"
    assert told["shown"].startswith("Ann Lee")
    assert told["facts"][0]["fields"] == {"points": "12", "due": "2026-12-01", "role": None}


def test_verifying_loads_no_database_server_or_terminal() -> None:
    code = "import sys, sayso; sayso.verify([], 'Hello.'); print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert not {"sqlalchemy", "starlette", "uvicorn", "aiohttp", "typer", "rich", "dateparser"} & set(loaded)
    assert not {"sayso.server", "sayso.store", "sayso.inapp"} & set(loaded)
