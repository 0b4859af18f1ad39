"""A name that no record has in the place of the one that is cited."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sayso.core.verify.report import Report

Judge = Callable[..., Report]

STRANGE = [
    ("de", "Auf Abruf: **Klettern lernen**, ganz wichtig [F4]."),
    ("de", "Bevor es weitergeht, hat Viktor Salonen das Wort [F3]."),
    ("de", "| Ziel | Stand |\n|---|---|\n| Papageno | offen [F4] |"),
    ("de", "Offen: eine Nachricht für **Viktor Salonen** [F9]"),
]
KNOWN = [
    ("de", "**Launch beta** liegt gut [F4]."),
    ("de", "Launch «Klettern lernen» [F4]."),
    ("de", "Auf Abruf: **Launch lernen** [F4]."),
    ("de", "| Feld | Wert |\n|---|---|\n| Papageno | offen [F4] |"),
    ("en", "Nothing else was looked at [F8]."),
]


@pytest.mark.parametrize(("locale", "text"), STRANGE)
def test_a_strange_name_for_what_is_cited_is_marked(judge: Judge, locale: str, text: str) -> None:
    found = [v for v in judge(text, locale=locale).violations if "no record is called" in v.instruction]
    assert len(found) == 1


@pytest.mark.parametrize(("locale", "text"), KNOWN)
def test_a_name_that_is_known_is_let_be(judge: Judge, locale: str, text: str) -> None:
    assert not [v for v in judge(text, locale=locale).violations if "no record is called" in v.instruction]


def test_a_heading_over_what_was_spoken_of_is_no_name(judge: Judge) -> None:
    said = "Launch beta ist ein Ziel [F4].\nSehr gut: **ganz prima Aussichten** [F4]."
    assert not [v for v in judge(said, locale="de").violations if "no record is called" in v.instruction]


def test_a_state_within_another_word_is_not_stated(judge: Judge) -> None:
    report = judge("Return projector, reopened on demand, is overdue [F7].")
    assert not [v for v in report.violations if v.words == "open"]
