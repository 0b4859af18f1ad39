"""The card in a browser: before and after, risks, reasons; inert until all of it was seen. Needs Chromium."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sayso.gateway.cards import Card, Row
from sayso.gateway.grounds import Reason
from sayso.gateway.risks import Risk, RiskCode, text_risks

from .conftest import CHROMIUM

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]
SHOTS = os.environ.get("SAYSO_SHOTS")
LONG = "\n".join(
    f"{n}. Thank you for the harvest of this year, and for line {n} of this letter." for n in range(1, 121)
)


def signed_in(browser: Any, link: str, **options: Any) -> tuple[Any, list[str]]:
    page = browser.new_context(**options).new_page()
    faults: list[str] = []
    page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: faults.append(str(e)))
    page.goto(link)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/")
    return page, faults


def shot(page: Any, name: str) -> None:
    if SHOTS:
        Path(SHOTS).mkdir(exist_ok=True)
        page.screenshot(path=f"{SHOTS}/{name}.png")


def to_card(page: Any) -> Any:
    page.get_by_label("Ask about your records").fill("x")
    page.keyboard.press("Enter")
    card = page.locator(".proposal").first
    card.wait_for()
    return card


def rich(assistant: Any, text: str = "See you on Monday.\n\nElena") -> None:
    """A card with something of everything."""
    rows = (
        Row("recipient", "Elena Weber"),
        Row("address", "elena@singa.example.evil", None, (Risk(RiskCode.ADDRESS_DIFFERS, ("elena@singa.example.evil", "elena@singa.example")),)),
        Row("role", "Director", "Owner"),
        Row("tags", "harvest", "", (), 12),
        Row("text", text, None, text_risks(text)),
    )  # fmt: skip
    risks = (Risk(RiskCode.NOT_ASKED, ("Elena Weber",)), Risk(RiskCode.REPEATED, ("2026-11-30T09:00+00:00",)))
    reasons = (Reason("F1", "person", "Elena Weber", "people", "p1", "own"), Reason("F2", "agent_answer", "claw", "agent", "k", "second_hand"))  # fmt: skip
    assistant.card = replace(
        assistant.card,
        action="workspace.prepare_email",
        title="E-mail to Elena Weber",
        card=Card(rows, risks, (), reasons),
    )


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
def test_a_card_shows_before_and_after_risks_and_reasons(
    browser: Any, link: str, assistant: Any, width: int, scheme: str
) -> None:
    rich(assistant)
    page, faults = signed_in(browser, link, viewport={"width": width, "height": 860}, color_scheme=scheme)
    card = to_card(page)
    assert card.locator("del").first.inner_text() == "Owner"
    assert card.locator("ins").first.inner_text() == "Director"
    assert "12 others stay" in card.inner_text()
    assert "Another address than the recorded one: elena@singa.example.evil · elena@singa.example" in card.inner_text()
    assert "Not asked for by you: Elena Weber" in card.inner_text()
    assert "The same was approved already: 30 Nov 2026" in card.inner_text()
    assert "Rests on Elena Weber (person, F1)" in card.inner_text()
    assert "another agent’s words, F2" in card.inner_text()
    card.scroll_into_view_if_needed()
    shot(page, f"card-{width}-{scheme}-top")
    card.locator("summary").click()
    card.get_by_text("me · proposed").wait_for()
    card.locator("footer").scroll_into_view_if_needed()
    shot(page, f"card-{width}-{scheme}-end")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults == []


@pytest.mark.parametrize("width", [1280, 390])
def test_s10_a_long_change_is_never_cut_off_and_approve_is_inert_until_all_was_seen(
    browser: Any, link: str, assistant: Any, width: int
) -> None:
    rich(assistant, LONG)
    page, faults = signed_in(browser, link, viewport={"width": width, "height": 700})
    card = to_card(page)
    approve = card.get_by_role("button", name="Approve")
    assert approve.get_attribute("aria-disabled") == "true"
    text = card.locator("dd").nth(4)
    assert "120. Thank you" in text.inner_text()
    assert text.evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    approve.dispatch_event("click")
    assert assistant.approvals == []
    assert card.get_by_text("Approve works once you have seen the whole change.").is_visible()
    shot(page, f"long-{width}-inert")
    page.locator("#view").evaluate("view => { view.scrollTop = 0; }")
    page.wait_for_timeout(100)
    page.locator("#view").evaluate("view => { view.scrollTop = view.scrollHeight; }")
    page.wait_for_timeout(100)
    assert approve.get_attribute("aria-disabled") == "true", "a jump to the end is not reading"
    height = page.locator("#view").evaluate("view => view.scrollHeight")
    for top in range(0, height + 400, 400):
        page.locator("#view").evaluate("(view, top) => { view.scrollTop = top; }", top)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_function("!document.querySelector('.proposal .primary').hasAttribute('aria-disabled')")
    assert card.get_by_text("Approve works once").is_hidden()
    approve.click()
    page.get_by_text("created").first.wait_for()
    assert assistant.approvals == ["prop_1"]
    assert faults == []


def test_the_keyboard_reads_a_long_card_and_approves_it(browser: Any, link: str, assistant: Any) -> None:
    rich(assistant, LONG)
    page, faults = signed_in(browser, link, viewport={"width": 1000, "height": 700})
    card = to_card(page)
    approve = card.get_by_role("button", name="Approve")
    approve.focus()
    for _ in range(60):  # each press shows what is still to be read
        if assistant.approvals:
            break
        page.keyboard.press("Enter")
        page.wait_for_timeout(60)
    page.get_by_text("created").first.wait_for()
    assert assistant.approvals == ["prop_1"]
    assert faults == []


def test_c13_a_double_click_and_a_second_press_act_once(browser: Any, link: str, assistant: Any) -> None:
    rich(assistant)
    page, faults = signed_in(browser, link)
    card = to_card(page)
    card.get_by_role("button", name="Approve").dblclick()
    page.get_by_text("created").first.wait_for()
    assert (assistant.approvals, faults) == (["prop_1"], [])


@pytest.mark.parametrize(("answer", "state"), [("It happened", "done"), ("It did not", "failed")])
def test_an_unknown_end_asks_a_person_who_looked(
    browser: Any, link: str, assistant: Any, answer: str, state: str
) -> None:
    rich(assistant)
    assistant.card = replace(assistant.card, state="unknown", outcome="unknown", can_check=True)
    page, faults = signed_in(browser, link)
    page.locator("#to-proposals").click()
    card = page.locator(".proposal")
    card.get_by_text("It broke off while it ran.").wait_for()
    assert card.get_by_role("button", name="Approve").count() == 0
    card.get_by_role("button", name="Look again").click()
    page.wait_for_function("!document.querySelector('.proposal .buttons button').disabled")
    shot(page, "unknown")
    card.get_by_role("button", name=answer, exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(f'.proposal[data-state="{state}"]')
    assert faults == []


def test_b3_b20_a_person_chooses_with_each_message_what_becomes_of_what_waits(
    browser: Any, link: str, assistant: Any
) -> None:
    rich(assistant)
    page, faults = signed_in(browser, link)
    box = page.get_by_label("Close the proposal that waits here")
    assert box.is_hidden()
    to_card(page)
    box.wait_for()
    page.get_by_label("Ask about your records").fill("another question")
    page.keyboard.press("Enter")
    page.locator(".exchange").nth(1).get_by_role("heading", name="Sources").wait_for()
    assert assistant.superseding == [False, False], "a card that waits blocks nothing, and stays"
    page.locator("#send").wait_for()
    page.locator("#supersede input").check()
    shot(page, "supersede")
    assistant.card = replace(assistant.card, state="superseded")
    page.get_by_label("Ask about your records").fill("never mind")
    page.keyboard.press("Enter")
    page.wait_for_selector('.proposal[data-state="superseded"]')
    assert assistant.superseding == [False, False, True]
    page.locator("#send").wait_for()
    page.locator("#supersede").wait_for(state="hidden")
    assert faults == []


def test_of_a_stored_pending_card_the_marks_and_choices_are_there_after_a_reload(
    browser: Any, link: str, assistant: Any
) -> None:
    """B13: what waits is stored, not derived from the stream."""
    rich(assistant)
    page, faults = signed_in(browser, link)
    to_card(page)
    page.reload()
    page.locator(".proposal").get_by_role("button", name="Approve").wait_for()
    assert page.get_by_text("Not asked for by you: Elena Weber").is_visible()
    assert page.locator("#supersede").is_visible()
    assert faults == []


def test_b4_b24_a_denied_card_is_over_at_once_and_after_a_reload_and_the_ask_box_is_open(
    browser: Any, link: str, assistant: Any
) -> None:
    rich(assistant)
    page, faults = signed_in(browser, link)
    card = to_card(page)
    card.get_by_role("button", name="Deny").click()
    card.get_by_label("Why not? (optional)").fill("not this week")
    page.keyboard.press("Enter")
    page.wait_for_selector('.proposal[data-state="denied"]')
    assert assistant.denials == ["not this week"]
    for _ in range(2):
        assert page.locator(".proposal .buttons").count() == 0
        assert page.locator(".proposal .state").inner_text().lower() == "denied"
        assert page.locator("#supersede").is_hidden()
        assert page.locator("#send").is_visible()
        page.reload()
        page.wait_for_selector('.proposal[data-state="denied"]')
    page.get_by_label("Ask about your records").fill("another question")
    page.keyboard.press("Enter")
    page.locator(".exchange").nth(1).get_by_role("heading", name="Sources").wait_for()
    assert (assistant.approvals, faults) == ([], [])
