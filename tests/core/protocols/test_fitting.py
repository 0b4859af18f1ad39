"""What is left out of a request, in which order, and what never is. FIELD-NOTES F by number where they are about it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.evidence import Numbered
from sayso.core.facts import lookup_fact
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
from sayso.core.ports import ModelRequest
from sayso.core.progress import recent_history
from sayso.core.protocols.fitting import LeftOut, fit, size
from sayso.core.protocols.history import native_chat, text_chat
from small_world import NOW, SEARCH, person


def known(number: int, words: int = 8) -> Numbered:
    return Numbered(f"F{number}", person(f"Person {number}", f"p{number}", role="role " * words))


def user(id: str, text: str, *facts: Numbered) -> Message:
    parts: tuple[Any, ...] = (FactsPart(facts), TextPart(text)) if facts else (TextPart(text),)
    return Message(f"u_{id}_{len(text)}", Role.USER, parts, id)


def looked_up(id: str, number: int, *facts: Numbered) -> tuple[Message, Message]:
    call = ToolCall(f"call_{id}_{number}", "search_people", '{"query": "x"}')
    trace = Numbered(
        f"F{900 + number}",
        lookup_fact("search_people", "x", covers="person", matched=1, searched=2, as_of=NOW, key="x"),
    )
    result = ToolResult(call.id, CallStatus.SUCCESS, (*facts, trace))
    return (
        Message(f"a_{call.id}", Role.ASSISTANT, (CallPart(call),), id),
        Message(f"r_{call.id}", Role.TOOL, (ResultPart(result),), id),
    )


def said(id: str, text: str) -> Message:
    return Message(f"s_{id}", Role.ASSISTANT, (TextPart(text),), id)


def request(*messages: Message, tools_open: bool = True, hint: str = "", earlier: int = 0) -> ModelRequest:
    shown = tuple({n.ref: n for m in messages for n in m.facts}.values())
    return ModelRequest(
        "Be brief.", messages, (SEARCH,), tools_open, shown, hint, NOW, "en", 5.0, earlier=earlier
    )  # fmt: skip


def conversation() -> ModelRequest:
    """Two older exchanges, the one before, and this one: a seed, an older result and the newest one of two records."""
    return request(
        user("ex_1", "one", known(1)), said("ex_1", "first"),
        user("ex_2", "two"), *looked_up("ex_2", 2, known(2)), said("ex_2", "second"),
        user("ex_3", "three"), *looked_up("ex_3", 3, known(3)), said("ex_3", "third"),
        user("ex_4", "four", known(4)), *looked_up("ex_4", 5, known(5)), *looked_up("ex_4", 6, known(6), known(7)),
    )  # fmt: skip


def refs(sent: ModelRequest) -> list[str]:
    return [n.ref for n in sent.shown if n.fact.kind.name != "lookup"]


def exchanges(sent: ModelRequest) -> list[str]:
    return list(dict.fromkeys(m.exchange_id for m in sent.messages))


def test_what_fits_is_sent_as_it_is() -> None:
    whole = conversation()
    assert fit(whole, size(whole)) == (whole, LeftOut())
    assert not LeftOut()


def test_everything_goes_in_its_order_and_only_as_much_as_is_needed() -> None:
    """Each step is reached by asking for one character less than what the step before it took."""
    seen: list[tuple[list[str], list[str]]] = []
    sent, left = conversation(), LeftOut()
    for _ in range(20):
        smaller, more = fit(conversation(), size(sent) - 1)
        if more == left:
            break
        sent, left = smaller, more
        seen.append((refs(sent), exchanges(sent)))
    all_refs = [f"F{n}" for n in range(1, 8)]
    whole = ["ex_1", "ex_2", "ex_3", "ex_4"]
    order = [(["F1"], []), (["F2"], []), ([], ["ex_1"]), ([], ["ex_2"]), (["F3"], []), (["F4"], []), (["F5"], []),
             ([], ["ex_3"]), (["F7"], []), (["F6"], [])]  # fmt: skip
    expected: list[tuple[list[str], list[str]]] = []
    for gone_refs, gone in order:
        all_refs = [ref for ref in all_refs if ref not in gone_refs]
        whole = [id for id in whole if id not in gone]
        expected.append((all_refs, whole))
    assert [step for step in expected if step in seen] == seen  # some steps may cost more than they bring
    assert seen[-1] == expected[-1]


def test_f1_a_call_is_never_parted_from_its_result_nor_the_question_dropped() -> None:
    whole = conversation()
    for room in range(0, size(whole), 97):
        sent, _ = fit(whole, room)
        chat = native_chat(sent)
        open_calls: list[str] = []
        for message in chat:
            if message.role == "tool":
                assert message.call_id in open_calls
                open_calls.remove(message.call_id)
            else:
                assert open_calls == []
                open_calls = [call.id for call in message.calls]
        assert open_calls == []
        assert any(m.text == "four" for m in sent.messages)


def test_f1_trimming_by_characters_keeps_whole_exchanges() -> None:
    messages = conversation().messages
    for characters in range(0, 4000, 50):
        kept = recent_history(messages, characters)
        assert not kept or kept[0].role is Role.USER
        calls = [call.id for m in kept for call in m.calls]
        assert calls == [result.call_id for m in kept for result in m.results]


def test_f2_a_call_that_a_crash_left_open_is_told_as_not_run_in_both_protocols() -> None:
    asked = Message("a", Role.ASSISTANT, (CallPart(ToolCall("c1", "search_people", "{}")),), "ex_1")
    left = request(user("ex_1", "one"), asked, user("ex_2", "two"))
    assert [m.role for m in native_chat(left)] == ["system", "user", "assistant", "tool", "user"]
    assert "not run" in native_chat(left)[3].text
    assert "not run" in text_chat(left)[3].text


def test_f6_later_exchanges_still_show_what_was_looked_up_before() -> None:
    sent, _ = fit(conversation(), 10_000)
    text = "\n".join(m.text for m in native_chat(sent))
    assert "Person 2" in text
    assert "Person 3" in text


def test_a_record_found_again_belongs_to_the_newest_results() -> None:
    again = request(
        user("ex_1", "one"), *looked_up("ex_1", 1, known(1), known(2, 90)), said("ex_1", "x" * 400),
        user("ex_2", "two"), *looked_up("ex_2", 2, known(1)),
    )  # fmt: skip
    sent, left = fit(again, size(again) - 1)
    assert refs(sent) == ["F1"]
    assert left == LeftOut(facts=1)


@pytest.mark.parametrize(
    ("tools_open", "advice"), [(True, "Look up again what you need."), (False, "Say so if the answer hangs on them.")]
)
def test_the_model_is_told_how_much_it_does_not_see(tools_open: bool, advice: str) -> None:
    whole = request(
        user("ex_1", "one", known(1)), said("ex_1", "x" * 500), user("ex_2", "two"), said("ex_2", "y" * 500),
        user("ex_3", "three"), tools_open=tools_open, hint="Answer now.", earlier=11,
    )  # fmt: skip
    sent, left = fit(whole, size(whole) - 400)
    assert left == LeftOut(facts=1, exchanges=12)
    assert sent.hint == (
        "Answer now.\n(To save space, 1 record and 12 earlier exchanges of this conversation are not shown here. "
        f"{advice} Do not guess about them.)"
    )
    assert native_chat(sent)[-1].text.endswith(sent.hint)


def test_one_exchange_is_told_as_one() -> None:
    whole = request(user("ex_1", "one " * 200), said("ex_1", "first"), user("ex_2", "two"))
    assert "1 earlier exchange of" in fit(whole, size(whole) - 100)[0].hint


def test_what_cannot_be_made_smaller_stays() -> None:
    only = request(user("ex_1", "A very long question. " * 100))
    assert fit(only, 10) == (only, LeftOut())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 300)), min_size=1, max_size=12),
    st.integers(0, 6000),
)
def test_whatever_fits_is_within_its_room_and_nothing_is_lost_twice(shape: list[tuple[int, int]], room: int) -> None:
    messages: list[Message] = []
    for at, (facts, length) in enumerate(shape):
        messages.append(user(f"ex_{at}", f"question {at} " + "w" * length))
        messages += looked_up(f"ex_{at}", at, *(known(at * 10 + n) for n in range(facts)))
    whole = request(*messages)
    sent, left = fit(whole, room)
    smallest, _ = fit(whole, 0)
    assert size(sent) <= max(room, size(smallest))
    assert len(refs(sent)) + left.facts == len(refs(whole))
    assert len(exchanges(sent)) + left.exchanges == len(exchanges(whole))


def test_a_request_without_messages_has_nothing_to_leave_out() -> None:
    empty = request(earlier=3)
    assert fit(empty, 1) == (empty, LeftOut())


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 40)), max_size=6), st.integers(0, 6000))
@settings(deadline=None, max_examples=200)
def test_to_fit_never_makes_a_request_larger(records: list[tuple[int, int]], room: int) -> None:
    facts = [known(n, words) for n, (_, words) in enumerate(records)]
    messages = [user(f"ex_{at}", "q", fact) for (at, _), fact in zip(records, facts, strict=True)]
    whole = request(*messages, user("ex_9", "now"))
    sent, left = fit(whole, room)
    assert size(sent) <= size(whole)
    assert sent == whole if not left else size(sent) < size(whole)
