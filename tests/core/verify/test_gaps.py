"""What is said not to be recorded: wrong of what is held, right of a gap, in five languages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import RECEIPT, Fact
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Report, Verdict
from sayso.workspace.kinds import GOAL, PERSON

Judge = Callable[..., Report]
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def of(*facts: Fact) -> Evidence:
    evidence = Evidence()
    evidence.add_all(facts)
    return evidence


# Elena's role, company, whatsapp, e-mail and last contact are recorded; her birthday is not. Nothing of Ilya's is but how he was met.
HELD = (
    ("en", "Elena has no company on record [F2]."),
    ("en", "I don't have a role for Elena Weber."),
    ("en", "Elena Weber (role: unknown)"),
    ("en", "- **Role** (Elena Weber): – [F2]"),
    ("en", "Elena Weber | Role: —"),
    ("en", "I found Elena Weber, but her role, which you asked for, is not recorded."),
    ("en", "Role? Unknown, at least Elena Weber's page doesn't have it [F2]."),
    ("en", "Company, role and last contact are missing for Elena Weber."),
    ("en", "| Name | Role |\n|---|---|\n| Elena Weber | not recorded |"),
    ("en", "| Name | Role |\n|---|---|\n| Elena Weber | – |"),
    ("en", "Elena Weber's e-mail address is not recorded [F2]."),
    ("en", "Launch beta [F4] has no target date."),
    ("en", "Elena Weber and Marc Müller have no role recorded."),
    ("de", "Elena Weber hat keine Rolle erfasst [F2]."),
    ("de", "Zu Elena Weber ist die Firma nicht eingetragen."),
    ("de", "Der Eintrag nennt für Elena Weber dies nicht: Rolle."),
    ("fr", "Pour « Launch beta », rien n'est indiqué sous « date cible » [F4]."),
    ("de", "Bei Elena Weber fehlt die E-Mail-Adresse."),
    ("fr", "Pour Elena Weber, l'entreprise n'est pas renseignée [F2]."),
    ("en", "You never wrote down a role for Elena Weber."),
    ("de", "Elena Webers Firma kenne ich nicht."),
    ("fr", "Je ne connais pas le rôle d'Elena Weber."),
    ("fr", "La fonction d'Elena Weber est inconnue."),
    ("it", "Elena Weber non ha un ruolo registrato [F2]."),
    ("it", "Per Elena Weber non c'è nulla sotto «azienda»."),
    ("es", "Elena Weber no tiene cargo [F2]."),
    ("es", "La empresa de Elena Weber está en blanco."),
)
RIGHT = (
    ("en", "Elena Weber's birthday is not recorded [F2]."),
    ("en", "No role, company or phone number is on file for Ilya."),
    ("en", "Elena Weber and Ilya have no role recorded."),
    ("en", "Marc Müller has no e-mail address on record [F3]."),
    ("en", "| Name | Birthday |\n|---|---|\n| Elena Weber | not recorded |"),
    ("en", "Birthday? Unknown for Elena Weber."),
    ("de", "Für Elena Weber ist kein Geburtstag erfasst."),
    ("fr", "Elena Weber n'a pas d'anniversaire enregistré."),
    ("it", "Il compleanno di Elena Weber non risulta."),
    ("es", "No hay cumpleaños para Elena Weber."),
)
SILENT = (
    "Elena Weber is Programme lead, nothing else is recorded of her role [F2].",
    "Elena has no role in this project [F2].",
    "If her role is not recorded, ask Elena Weber.",
    "Elena's role is Programme lead; it is not known since when.",
    "The role of Elena Weber, Programme lead, is not unknown.",
    "The last contact with Elena Weber was on 23 November 2026, and nothing was noted [F2].",
    "Elena Weber's works at line is missing.",
    "Elena was not there, unknown to all.",
    "Elena Weber | Role: – or so",
    "Unknown to Elena.",
    "| Name | |\n|---|---|\n| Elena Weber | – |",
    "| Name | Role |\n|---|---|\n| Elena Weber | Programme lead |",
)


@pytest.mark.parametrize(("language", "text"), HELD)
def test_what_is_held_is_not_called_missing(judge: Judge, language: str, text: str) -> None:
    assert "false_absence" in {v.kind.value for v in judge(text, locale=language).violations}


@pytest.mark.parametrize(("language", "text"), RIGHT)
def test_a_gap_may_be_told(judge: Judge, language: str, text: str) -> None:
    report = judge(text, locale=language)
    assert not report.violations
    assert Verdict.SUPPORTED in {s.verdict for s in report.sentences}


@pytest.mark.parametrize("text", SILENT)
def test_other_denials_say_nothing_of_a_gap(judge: Judge, text: str) -> None:
    assert "false_absence" not in {v.kind.value for v in judge(text).violations}


def test_a_record_of_another_sort_that_is_cited_is_what_lacks_it(evidence: Evidence) -> None:
    evidence.add_all([RECEIPT.fact({"title": "Letter", "outcome": "failed", "action": "send"}, source="receipts", key="7", as_of=NOW)])  # fmt: skip
    text = "The letter to Elena Weber failed because the role is unknown [F11]."
    assert not Verifier(evidence, Setting(NOW, "en", "")).report(text).violations


def test_words_within_a_title_name_no_field() -> None:
    evidence = of(
        GOAL.fact({"title": "Clean progress report", "status": "on track"}, source="goal", key="1", as_of=NOW)
    )
    report = Verifier(evidence, Setting(NOW, "en", "")).report("Nothing is recorded for Clean progress report [F1].")
    assert not report.violations


def test_the_value_is_told_for_the_repair() -> None:
    evidence = of(PERSON.fact({"name": "Ada Ito", "channels": ("signal +41 79 111 22 33",)}, source="person", key="1", as_of=NOW))  # fmt: skip
    report = Verifier(evidence, Setting(NOW, "en", "")).report("Signal: none stored for Ada Ito.")
    assert [v.instruction for v in report.violations] == ["channels of F1 is signal +41 79 111 22 33"]
