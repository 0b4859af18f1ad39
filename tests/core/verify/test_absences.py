"""That nothing was found, or that nobody is called so: what the look-ups and the records say, in five languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import Fact, lookup_fact
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Verdict, Violation
from sayso.workspace.kinds import COMMITMENT, EVENT, PERSON

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)  # a Monday


def looked(query: str, matched: int, key: str) -> Fact:
    return lookup_fact("search_people", query, covers="person", matched=matched, searched=62, as_of=NOW, key=key)


def evidence() -> Evidence:
    """F1 Elena, F2 F3 F4 F5 look-ups, F6 an open task for tomorrow, F7 a meeting tomorrow."""
    made = Evidence()
    made.add_all([
        PERSON.fact({"name": "Elena Weber", "role": "coordinator"}, source="person", key="1", as_of=NOW),
        looked('"Elena"', 1, "a"), looked('"Petra"', 0, "b"), looked('"coordinator"', 1, "c"), looked("(limit=5)", 1, "d"),
        COMMITMENT.fact({"title": "Send budget", "due": datetime(2026, 12, 1, tzinfo=UTC).date(), "status": "overdue"},
                        source="commitment", key="1", as_of=NOW),
        EVENT.fact({"title": "Board round", "starts": datetime(2026, 12, 1, 14, 30, tzinfo=UTC)}, source="event", key="1", as_of=NOW),
    ])  # fmt: skip
    return made


def judged(text: str, language: str = "en") -> tuple[set[Verdict], list[Violation]]:
    report = Verifier(evidence(), Setting(NOW, language, "who?")).report(text)
    return {s.verdict for s in report.sentences}, [v for v in report.violations if v.kind.value == "false_absence"]


FALSE = (
    ("en", "Elena Weber is not in your contacts [F1]."),
    ("en", "I found nothing about “Elena” [F2]."),
    ("en", "Nobody called Elena is in your contacts."),
    ("en", "Nobody called Elena Weber is in your contacts."),
    ("en", "Elena? Not that I can see, 62 entries searched, no hit."),
    ("en", "I looked for her. None of the 62 records fits [F2]."),
    ("en", "- Elena: 0 of 62 [F2]"),
    ("en", "No results for coordinator [F4]."),
    ("en", "Your records don't mention Elena Weber."),
    ("de", "Zu «Elena» habe ich nichts gefunden [F2]."),
    ("en", "Elena Weber could not be located in your contacts."),
    ("de", "Die Suche nach Elena Weber blieb erfolglos."),
    ("it", "La ricerca di Elena Weber non ha dato risultati."),
    ("de", "Tut mir leid, Elena ist nicht dabei."),
    ("fr", "Je n'ai rien trouvé pour « Elena » [F2]."),
    ("fr", "Désolé, Elena n'y est pas."),
    ("it", "Nessun risultato per Elena [F2]."),
    ("it", "Spiacente, Elena non c'è."),
    ("es", "No he encontrado nada sobre «Elena» [F2]."),
    ("es", "No hay nadie llamado Elena en tus contactos."),
    ("en", "You have no meetings tomorrow."),
    ("de", "Du hast morgen keine Termine."),
    ("fr", "Vous n'avez pas de réunion demain."),
    ("it", "Non hai riunioni domani."),
    ("es", "No tienes reuniones mañana."),
)
RIGHT = (
    ("en", "I found nothing about “Petra” [F3]."),
    ("en", "Nobody called Petra is in your contacts."),
    ("de", "Unter deinen Kontakten gibt es niemanden namens Petra."),
    ("fr", "Aucun résultat pour Petra [F3]."),
    ("it", "Non ho trovato nulla su «Petra» [F3]."),
    ("es", "Ningún resultado para Petra [F3]."),
)
SILENT = (
    "I found nothing about Elena's salary [F2].",
    "I found nothing about Elena's salary.",
    "If you found nothing about Elena, tell me.",
    "Nobody called Coordinator is in your contacts.",
    "Nobody called Zorro is in your contacts.",
    "None of the 62 records fits [F5].",
    "Elena Weber is not in the picture that you sent [F1].",
    "No, you have a meeting tomorrow.",
    "You have no other meetings tomorrow.",
    "You have no meetings on 12 December.",
)


@pytest.mark.parametrize(("language", "text"), FALSE)
def test_an_absence_that_the_evidence_disproves_is_wrong(language: str, text: str) -> None:
    verdicts, violations = judged(text, language)
    assert Verdict.CONTRADICTED in verdicts
    assert violations


@pytest.mark.parametrize(("language", "text"), RIGHT)
def test_an_absence_that_a_look_up_shows_follows(language: str, text: str) -> None:
    verdicts, _ = judged(text, language)
    assert verdicts == {Verdict.SUPPORTED}


@pytest.mark.parametrize("text", SILENT)
def test_what_is_limited_by_more_than_a_name_is_no_absence_of_it(text: str) -> None:
    assert not judged(text)[1]


def test_the_repair_names_what_was_found() -> None:
    assert [v.instruction for v in judged("No results for coordinator [F4].")[1]] == ["F4 found 1"]
    assert [v.instruction for v in judged("Nobody called Elena is in your contacts.")[1]] == ["F1 is such a record"]
