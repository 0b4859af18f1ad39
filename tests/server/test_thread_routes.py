"""Threads over HTTP: made, found, taken in with their proof, given out sealed, exported, rated, deleted."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from sayso.core.actors import Actor
from sayso.core.encoding import message_document, transcript_digest
from sayso.core.evidence import Numbered
from sayso.core.messages import (
    CallPart,
    CallStatus,
    FactsPart,
    Message,
    ResultPart,
    Role,
    TextPart,
    ToolCall,
    ToolResult,
)
from sayso.errors import StoreBusy
from sayso.inapp.exporting import Export, as_markdown
from sayso.inapp.surroundings import LOCAL_USER
from sayso.inapp.threads import ThreadDesk
from sayso.server.app import create_app
from sayso.server.signin import csrf_token
from sayso.signing.keys import Keyring, PublicKeys, new_keyring
from sayso.signing.tokens import TokenKind, read, sign
from sayso.store.memory import MemoryThreads
from sayso.store.ports import Exchange, ExchangeState, Thread
from sealed_world import receipt
from small_world import ELENA, ILYA

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
QUESTION = "Where does Elena work?"


@dataclass
class Hands:
    passed: timedelta = timedelta(0)

    def now(self) -> datetime:
        return NOW + self.passed

    def monotonic(self) -> float:
        return self.passed.total_seconds()


@dataclass
class Known:
    """The inference service's keys, as the workspace knows them."""

    ring: Keyring = field(default_factory=new_keyring)

    async def for_token(self, token: str) -> PublicKeys:
        return self.ring.public


@dataclass
class ToldReceipts:
    """What was marked as told, each time; `down`: it cannot be written."""

    keys: list[str] = field(default_factory=list)
    down: bool = False

    async def mark_delivered(self, owner: str, receipts: Any) -> None:
        if self.down:
            raise StoreBusy("the database is locked")
        self.keys += [f"{owner}: {fact.key}" for fact in receipts]


def question(exchange: str = "ex_1", text: str = QUESTION) -> Message:
    return Message(f"m_{exchange}_1", Role.USER, (TextPart(text),), exchange)


def asked(exchange: str = "ex_1") -> Message:
    call = CallPart(ToolCall(f"c_{exchange}", "search_people", '{"query": "Elena"}'))
    return Message(f"m_{exchange}_2", Role.ASSISTANT, (call,), exchange)


def found(exchange: str = "ex_1", ref: str = "F1") -> Message:
    result = ToolResult(f"c_{exchange}", CallStatus.SUCCESS, (Numbered(ref, ELENA),))
    return Message(f"m_{exchange}_3", Role.TOOL, (ResultPart(result),), exchange)


def answer(exchange: str = "ex_1", text: str = "Elena Weber works at SINGA Switzerland [F1].") -> Message:
    return Message(f"m_{exchange}_4", Role.ASSISTANT, (TextPart(text),), exchange)


def whole(exchange: str = "ex_1") -> list[Message]:
    return [question(exchange), asked(exchange), found(exchange), answer(exchange)]


@dataclass
class Caller:
    """What a caller holds and signs with: it plays the inference service as well."""

    client: TestClient
    keys: Known
    clock: Hands
    thread: str = ""
    held: list[Message] = field(default_factory=list)

    def begin(self, title: str = "") -> str:
        made = self.client.post("/api/v1/threads", json={"title": title})
        assert made.status_code == 201
        self.thread = made.json()["id"]
        return self.thread

    def proof(self, messages: list[Message], ring: Keyring | None = None, **claims: Any) -> str:
        said = {
            "sub": "local", "owner": "local", "thread": self.thread, "exchange": "ex_1", "state": "finished",
            "steps": 2, "usage": [30, 4], "calls": [], "transcript": transcript_digest(messages),
            "messages": len(messages), "next_ref": 2, "question": "",
        }  # fmt: skip
        kind = claims.pop("kind", TokenKind.CONTINUATION)
        return sign(ring or self.keys.ring, kind, said | claims, self.clock.now(), 900)

    def send(self, *messages: Message, **other: Any) -> Any:
        body = {
            "expected": transcript_digest(self.held), "messages": [message_document(m) for m in messages],
            "continuation": self.proof([*self.held, *messages]),
        }  # fmt: skip
        answered = self.client.post(f"/api/v1/threads/{self.thread}/messages", json=body | other)
        if answered.status_code == 200:
            self.held += messages
        return answered

    def get(self, path: str = "") -> Any:
        return self.client.get(f"/api/v1/threads/{self.thread}{path}")


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def told() -> ToldReceipts:
    return ToldReceipts()


