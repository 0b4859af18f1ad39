"""Plain requests for a change become calls of the propose tool; nothing is ever said to be done."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from sayso.core.facts import RECEIPT, Fact
from sayso.core.proposals import Change
from sayso.models.quote.german import OUTCOMES
from sayso.store.receipts import ENDED, WORDS

NOW = datetime(2026, 11, 30, tzinfo=UTC)

REQUESTS = {
    "remind me to call Elena on Friday":
        {"type": "commitment", "person": "Elena", "due": "2026-12-04", "title": "Call Elena"},
    "Please remind me to pay the rent by 7 December":
        {"type": "commitment", "due": "2026-12-07", "title": "Pay the rent"},
    "draft a message to Ilya about the lease":
        {"type": "message", "person": "Ilya", "title": "Message to Ilya about the lease",
         "text": "Hello Ilya, I am writing about the lease."},
    "send an email to ilya druzhnikov about the lease":
        {"type": "email", "person": "ilya druzhnikov", "title": "The lease",
         "text": "Hello Ilya Druzhnikov, I am writing about the lease."},
    "tell Ilya that the key is under the mat":
        {"type": "message", "person": "Ilya", "title": "Message to Ilya", "text": "The key is under the mat."},
    "schedule lunch with Jörg tomorrow at 12":
        {"type": "event", "person": "Jörg", "starts": "2026-12-01T12:00:00+01:00", "title": "Lunch with Jörg"},
    "check in running": {"type": "check_in", "habit": "running", "title": "Check in: running"},
    "note that the door code changed":
        {"type": "note", "title": "The door code changed", "text": "The door code changed"},
    "follow up with Ilya about the lease in 2 weeks":
        {"type": "follow_up", "person": "Ilya", "due": "2026-12-14", "title": "Follow up with Ilya about the lease"},
    "Erinnere mich am Freitag daran, Elena anzurufen":
        {"type": "commitment", "person": "Elena", "due": "2026-12-04", "title": "Elena anrufen"},
    "Erinnere mich, Elena anzurufen": {"type": "commitment", "person": "Elena", "title": "Elena anrufen"},
    "Erinnere mich morgen um 9 an den Zahnarzt":
        {"type": "commitment", "due": "2026-12-01T09:00:00+01:00", "title": "Zahnarzt"},
    "Schreib Ilya, dass ich später komme":
        {"type": "message", "person": "Ilya", "title": "Nachricht an Ilya",
         "text": "Ich komme später."},
    "Schreib Ilya, dass wir nicht mehr kommen können":
        {"type": "message", "person": "Ilya", "title": "Nachricht an Ilya", "text": "Wir können nicht mehr kommen."},
    "Schreib Ilya, dass ich um neun ankomme":
        {"type": "message", "person": "Ilya", "title": "Nachricht an Ilya",
         "text": "Ich wollte dir sagen, dass ich um neun ankomme."},
    "sag ilya dass die Sitzung ausfällt":
        {"type": "message", "person": "ilya", "title": "Nachricht an Ilya",
         "text": "Ich wollte dir sagen, dass die Sitzung ausfällt."},
    "Schreib Ilya: kannst du morgen kommen?":
        {"type": "message", "person": "Ilya", "title": "Nachricht an Ilya", "text": "Kannst du morgen kommen?"},
    "text ilya are you free tomorrow?":
        {"type": "message", "person": "ilya", "title": "Message to Ilya", "text": "Are you free tomorrow?"},
    "message ilya: dinner at 8?":
        {"type": "message", "person": "ilya", "title": "Message to Ilya", "text": "Dinner at 8?"},
    "kannst du ilya sagen, dass ich später komme?":
        {"type": "message", "person": "ilya", "title": "Nachricht an Ilya", "text": "Ich komme später."},
    "can you tell ilya I'm running late?":
        {"type": "message", "person": "ilya", "title": "Message to Ilya", "text": "I'm running late."},
    "let ilya druzhnikov know the key is gone":
        {"type": "message", "person": "ilya druzhnikov", "title": "Message to Ilya Druzhnikov",
         "text": "The key is gone."},
    "email ilya that the lease is signed. I send it today":
        {"type": "email", "person": "ilya", "title": "The lease is signed",
         "text": "The lease is signed. I send it today."},
    "remind me to call tom in two weeks": {"type": "commitment", "due": "2026-12-14", "title": "Call tom"},
    "erinnere mich in zwei wochen an die steuern": {"type": "commitment", "due": "2026-12-14", "title": "Steuern"},
    "remind me next friday to pay the rent": {"type": "commitment", "due": "2026-12-11", "title": "Pay the rent"},
    "Schreib Ilya eine Nachricht wegen des Mietvertrags":
        {"type": "message", "person": "Ilya", "title": "Nachricht an Ilya wegen des Mietvertrags",
         "text": "Hallo Ilya, ich melde mich wegen des Mietvertrags."},
    "Plane ein Mittagessen mit Jörg morgen um 12":
        {"type": "event", "person": "Jörg", "starts": "2026-12-01T12:00:00+01:00", "title": "Mittagessen mit Jörg"},
    "Notiere, dass der Code geändert wurde":
        {"type": "note", "title": "Der Code geändert wurde", "text": "Der Code geändert wurde"},
}  # fmt: skip


@pytest.mark.parametrize("text", REQUESTS)
def test_request_becomes_one_proposal(conversation: Any, text: str) -> None:
    answer = conversation.ask(text)
    assert [(name, json.loads(arguments)) for name, arguments in conversation.calls] == [
        ("propose_action", REQUESTS[text])
    ]
    assert "[F1]" in answer


def test_pending_proposal_is_reported_as_waiting(conversation: Any) -> None:
    assert conversation.ask("remind me to call Elena on Friday") == (
        'I have prepared a proposal: "Call Elena" [F1]. '
        "It waits for your approval; nothing has been sent or changed yet [F1]."
    )


def test_unclear_person_is_asked_for(conversation: Any) -> None:
    assert conversation.ask("write an email to Anna about dinner") == (
        "Several records may be meant:\n- Anna Meier: role dentist [F1]\n- Anna Rossi: affiliation Uni Bern [F2]\n\n"
        "Which one do you mean?"
    )


def test_unknown_person_leaves_nothing_proposed(conversation: Any) -> None:
    assert conversation.ask("send a message to Nobody about it") == (
        "I could not tell which record is meant, so nothing was proposed. Whom or what do you mean?"
    )


def test_parameters_that_the_tool_lacks_are_left_out(conversations: Any) -> None:
    from sayso.models.quote.requests import propose_call, read_request
    from small_world import PROPOSE

    request = read_request("message Elena that we meet at noon", german=False)
    assert request is not None
    found = propose_call(request, [PROPOSE], conversations().request((), True).now)
    assert found is not None
    assert found[1] == {"person": "Elena", "text": "We meet at noon."}


QUESTIONS = [
    "How do I write to Ilya?", "What did I note?", "write a poem", "When do I call?", "email of ilya", "tell me about Ilya",
    "sag mir, wer Ilya ist", "did I message Ilya?", "what did I tell Ilya?", "tell me if Ilya is a dentist", "text of the lease",
    "habe ich Ilya geschrieben?", "i have a question", "did i go running today?", "ich habe eine frage",
]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_question_is_not_taken_for_a_request(conversation: Any, question: str) -> None:
    answer = conversation.ask(question)
    assert "proposal" not in answer
    assert "Vorschlag" not in answer


@pytest.mark.parametrize(
    ("told", "habit", "due"),
    [
        ("i went running today", "running", None),
        ("I meditated", "meditated", None),
        ("I did my reading yesterday", "reading", "2026-11-29"),
        ("ich habe heute meditiert", "meditiert", None),
        ("mark running as done", "running", None),
    ],
)
def test_what_was_done_becomes_a_check_in(conversation: Any, told: str, habit: str, due: str | None) -> None:
    conversation.ask(told)
    name, arguments = conversation.calls[0]
    assert (name, json.loads(arguments)["habit"], json.loads(arguments).get("due")) == ("propose_action", habit, due)


def test_what_cannot_be_changed_is_said_with_what_can(conversation: Any) -> None:
    assert conversation.ask("set the marathon progress to 50%") == (
        "I cannot prepare a change of this kind here; what I can prepare is a message, an e-mail, an event, a task, "
        "a follow-up, a note or a check-in.\n\nThe progress of Run a marathon is 40% [F6]."
    )


def test_what_was_approved_in_the_exchange_is_told_by_its_receipt(conversation: Any, monkeypatch: Any) -> None:
    async def approved(change: Change, *_: object) -> tuple[Fact, bool]:
        values = {"title": change.title, "outcome": "created", "action": change.action, "proposal_id": "prop_1"}
        return RECEIPT.fact(values, source="gateway", key="prop_1", as_of=NOW), False

    monkeypatch.setattr(sys.modules[type(conversation).__module__], "_filed", approved)
    assert conversation.ask("remind me to call Elena on Friday") == "Call Elena: created [F1]."


@pytest.mark.parametrize("outcome", ["created", "approved, not sent", "failed", "superseded, not done"])
def test_a_german_answer_tells_an_outcome_in_german(conversation: Any, monkeypatch: Any, outcome: str) -> None:
    async def ended(change: Change, *_: object) -> tuple[Fact, bool]:
        values = {"title": change.title, "outcome": outcome, "action": change.action, "proposal_id": "prop_1"}
        return RECEIPT.fact(values, source="gateway", key="prop_1", as_of=NOW), False

    monkeypatch.setattr(sys.modules[type(conversation).__module__], "_filed", ended)
    told = conversation.ask("Erinnere mich am Freitag daran, Elena anzurufen")
    assert told.endswith(f": {OUTCOMES[outcome]} [F1].")


def test_every_outcome_of_our_own_has_german_words() -> None:
    ours = {state.value for state in ENDED} - {"superseded"} | set(WORDS.values())
    assert ours <= set(OUTCOMES)
