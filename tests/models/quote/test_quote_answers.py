"""What `quote` answers, whole strings; and that Sayso's own verifier finds nothing wrong with it."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Verdict

NEEDS_MODEL = (
    "Writing, translating and explaining need a language model, and none is set up here. "
    "Add one with `sayso models use ollama:NAME`, or set SAYSO_MODEL."
)
BRAUCHT_MODELL = (
    "Schreiben, Übersetzen und Erklären brauchen ein Sprachmodell, und hier ist keines eingerichtet. "
    "Richte eines ein mit `sayso models use ollama:NAME`, oder setze SAYSO_MODEL."
)
ELENA = (
    "Elena Weber: affiliation SINGA Switzerland, last interaction 12 November 2026, birthday 4 March 1988 [F1]. "
    "Channels: whatsapp +41 77 473 00 93 [F1]. "
    "Role, how met and notes are not recorded for Elena Weber [F1]."
)
ANNA = (
    'Several people match "Anna" [F3]:\n- Anna Meier: role dentist; affiliation not recorded [F1]\n- Anna Rossi: affiliation Uni Bern; role not recorded [F2]\n\n'
    "Which one do you mean?"
)
DATABASE = (
    'Decision log, 3 May 2026: "We chose PostgreSQL as the database" [F1].\n'
    'Old plan, 9 January 2025: "The database will be MySQL" [F2].'
)
ANSWERS = {
    "Who is Elena?": ELENA,
    "who is elena weber": ELENA,
    "WHO IS ELENA?": ELENA,
    "Who is Anna?": ANNA,
    "Who is UZH?": "No one called UZH is recorded among your 5 people [F1].",
    "When is Elena's birthday?": "The birthday of Elena Weber is 4 March 1988 [F1].",
    "when is elena’s birthday": "The birthday of Elena Weber is 4 March 1988 [F1].",
    "What is Elena's role?": "Role is not recorded for Elena Weber [F1].",
    "How do I reach Ilya?": "Channels of Ilya Druzhnikov: email ilya@druzhnikov.example [F1].",
    "What is Ilya's role?": "The role of Ilya Druzhnikov is landlord [F1].",
    "Which goal is behind?": "Run a marathon: status behind, progress 40%, target date 31 December 2026 [F1].",
    "Which goal has the most progress?": "Learn Italian is first by progress: 75% [F2].",
    "How far is the marathon?": "The progress of Run a marathon is 40% [F3].",
    "what did we decide about the database": DATABASE,
    "When is my next meeting?": "Dentist: starts 1 December 2026 at 10:00, place Bern [F3].",
    "anything overdue?": "Pay the invoice: status overdue, due 20 November 2026 [F2].",
    "status of Beacon": "The status of Beacon is paused [F2].",
    "How is Atlas going?": "The status of Atlas is active [F1].",
    "How many projects are active?": "2 projects have the status active [F1, F3].\n"
    "- Atlas: status active, updated 20 November 2026 [F1]\n- Cedar: status active [F3]",
    "Which project is paused?": "Beacon: status paused [F2].",
    "How many people do I have?": "You have 5 people [F1].",
    "Which habits are not done?": "- Running: not done, streak 12 days, frequency daily [F1]",
    "Wie viele Notizen habe ich?": "Du hast 2 Notizen [F1].",
    "How tall is the fig?": "The height of Fig is 120 cm [F2].",
    "when was the fern last watered": "Fern: last watered 28 November 2026 [F1].",
    "Which plants do I have?": "You have 2 plants [F3].\n"
    "- Fern: height 45 cm, last watered 28 November 2026, species Boston fern [F1]\n- Fig: height 120 cm [F2]",
    "Is the fern thirsty?": "Thirsty is not recorded for Fern [F1].",
    "is beacon active": "The status of Beacon is paused [F4].",
    "which contacts do i have": "You have 5 people [F1]. Try a question about one of your records, by its name.",
    "Is the fig thirsty?": "Yes, Fig is thirsty [F2].",
    "What is pgvector?": f'Nothing on "pgvector" was found among your 2 notes [F1]. {NEEDS_MODEL}',
    "write a haiku": NEEDS_MODEL,
    "translate this": NEEDS_MODEL,
    "Tell me a joke": NEEDS_MODEL,
    "bye": "Goodbye.",
    "ok": "All right. What would you like to know?",
    "Wie erreiche ich Ilya?": "Kontakt von Ilya Druzhnikov: E-Mail ilya@druzhnikov.example [F1].",
    "Wann hat Elena Geburtstag?": "Geburtstag von Elena Weber: 4. März 1988 [F1].",
    "Wer ist Uzh?": "Unter deinen 5 Personen ist niemand namens Uzh erfasst [F1].",
    "Welches Ziel ist im Rückstand?": "Run a marathon: Status im Rückstand, Fortschritt 40%, "
    "Zieltermin 31. Dezember 2026 [F1].",
    "Schreib mir ein Gedicht": BRAUCHT_MODELL,
    "Übersetze das ins Englische": BRAUCHT_MODELL,
    "Tschüss": "Auf Wiedersehen.",
}  # fmt: skip


@pytest.mark.parametrize("question", ANSWERS)
def test_question_is_answered_in_these_words(conversation: Any, question: str) -> None:
    assert conversation.ask(question) == ANSWERS[question]


QUESTIONS = [
    *ANSWERS, "What is due this week?", "How is my running habit?", "Did I do reading today?", "Who works at SINGA?",
    "What are my goals?", "Tell me about Jörg Müller-Lüdenscheidt", "what's due and which goal is behind?",
    "Wer ist Elena?", "Was ist diese Woche fällig?", "Was haben wir zur Database entschieden?",
    "Wie viele Projekte habe ich?", "Hello", "thanks!", "what can you do", "Hallo", "Danke", "Was kannst du?",
    "remind me to call Elena on Friday", "draft a message to Ilya about the lease",
    "Erinnere mich am Freitag daran, Elena anzurufen", "Schreib Ilya eine Nachricht wegen des Mietvertrags",
]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_verifier_finds_nothing_wrong(conversation: Any, question: str) -> None:
    answer = conversation.ask(question)
    german = answer.startswith(("Schreiben", "Unter", "Du", "Ich", "Hallo", "Gern")) or "von" in answer.split()
    now = conversation.request((), True).now
    report = Verifier(conversation.evidence, Setting(now, "de" if german else "en", question)).report(answer)
    wrong = [s for s in report.sentences if s.verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)]
    assert wrong == []


def test_failed_look_up_is_unknown_and_never_none(conversations: Any) -> None:
    from dataclasses import replace

    async def fails(arguments: Any, context: Any) -> Any:
        raise RuntimeError("the table is gone")

    tools = tuple(replace(t, run=fails) if t.name == "list_goals" else t for t in conversations().tools)
    answer = conversations(tools=tools).ask("Which goal is behind?")
    assert answer == "I could not look this up just now, so the answer is unknown."


def test_window_of_days_goes_to_the_tool_that_takes_one(conversation: Any) -> None:
    conversation.ask("What is due in the next 10 days?")
    assert conversation.calls == [("list_commitments", '{"days": 10}')]


def test_two_parts_are_looked_up_in_one_step(conversation: Any) -> None:
    conversation.ask("what's due and which goal is behind?")
    assert {name for name, _ in conversation.calls} == {"list_commitments", "list_goals"}


def test_pronoun_means_the_open_record(conversation: Any, people: Any) -> None:
    answer = conversation.ask("What is her phone?", people[:1])
    assert (answer, conversation.calls) == ("Channels of Elena Weber: whatsapp +41 77 473 00 93 [F1].", [])


def test_closed_tools_leave_the_facts_in_the_window(conversation: Any, people: Any) -> None:
    assert conversation.ask("Who is Elena?", people[:1], tools_open=False) == ELENA


def test_closed_tools_and_no_facts_are_said(conversation: Any) -> None:
    answer = conversation.ask("Who is Elena?", tools_open=False)
    assert answer == "I could not look this up in this exchange. Please ask again."


def test_no_tools_at_all_are_said(conversations: Any) -> None:
    assert conversations(tools=()).ask("Which goals?") == "I have no look-up that fits this question."


def test_greeting_suggests_three_questions_from_own_records(conversation: Any) -> None:
    assert conversation.ask("Hello") == (
        "Hello. I answer questions from your own records, and I cite each one.\n\nYou could ask:\n"
        "- What is the status of Atlas?\n- What is the progress of Run a marathon?\n- Which habits do I have?"
    )


def test_seeds_spare_the_greeting_its_look_ups(conversation: Any, people: Any) -> None:
    conversation.ask("Hello", people)
    assert conversation.calls == []
