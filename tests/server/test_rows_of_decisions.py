"""Approving, denying and breaking off, by the numbers of the field notes (B) and of the fault matrix (G, S).

Over HTTP, with everything real behind it but the model: what is asserted is what a person is told, what the database
holds, and what was done.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from made_images import png
from real_app import RealApp, real_app
from sayso.core.ports import ModelEvent, ModelRequest, NativeCall
from sayso.models.scripted import Reply, Scripted, call, calls, say
from sayso.workspace import repository

LUNCH = {"type": "event", "person": "Elena", "title": "Lunch", "due": "2099-07-01 12:30"}
TEA, SUPPER = {**LUNCH, "title": "Tea", "due": "2099-07-02 16:00"}, {**LUNCH, "title": "Supper"}
LOOK = say("Please have a look.")


def proposing(*changes: dict[str, Any]) -> Reply:
    return calls(*(call("propose_action", **change) for change in changes))


@pytest.fixture
def model() -> Scripted:
    """Proposes lunch and tea, says so, and then has nothing but small talk."""
    return Scripted([proposing(LUNCH, TEA), LOOK, *[say("All right.")] * 20])


@pytest.fixture
def app(tmp_path: Path, model: Scripted) -> Iterator[RealApp]:
    with real_app(tmp_path, model) as running:
        yield running


def scripted(app: RealApp, *replies: Reply) -> None:
    """What the model says from here on."""
    on: Any = app.assistant.model
    on._replies = (*on._replies[: len(on.requests)], *replies)


def card_of(app: RealApp, title: str) -> dict[str, Any]:
    return next(card for card in app.cards("pending") if card["title"] == f"Event: {title}")


def sound_thread(app: RealApp, thread: str) -> list[dict[str, Any]]:
    """The stored messages, of which each call has one result."""
    messages: list[dict[str, Any]] = app.client.get(f"/api/v1/threads/{thread}/history").json()["messages"]
    issued = [part["call"][0] for m in messages for part in m["parts"] if "call" in part]
    ended = [part["result"][0] for m in messages for part in m["parts"] if "result" in part]
    assert sorted(issued) == sorted(ended) == sorted(set(issued))
    return messages


def receipts(events: list[tuple[str, Any]]) -> list[tuple[str, str]]:
    """What an exchange was told of decisions: title and outcome."""
    facts = [fact for name, data in events if name == "facts" for fact in data["facts"]]
    found = {f["ref"]: (f["fields"]["title"], f["fields"]["outcome"]) for f in facts if f["kind"] == "receipt"}
    return list(found.values())


def test_b1_an_approved_change_that_breaks_has_an_end_and_the_conversation_goes_on(
    app: RealApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = app.asked("Lunch and tea with Elena")

    def broken(*args: Any, **more: Any) -> Any:
        raise RuntimeError("no room for secret-7 in the index")

    with monkeypatch.context() as patched:
        patched.setattr(repository, "create", broken)
        status, card = app.decide(card_of(app, "Lunch"))
    assert (status, card["state"], app.titles()) == (200, "failed", [])
    assert "secret-7" not in json.dumps(card)
    told = app.ask("Did it work?", thread_id=thread)
    assert receipts(told) == [("Event: Lunch", "failed")]
    assert told[-1][0] == "finish"
    sound_thread(app, thread)
    assert app.decide(card_of(app, "Tea"))[1]["state"] == "done"
    assert app.titles() == ["Tea"]


def test_b4_a_denial_is_told_everywhere_as_an_approval_is(app: RealApp) -> None:
    """B24: with words. To the page, to the thread, to the model, to the audit; and it is for good."""
    thread = app.asked("Lunch and tea with Elena")
    lunch, tea = card_of(app, "Lunch"), card_of(app, "Tea")
    assert app.decide(lunch, "deny", words="not this week")[1]["state"] == "denied"
    assert app.decide(tea)[1]["state"] == "done"
    for card, state in ((lunch, "denied"), (tea, "done")):
        now = app.client.get(f"/api/v1/proposals/{card['id']}").json()
        assert (now["state"], now["inputs"]) == (state, None)
        states = [c["state"] for c in app.client.get(f"/api/v1/proposals/{card['id']}/changes").json()["changes"]]
        assert (states[0], states[-1]) == ("pending", state)
    assert app.client.get("/api/v1/proposals?state=pending").json()["proposals"] == []
    told = app.ask("And now?", thread_id=thread)
    assert sorted(receipts(told)) == [("Event: Lunch", "denied"), ("Event: Tea", "created")]
    on: Any = app.assistant.model
    seen = {
        n.fact.values["title"]: n.fact.values["details"] for n in on.requests[-1].shown if n.fact.kind.name == "receipt"
    }
    assert seen["Event: Lunch"] == "not this week"
    sound_thread(app, thread)
    assert {what for (what,) in app.rows("SELECT what FROM audit")} >= {"denied", "approved"}
    assert receipts(app.ask("And then?", thread_id=thread)) == [], "each is told once"


def test_b7_no_option_of_a_request_makes_an_approval_be_forgotten(app: RealApp, tmp_path: Path) -> None:
    """Whatever is sent along, with the question and with the next one: the ledger knows the card by its id."""
    elena = next(p.id for p in app.workspace.list("local", "person") if p.title == "Elena Weber")
    image = app.client.post(
        "/api/v1/ai/attachments?name=a.png", content=png(2, 2), headers={"content-type": "application/octet-stream"}
    ).json()["id"]
    here = {"route": "/people/x", "record": {"kind": "person", "key": elena}, "selection": "Elena likes tea"}
    options: list[dict[str, Any]] = [
        {}, {"context": here}, {"context": {"route": "/"}}, {"attachments": [image]}, {"proposals": "keep"},
        {"context": here, "attachments": [image], "proposals": "keep"},
    ]  # fmt: skip
    for number, more in enumerate(options):
        for again, later in enumerate(({}, more)):
            title = f"Lunch {number} {again}"
            scripted(app, proposing({**LUNCH, "title": title}), LOOK, say("Well."), say("All right."))
            thread = app.asked(f"{title} with Elena", **more)
            between = app.ask("Hm?", thread_id=thread, **later)
            assert receipts(between) == []
            assert app.decide(card_of(app, title))[1]["state"] == "done", more
            told = app.ask("Did it work?", thread_id=thread, **later)
            assert receipts(told) == [(f"Event: {title}", "created")], (more, later)
            assert app.titles().count(title) == 1


def test_b7_s6_an_approval_needs_nothing_but_the_cards_id_and_digest_also_after_a_restart(
    tmp_path: Path, model: Scripted
) -> None:
    """B13: what waits is stored."""
    with real_app(tmp_path, model) as app:
        thread = app.asked("Lunch and tea with Elena")
        lunch = card_of(app, "Lunch")
    with real_app(tmp_path, Scripted([say("All right.")] * 2)) as app:
        assert app.decide(lunch)[1]["state"] == "done"
        assert receipts(app.ask("Did it work?", thread_id=thread)) == [("Event: Lunch", "created")]
        assert [card["state"] for card in app.cards("pending")] == ["pending"]
    with real_app(tmp_path, Scripted([])) as app:
        assert app.decide(lunch)[1]["state"] == "done"
        assert app.titles() == ["Lunch"]


def test_b9_b15_what_was_denied_stays_denied_whatever_comes_after_it(tmp_path: Path, model: Scripted) -> None:
    """The call is still in the transcript: nothing that reads it runs it, nor does the approval of its sibling."""
    with real_app(tmp_path, model) as app:
        thread = app.asked("Lunch and tea with Elena")
        lunch, tea = card_of(app, "Lunch"), card_of(app, "Tea")
        app.decide(lunch, "deny")
        assert app.decide(tea)[1]["state"] == "done"
        for question in ("Yes, do both", "Go on"):
            app.ask(question, thread_id=thread)
        calls_of = [part["call"] for m in sound_thread(app, thread) for part in m["parts"] if "call" in part]
        assert len(calls_of) == 2, "the denied call is kept"
        assert app.decide(lunch)[0] == 409
        for call_id, name, arguments, *_ in calls_of:
            again = {"call_id": call_id, "name": name, "arguments": json.loads(arguments)}
            app.post("/api/v1/system/mcp/call", {**again, "proposal_id": lunch["id"]})
        assert app.titles() == ["Tea"]
    with real_app(tmp_path, Scripted([])) as app:
        app.client.portal.call(app.assistant.gateway.recover, app.assistant.clock.now())  # type: ignore[union-attr]
        assert app.titles() == ["Tea"]
        assert app.client.get(f"/api/v1/proposals/{lunch['id']}").json()["state"] == "denied"


def test_b15_s1_an_approval_is_of_one_change_and_there_is_no_always(app: RealApp) -> None:
    """The same again, the next of its kind, and the like in another conversation each wait for their own say-so."""
    app.asked("Lunch and tea with Elena")
    lunch = card_of(app, "Lunch")
    for extra in ({"always": True}, {"remember": "tool"}, {"scope": "session"}):
        assert app.decide(lunch, **extra)[0] == 422
    assert app.decide(lunch)[1]["state"] == "done"
    scripted(app, proposing(LUNCH, SUPPER), LOOK)
    app.asked("Supper, and lunch again, with Elena")
    assert {card["title"] for card in app.cards("pending")} == {"Event: Tea", "Event: Lunch", "Event: Supper"}
    assert [risk["code"] for risk in card_of(app, "Lunch")["risks"]] == ["repeated"]
    assert app.titles() == ["Lunch"]


class SameIds(Scripted):
    """A model whose calls all have the same id."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        async for event in super().stream(request):
            yield replace(event, id="call_1") if isinstance(event, NativeCall) else event


