"""Each rule with a true and a false example."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.evidence import Evidence
from sayso.core.verify import Setting, Verifier, better, cited_refs, final_text, quote_facts, repair_lines
from sayso.core.verify.report import Verdict, ViolationKind

C, S, U, T, Y = Verdict.CONTRADICTED, Verdict.SUPPORTED, Verdict.UNSUPPORTED, Verdict.TALK, Verdict.YOURS
FINE = {S, T, Y}
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)

TRUE = [
    "Elena Weber works at SINGA Switzerland [F2].", "Elena is programme lead at SINGA Switzerland 【F2】.",
    "You can reach Elena on +41774730093 (F2).", "Elena's e-mail is elena@singa.example [F2].",
    "Elena: +41 77 473 00 93 [F2]", "You last spoke with Elena on 23 November [F2].",
    "You last spoke with Elena a week ago [F2].", "Launch beta is at 40 % [F4].", "Launch beta is due on 7 Dec 2026 [F4].",
    "Launch beta is due next Monday [F4].", "Launch beta is due 2026-12-07 [F4].", "Launch beta is due in 7 days [F4].",
    "The board meeting starts tomorrow at 2:30 pm [F5].", "The board meeting is on Tuesday at 14:30 with Elena Weber [F5].",
    "The budget is CHF 1.2k [F6].", "The budget is 1'200 CHF, due on 3 December [F6].", "The projector is 10 days overdue [F7].",
    "Ilya Druzhnikov's affiliation is not recorded [F1].", "I don't know Ilya's role.", "Ilya has no role on record [F1].",
    "You met Ilya at the ETH hackathon [F1].", "You have two commitments [F6][F7].", "Nothing was found for UZH [F8].",
    "There is no one called Zorro in your contacts.", "I've prepared a message to Elena for your approval [F9].",
    "According to scout, Elena moves to Bexley Studios in May [F10].", "Nobody at UZH was found in 60 records [F8].",
    "You have no meetings today.", "Launch beta is not due on 9 December 2026 [F4].", "There is nothing due tomorrow.",
]  # fmt: skip
FALSE = [
    "Ilya Druzhnikov (UZH) [F1]", "Ilya Druzhnikov works at UZH [F1].", "Ilya Druzhnikov (UZH)", "Ilya is with UZH.",
    "Elena Weber works at Hochschule Luzern [F2].", "Elena's number is +41 79 111 22 33 [F2].",
    "You last spoke with Elena on 24 November [F2].", "Launch beta is at 45 % [F4].", "Launch beta is due on 8 Dec 2026 [F4].",
    "Launch beta is due next Tuesday [F4].", "The board meeting starts at 3:30 pm [F5].", "The budget is CHF 1,300 [F6].",
    "Elena is great [F77].", "Elena's e-mail is elena.weber@gmail.example [F2].", "I've sent the message to Elena.",
    "Done! The message was sent.", "You have five commitments.", "Elena has no recorded affiliation [F2].",
    "Ilya's last interaction was on 23 November 2026 [F1].", "You met Marc at SINGA Switzerland [F3].",
    "There is no one called Elena in your contacts.", "Elena has already accepted the invitation.",
    "You have no meetings tomorrow.", "You have no goals.",
]  # fmt: skip
TALK = [
    "Hello! How can I help?", "pgvector is an extension for PostgreSQL that stores vectors.", "You could call her on Friday.",
    "I can look that up for you.", "Autumn moonlight\na worm digs silently\ninto the chestnut", "Good luck with it!",
    "Paris is the capital of France and has about 2,100,000 inhabitants.", "A good rule of thumb is to walk 30 minutes a day.",
    "Would you like me to draft a message to Elena?", "Thanks, and have a nice day.",
]  # fmt: skip


@pytest.mark.parametrize("text", TRUE)
def test_a_true_sentence_is_shown_as_it_is(judge, text):
    report = judge(text)
    assert [s for s in report.sentences if s.verdict not in FINE] == []


@pytest.mark.parametrize("text", FALSE)
def test_a_false_sentence_is_contradicted(judge, text):
    assert C in {s.verdict for s in judge(text).sentences}


@pytest.mark.parametrize("text", TALK)
def test_talk_is_left_alone(judge, text):
    assert {s.verdict for s in judge(text).sentences} <= {T, S}


GERMAN = [
    ("Elena Weber arbeitet bei SINGA Switzerland [F2].", True), ("Der Arbeitgeber von Ilya ist nicht erfasst [F1].", True),
    ("Launch beta ist am 7. Dezember 2026 fällig [F4].", True), ("Launch beta ist am 9. Dezember 2026 fällig [F4].", False),
    ("Ich habe die Nachricht an Elena gesendet.", False), ("Ilya arbeitet bei der UZH [F1].", False),
    ("Du könntest sie am Freitag anrufen.", True), ("Das Wetter ist heute schön.", True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "right"), GERMAN)
def test_german_sentences_are_judged_alike(judge, text, right):
    assert (C not in {s.verdict for s in judge(text, locale="de").sentences}) is right


def test_a_receipt_allows_the_report_of_action(evidence: Evidence, judge, receipt):
    assert judge("I've sent the message to Elena.").sentences[0].verdict is C
    evidence.add(receipt)
    assert judge("I've sent the message to Elena.").sentences[0].verdict is S


def test_second_hand_words_need_their_source(judge):
    assert judge("Elena moves to Bexley Studios in May [F10].").violations[0].kind is ViolationKind.UNATTRIBUTED


def test_the_incident_names_the_nearest_fact(judge):
    violation = judge("Ilya Druzhnikov (UZH) [F1]").violations[0]
    assert (violation.words, violation.nearest) == ("UZH", "F1")


def test_pronouns_and_items_bind_to_the_last_subject(judge):
    report = judge("Elena Weber is in your contacts.\n- Phone: +41 77 473 00 93\n- Phone: +41 79 111 22 33\n")
    assert [s.verdict for s in report.sentences][1:] == [S, C]


def test_table_cells_stay_apart_and_the_header_is_no_claim(judge):
    table = "| Name | Phone |\n|---|---|\n| Elena Weber | +41 77 473 00 93 |\n| Marc Müller | +41 77 473 00 93 |\n"
    assert [s.verdict for s in judge(table).sentences] == [T, T, S, C]


def test_numbers_of_the_user_may_be_computed_with(judge):
    assert judge("That makes CHF 1,500.", "The budget is 1200 and I add 300").sentences[0].verdict in FINE
    assert judge("So you plan 45 guests.", "We expect 45 guests").sentences[0].verdict in FINE


def test_citations_are_read_in_any_brackets():
    text = "[F1], [F1, F2] [F4-F6] (F7) 【F8】 ［F9］ F10】 [U11][F12]"
    assert cited_refs(text) == ("F1", "F2", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "U11", "F12")


def test_final_text_quotes_the_fact_instead_of_a_contradiction(judge, evidence):
    shown = final_text(judge("Ilya Druzhnikov (UZH) [F1]"), evidence, "en")
    assert "UZH" not in shown
    assert "[F1]" in shown


def test_a_repair_that_says_less_is_not_better(judge):
    old = judge("Elena works at SINGA Switzerland [F2]. Her number is +41 79 111 22 33 [F2].")
    mended = judge("Elena works at SINGA Switzerland [F2]. Her number is +41 77 473 00 93 [F2].")
    question = "where does Elena work and what is her number"
    assert better(old, mended, question)
    assert not better(old, judge("I cannot say."), question)
    assert len(repair_lines(old)) == 1


def test_facts_are_quoted_with_gaps_and_refs(evidence):
    quoted = quote_facts(tuple(evidence)[:1], "de")
    assert "Ilya Druzhnikov" in quoted
    assert "nicht erfasst" in quoted
    assert "[F1]" in quoted


ANSWER = (
    "".join(f"{t} " for t in TRUE[:8] + FALSE[:8])
    + "\n\n- Elena: +41 77 473 00 93\n\n| a | b |\n|---|---|\n| Marc | x |\n"
)


def test_streaming_gives_the_same_verdicts_at_every_split(evidence):
    verifier = Verifier(evidence, Setting(NOW, "en", "tell me"))
    whole = verifier.report(ANSWER).sentences
    for size in (1, 2, 7, 33):
        stream = verifier.stream()
        parts = [j for i in range(0, len(ANSWER), size) for j in stream.feed(ANSWER[i : i + size])]
        assert (*parts, *stream.end()) == whole
    assert "".join(s.text for s in whole) == ANSWER


@given(st.text(max_size=300), st.integers(1, 50))
def test_any_text_streams_to_the_same_verdicts(text, size):
    verifier = Verifier(Evidence(), Setting(NOW, "en", text[:40]))
    stream = verifier.stream()
    parts = [j for i in range(0, len(text), size) for j in stream.feed(text[i : i + size])]
    whole = verifier.report(text)
    assert (*parts, *stream.end()) == whole.sentences
    assert whole.text == text


@pytest.mark.parametrize("unit", ["[F1", "1,", "(", "9", "a@", "[F1] ", "\n", " ", "| ", "no x ", "Ab ", "1-"])
def test_no_input_takes_more_than_linear_time(judge, unit, grows_linearly):
    grows_linearly(lambda size: judge(unit * (size // len(unit))), 8_000)
