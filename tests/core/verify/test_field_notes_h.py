"""FIELD-NOTES.md, section H, by number: each fault caught, and its honest twin let through."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from sayso.core.events import FactsFound, Verified
from sayso.core.evidence import Evidence
from sayso.core.facts import PROPOSAL, RECEIPT, Fact, FactKind, Field, FieldType, Provenance, Quantity, lookup_fact
from sayso.core.messages import (
    CallStatus,
    Message,
    Outcome,
    ResultPart,
    Role,
    StopReason,
    ToolCall,
    ToolResult,
    open_calls,
)
from sayso.core.tools import ReadResult, ToolContext, define_tool
from sayso.core.verify import Setting, Verifier, cited_refs, final_text
from sayso.core.verify.report import Judged, Report, Verdict, ViolationKind
from sayso.models.scripted import Scripted, call, say
from small_world import ELENA, NOW, PEOPLE, Query, person

pytestmark = pytest.mark.anyio
Run = Callable[..., Any]
SUPPORTED, CONTRADICTED = Verdict.SUPPORTED, Verdict.CONTRADICTED

SHOP = FactKind(
    "shop",
    (
        Field("name"),
        Field("progress", FieldType.QUANTITY, words=("progress",)),
        Field("revenue", FieldType.QUANTITY, words=("revenue", "turnover")),
        Field("opens", FieldType.DATE, words=("opens", "opening")),
    ),
    subject="name",
    words=("shop", "shops"),
)


def shop(name: str, key: str, percent: int, francs: int, opens: date | None = None) -> Fact:
    values = {"name": name, "progress": Quantity(percent, "%"), "revenue": Quantity(francs, "CHF"), "opens": opens}
    return SHOP.fact(values, source="shops", key=key, as_of=NOW)


HARBOUR = shop("Harbour shop", "s1", 40, 1200, date(2026, 12, 7))
STATION = shop("Station shop", "s2", 75, 800)
ALL_PEOPLE = lookup_fact("list_people", "", covers="person", matched=3, searched=3, as_of=NOW, key="l1")
NO_ZOE = lookup_fact("search_people", '"Zoe"', covers="person", matched=0, searched=3, as_of=NOW, key="l2")


def known(*more: Fact) -> Evidence:
    """F1 Elena, F2 Ilya, F3 Mara, F4 and F5 shops, F6 all people, F7 no Zoe; then `more`."""
    evidence = Evidence()
    evidence.add_all([*PEOPLE, HARBOUR, STATION, ALL_PEOPLE, NO_ZOE, *more])
    return evidence


def report(text: str, *more: Fact) -> Report:
    return Verifier(known(*more), Setting(NOW, "en", "tell me")).report(text)


def judged(text: str, *more: Fact) -> Judged:
    (sentence,) = report(text, *more).sentences
    return sentence


# --- H1: cites what does not exist ---------------------------------------------------------------------------------


def test_h1_a_ref_that_does_not_exist_is_a_violation_and_one_that_does_is_none() -> None:
    right, wrong = judged("Mara Lindt is an architect [F3]."), judged("Mara Lindt is an architect [F3][F9].")
    assert (right.verdict, right.refs) == (SUPPORTED, ("F3",))
    assert (wrong.verdict, [v.kind for v in wrong.violations]) == (CONTRADICTED, [ViolationKind.UNKNOWN_REF])


def test_h1_a_number_in_brackets_is_no_ref_and_never_becomes_a_source() -> None:
    assert cited_refs("Mara Lindt is an architect [3][F3].") == ("F3",)
    assert judged("Mara Lindt is an architect [5][7].").refs == ("F3",)  # by her name, not by the numbers


# --- H3: what a tool from elsewhere finds can be cited like anything else -----------------------------------------


async def find_shops(arguments: Query, context: ToolContext) -> ReadResult:
    return ReadResult((HARBOUR,), 1, 2)


ELSEWHERE = define_tool(
    "mcp_shops_find", kind="read", description="Find shops.", arguments=Query, run=find_shops,
    example={"query": "x"}, covers=SHOP,
)  # fmt: skip


@pytest.mark.parametrize(("share", "held"), [("40%", True), ("45%", False)])
async def test_h3_the_facts_of_a_tool_that_the_host_added_are_cited_and_hold_its_answer(
    run: Run, share: str, held: bool
) -> None:
    draft = f"The Harbour shop is at {share} [F1]."
    with Scripted([call("mcp_shops_find", query="harbour"), *[say(draft)] * (1 if held else 2)]) as model:
        ran = await run(model, "How far is the harbour shop?", tools=[ELSEWHERE])
    assert [n.ref for n in ran.of(FactsFound)[0].facts] == ["F1", "F2"]
    assert ran.answer.citations == ("F1",)
    assert (share in ran.answer.text) is held


class Elsewhere:
    """Runs nothing here: the caller's client does."""

    def may_run(self, call: ToolCall) -> bool:
        return False

    async def run(self, call: ToolCall) -> ToolResult:
        raise AssertionError