@pytest.fixture
def keys() -> Known:
    return Known()


@pytest.fixture
def seals() -> Keyring:
    return new_keyring()


@pytest.fixture
def app_of(
    config: Any, sign_in: Any, assistant: Any, clock: Hands, keys: Known, seals: Keyring, told: ToldReceipts
) -> Callable[..., Any]:  # fmt: skip
    kept = MemoryThreads(now=clock.now)

    async def shown(actor: Any, thread_id: str) -> Any:
        from sayso.server.local import LocalAssistant

        @dataclass
        class On:
            threads: Any

        return await LocalAssistant(On(kept)).thread(actor, thread_id)  # type: ignore[arg-type]

    assistant.thread = shown

    def app(**changes: Any) -> Any:
        desk = ThreadDesk(kept, clock, lambda: seals, keys, receipts=told)
        return create_app(assistant, config, sign_in, desk=replace(desk, **changes))

    return app


@pytest.fixture
def signed_in(app_of: Callable[..., Any], sign_in: Any) -> Iterator[TestClient]:
    with TestClient(app_of(), base_url="http://127.0.0.1:8787") as client:
        session = sign_in.redeem(sign_in.new_link("http://x").partition("token=")[2])
        client.cookies.set("sayso_session", session)
        client.headers["x-sayso-csrf"] = csrf_token(session)
        yield client


@pytest.fixture
def caller(signed_in: TestClient, keys: Known, clock: Hands) -> Caller:
    made = Caller(signed_in, keys, clock)
    made.begin()
    return made


@pytest.mark.parametrize(
    ("permission", "reads", "changes"), [("read:*", 200, 403), ("read:search_people", 403, 403), ("*", 200, 200)]
)
def test_conversations_have_permissions_of_their_own(
    caller: Caller, monkeypatch: pytest.MonkeyPatch, permission: str, reads: int, changes: int
) -> None:
    caller.send(*whole())
    monkeypatch.setattr("sayso.server.identity.LOCAL_USER", Actor("local", "local", frozenset({permission})))
    for path in ("", "/history", "/export", "/export.md", "/feedback"):
        assert caller.get(path).status_code == reads
    assert caller.client.get("/api/v1/threads").status_code == reads
    one = f"/api/v1/threads/{caller.thread}"
    assert caller.client.patch(one, json={"title": "Another"}).status_code == changes
    assert caller.client.delete(one).status_code == (204 if changes == 200 else changes)


def test_what_a_caller_ran_is_stored_and_shown_like_a_run_of_our_own(caller: Caller) -> None:
    stored = caller.send(*whole()).json()
    assert stored == {
        "id": caller.thread, "title": QUESTION, "transcript": transcript_digest(whole()), "messages": 4, "added": 4,
    }  # fmt: skip
    (exchange,) = caller.get().json()["exchanges"]
    assert (exchange["question"], exchange["answer"]) == (QUESTION, answer().text)
    assert [fact["ref"] for fact in exchange["facts"]] == ["F1"]
    assert [(s["verdict"], s["refs"]) for s in exchange["sentences"]] == [("supported", ["F1"])]


def test_an_answer_that_the_facts_do_not_carry_is_shown_as_such_whatever_its_caller_says(caller: Caller) -> None:
    caller.send(question(), asked(), found(), answer(text="Elena Weber works at Nestlé [F1]."))
    (sentence,) = caller.get().json()["exchanges"][0]["sentences"]
    assert sentence["verdict"] == "contradicted"


def test_an_exchange_is_stored_run_by_run(caller: Caller) -> None:
    assert caller.send(question(), asked()).status_code == 200
    assert caller.get().json()["exchanges"][0]["answer"] is None
    assert caller.send(found(), answer()).json()["messages"] == 4
    (exchange,) = caller.get().json()["exchanges"]
    assert exchange["answer"] == answer().text