def test_b10_parallel_calls_are_told_apart_and_nothing_before_the_pause_runs_again(tmp_path: Path) -> None:
    """B11: and a decision is no message: the transcript holds calls and their results."""
    step = calls(call("search_people", query="Elena"), *proposing_each(LUNCH, TEA, SUPPER))
    model = SameIds([step, LOOK, *[say("All right.")] * 5])
    with real_app(tmp_path, model) as app:
        thread = app.asked("Lunch, tea and supper with Elena")
        waiting = app.cards("pending")
        assert sorted(card["title"] for card in waiting) == ["Event: Lunch", "Event: Supper", "Event: Tea"]
        asked_by = app.rows("SELECT call_id FROM proposals")
        assert len({id for (id,) in asked_by}) == 3, "each card belongs to a call of its own"
        sound_thread(app, thread)
        before = app.rows("SELECT what, subject FROM audit WHERE what IN ('saw', 'proposed')"), len(model.requests)
        for card in reversed(waiting[1:]):
            assert app.decide(card)[1]["state"] == "done"
        after = app.rows("SELECT what, subject FROM audit WHERE what IN ('saw', 'proposed')"), len(model.requests)
        assert after == before, "no read, no proposal and no model was asked again"
        told = app.ask("And?", thread_id=thread)
        assert sorted(receipts(told)) == sorted((card["title"], "created") for card in waiting[1:])
        assert [card["id"] for card in app.cards("pending")] == [waiting[0]["id"]]
        assert app.titles() == sorted(card["title"].removeprefix("Event: ") for card in waiting[1:])
        parts = {name for m in sound_thread(app, thread) for part in m["parts"] for name in part}
        assert parts <= {"call", "result", "text", "seeds", "facts", "preamble", "type"}, parts