@pytest.mark.parametrize(("share", "held"), [("40%", True), ("45%", False)])
async def test_h3_so_are_those_that_a_caller_sent(run: Run, share: str, held: bool) -> None:
    with Scripted([call("mcp_shops_find", query="harbour")]) as model:
        first = await run(model, "How far?", tools=[ELSEWHERE], runner=Elsewhere())
    (asked,) = open_calls(first.messages)
    evidence = Evidence()
    values = dict(HARBOUR.values)
    told = SHOP.fact(values, source="client", key="1", as_of=NOW, provenance=Provenance.REPORTED)
    result = ToolResult(asked.id, CallStatus.SUCCESS, (evidence.add(told),))
    so_far = (*first.messages, Message("m9", Role.TOOL, (ResultPart(result),), "ex_1"))
    draft = f"According to the client, the Harbour shop is at {share} [F1]."
    with Scripted([say(draft)] * (1 if held else 2)) as model:
        ran = await run(
            model, "How far?", tools=[ELSEWHERE], runner=Elsewhere(), so_far=so_far, steps_used=1, evidence=evidence
        )
    assert ran.answer.citations == ("F1",)
    assert (share in ran.answer.text) is held


# --- H4: the right answer with the wrong source -------------------------------------------------------------------


def test_h4_a_right_answer_with_the_wrong_source() -> None:
    right, wrong = judged("Mara Lindt is an architect [F3]."), judged("Mara Lindt is an architect [F1].")
    assert right.verdict is SUPPORTED
    (violation,) = wrong.violations
    assert (violation.kind, violation.nearest) == (ViolationKind.MISPLACED_REF, "F3")


def test_h4_another_records_value_under_ones_own_ref() -> None:
    assert judged("The Harbour shop is at 40% [F4].").verdict is SUPPORTED
    assert judged("The Harbour shop is at 75% [F4].").verdict is CONTRADICTED


def test_h4_of_two_refs_the_one_that_carries_nothing_is_told() -> None:
    assert judged("Mara Lindt is an architect [F3].").idle == ()
    assert judged("Mara Lindt is an architect [F3, F5].").idle == ("F5",)


def test_h4_a_ref_keeps_its_meaning_when_its_record_changes() -> None:
    evidence = known()
    again, changed = evidence.add(HARBOUR), evidence.add(shop("Harbour shop", "s1", 60, 1200))
    assert (again.ref, changed.ref) == ("F4", "F8")
    assert evidence.is_stale("F4")


# --- H5: counts and absences have a source --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("You have 3 contacts [F6].", "You have 5 contacts [F6]."),
        ("You have three contacts.", "You have five contacts."),
        ("Nobody called Zoe was found [F7].", "Nobody called Elena was found [F7]."),
    ],
)
def test_h5_a_count_and_an_absence_rest_on_the_look_up(right: str, wrong: str) -> None:
    assert (judged(right).verdict, judged(wrong).verdict) == (SUPPORTED, CONTRADICTED)


async def test_h5_a_look_up_has_a_ref_of_its_own_that_an_answer_can_cite(run: Run) -> None:
    with Scripted([call("list_people"), say("You have 3 contacts [F4].")]) as model:
        ran = await run(model, "How many contacts do I have?")
    assert (ran.answer.text, ran.answer.citations) == ("You have 3 contacts [F4].", ("F4",))


def test_h5_a_sentence_without_its_source_gets_the_one_record_that_carries_it() -> None:
    assert judged("Mara Lindt is an architect.").added == ("F3",)
    assert judged("Mara Lindt is an engineer.").added == ()


