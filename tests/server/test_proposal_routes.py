"""Proposals, files and threads over HTTP, and what a card makes visible."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.errors import Conflict, Expired, Forbidden, StoreBusy
from sayso.gateway.cards import Card, Row
from sayso.gateway.grounds import Reason
from sayso.gateway.risks import Risk, RiskCode
from sayso.serving.visible import hides, mixed_scripts, visible, warnings

DIGEST = "ab" * 32
BIDI = {
    "code": "bidi", "values": [], "words": "holds characters that turn the direction of text, shown as ⟨U+…⟩",
}  # fmt: skip


def shown(name: str, value: str, *risks: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "value": value, "before": None, "unchanged": 0, "risks": list(risks)}


def test_a_card_shows_every_argument_in_order_and_hidden_characters(client: Any) -> None:
    card = client.get("/api/v1/proposals?state=pending").json()["proposals"][0]
    assert card["arguments"] == [
        shown("text", "Call Elena about the⟨U+202E⟩ workshop", BIDI),
        shown("due", "2026-12-04"),
        shown("note", ""),
    ]


def test_one_proposal_is_the_same_card_as_in_the_list(client: Any) -> None:
    (listed,) = client.get("/api/v1/proposals").json()["proposals"]
    assert client.get("/api/v1/proposals/prop_1").json() == listed
    missing = client.get("/api/v1/proposals/prop_9")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")


def test_c5_approving_names_the_digest_that_was_seen(client: Any, assistant: Any) -> None:
    refused = client.post("/api/v1/proposals/prop_1/approve", json={"digest": "00" * 32})
    assert (refused.status_code, refused.json()["code"], assistant.approvals) == (409, "conflict", [])
    assert client.post("/api/v1/proposals/prop_1/approve", json={}).status_code == 422
    done = client.post("/api/v1/proposals/prop_1/approve", json={"digest": DIGEST})
    assert (done.json()["state"], assistant.approvals) == ("done", ["prop_1"])


def test_an_edit_gives_a_new_digest_and_only_that_can_be_approved(client: Any, assistant: Any) -> None:
    assistant.show({"person": "Elena Weber", "text": "Call", "due": None})
    path = "/api/v1/proposals/prop_1"
    before = client.get(path).json()
    assert list(before["inputs"]["schema"]["properties"])[:3] == ["person", "text", "due"]
    assert before["inputs"]["values"] == {"person": "Elena Weber", "text": "Call", "due": None}
    changes = {"text": "Call\u202e her", "due": "2026-12-05"}
    after = client.post(f"{path}/edit", json={"digest": before["digest"], "arguments": changes}).json()
    assert after["digest"] != before["digest"]
    assert {a["name"]: a for a in after["arguments"]}["text"] == shown("text", "Call⟨U+202E⟩ her", BIDI)
    for stale in ("edit", "approve"):
        body = {"digest": before["digest"], "arguments": changes} if stale == "edit" else {"digest": before["digest"]}
        assert client.post(f"{path}/{stale}", json=body).status_code == 409
    assert client.post(f"{path}/approve", json={"digest": after["digest"]}).json()["state"] == "done"


def test_a_wrong_edit_names_each_input(client: Any, assistant: Any) -> None:
    assistant.show({"person": "Elena Weber", "text": "Call", "due": None})
    body = {"digest": DIGEST, "arguments": {"text": "", "due": "soon"}}
    refused = client.post("/api/v1/proposals/prop_1/edit", json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "wrong_inputs")
    assert [(e["field"], e["code"]) for e in refused.json()["errors"]] == [("text", "required"), ("due", "date")]
    for wrong in ({"digest": DIGEST}, {"digest": DIGEST, "arguments": {}}, {"digest": "x", "arguments": {"text": "a"}}):
        assert client.post("/api/v1/proposals/prop_1/edit", json=wrong).status_code == 422
    assert client.post("/api/v1/proposals/prop_9/edit", json=body).status_code == 404
    assert "x-sayso-csrf" in client.headers
    del client.headers["x-sayso-csrf"]
    assert client.post("/api/v1/proposals/prop_1/edit", json=body).status_code == 403


def test_a_card_that_cannot_be_edited_says_so(client: Any) -> None:
    assert client.get("/api/v1/proposals/prop_1").json()["inputs"] is None


def test_denying_keeps_the_words(client: Any, assistant: Any) -> None:
    assert client.post("/api/v1/proposals/prop_1/deny", json={"words": "not now"}).json()["state"] == "denied"
    assert assistant.denials == ["not now"]


def test_a_large_approval_is_refused(client: Any) -> None:
    body = {"digest": DIGEST, "x": "y" * (64 << 10)}
    assert client.post("/api/v1/proposals/prop_1/approve", json=body).status_code == 413


@pytest.mark.parametrize(
    ("fault", "status"),
    [(Conflict("a"), 409), (Expired("b"), 410), (Forbidden("c"), 403), (StoreBusy("d"), 503), (RuntimeError("e"), 500)],
)
def test_faults_become_problems(client: Any, assistant: Any, fault: Exception, status: int) -> None:
    async def failing(*_: object) -> None:
        raise fault

    assistant.deny = failing
    client._transport.raise_server_exceptions = False
    response = client.post("/api/v1/proposals/prop_1/deny", json={})
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    assert ("retry-after" in response.headers) == (status == 503)
    assert "Traceback" not in response.text


def test_unknown_things_are_not_found(client: Any) -> None:
    for path in ("/api/v1/threads/th_9", "/api/v1/proposals/prop_1/files/other", "/api/v1/none"):
        assert client.get(path).status_code == 404
    assert client.post("/api/v1/proposals/prop_9/deny", json={}).status_code == 404
    assert client.get("/api/v1/proposals?state=maybe").status_code == 422


def test_a_file_is_always_a_download(client: Any, assistant: Any) -> None:
    assistant.file = replace(assistant.file, name='a"\r\nset-cookie: x.ics')
    response = client.get("/api/v1/proposals/prop_1/files/reminder.ics")
    assert response.content == b"BEGIN:VCALENDAR"
    assert response.headers["content-disposition"].startswith("attachment; filename*=UTF-8''a%22%0D%0A")
    assert "set-cookie" not in response.headers


def test_a_thread_gives_its_exchanges_with_facts(client: Any) -> None:
    detail = client.get("/api/v1/threads/th_1").json()
    assert [f["ref"] for f in detail["exchanges"][0]["facts"]] == ["F1", "F2"]


@pytest.mark.parametrize(
    "char", ["\u202e", "\u2066", "\u200b", "\u00ad", "\x00", "\x1b", "\r", "\ud800", "\ue000", "\u3164", "\ufe0f", "\u2028", "\u2800", "\U000e0041", "\u0378"]
)  # fmt: skip
def test_hidden_characters_are_written_out(char: str) -> None:
    assert visible(f"a{char}b") == f"a⟨U+{ord(char):04X}⟩b"
    assert warnings(f"a{char}b")[0] == "hidden"


@pytest.mark.parametrize("text", ["plain", "two\nlines\tand a tab", "Zürich, Grüße", "Ελένη", "Елена", "東京", "👍"])
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert (visible(text), warnings(text)) == (text, ())


@given(st.text(st.characters()))
def test_nothing_hidden_is_left(text: str) -> None:
    assert not any(hides(c) for c in visible(text))


def test_words_of_mixed_alphabets_are_named() -> None:
    assert mixed_scripts("pay to \u0440aypal.com and Elena") == ("\u0440aypal.com",)


def test_a_card_tells_what_was_before_reasons_and_risks(client: Any, assistant: Any) -> None:
    reason = Reason("F1", "person", "Elena\u200b Weber", "people", "p1", "own")
    row = Row("role", "Director", "Owner", (Risk(RiskCode.ADDRESS_NEW, ("a@b.c",)),))
    assistant.card = replace(
        assistant.card, card=Card((row,), (Risk(RiskCode.NOT_ASKED, ("Bob",)),), (), (reason,)), can_check=True,
    )  # fmt: skip
    card = client.get("/api/v1/proposals/prop_1").json()
    told = {"code": "address_new", "values": ["a@b.c"], "words": "a new address, none of this sort is recorded: a@b.c"}
    assert card["arguments"] == [{**shown("role", "Director", told), "before": "Owner"}]
    assert card["risks"] == [{"code": "not_asked", "values": ["Bob"], "words": "not asked for by you: Bob"}]
    assert card["reasons"][0]["subject"] == "Elena⟨U+200B⟩ Weber"
    assert (card["can_check"], card["target_risks"]) == (True, [])


def test_who_did_what_and_when_is_told(client: Any) -> None:
    changes = client.get("/api/v1/proposals/prop_1/changes").json()["changes"]
    assert changes == [
        {"state": "pending", "by": "me", "at": "2026-11-30T09:00:00+00:00", "digest": DIGEST, "note": "filed"}
    ]
    assert client.get("/api/v1/proposals/prop_9/changes").status_code == 404


def test_an_unknown_end_is_settled_by_a_person(client: Any, assistant: Any) -> None:
    path = "/api/v1/proposals/prop_1"
    assert client.post(f"{path}/settle", json={"happened": True}).status_code == 409
    assistant.card = replace(assistant.card, state="unknown")
    assert client.post(f"{path}/settle", json={}).status_code == 422
    assert client.post(f"{path}/settle", json={"happened": "yes"}).status_code == 422
    assert client.post(f"{path}/check", json={}).json()["state"] == "unknown"
    assert client.post(f"{path}/settle", json={"happened": False}).json()["state"] == "failed"


def test_b19_superseding_closes_a_card(client: Any) -> None:
    assert client.post("/api/v1/proposals/prop_1/supersede", json={}).json()["state"] == "superseded"


def test_a_batch_decides_each_by_itself(client: Any, assistant: Any) -> None:
    body = {
        "decisions": [{"id": "prop_9", "decision": "deny"}, {"id": "prop_1", "decision": "approve", "digest": DIGEST}]
    }
    outcomes = client.post("/api/v1/proposals/decide", json=body).json()["outcomes"]
    assert [(o["id"], o["problem"] and o["problem"]["status"], o["card"] and o["card"]["state"]) for o in outcomes] == [
        ("prop_9", 404, None), ("prop_1", None, "done"),
    ]  # fmt: skip
    assert assistant.approvals == ["prop_1"]


@pytest.mark.parametrize(
    ("decisions", "status"),
    [
        ([], 422), ([{"id": "prop_1", "decision": "approve"}], 422), ([{"id": "prop_1", "decision": "maybe"}], 422),
        ([{"id": "prop_1", "decision": "deny"}] * 2, 409),
        ([{"id": "prop_1", "decision": "approve", "digest": DIGEST}, {"id": "prop_2", "decision": "approve", "digest": DIGEST}], 409),
    ],
)  # fmt: skip
def test_s1_a_batch_that_is_not_clear_or_not_of_one_kind_decides_nothing(
    client: Any, assistant: Any, monkeypatch: pytest.MonkeyPatch, decisions: Any, status: int
) -> None:
    found = assistant.proposal

    async def of_two_kinds(actor: Any, id: str) -> Any:
        return replace(await found(actor, "prop_1"), action=id)

    monkeypatch.setattr(assistant, "proposal", of_two_kinds, raising=False)
    assert client.post("/api/v1/proposals/decide", json={"decisions": decisions}).status_code == status
    assert (assistant.approvals, assistant.denials) == ([], [])


@pytest.mark.parametrize(
    ("said", "supersede"), [({}, False), ({"proposals": "keep"}, False), ({"proposals": "supersede"}, True)]
)
def test_a_message_says_what_becomes_of_the_cards_that_wait(
    client: Any, assistant: Any, said: dict[str, str], supersede: bool
) -> None:
    assert client.post("/api/v1/ai/chat", json={"message": "x", **said}).status_code == 200
    assert assistant.superseding == [supersede]
    assert client.post("/api/v1/ai/chat", json={"message": "x", "proposals": "approve"}).status_code == 422
