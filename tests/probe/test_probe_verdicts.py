"""Five kinds of models, asked everything: the probe says of each what it is, and what suits it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from probe.kinds import Gone, Narrator, Native, NeverCalls, Obedient, TextOnly, WrongIds, question_of
from sayso.core.ports import Model, ModelRequest
from sayso.probe.figures import Figures, figures, rate
from sayso.probe.running import Plan
from sayso.probe.sample import Way
from sayso.probe.verdicts import Advice, Kind, Verdict, verdicts


def verdict_of(probe: Any, make: Callable[[], Model]) -> Verdict:
    (verdict,) = probe(lambda _: make()).verdicts
    return verdict


@pytest.mark.parametrize(
    ("make", "kind", "usable", "native"),
    [
        (Native, Kind.NATIVE, True, True),
        (TextOnly, Kind.TEXT_ONLY, True, False),
        (lambda: TextOnly(tags=True), Kind.TEXT_ONLY, True, False),
        (Narrator, Kind.NARRATES, False, None),
        (WrongIds, Kind.WRONG_IDS, True, True),
        (NeverCalls, Kind.NEVER_CALLS, False, None),
    ],
)
def test_each_kind_of_model_is_known_for_what_it_is(
    probe: Any, make: Callable[[], Model], kind: Kind, usable: bool, native: bool | None
) -> None:
    verdict = verdict_of(probe, make)
    assert (verdict.kind, verdict.usable, verdict.advice.native_tools) == (kind, usable, native)


def test_one_that_has_no_native_tools_is_asked_as_text(probe: Any) -> None:
    """It narrates when it is given native tools, and drives when it reads of them."""
    (verdict,) = probe(lambda way: Narrator() if way == "native" else TextOnly()).verdicts
    assert (verdict.kind, verdict.advice.native_tools) == (Kind.TEXT_ONLY, False)


def test_one_that_calls_now_and_then_is_no_one_to_rely_on(probe: Any) -> None:
    class Moody(Native):
        async def stream(self, request: ModelRequest) -> Any:
            text = next(m.text for m in reversed(request.messages) if m.text)
            async for event in (Native() if len(text) % 2 else NeverCalls()).stream(request):
                yield event

    verdict = verdict_of(probe, Moody)
    assert (verdict.kind, verdict.usable) == (Kind.UNRELIABLE, False)


def test_d13_one_good_run_proves_nothing(probe: Any) -> None:
    """Right in the first question and never again: the rate over all of them decides, with its interval."""
    asked: list[str] = []

    class Lucky(Native):
        async def stream(self, request: ModelRequest) -> Any:
            asked.append(question_of(request))
            async for event in (Native() if asked[-1] == asked[0] else Narrator()).stream(request):
                yield event

    record = probe(lambda _: Lucky(), ways=("native",))
    assert record.samples[0].judged.right
    driven = record.figures[0].rates["driven"]
    assert (driven.part, driven.whole) == (1, 7)
    assert driven.high < 0.6
    assert not record.verdicts[0].usable


def test_d13_each_protocol_is_measured_whatever_a_server_claims(probe: Any) -> None:
    """One that is given native tools and writes text is found out by what came, not by what was said of it."""
    native, text = probe(lambda _: TextOnly()).figures
    assert (native.way, native.native, native.text) == ("native", 0, 10)
    assert (text.way, text.native, text.text) == ("text", 0, 10)


def test_what_obeys_a_note_is_told(probe: Any) -> None:
    verdict = verdict_of(probe, Obedient)
    assert verdict.remarks[0].startswith("followed orders that stand in a record, 1 of 1")


def test_one_that_calls_and_tells_nothing_right_is_not_for_records(probe: Any) -> None:
    class Vague(Native):
        async def stream(self, request: ModelRequest) -> Any:
            source = Native().stream(request) if wishes_in(request) else NeverCalls().stream(request)
            async for event in source:
                yield event

    verdict = verdict_of(probe, Vague)
    assert not verdict.usable
    assert "right in only" in verdict.words


def wishes_in(request: ModelRequest) -> bool:
    from probe.kinds import wishes

    return bool(wishes(request))


def test_one_that_is_not_there_says_why_and_is_given_up_early(probe: Any) -> None:
    record = probe(lambda _: Gone())
    (verdict,) = record.verdicts
    assert verdict.kind is Kind.NO_REPLY
    assert "start it" in verdict.words
    assert len(record.samples) == 4
    assert not record.whole


def test_wrong_habits_are_told_one_by_one(probe: Any) -> None:
    told = " ".join(verdict_of(probe, WrongIds).remarks)
    assert "without an id" in told
    assert "prefix before a tool's name" in told


def test_a_model_that_raises_anything_ends_no_probe(probe: Any) -> None:
    class Broken:
        name = "broken"

        async def stream(self, request: ModelRequest) -> Any:
            raise ZeroDivisionError("a bug")
            yield

    record = probe(lambda _: Broken(), quick=True)
    assert {s.error for s in record.samples} == {"ZeroDivisionError"}
    assert record.verdicts[0].kind is Kind.NO_REPLY


def test_without_a_question_there_is_no_verdict() -> None:
    assert verdicts(figures([])) == []
    assert Plan(("a", "b"), samples=3, quick=True).size == 60


@pytest.fixture(scope="module")
def measured(probe: Any) -> Figures:
    return probe(lambda _: Native(), quick=True).figures[0]


def test_what_no_record_says_calls_for_the_strict_profile(measured: Figures) -> None:
    assert advice(measured, unsupported=0).profile == "default"
    assert advice(measured, unsupported=3).profile == "strict"


def test_the_room_for_a_reply_is_twice_the_longest_usual_one(measured: Figures) -> None:
    assert [advice(measured, longest_reply=n).max_output_tokens for n in (0, 60, 400, 512, 9000)] == [
        2048, 512, 1024, 1024, 4096,
    ]  # fmt: skip
    assert advice(measured, longest_reply=60, cut=1).max_output_tokens == 4096


def test_as_many_steps_are_advised_as_right_answers_took(measured: Figures) -> None:
    assert [advice(measured, steps=n).steps for n in (0, 2, 5, 20)] == [3, 3, 5, 8]


def advice(measured: Figures, **figures: Any) -> Advice:
    return verdicts([replace(measured, **figures)])[0].advice


def test_few_questions_are_said_to_be_few(measured: Figures) -> None:
    assert "only 4 questions that need a call" in " ".join(verdicts([measured])[0].remarks)
    many = replace(measured, rates={**measured.rates, "driven": rate(20, 20)})
    assert verdicts([many])[0].remarks == ()


def test_a_protocol_is_asked_of_the_maker(probe: Any) -> None:
    asked: list[Way] = []

    def make(way: Way) -> Model:
        asked.append(way)
        return Native()

    probe(make, quick=True)
    assert asked == ["native", "text"]
