"""Claims one by one: what the rules find in a sentence, and in a right one that looks like it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import LOOKUP, FactKind, Field, lookup_fact
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Report, Verdict
from sayso.workspace.kinds import COMMITMENT, EVENT, GOAL, HABIT, PASSAGE, PERSON

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
Judge = Callable[..., Report]
Case = tuple[str, list[str]]


def faults(report: Report) -> list[str]:
    return sorted({v.kind.value for v in report.violations})


@pytest.fixture
def more(evidence: Evidence) -> Evidence:
    """F11 a decision, F12 a habit, F13 a walk, F14 and F15 namesakes, F16 a commitment, F17 a goal, F18 a look-up that found nothing."""
    evidence.add_all(
        [
            PASSAGE.fact(
                {"title": "Meeting notes", "excerpt": 'We decided on "PostgreSQL for the index" on 4 March 2026',
                 "date": date(2026, 3, 4)},
                source="notes", key="1", as_of=NOW,
            ),
            HABIT.fact({"name": "Morning run", "check_ins": 14, "frequency": "daily"}, source="habit", key="1", as_of=NOW),
            EVENT.fact(
                {"title": "Forest walk", "starts": datetime(2026, 12, 5, 9, 0, tzinfo=UTC),
                 "ends": datetime(2026, 12, 5, 11, 30, tzinfo=UTC), "notes": "Buy boots on Friday"},
                source="event", key="2", as_of=NOW,
            ),
            PERSON.fact({"name": "Anna Steiner", "role": "Surgeon", "affiliation": "Kantonsspital Aarau"},
                        source="person", key="8", as_of=NOW),
            PERSON.fact({"name": "Anna Steiner", "role": "Stage designer", "affiliation": "Theater Chur"},
                        source="person", key="9", as_of=NOW),
            COMMITMENT.fact({"title": "Pay the rent", "due": date(2026, 12, 3), "status": "open"}, source="commitment",
                            key="3", as_of=NOW),
            GOAL.fact({"title": "Book a table", "parent": "Grow the firm", "status": "on track"}, source="goal", key="7", as_of=NOW),
            lookup_fact("search_people", 'query="Globex", limit=5', covers="person", matched=0, searched=60, as_of=NOW,
                        key="l2"),
        ]
    )  # fmt: skip
    return evidence


ABSENCES: list[Case] = [
    ("There is no Elena Weber in your records.", ["false_absence"]),
    ("There is no contact called Elena Weber.", ["false_absence"]),
    ("There is nobody called Elena.", ["false_absence"]),
    ("There is no Elena Weber at UZH.", []),
    ("I could not find Elena Weber.", ["false_absence"]),
    ("I could not find Elena Weber's birthday.", []),
    ("Elena Weber is not in your contacts.", ["false_absence"]),
    ("Marc and Elena Weber is not in your contacts.", ["false_absence"]),
    ("There is no Elena Brunner.", []),
    ("No one called Marc Brunner is in your contacts.", []),
    ("You have no open commitments.", ["false_absence"]),
    ("You have no commitments that are done.", []),
    ("You have no goals that are behind.", []),
    ("You have no overdue commitments.", ["false_absence"]),
    ("You have no commitments with Elena Weber.", ["false_absence"]),
    ("You have no commitments with Ilya Druzhnikov.", []),
    ("You have no urgent commitments.", []),
    ("You have no meetings tomorrow.", ["false_absence"]),
    ("You have no meetings on 2 December 2026.", []),
    ("Nothing is due on 3 December 2026.", ["false_absence"]),
    ("Nothing is due on 4 December 2026.", []),
    ("Nothing starts on 3 December 2026.", []),
    ("There is nothing.", []),
    ("There are no gadgets.", []),
    ("Pick a day when no commitments are due [F9].", []),
    ("Du hast keine offenen Aufgaben.", ["false_absence"]),
]
PAIRS: list[Case] = [
    ("Elena is on +41 77 473 00 93 and Marc on +41 79 111 22 33.", []),
    ("Elena is on +41 79 111 22 33 and Marc on +41 77 473 00 93.", ["swapped_record"]),
    ("Elena and Marc are on +41 77 473 00 93 and +41 79 111 22 33 respectively.", []),
    ("Elena met Marc on 23 November 2026.", []),
    ("Elena is due on 3 December 2026, and two of hers with Marc on 20 November 2026.", []),
    ("On +41 77 473 00 93 you reach Elena, and on +41 79 111 22 33 Marc.", []),
    ('Elena wrote "see you there soon" and Marc wrote "fine by me too".', ["invented_quote"]),
    ("Elena sent budgets and Marc a projector, 4 in all.", []),
]
ROLES: list[Case] = [
    ("Elena Weber works as a programme manager [F2].", []),
    ("Elena Weber is the head of finance [F2].", ["wrong_value"]),
    ("Elena Weber works as a lawyer [F2].", ["wrong_value"]),
    ("Elena Weber is a good person to ask about programmes [F2].", []),
    ("Elena Weber is a programme lead, a big one [F2].", []),
    ("Elena Weber works as, if I read it rightly, lead [F2].", []),
    ("Ilya Druzhnikov works as a lawyer [F1].", ["stated_gap"]),
    ("Ilya Druzhnikov is a [F1].", []),
    ("Anna Steiner is a surgeon [F15].", ["swapped_record", "wrong_value"]),
    ("Anna Steiner is a surgeon [F14].", []),
    ("Elena Weber's role is lead [F2].", []),
    ("Elena Weber: lawyer at SINGA Switzerland [F2].", ["wrong_value"]),
    ("Elena Weber, lawyer, works for SINGA Switzerland [F2].", ["wrong_value"]),
    ("Elena Weber, programme lead, works for SINGA Switzerland [F2].", []),
    ("Elena Weber, however, works for SINGA Switzerland [F2].", []),
    ("Ilya Druzhnikov: lawyer at the bar [F1].", ["stated_gap"]),
    ("Elena Weber works at SINGA Switzerland and is liked [F2].", []),
    ("Book a table is part of Launch beta [F17].", ["wrong_value"]),
    ("Book a table is part of Grow the firm [F17].", []),
    ("Launch beta is part of something [F4].", []),
    ("Anna Steiner, the surgeon, takes the lead in a programme [F14].", []),
]
STATES: list[Case] = [
    ("Return projector is finished [F7].", ["wrong_value"]),
    ("Return projector is not finished [F7].", []),
    ("Return projector is not overdue [F7].", ["wrong_value"]),
    ("Return projector was never finished [F7].", []),
    ("Send budget is open, not done [F6].", []),
    ("Send budget is open, to be done soon [F6].", []),
    ("Elena and Ilya have no role recorded.", []),
    ("Morning run is a daily habit, 20% done [F12].", ["wrong_value"]),
    ("All commitments are open.", []),
    ("Both habits are daily.", []),
    ("Morning run is daily, not weekly [F12].", []),
    ("Morning run was weekly and is daily now [F12].", []),
    ("Morning run was weekly and is on every day now [F12].", []),
    ("Marc Müller, Designer, is a designer of sorts [F3].", []),
]
VALUES: list[Case] = [
    ("We decided on PostgreSQL on 5 March 2026.", ["wrong_value"]),
    ("We decided on PostgreSQL on 4 March 2026.", []),
    ("Something else entirely happened on 5 March 2026.", []),
    ("The index for PostgreSQL costs CHF 900.", ["wrong_value"]),
    ("The index for PostgreSQL costs about CHF 900.", []),
    ("The forest walk takes 2.5 hours [F13].", []),
    ("The forest walk takes 150 minutes [F13].", []),
    ("The forest walk takes 3 hours [F13].", ["wrong_value"]),
    ("Your morning run happened for 2 weeks [F12].", []),
    ("The board meeting lasts 14.5 hours [F5].", ["wrong_value"]),
    ("The board meeting is on a Tuesday [F5].", []),
    ("The board meeting is on Tuesday, 1 December [F5].", []),
    ("The board meeting is on Tuesday, 1 December 2026 [F5].", []),
    ("The board meeting is on Wednesday, 1 December 2026 [F5].", ["wrong_value"]),
    ("The board meeting is on Tuesday or on 1 December [F5].", []),
    ("The board meeting is on Tuesday, December 2026 [F5].", []),
    ("Send budget and Return projector are both due on 3 December 2026 [F6][F7].", ["wrong_value"]),
    ("Elena Weber and Marc Müller: all on 23 November 2026 [F2][F3].", ["wrong_value"]),
    ("Launch beta is 60% done.", ["wrong_value"]),
    ("Launch beta is 40% done.", []),
    ("Elena is due 3 December 2026.", []),
    ("Ilya's last contact was 5 times this year [F1].", ["stated_gap"]),
    ("Marc's last contact was on 23 November 2026 [F3].", ["stated_gap"]),
    ('Elena said "hello" [F2].', []),
    ("The forest walk needs boots by Friday [F13].", []),
    ("Elena Weber has seven cats [F2].", []),
    ("Send budget and Pay the rent are both due on 3 December 2026 [F6][F16].", []),
    ("Marc Müller joins at 14:30.", []),
    ("Marc Müller likes Bexley.", []),
    ("Ilya's number: 12 [F1].", ["stated_gap"]),
    ('The notes say "PostgreSQL for the index" [F11].', []),
    ('The notes say "MongoDB for the whole index" [F11].', ["invented_name", "invented_quote"]),
]
ACTS: list[Case] = [
    ("Elena has accepted the invitation.", ["false_action"]),
    ("Elena has not accepted the invitation.", []),
    ("Marc added a note.", []),
    ("Nobody works at Globex.", []),
    ("Someone works at Globex.", ["invented_name"]),
    ("Elena Weber works at SINGA Switzerland, Somebody else at Globex.", ["invented_name"]),
]


@pytest.mark.parametrize(("text", "expected"), [*ABSENCES, *PAIRS, *ROLES, *STATES, *VALUES, *ACTS])
def test_a_claim_has_these_faults(more: Evidence, judge: Judge, text: str, expected: list[str]) -> None:
    report = judge(text, locale="de" if text.startswith("Du ") else "en")
    serious = [v for v in report.violations if v.kind.value not in ("unsupported", "unattributed")]
    assert sorted({v.kind.value for v in serious}) == sorted(expected)


GERMAN: list[Case] = [
    ("Elena Weber ist Pilotin [F2].", ["unsupported"]),
    ("Elena Weber ist Programmleiterin [F2].", []),
    ("Elena Weber ist Montag im Büro [F2].", []),
    ("Marc Müller ist Designer [F3].", []),
    ("Es gibt keine Elena Weber in deinen Kontakten.", ["false_absence"]),
    ("Return projector ist überfällig [F7].", []),
    ("Return projector ist erledigt [F7].", ["false_action", "wrong_value"]),
]


@pytest.mark.parametrize(("text", "expected"), GERMAN)
def test_a_german_claim_has_these_faults(more: Evidence, judge: Judge, text: str, expected: list[str]) -> None:
    assert faults(judge(text, locale="de")) == sorted(expected)


def test_a_supported_sentence_without_refs_rests_on_the_records_it_names(judge: Judge) -> None:
    (told,) = judge("Elena Weber works at SINGA Switzerland.").sentences
    assert (told.verdict, told.refs) == (Verdict.SUPPORTED, ("F2",))


def test_what_the_user_says_that_others_did_may_be_repeated(judge: Judge) -> None:
    assert faults(judge("Elena has accepted the invitation.", "Elena accepted!")) == []


def test_a_verbatim_quotation_is_its_own_proof(evidence: Evidence, judge: Judge) -> None:
    text = "Elena Weber is our lawyer, Marc Müller the surgeon from Globex"
    evidence.add(PASSAGE.fact({"title": "Who is who", "excerpt": f"{text}."}, source="notes", key="2", as_of=NOW))
    assert faults(judge(f'Who is who: "{text}" [F11].')) == []


def test_what_follows_from_the_users_own_numbers_is_theirs(judge: Judge) -> None:
    (told,) = judge("So the rent is CHF 751.", "My rent is CHF 751").sentences
    assert told.verdict is Verdict.YOURS


def test_another_agents_words_need_its_name(judge: Judge) -> None:
    assert faults(judge("Elena moves to Bexley Studios in May [F10].")) == ["unattributed"]
    assert faults(judge("The scout is sure that Elena moves to Bexley Studios in May [F10].")) == []


def test_what_others_did_needs_no_receipt_where_nothing_was_proposed() -> None:
    report = Verifier(Evidence(), Setting(NOW, "en", "news?")).report("The weather has changed.")
    assert faults(report) == []


def test_an_absence_without_any_look_up_is_talk() -> None:
    report = Verifier(Evidence(), Setting(NOW, "en", "who?")).report("There is nobody called Zorro.")
    assert [s.verdict for s in report.sentences] == [Verdict.TALK]


def test_a_field_without_words_is_asked_for_by_its_name(evidence: Evidence, judge: Judge) -> None:
    kind = FactKind("ship", (Field("name"), Field("tonnage", unit="t"), Field("flag")), "name", words=("ship",))
    evidence.add(kind.fact({"name": "Aurora", "tonnage": "900", "flag": " "}, source="s", key="1", as_of=NOW))
    assert faults(judge("Aurora has a tonnage of 900 t [F11].")) == []
    assert faults(judge("Aurora has a tonnage of 800 t [F11].")) == ["wrong_value"]


def test_a_look_up_of_nothing_in_particular_names_nobody(evidence: Evidence, judge: Judge) -> None:
    nothing = LOOKUP.fact({"query": "list_people", "matched": 0, "searched": 0}, source="lookup", key="3", as_of=NOW)
    evidence.add(nothing)
    assert faults(judge("Someone works at Globex.")) == []