def test_the_same_messages_again_change_nothing(caller: Caller) -> None:
    first = caller.send(*whole()).json()
    caller.held.clear()
    again = caller.send(*whole()).json()
    assert again == first | {"added": 0}
    assert len(caller.get("/history").json()["messages"]) == 4


def opened(exchange: str = "ex_1") -> Message:
    facts = FactsPart((Numbered("F5", receipt()),))
    return Message(f"m_{exchange}_1", Role.USER, (facts, TextPart("Did it go out?")), exchange)


def test_a_receipt_was_told_once_its_exchange_is_stored_with_the_answer(caller: Caller, told: ToldReceipts) -> None:
    assert caller.send(opened(), asked()).status_code == 200
    assert told.keys == []
    assert caller.send(found(), answer()).status_code == 200
    assert told.keys == [f"{LOCAL_USER.desk}: prop_1"]
    assert caller.send(*whole("ex_2")).status_code == 200
    assert told.keys == [f"{LOCAL_USER.desk}: prop_1"]


def test_what_was_told_is_written_down_when_the_same_is_sent_again(caller: Caller, told: ToldReceipts) -> None:
    told.down = True
    assert caller.send(opened(), answer()).status_code == 503
    told.down = False
    assert caller.send(opened(), answer()).json()["added"] == 0
    assert told.keys == [f"{LOCAL_USER.desk}: prop_1"]


def test_b12_a_stale_copy_is_a_409_that_says_what_is_stored(caller: Caller) -> None:
    caller.send(*whole())
    caller.held.clear()
    stale = caller.send(question("ex_2"))
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_copy")
    assert (stale.json()["transcript"], stale.json()["messages"]) == (transcript_digest(whole()), 4)
    assert len(caller.get("/history").json()["messages"]) == 4


def test_messages_count_only_with_the_proof_of_exactly_these(caller: Caller) -> None:
    other = [question(), asked(), found(), answer(text="Elena is the director [F1].")]
    refused = caller.send(*whole(), continuation=caller.proof(other))
    assert (refused.status_code, refused.json()["code"]) == (409, "history_changed")
    for continuation, reason in (
        (caller.proof(whole(), new_keyring()), "signature"), ("x.y.z", "malformed"),
        (caller.proof(whole(), kind=TokenKind.HISTORY), "kind"), (caller.proof(whole(), thread="th_9"), "thread"),
        (caller.proof(whole(), sub="eve"), "other_identity"), (caller.proof(whole(), owner="eve"), "other_identity"),
    ):  # fmt: skip
        refused = caller.send(*whole(), continuation=continuation)
        assert (refused.status_code, refused.json()["code"], refused.json()["reason"]) == (403, "unproven", reason)
        assert ("inference_keys" in refused.json()["detail"]) == (reason == "signature")
    old = caller.proof(whole())
    caller.clock.passed = timedelta(hours=2)
    assert caller.send(*whole(), continuation=old).json()["reason"] == "expired"
    assert caller.get("/history").json()["messages"] == []


def test_without_the_inference_services_keys_nothing_is_taken(
    app_of: Callable[..., Any], caller: Caller, signed_in: TestClient
) -> None:
    with TestClient(app_of(continuations=None), base_url="http://127.0.0.1:8787") as client:
        client.cookies = signed_in.cookies
        client.headers["x-sayso-csrf"] = signed_in.headers["x-sayso-csrf"]
        caller.client = client
        assert caller.send(*whole()).json()["reason"] == "unknown_keys"


@pytest.mark.parametrize(
    "wrong",
    [{}, {"id": "m"}, {"id": "m", "role": "system", "exchange": "e", "parts": []}, {"parts": [{"text": 1}]},
     {"id": "m", "role": "user", "exchange": "e", "parts": [{"text": "x"}], "more": 1}],
)  # fmt: skip
def test_what_is_no_message_is_refused_whole(caller: Caller, wrong: Any) -> None:
    refused = caller.send(messages=[message_document(question()), wrong])
    assert (refused.status_code, refused.headers["content-type"]) == (422, "application/problem+json")
    assert caller.get("/history").json()["messages"] == []


