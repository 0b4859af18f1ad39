"""Names that no record has: what is a name is told by the words of the language, and by where it stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sayso.core.evidence import Evidence
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Report
from sayso.vocabulary import ordinary_words

from .conftest import NOW

Judge = Callable[..., Report]

STRANGE = [
    ("de", "Petra Oduya ist Designer [F3]."),
    ("de", "Das Ziel Sturmflut ist zu 40 % fertig [F4]."),
    ("de", "Cold shower: überfällig"),
    ("de", "Leopold Haas erreichst du unter elena@singa.example."),
    ("de", "Wenn du willst, ruf Marta Ilić unter +41 79 111 22 33 an."),
    ("de", "Bei Viktor Salonen ist keine E-Mail-Adresse eingetragen."),
    ("en", "Read fifty novels? Overdue."),
    ("en", "Read fifty novels?\nOverdue."),
    ("en", "A message to **Viktor Salonen** is waiting [F9]."),
    ("en", "**Repaint the stairwell** (overdue) [F7]"),
    ("en", "- Repaint the stairwell (overdue) [F7]"),
    ("en", "Where Windrose stands: 40% [F4]."),
    ("en", "You know Petra Oduya from the ETH hackathon."),
    ("en", "You asked about Petra Oduya. The record says Designer [F3]."),
    ("en", "What does Petra Oduya do? Designer [F3]."),
    ("en", "**Renew the insurance**\n- Due: 20 November [F7]\n- Status: overdue [F7]"),
    ("fr", "Papageno est à 40 % [F4]."),
    ("fr", "Windrose a pris du retard : échéance le 7 décembre 2026."),
    ("it", "Papageno è al 40 % [F4]."),
    ("it", "Stato di Repaint the stairwell: in ritardo."),
    ("es", "Windrose – 40 % [F4]"),
    ("es", "| Objetivo | Avance |\n|---|---|\n| Dormir mejor | 40 % [F4] |"),
]
KNOWN = [
    ("de", "Die Busanzahlung ist am 3. Dezember fällig [F6]."),
    ("de", "Der Stand der Karteikartenprüfung: 40 % [F4]."),
    ("de", "Ich habe nachgesehen: 40 % [F4]."),
    ("de", "In deiner Banking-App siehst du den Stand."),
    ("de", "Launch beta gehört zum Tech-Stack [F4]."),
    ("de", "Launch beta ist der Xyz-Stand, 40 % [F4]."),
    ("de", "Launch beta ist das Xyz- 40 % [F4]."),
    ("fr", "- Objectif : Launch beta\n- Durée de la série en cours : 40 % [F4]"),
    ("en", "Anything else that I can do?\nOverdue ones come first."),
    ("en", "“Send budget of CHF 1,200” is what **Windrose** was about [F6]."),
    ("en", "I'd write to elena@singa.example [F2]."),
    ("en", "Launch beta is at 40% [F4]. Reykjavik is worth a trip in any case."),
    ("en", "There is an entry for it: 40% [F4]."),
    ("en", "There is no one called Zorro in your contacts."),
    ("en", "Nobody called UZH is among your contacts."),
    ("en", "Paris is the capital of France."),
    ("es", "Hablaste con ella el 23 de noviembre [F2]."),
    ("es", "Resumiendo: 40 % [F4]."),
    ("it", "Aumenta i chilometri con calma, 40 % per ora [F4]."),
    ("pt", "Está a 40 % [F4]."),
]


@pytest.fixture
def judged(evidence: Evidence) -> Judge:
    def run(text: str, locale: str) -> Report:
        return Verifier(evidence, Setting(NOW, locale, "tell me", ordinary=ordinary_words(locale))).report(text)

    return run


def strange(report: Report) -> list[str]:
    return [v.instruction for v in report.violations if "no record is called" in v.instruction]


@pytest.mark.parametrize(("locale", "text"), STRANGE)
def test_a_name_of_no_record_is_marked(judged: Judge, locale: str, text: str) -> None:
    report = judged(text, locale)
    assert report.violations
    assert all(s.verdict.value != "supported" or not s.refs for s in report.sentences)


@pytest.mark.parametrize(("locale", "text"), KNOWN)
def test_ordinary_words_are_no_names(judged: Judge, locale: str, text: str) -> None:
    assert not strange(judged(text, locale))


def test_a_heading_of_a_strange_name_holds_for_each_item_under_it(judged: Judge) -> None:
    report = judged("**Cold shower**\n- Wann: 20. November [F7]\n- Stand: überfällig [F7]", "de")
    assert len(strange(report)) == 2


LABELLED = [
    ("en", "1. **What:** Board meeting\n2. **Where:** not recorded [F5]"),
    ("en", "My people:\n1. **Elena Weber** [F2]\n2. **Marc Müller** [F3]"),
    ("it", "Elena Weber lavora presso SINGA Switzerland [F2]. Lo stesso vale per Marc Müller [F3]."),
]


@pytest.mark.parametrize(("locale", "text"), LABELLED)
def test_a_label_or_a_number_before_a_name_tells_nothing(judged: Judge, locale: str, text: str) -> None:
    assert not judged(text, locale).violations
