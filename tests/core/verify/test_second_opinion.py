"""The second opinion: what it is shown, what it may change, and what it is worth, with scripted judges."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import SECOND_HAND, Provenance
from sayso.core.messages import Usage
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Profile, Report, Verdict
from sayso.core.verify.second_opinion import MAX_DOUBTS, Doubt, Opinion, reconsidered
from small_world import NOW, PEOPLE

pytestmark = pytest.mark.anyio

COST = Usage(10, 1)
CARRIED = (
    "Mara designs buildings [F3].",
    "Mara draws houses for a living [F3].",
    "Mara is in her forties [F3].",
    "Ilya is best reached electronically [F2].",
)
NOT_CARRIED = (
    "Mara likes tennis [F3].",
    "Elena is married [F1].",
    "Ilya plays chess [F2].",
    "Elena sings [F1] loudly.",
)
WRONG = (
    "Mara works as an engineer [F3].",
    "Elena Weber was born on 7 April 1981 [F1].",
    "Ilya Druzhnikov can be reached at ilya@elsewhere.example [F2].",
)


class Judge:
    """Says what its script says of a sentence, and keeps what it was asked."""

    def __init__(self, says: Callable[[str], bool]) -> None:
        self._says = says
        self.asked: list[Doubt] = []

    async def weigh(self, doubts: Sequence[Doubt], *, now: datetime, seconds: float) -> Opinion:
        self.asked += doubts
        return Opinion(tuple(self._says(d.sentence) for d in doubts), COST)


def evidence() -> Evidence:
    found = Evidence()
    found.add_all(PEOPLE)
    return found


def report(*sentences: str, facts: Evidence | None = None) -> Report:
    return Verifier(facts or evidence(), Setting(NOW, "en", "tell me")).report(" ".join(sentences))


async def after(first: Report, judge: object, released: int = 0, facts: Evidence | None = None) -> Report:
    told, _ = await reconsidered(
        first, facts or evidence(), judge, now=NOW, seconds=5, released=released,  # type: ignore[arg-type]
    )  # fmt: skip
    return told


def verdicts(told: Report) -> list[Verdict]:
    return [s.verdict for s in told.sentences]


async def test_what_it_says_yes_to_is_supported_by_the_facts_it_saw() -> None:
    first = report("Mara designs buildings [F3].")
    (sentence,) = (await after(first, Judge(lambda _: True))).sentences
    assert (sentence.verdict, sentence.violations, sentence.refs) == (Verdict.SUPPORTED, (), ("F3",))
    assert sentence.second_opinion
    assert sentence.added == ()


async def test_what_it_does_not_say_yes_to_stays_as_it_was() -> None:
    first = report(*NOT_CARRIED)
    assert await after(first, Judge(lambda _: False)) == first


async def test_it_sees_only_the_unsupported_sentences_each_with_its_facts() -> None:
    judge = Judge(lambda _: True)
    await after(
        report("Hello!", "Elena Weber works at SINGA Switzerland [F1].", *WRONG, "Mara designs buildings [F3]."), judge
    )
    (doubt,) = judge.asked
    assert doubt.sentence == "Mara designs buildings [F3]."
    assert [n.fact.subject for n in doubt.facts] == ["Mara Lindt"]


async def test_a_sentence_without_a_ref_comes_with_the_nearest_fact_which_is_then_added() -> None:
    first = report("Mara Lindt designs buildings.")
    (sentence,) = (await after(first, Judge(lambda _: True))).sentences
    assert (sentence.refs, sentence.added) == (("F3",), ("F3",))


async def test_a_sentence_that_no_fact_is_near_is_not_asked_about() -> None:
    judge = Judge(lambda _: True)
    first = report("Your weekend shines brightly.")
    assert verdicts(first) == [Verdict.UNSUPPORTED]
    assert await after(first, judge) == first
    assert judge.asked == []


async def test_a_missing_attribution_is_no_matter_of_opinion() -> None:
    facts = evidence()
    told = {"agent": "scout", "asked": "Elena", "answer": "Elena moves to Bexley in May"}
    facts.add(SECOND_HAND.fact(told, source="scout", key="1", as_of=NOW, provenance=Provenance.SECOND_HAND))
    judge = Judge(lambda _: True)
    first = report("Elena moves to Bexley in May [F4].", facts=facts)
    assert verdicts(first) == [Verdict.UNSUPPORTED]
    assert await after(first, judge, facts=facts) == first
    assert judge.asked == []


async def test_what_was_released_is_not_judged_again() -> None:
    judge = Judge(lambda _: True)
    first = report("Mara designs buildings [F3].", "Ilya is best reached electronically [F2].")
    told = await after(first, judge, released=1)
    assert [d.sentence for d in judge.asked] == ["Ilya is best reached electronically [F2]."]
    assert verdicts(told) == [Verdict.UNSUPPORTED, Verdict.SUPPORTED]


async def test_it_is_asked_about_a_bounded_number_of_sentences() -> None:
    judge = Judge(lambda _: True)
    told = await after(report(*["Mara designs buildings [F3]."] * (MAX_DOUBTS + 3)), judge)
    assert len(judge.asked) == MAX_DOUBTS
    assert verdicts(told).count(Verdict.UNSUPPORTED) == 3


async def test_in_the_strict_profile_it_frees_what_would_be_withheld() -> None:
    first = replace(report("Mara designs buildings [F3]."), profile=Profile.STRICT)
    told = await after(first, Judge(lambda _: True))
    assert [r.withheld(r.sentences[0]) for r in (first, told)] == [True, False]


class Broken:
    async def weigh(self, doubts: Sequence[Doubt], *, now: datetime, seconds: float) -> Opinion:
        raise RuntimeError("no such file: weights")


class Slow:
    async def weigh(self, doubts: Sequence[Doubt], *, now: datetime, seconds: float) -> Opinion:
        await asyncio.Event().wait()
        raise AssertionError


class Short:
    async def weigh(self, doubts: Sequence[Doubt], *, now: datetime, seconds: float) -> Opinion:
        return Opinion((True,) * (len(doubts) - 1), COST)


@pytest.mark.parametrize("judge", [Broken(), Slow(), Short()])
async def test_a_judge_that_fails_dawdles_or_skips_a_sentence_changes_nothing(judge: object) -> None:
    first = report(*CARRIED)
    told, _ = await reconsidered(first, evidence(), judge, now=NOW, seconds=0.01)  # type: ignore[arg-type]
    assert told == first


async def test_its_cost_is_told() -> None:
    _, cost = await reconsidered(report(*CARRIED), evidence(), Judge(lambda _: True), now=NOW, seconds=5)
    assert cost == COST


@pytest.mark.parametrize(
    ("says", "truths_marked", "others_marked"),
    [
        (lambda _: False, len(CARRIED), len(NOT_CARRIED)),
        (lambda sentence: sentence in CARRIED, 0, len(NOT_CARRIED)),
        (lambda _: True, 0, 0),
        (lambda sentence: sentence in NOT_CARRIED, len(CARRIED), 0),
    ],
    ids=["silent", "right", "credulous", "always wrong"],
)
async def test_its_effect(says: Callable[[str], bool], truths_marked: int, others_marked: int) -> None:
    """A right judge frees each truth that was marked, and no more; the worst one frees nothing that is contradicted."""
    told = await after(report(*CARRIED, *NOT_CARRIED, *WRONG), Judge(says))
    found = verdicts(told)
    assert found[: len(CARRIED)].count(Verdict.UNSUPPORTED) == truths_marked
    assert found[len(CARRIED) : -len(WRONG)].count(Verdict.UNSUPPORTED) == others_marked
    assert found[-len(WRONG) :] == [Verdict.CONTRADICTED] * len(WRONG)
