"""Whether a repair is better, what it is asked for, and what stands in for a withheld sentence."""

from __future__ import annotations

import pytest

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import Provenance
from sayso.core.verify import better, final_text, repair_lines
from sayso.core.verify.report import Judged, Profile, Report, Verdict, Violation, ViolationKind
from small_world import ELENA, ILYA

C, S, U, T = Verdict.CONTRADICTED, Verdict.SUPPORTED, Verdict.UNSUPPORTED, Verdict.TALK
QUOTED = "Ilya Druzhnikov – channels: email ilya@druzhnikov.example (not recorded: affiliation, role, birthday) [F2]"


def evidence(*facts: object) -> Evidence:
    found = Evidence()
    found.add_all(facts)  # type: ignore[arg-type]
    return found


def judged(text: str, verdict: Verdict, nearest: str | None = None, **more: object) -> Judged:
    faults = (Violation(ViolationKind.WRONG_VALUE, text.strip(), 0, len(text), "use its value", nearest),)
    return Judged(text, 0, verdict, faults if verdict in (C, U) else (), **more)  # type: ignore[arg-type]


def report(*sentences: Judged, profile: Profile = Profile.DEFAULT) -> Report:
    return Report(sentences, profile)


BOTH = evidence(ELENA, ILYA)


@pytest.mark.parametrize(
    ("withheld", "shown"),
    [
        ("Ilya is with UZH. ", f"{QUOTED} Bye."),
        ("- Ilya is with UZH.\n", f"- {QUOTED}\nBye."),
        ("* Ilya is with UZH.\n", f"- {QUOTED}\nBye."),
        ("| Ilya | UZH |\n", f"| {QUOTED} | |\nBye."),
    ],
)
def test_the_nearest_fact_takes_the_place_and_the_shape(withheld: str, shown: str) -> None:
    assert final_text(report(judged(withheld, C, "F2"), judged("Bye.", T)), BOTH, "en") == shown


def test_a_fact_is_quoted_once_and_a_ref_that_is_none_is_passed_over() -> None:
    told = report(judged("One. ", C, "F2"), judged("Two. ", C, "F2"), judged("Three. ", C, "F9"))
    assert final_text(told, BOTH, "en") == (f"{QUOTED}\n\n(1 sentence was withheld: your records do not carry it.)")


@pytest.mark.parametrize(
    ("count", "locale", "line"),
    [
        (1, "de", "(1 Satz zurückgehalten: von deinen Unterlagen nicht gedeckt.)"),
        (2, "de", "(2 Sätze zurückgehalten: von deinen Unterlagen nicht gedeckt.)"),
        (2, "en", "(2 sentences were withheld: your records do not carry them.)"),
    ],
)
def test_what_has_no_fact_near_is_counted(count: int, locale: str, line: str) -> None:
    assert final_text(report(*[judged("Wrong. ", C)] * count), BOTH, locale) == line
    assert (
        final_text(report(judged("Hello. ", T), *[judged("Wrong. ", C)] * count), BOTH, locale) == f"Hello.\n\n{line}"
    )


@pytest.mark.parametrize(("locale", "mark"), [("en", "not in your records"), ("de", "nicht in deinen Unterlagen")])
def test_an_unsupported_sentence_is_marked_and_in_the_strict_profile_withheld(locale: str, mark: str) -> None:
    sentence = judged("Elena is kind. ", U, "F2")
    assert final_text(report(sentence), BOTH, locale) == f"Elena is kind. ({mark})"
    assert final_text(report(sentence, profile=Profile.STRICT), BOTH, "en") == QUOTED


def test_with_nothing_left_to_show_something_else_is_told() -> None:
    assert final_text(report(), evidence(ILYA), "en", instead="Facts.") == "Facts."
    wrong = report(judged("Wrong. ", C))
    assert final_text(wrong, evidence(), "en", instead="Facts.") == (
        "Facts.\n\n(1 sentence was withheld: your records do not carry it.)"
    )
    assert final_text(report(judged("Hi.", T)), evidence(), "en", instead="Facts.") == "Hi."


def test_the_worst_comes_first_each_once_and_long_words_are_shortened() -> None:
    told = report(judged("Mild. ", U), judged("x" * 90, C), judged("x" * 90, C))
    assert repair_lines(told) == (f'"{"x" * 79}…": use its value', '"Mild.": use its value')
    assert len(repair_lines(report(*(judged(f"{n}.", C) for n in range(9))))) == 5


OLD = report(judged("Elena is here. ", S, refs=("F1",), claims=2), judged("Wrong.", C))


@pytest.mark.parametrize(
    ("new", "is_better"),
    [
        (report(judged("Elena is here. ", S, refs=("F1",), claims=2)), True),
        (report(), False),
        (report(judged("Elena is here. ", S, refs=("F1",), claims=1)), False),
        (report(judged("Elena is here. ", S, claims=2)), False),
        (report(judged("She is here. ", S, refs=("F1",), claims=2)), False),
        (OLD, False),
    ],
)
def test_a_repair_loses_no_claim_citation_or_word_of_the_question(new: Report, is_better: bool) -> None:
    assert better(OLD, new, "Who is Elena?") is is_better


def test_provided_facts_have_their_own_letter_here_too() -> None:
    mine = Numbered(
        "U1", ELENA.kind.fact({"name": "A"}, source="s", key="k", as_of=ELENA.as_of, provenance=Provenance.PROVIDED)
    )
    assert final_text(report(judged("Wrong.", C, "U1")), Evidence([mine]), "en").endswith("[U1]")