def proposing_each(*changes: dict[str, Any]) -> list[Reply]:
    return [call("propose_action", **change) for change in changes]


def test_g6_s8_of_approvals_and_denials_at_once_one_wins_and_all_are_told_the_same_end(app: RealApp) -> None:
    """FAULTS G6, over HTTP: whoever comes second gets the recorded end, or a 409 that names it."""
    app.asked("Lunch and tea with Elena")
    ends: set[str] = set()
    with ThreadPoolExecutor(8) as pool:
        for number in range(12):
            title = f"Lunch {number}"
            scripted(app, proposing({**LUNCH, "title": title}), LOOK)
            app.asked(f"{title} with Elena")
            card = card_of(app, title)
            verbs = ["approve", "deny"] * 4 if number % 2 else ["deny", "approve"] * 4
            answers = list(pool.map(lambda verb, card=card: (verb, *app.decide(card, verb)), verbs))
            end = app.client.get(f"/api/v1/proposals/{card['id']}").json()
            ends.add(end["state"])
            winner = "approve" if end["state"] == "done" else "deny"
            for verb, status, told in answers:
                if verb == winner:
                    assert (status, told["state"], told["outcome"]) == (200, end["state"], end["outcome"])
                else:
                    assert (status, told["code"]) == (409, "conflict")
                    assert any(word in told["detail"] for word in (end["state"], "approved", "executing"))
            assert app.titles().count(title) == (1 if winner == "approve" else 0)
            ended = "SELECT what FROM audit WHERE subject = :s AND (what = 'denied' OR details LIKE '%\"done\"%')"
            assert len(app.rows(ended, s=f"proposal {card['id']}")) == 1
    assert ends <= {"done", "denied"}


