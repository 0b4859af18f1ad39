"""What is wrong with a transcript, told in words, and the view of it that every provider takes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.evidence import Numbered
from sayso.core.facts import LOOKUP
from sayso.core.images import ATTACHED
from sayso.core.messages import (
    CallPart,
    CallStatus,
    FactsPart,
    ImagePart,
    Message,
    PreamblePart,
    ResultPart,
    ResultReason,
    Role,
    TextPart,
    ToolCall,
    ToolResult,
)
from sayso.core.transcripts import FaultKind, closing, faults, sound

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


def fact(ref="F1", matched=1, key="k"):
    return Numbered(ref, LOOKUP.fact({"query": "q", "matched": matched}, source="lookup", key=key, as_of=NOW))


def image(ref="U1"):
    values = {"name": "a.png", "format": "image/png"}
    return Numbered(ref, ATTACHED.fact(values, source="attachments", key=ref, as_of=NOW))


def user(id, exchange="e1", text="Who?", *parts):
    return Message(id, Role.USER, (*parts, TextPart(text)), exchange)


def said(id, exchange="e1", text="Ann."):
    return Message(id, Role.ASSISTANT, (TextPart(text),), exchange)


def calls(id, *names, exchange="e1"):
    parts = tuple(CallPart(ToolCall(name, "find", "{}")) for name in names)
    return Message(id, Role.ASSISTANT, (PreamblePart("Looking."), *parts), exchange)


def results(id, *names, exchange="e1", facts=(), status=CallStatus.SUCCESS):
    return Message(id, Role.TOOL, tuple(ResultPart(ToolResult(n, status, tuple(facts))) for n in names), exchange)


WHOLE = (
    user("m1", "e1", "Who?", FactsPart((fact(),)), ImagePart(image())), calls("m2", "c1", "c2"), results("m3", "c1"),
    results("m4", "c2", facts=[fact("F2", 2)]), said("m5"),
    user("m6", "e2"), said("m7", "e2"),
)  # fmt: skip


class Ids:
    def __init__(self):
        self.given = 0

    def new(self, prefix):
        self.given += 1
        return f"{prefix}_{self.given}"


def kinds(*messages):
    return [fault.kind for fault in faults(messages)]


def answered(*messages):
    """How each call of a view ended; fails where one has no result right after it, or two."""
    found = {}
    open_calls = []
    for message in messages:
        if message.role is not Role.TOOL:
            assert not open_calls, "a call is left open"
            open_calls = [call.id for call in message.calls]
        for result in message.results:
            open_calls.remove(result.call_id)
            assert result.call_id not in found
            found[result.call_id] = result.status
    assert not open_calls
    return found


def test_a_whole_transcript_comes_back_as_it_is():
    assert faults(WHOLE) == ()
    assert all(a is b for a, b in zip(sound(WHOLE), WHOLE, strict=True))
    assert sound(()) == ()


def test_h1_an_open_call_counts_as_not_run():
    broken = (user("m1"), calls("m2", "c1", "c2"), results("m3", "c1"), user("m4", "e2"))
    assert kinds(*broken) == [FaultKind.OPEN_CALL]
    assert answered(*sound(broken)) == {"c1": CallStatus.SUCCESS, "c2": CallStatus.NOT_RUN}
    (told,) = faults(broken)
    assert (told.message_id, told.words, told.mended) == ("m2", "the call c2 has no result", "it counts as not run")


def test_calls_of_the_last_exchange_may_wait_for_their_caller():
    waiting = (user("m1"), calls("m2", "c1"))
    assert kinds(*waiting) == []
    assert sound(waiting, may_wait=True) == waiting
    assert answered(*sound(waiting)) == {"c1": CallStatus.NOT_RUN}
    went_on = (*waiting, said("m3"))
    assert kinds(*went_on) == [FaultKind.OPEN_CALL]
    assert answered(*sound(went_on, may_wait=True)) == {"c1": CallStatus.NOT_RUN}


def test_h1_orphans_doubles_and_late_results_are_told_and_sorted_out():
    broken = (
        user("m1"), calls("m2", "c1", "c2"), results("m3", "c1"), results("m3", "c1"), results("m4", "c1"),
        said("m5"), results("m6", "c9"), user("m7", "e2"), results("m8", "c2"), said("m9", "e2"),
    )  # fmt: skip
    assert kinds(*broken) == [
        FaultKind.DOUBLE_MESSAGE, FaultKind.SPLIT_EXCHANGE, FaultKind.DOUBLE_RESULT, FaultKind.ORPHAN_RESULT,
        FaultKind.LATE_RESULT,
    ]  # fmt: skip
    assert answered(*sound(broken)) == {"c1": CallStatus.SUCCESS, "c2": CallStatus.SUCCESS}
    assert [m.id for m in sound(broken)] == ["m1", "m2", "m3", "m2.results", "m5", "m7", "m9"]


def test_a_result_that_closes_a_call_may_be_appended_late():
    mended = (
        user("m1"), calls("m2", "c1"), user("m3", "e2"), said("m4", "e2"),
        results("m5", "c1", status=CallStatus.CANCELLED),
    )  # fmt: skip
    assert kinds(*mended) == []
    assert answered(*sound(mended)) == {"c1": CallStatus.CANCELLED}


def test_a_waiting_call_whose_result_lies_elsewhere_is_closed_and_the_others_wait():
    broken = (user("m1"), results("m2", "c1"), calls("m3", "c1", "c2"))
    (_, _, closed) = sound(broken, may_wait=True)
    assert [r.call_id for r in closed.results] == ["c1"]


def test_one_id_is_one_call():
    broken = (user("m1"), calls("m2", "c1", "c1"), results("m3", "c1"), calls("m4", "c1"), said("m5"))
    assert kinds(*broken) == [FaultKind.DOUBLE_CALL, FaultKind.DOUBLE_CALL]
    assert answered(*sound(broken)) == {"c1": CallStatus.SUCCESS}


def test_e8_h1_a_ref_keeps_its_first_meaning():
    broken = (
        user("m1", "e1", "Who?", FactsPart((fact(),)), ImagePart(image())), calls("m2", "c1"),
        results("m3", "c1", facts=[fact(), fact("F1", 5), fact("F2")]), said("m4"),
        user("m5", "e2", "And?", FactsPart((fact("F2", 9),)), FactsPart((fact("F1", key="z"), fact("F3"))), ImagePart(image("F3"))),
    )  # fmt: skip
    assert kinds(*broken) == [FaultKind.REDEFINED_REF] * 4
    view = sound(broken)
    assert [n.ref for m in view for n in m.numbered] == ["F1", "U1", "F1", "F2", "F3"]
    assert view[-1].parts == (FactsPart((fact("F3"),)), TextPart("And?"))


def test_parts_that_a_role_cannot_have_and_empty_ones_are_left_out():
    strange = (
        Message("m1", Role.USER, (TextPart("Who?"), CallPart(ToolCall("c0", "find", "{}"))), "e1"),
        Message("m2", Role.ASSISTANT, (FactsPart((fact(),)), ImagePart(image()), TextPart("Ann.")), "e1"),
        Message("m3", Role.TOOL, (TextPart("done"), PreamblePart("x")), "e1"),
        Message("m4", Role.ASSISTANT, (ResultPart(ToolResult("c7", CallStatus.SUCCESS)),), "e1"),
        Message("m5", Role.ASSISTANT, (), "e1"),
        said("m6", "e1", " "),
    )
    assert kinds(*strange) == [
        *[FaultKind.WRONG_PART] * 5, FaultKind.ORPHAN_RESULT, FaultKind.EMPTY_MESSAGE, FaultKind.EMPTY_TEXT,
    ]  # fmt: skip
    assert [(m.id, m.text) for m in sound(strange)] == [("m1", "Who?"), ("m2", "Ann.")]


def test_g6_an_empty_text_beside_something_else_is_left_out():
    asked = (Message("m1", Role.USER, (ImagePart(image()), TextPart("")), "e1"), said("m2"))
    assert kinds(*asked) == [FaultKind.EMPTY_TEXT]
    assert sound(asked)[0].parts == (ImagePart(image()),)


def test_an_exchange_begins_with_a_question():
    assert kinds(said("m1"), user("m2", "e2")) == [FaultKind.NO_QUESTION]


def test_a_split_exchange_is_read_whole():
    split = (user("m1"), user("m2", "e2"), said("m3"), said("m4", "e2"))
    assert kinds(*split) == [FaultKind.SPLIT_EXCHANGE]
    assert [m.id for m in sound(split)] == ["m1", "m3", "m2", "m4"]


def test_closing_answers_each_open_call_once_in_its_exchange():
    messages = (
        user("m1"), calls("m2", "c1", "c2"), results("m3", "c1"), user("m4", "e2"), calls("m5", "c3", "c3", exchange="e2"),
    )  # fmt: skip
    made = closing(messages, Ids(), CallStatus.SUPERSEDED, ResultReason.STOPPED)
    assert [(m.id, m.exchange_id, [(r.call_id, r.status) for r in m.results]) for m in made] == [
        ("msg_1", "e1", [("c2", CallStatus.SUPERSEDED)]), ("msg_2", "e2", [("c3", CallStatus.SUPERSEDED)]),
    ]  # fmt: skip
    assert closing((*messages, *made), Ids(), CallStatus.SUPERSEDED, None) == []
    assert set(answered(*sound((*messages, *made))).values()) == {CallStatus.SUPERSEDED, CallStatus.SUCCESS}


NAMES = st.sampled_from(["c1", "c2", "c3"])
PARTS = st.one_of(
    st.builds(TextPart, st.sampled_from(["", " ", "words"])),
    st.builds(PreamblePart, st.sampled_from(["", "words"])),
    st.builds(lambda n: CallPart(ToolCall(n, "find", "{}")), NAMES),
    st.builds(
        lambda n, s, f: ResultPart(ToolResult(n, s, (f,))),
        NAMES, st.sampled_from(CallStatus), st.builds(fact, st.sampled_from(["F1", "F2"]), st.integers(0, 1)),
    ),
    st.builds(lambda f: FactsPart((f,)), st.builds(fact, st.sampled_from(["F1", "F2"]), st.integers(0, 1))),
    st.just(ImagePart(image("F2"))),
)  # fmt: skip
MESSAGES = st.lists(
    st.builds(
        Message, st.sampled_from([f"m{n}" for n in range(8)]), st.sampled_from(Role),
        st.lists(PARTS, max_size=3).map(tuple), st.sampled_from(["e1", "e2"]),
    ),
    max_size=9,
)  # fmt: skip


@given(MESSAGES)
def test_whatever_is_damaged_the_view_is_sound_and_stays_so(messages):
    view = sound(messages)
    answered(*view)
    assert sound(view) == view
    assert {fault.kind for fault in faults(view)} <= {FaultKind.NO_QUESTION}
    assert not faults(messages) or sound(messages, may_wait=True) is not messages


@given(MESSAGES)
def test_after_a_repair_each_call_has_one_result_in_the_store(messages):
    made = closing(messages, Ids(), CallStatus.CANCELLED, None)
    answers = {result.call_id for message in (*messages, *made) for result in message.results}
    assert answers >= {call.id for message in messages for call in message.calls}
    answered(*sound((*messages, *made)))
    assert all(fault.kind is not FaultKind.OPEN_CALL for fault in faults((*messages, *made))) or messages


@pytest.mark.parametrize("size", [2000])
def test_a_hostile_transcript_costs_linear_time(grows_linearly, size):
    def run(n):
        orphans = [results(f"m{i}", f"x{i}") for i in range(n)]
        return sound([user("m"), *orphans])

    grows_linearly(run, size)


def test_results_in_the_message_of_an_assistant_are_found():
    broken = (user("m1"), replace(calls("m2", "c1"), parts=(*calls("m2", "c1").parts, results("x", "c1").parts[0])))
    assert answered(*sound(broken)) == {"c1": CallStatus.SUCCESS}