def test_h3_unknown_members_and_too_many_messages_are_refused(caller: Caller) -> None:
    assert caller.send(question(), more=1).status_code == 422
    assert caller.send(messages=[]).status_code == 422
    assert caller.send(messages=[message_document(question())] * 2001).status_code == 422
    assert caller.send(question(), expected="abc").status_code == 422


def test_a_history_is_sealed_for_its_person_and_survives_javascript(caller: Caller, seals: Keyring) -> None:
    caller.send(*whole())
    told = caller.get("/history").json()
    claims = read(seals.public, TokenKind.HISTORY, told["seal"], NOW)
    named = {name: claims[name] for name in ("sub", "owner", "thread", "transcript", "messages", "next_ref")}
    assert named == {
        "sub": "local", "owner": "local", "thread": caller.thread, "transcript": transcript_digest(whole()),
        "messages": 4, "next_ref": 2,
    }  # fmt: skip
    assert told["messages"] == [message_document(m) for m in whole()]
    assert (told["transcript"], told["next_ref"]) == (claims["transcript"], 2)


def test_h1_a_damaged_thread_is_given_out_sound_and_goes_on(caller: Caller, app_of: Callable[..., Any]) -> None:
    """What a caller can be told has a digest of its own, and what it adds to that is taken."""
    import asyncio

    orphan = replace(found("ex_0"), id="m_orphan")
    store = _desk_of(app_of()).threads
    asyncio.run(store.append("local", caller.thread, orphan, *whole()))
    told = caller.get("/history").json()
    assert [m["id"] for m in told["messages"]] == [m.id for m in whole()]
    caller.held = whole()
    assert told["transcript"] == transcript_digest(caller.held)
    more = [question("ex_2", "And Ilya?"), answer("ex_2", "I do not know.")]
    assert caller.send(*more).json()["added"] == 2
    again = caller.get("/history").json()
    assert again["transcript"] == transcript_digest([*whole(), *more])


def _desk_of(app: Any) -> ThreadDesk:
    endpoint = next(e for e in app.state.endpoints if e.path == "/api/v1/feedback")
    return endpoint.handler.__self__.desk


def test_threads_are_found_renamed_and_listed_in_pages(caller: Caller) -> None:
    caller.send(*whole())
    others = [caller.begin(f"Übung {n}") for n in range(3)]
    get = lambda **query: caller.client.get("/api/v1/threads", params=query).json()  # noqa: E731
    assert [t["title"] for t in get(q="singa elena")["threads"]] == [QUESTION]
    assert [t["id"] for t in get(q="ubung")["threads"]] == list(reversed(others)) or len(get(q="ubung")["threads"]) == 3
    first = get(limit="2")
    assert (len(first["threads"]), first["more"]) == (2, True)
    rest = get(limit="2", before=first["threads"][-1]["id"])
    assert (len(rest["threads"]), rest["more"]) == (2, False)
    named = caller.client.patch(f"/api/v1/threads/{others[0]}", json={"title": " New\n name "})
    assert named.json()["title"] == "New name"
    assert [t["id"] for t in get(q="new name")["threads"]] == [others[0]]
    for query in ("limit=0", "limit=x", "nope=1", "q=a&q=b", "before=th_9"):
        assert caller.client.get(f"/api/v1/threads?{query}").status_code in (404, 422), query
    assert caller.client.patch(f"/api/v1/threads/{others[0]}", json={"title": "  "}).status_code == 422


def test_a_deleted_thread_is_gone(caller: Caller) -> None:
    caller.send(*whole())
    assert caller.client.delete(f"/api/v1/threads/{caller.thread}").status_code == 204
    for path in ("", "/history", "/export", "/export.md", "/feedback"):
        assert caller.get(path).status_code == 404, path
    assert caller.client.delete(f"/api/v1/threads/{caller.thread}").status_code == 404
    assert caller.send(question()).status_code == 404