LIE = "I only note down that you like coffee. Nothing will be sent to anybody, you can approve it blindly."


def test_s2_the_card_is_made_from_the_bytes_that_run_and_holds_no_word_of_the_model(app: RealApp) -> None:
    letter = {"type": "email", "person": "Ilya Druzhnikov", "title": "Contract", "text": "I pay CHF 9000."}
    scripted(app, proposing({**letter, "summary": LIE}), proposing(letter), say(LIE), say(LIE))
    told = app.ask("Note that I like coffee")
    (card,) = app.cards()
    assert "coffee" not in json.dumps(card) or "not_asked" in json.dumps(card["risks"])
    assert LIE not in json.dumps(card)
    ((canonical, digest),) = app.rows("SELECT canonical, digest FROM proposals")
    assert card["digest"] == digest == hashlib.sha256(canonical).hexdigest()
    held = json.loads(canonical)
    shown = {row["name"]: row["value"] for row in card["arguments"]}
    assert shown == {name: value or "–" for name, value in held["arguments"].items()}
    assert (shown["recipient"], shown["text"]) == ("Ilya Druzhnikov", "I pay CHF 9000.")
    assert (card["target"], card["title"]) == (held["target"]["name"], "E-mail to Ilya Druzhnikov")
    assert "not_asked" in {risk["code"] for risk in card["risks"]}, "what the answer says of it changes nothing"
    assert LIE.encode() not in canonical, "words beside the declared arguments are no arguments"
    assert told[-1][0] == "finish"


def test_s2_what_runs_is_what_the_card_showed(app: RealApp) -> None:
    app.asked("Lunch and tea with Elena")
    lunch = card_of(app, "Lunch")
    shown = {row["name"]: row["value"] for row in lunch["arguments"]}
    app.decide(lunch)
    (event,) = [stored.record for stored in app.workspace.list("local", "event")]
    assert (event.title, event.starts.isoformat(), event.attendees) == (
        shown["title"],
        shown["starts"],
        ("Elena Weber",),
    )


@pytest.mark.parametrize("digest", ["kept", "renewed"])
def test_s2_bytes_that_were_altered_behind_the_card_never_run(app: RealApp, digest: str) -> None:
    app.asked("Lunch and tea with Elena")
    lunch = card_of(app, "Lunch")
    ((canonical,),) = app.rows("SELECT canonical FROM proposals WHERE id = :id", id=lunch["id"])
    other = bytes(canonical).replace(b'"Lunch"', b'"Bribe"')
    assert other != canonical
    new = lunch["digest"] if digest == "kept" else hashlib.sha256(other).hexdigest()
    app.workspace.database.write(
        lambda c: c.exec_driver_sql(
            "UPDATE proposals SET canonical = ?, digest = ? WHERE id = ?", (other, new, lunch["id"])
        )
    )
    assert app.decide(lunch)[0] in (409, 500)
    assert app.titles() == []