# --- H7: an invented figure under a well-formed citation -----------------------------------------------------------


@pytest.mark.parametrize("figure", ["CHF 1,200", "CHF 1.2k", "1200 francs"])
def test_h7_a_figure_is_compared_by_what_it_means(figure: str) -> None:
    assert judged(f"The Harbour shop has a revenue of {figure} [F4].").verdict is SUPPORTED


@pytest.mark.parametrize("figure", ["CHF 12,000", "CHF 1.3k", "EUR 1,200", "CHF 800"])
def test_h7_an_invented_figure_is_contradicted_however_well_it_is_cited(figure: str) -> None:
    assert judged(f"The Harbour shop has a revenue of {figure} [F4].").verdict is CONTRADICTED


# --- H8: a gate, not a warning --------------------------------------------------------------------------------------


async def test_h8_a_wrong_figure_never_reaches_the_reader_and_the_fact_does(run: Run) -> None:
    wrong = "The Harbour shop has a revenue of CHF 12,000 [F1]."
    with Scripted([call("mcp_shops_find", query="harbour"), say(wrong), say(wrong)]) as model:
        ran = await run(model, "What does the harbour shop earn?", tools=[ELSEWHERE])
    assert "12,000" not in "".join(str(e) for e in ran.events if not isinstance(e, Verified))
    assert "1200 CHF" in ran.answer.text
    assert (ran.finish.outcome, ran.finish.reason) == (Outcome.ABSTAINED, StopReason.WITHHELD)


async def test_h8_a_right_figure_passes_as_it_was_written(run: Run) -> None:
    right = "The Harbour shop has a revenue of CHF 1,200 [F1]."
    with Scripted([call("mcp_shops_find", query="harbour"), say(right)]) as model:
        ran = await run(model, "What does the harbour shop earn?", tools=[ELSEWHERE])
    assert (ran.answer.text, ran.finish.outcome) == (right, Outcome.ANSWERED)


def test_h8_beside_right_sentences_only_the_wrong_one_gives_way() -> None:
    told = report("Mara Lindt is an architect [F3]. The Harbour shop is at 45% [F4].")
    shown = final_text(told, known(), "en")
    assert shown.startswith("Mara Lindt is an architect [F3]. Harbour shop")
    assert "45%" not in shown
    assert "40%" in shown


# --- H9: derived values ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The shops earned CHF 2,000 together [F4, F5].", "The shops earned CHF 2,400 together [F4, F5]."),
        ("The Station shop is 35 points ahead of the Harbour shop [F4, F5].",
         "The Station shop is 25 points ahead of the Harbour shop [F4, F5]."),
        ("The Harbour shop brings in CHF 400 more than the Station shop [F4, F5].",
         "The Harbour shop brings in CHF 500 more than the Station shop [F4, F5]."),
        ("Their average progress is 57.5% [F4, F5].", "Their average progress is 55% [F4, F5]."),
        ("The Harbour shop has 60% to go [F4].", "The Harbour shop has 70% to go [F4]."),
        ("The Harbour shop opens in a week [F4].", "The Harbour shop opens in two weeks [F4]."),
    ],
)  # fmt: skip
def test_h9_what_can_be_recomputed_is(right: str, wrong: str) -> None:
    assert (judged(right).verdict, judged(wrong).verdict) == (SUPPORTED, CONTRADICTED)


# --- H10, H11: reports of action ------------------------------------------------------------------------------------

SENT = RECEIPT.fact(
    {"title": "Message to Elena Weber", "outcome": "done", "action": "send_message"},
    source="receipts", key="1", as_of=NOW,
)  # fmt: skip

WAITING = PROPOSAL.fact(
    {"title": "Message to Elena Weber", "state": "pending", "action": "send_message"},
    source="proposals", key="1", as_of=NOW,
)  # fmt: skip


async def test_h10_done_without_a_call_is_withheld(run: Run) -> None:
    lie = "Done! I have sent the message to Elena and saved a copy."
    with Scripted([say(lie), say(lie)]) as model:
        ran = await run(model, "Write to Elena", seeds=[ELENA])
    assert "have sent" not in ran.answer.text
    assert "saved" not in ran.answer.text


