"""Plain requests for a change become calls of the propose tool; nothing is ever said to be done."""

from __future__ import annotations

import json
from typing import Any

import pytest

REQUESTS = {
    "remind me to call Elena on Friday":
        {"type": "commitment", "person": "Elena", "due": "2026-12-04", "title": "Call Elena"},
    "Please remind me to pay the rent by 7 December":
        {"type": "commitment", "due": "2026-12-07", "title": "Pay the rent"},
    "draft a message to Ilya about the lease":
        {"type": "message", "person": "Ilya", "title": "Message to Ilya about the lease",
         "text": "Hello Ilya, I am writing about the lease."},
    "send an email to ilya druzhnikov about the lease":
        {"type": "email", "person": "ilya druzhnikov", "title": "E-mail to ilya druzhnikov about the lease",
         "text": "Hello ilya druzhnikov, I am writing about the lease."},
    "tell Ilya that the key is under the mat":
        {"type": "message", "person": "Ilya", "title": "Message to Ilya", "text": "The key is under the mat"},
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
         "text": "Hallo Ilya, ich möchte dir sagen, dass ich später komme."},
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
    assert found[1] == {"person": "Elena", "text": "We meet at noon"}


@pytest.mark.parametrize("question", ["How do I write to Ilya?", "What did I note?", "write a poem", "When do I call?"])
def test_question_is_not_taken_for_a_request(conversation: Any, question: str) -> None:
    conversation.ask(question)
    assert "propose_action" not in [name for name, _ in conversation.calls]