def test_an_opinion_is_kept_listed_exported_and_taken_back(caller: Caller) -> None:
    caller.send(*whole())
    path = f"/api/v1/threads/{caller.thread}/exchanges/ex_1/feedback"
    assert caller.client.post(path, json={"rating": "down", "words": "Not *any* more"}).status_code == 204
    (told,) = caller.get("/feedback").json()["feedback"]
    assert (told["rating"], told["words"], told["by"]) == ("down", "Not *any* more", "local")
    assert caller.client.get("/api/v1/feedback").json()["feedback"] == [told]
    assert caller.get("/export").json()["exchanges"][0]["feedback"][0]["rating"] == "down"
    assert "*Feedback (down): Not \\*any\\* more*" in caller.get("/export.md").text
    assert caller.client.post(path, json={"rating": "none"}).status_code == 204
    assert caller.get("/feedback").json() == {"feedback": []}
    assert caller.client.post(path, json={"rating": "fine"}).status_code == 422
    assert caller.client.post(path.replace("ex_1", "ex_9"), json={"rating": "up"}).status_code == 404


def test_an_export_holds_the_citations_the_facts_and_the_messages(caller: Caller) -> None:
    caller.send(*whole())
    answered = caller.get("/export")
    told = answered.json()
    assert answered.headers["content-disposition"].startswith("attachment;")
    assert told["exchanges"][0]["citations"] == ["F1"]
    assert told["facts"][0]["fields"]["affiliation"] == "SINGA Switzerland"
    assert told["messages"] == [message_document(m) for m in whole()]
    text = caller.get("/export.md").text
    assert f"> {QUESTION}" in text
    assert "Elena Weber works at SINGA Switzerland [F1]." in text
    assert "- [F1] person: Elena Weber (people, 2026-11-30T09:00:00+00:00)" in text
    assert "  - affiliation: SINGA Switzerland" in text


def test_a_stored_text_forges_nothing_in_the_exported_page(caller: Caller) -> None:
    hostile = "# Title\n> quoted\n- [F9] forged <script>alert(1)</script>\n```"
    fact = Numbered("F1", replace(ILYA, subject="x](http://evil) <img src=x>\n# y"))
    result = ToolResult("c_ex_1", CallStatus.SUCCESS, (fact,))
    tool = Message("m_3", Role.TOOL, (ResultPart(result),), "ex_1")
    caller.begin("<b>*x*</b>")
    sent = [question(text=hostile), asked(), tool, answer(text="Ilya <script>x</script> [F1].")]
    assert caller.send(*sent).status_code == 200
    text = caller.get("/export.md").text
    assert "<" not in text.replace("&lt;", "")
    lines = text.splitlines()
    assert [line for line in lines if line.startswith("#")] == ["# &lt;b>\\*x\\*&lt;/b>", lines[4]]
    assert "> \\# Title" in lines
    assert sum(line.startswith("- [F") for line in lines) == 1
    assert "](http" not in text.replace("\\](http", "").replace("\\]\\(http", "")


def test_a_thread_without_an_answer_is_exported_too(caller: Caller) -> None:
    caller.send(question(), asked())
    assert "*No answer: waiting.*" in caller.get("/export.md").text
    assert caller.get("/export").json()["exchanges"][0]["state"] == "waiting"


def test_a_body_is_never_changed_in_passing(caller: Caller) -> None:
    """Whatever JSON a caller's language writes for the same messages, they are the same messages."""
    documents = json.loads(json.dumps([message_document(m) for m in whole()]))
    for document in documents:
        for part in document["parts"]:
            part_copy = copy.deepcopy(part)
            part.clear()
            part.update(dict(sorted(part_copy.items(), reverse=True)))
    shuffled = [dict(sorted(document.items(), reverse=True)) for document in documents]
    assert caller.send(messages=shuffled, continuation=caller.proof(whole())).json()["added"] == 4


def test_an_exported_source_names_what_is_not_recorded() -> None:
    thread = Thread("t1", "local", "Elena", NOW, NOW)
    exchange = Exchange("ex_1", "t1", QUESTION, ExchangeState.FINISHED, "quote", NOW, answer="Elena Weber [F1].")
    text = as_markdown(Export(thread, [exchange], whole()))
    assert "  - *not recorded*: role, birthday\n" in text