async def test_h10_after_a_proposal_proposed_is_true_and_sent_is_not(run: Run) -> None:
    honest = 'I have prepared a proposal, "Message to Elena"; it waits for your approval [F1].'
    lie = "You confirmed it, so I have sent the message to Elena [F1]."
    asked = call("propose_message", person="Elena", text="Hi")
    with Scripted([asked, say(honest)]) as model:
        assert (await run(model, "Write to Elena")).answer.text == honest
    with Scripted([asked, say(lie), say(lie)]) as model:
        ran = await run(model, "Write to Elena")
    assert "have sent" not in ran.answer.text
    assert "pending" in ran.answer.text


@pytest.mark.parametrize(
    "claim",
    [
        "I have sent the message to Elena Weber.",
        "The message to Elena Weber was sent.",
        "Your message to Elena Weber has been sent.",
        "Ich habe die Nachricht an Elena Weber gesendet [F8].",
    ],
)
def test_h11_that_something_is_finished_needs_its_receipt(claim: str) -> None:
    locale = "de" if claim.startswith("Ich") else "en"
    verdicts = [
        Verifier(known(*more), Setting(NOW, locale, "tell me")).report(claim).sentences[0].verdict
        for more in ((SENT,), (WAITING,))
    ]
    assert verdicts == [SUPPORTED, CONTRADICTED]


# --- H12: verified in code, not by a prompt --------------------------------------------------------------------------


async def test_h12_a_right_answer_costs_no_request_for_checking(run: Run) -> None:
    with Scripted([call("list_people"), say("Mara Lindt is an architect [F3].")]) as model:
        await run(model, "Who is Mara?")
    assert len(model.requests) == 2
    asked = " ".join(r.system + r.hint for r in model.requests)
    assert not re.search(r"(?i)double.check|re-?check|verify|are you sure", asked)


async def test_h12_a_wrong_one_is_found_without_asking_and_costs_one_repair(run: Run) -> None:
    right = "Mara Lindt is an architect [F3]."
    with Scripted([call("list_people"), say("Mara Lindt is an engineer [F3]."), say(right)]) as model:
        ran = await run(model, "Who is Mara?")
    assert len(model.requests) == 3
    assert "engineer" in model.requests[2].hint
    assert ran.answer.text == right


# --- H13: the decisive fact stands before the answer ------------------------------------------------------------------

MOVED = person("Elena Weber", "p1", affiliation="Bexley Studios")


@pytest.mark.parametrize(
    ("draft", "held"),
    [("Elena Weber works at Bexley Studios [F2].", True), ("Elena Weber works at SINGA Switzerland [F1].", False)],
)
async def test_h13_a_fresh_fact_is_shown_before_the_question_and_outlives_the_stale_one(
    run: Run, draft: str, held: bool
) -> None:
    evidence = Evidence()
    evidence.add(ELENA)
    with Scripted([say(draft)] * (1 if held else 2)) as model:
        ran = await run(model, "Where does Elena work?", seeds=[MOVED], evidence=evidence)
    first = model.requests[0].messages[-1]
    assert [(n.ref, n.fact.values["affiliation"]) for n in first.facts] == [("F2", "Bexley Studios")]
    assert (ran.answer.text == draft) is held
    assert "Bexley Studios" in ran.answer.text


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Elena Weber works at Bexley Studios [F8].", SUPPORTED),
        ("Elena Weber works at SINGA Switzerland [F1].", CONTRADICTED),
        ("Elena Weber moved from SINGA Switzerland [F1] to Bexley Studios [F8].", SUPPORTED),
        ("Elena Weber can be reached at +41 77 473 00 93 [F1].", CONTRADICTED),
        ("Mara Lindt is an architect [F3].", SUPPORTED),
    ],
)
def test_h13_what_a_record_held_before_is_no_longer_so(claim: str, verdict: Verdict) -> None:
    told = judged(claim, MOVED)
    assert told.verdict is verdict
    assert all(v.nearest == "F8" for v in told.violations)


def test_h13_what_has_not_changed_may_be_cited_by_the_older_ref() -> None:
    same = person("Elena Weber", "p1", affiliation="SINGA Switzerland", role="lead")
    assert judged("Elena Weber works at SINGA Switzerland [F1].", same).verdict is SUPPORTED
