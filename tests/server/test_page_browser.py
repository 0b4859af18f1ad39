"""The page in a browser: ask, read the sources, approve once. Needs Chromium."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from .conftest import CHROMIUM, script

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]
SHOTS = os.environ.get("SAYSO_SHOTS")


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


def test_a_person_asks_sees_sources_and_approves_once(browser: Any, link: str, assistant: Any) -> None:
    page, faults = signed_in(browser, link)
    page.get_by_label("Ask about your records").fill("Where does <b>Elena</b> work?")
    page.keyboard.press("Enter")
    page.get_by_text("SINGA Switzerland").first.wait_for()
    page.get_by_role("heading", name="Sources").wait_for()
    assert page.locator(".question").inner_text().endswith("Where does <b>Elena</b> work?")
    page.locator(".answer .chip").first.click()
    assert "not recorded" in record_shown(page).inner_text()
    page.keyboard.press("Escape")
    assert page.locator("#record").is_hidden()
    assert page.get_by_text("1 sentence was withheld").is_visible()
    approve = page.get_by_role("button", name="Approve")
    approve.wait_for()
    assert "⟨U+202E⟩" in page.locator(".proposal").inner_text()
    assert not approve.evaluate("node => node === document.activeElement")
    approve.dblclick()
    page.get_by_text("created").wait_for()
    assert assistant.approvals == ["prop_1"]
    page.reload()
    page.get_by_text("SINGA Switzerland").first.wait_for()
    assert faults == []


def test_a_records_card_stays_beside_its_chip_while_the_page_moves(
    browser: Any, link: str, assistant: Any, found: Any
) -> None:
    lines = [(f"Elena is at SINGA Switzerland, line {n} [F1].", "supported") for n in range(60)]
    answered(assistant, found, *lines)
    page, faults = signed_in(browser, link)
    page.get_by_label("Ask about your records").fill("x")
    page.keyboard.press("Enter")
    page.locator(".sources").wait_for()
    chip = page.locator(".answer .chip").last
    chip.click()
    record_shown(page)
    move = "by => { const view = document.querySelector('#view'); view.scrollTop += by; }"
    page.evaluate(move, -40)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    shown = page.locator("#record").bounding_box()
    assert shown is not None
    at = chip.bounding_box()
    assert min(abs(at["y"] + at["height"] + 8 - shown["y"]), abs(shown["y"] + shown["height"] + 8 - at["y"])) < 3
    page.evaluate(move, -100_000)
    page.locator("#record").wait_for(state="hidden")
    assert faults == []


def test_s12_s14_a_hostile_answer_stays_text_and_nothing_is_fetched_for_it(
    browser: Any, link: str, assistant: Any
) -> None:
    from sayso.core.events import Answer, Finish, RunStarted
    from sayso.core.messages import Outcome, StopReason

    hostile = "<img src=x onerror=alert(1)> ![i](https://evil.example/a) [l](javascript:alert(1)) <script>1</script>"
    end = Finish(Outcome.ANSWERED, StopReason.ANSWERED)
    assistant.events = [RunStarted("r", "th_1", "e", "m"), Answer(hostile, Outcome.ANSWERED, ()), end]
    page, faults = signed_in(browser, link)
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    page.get_by_label("Ask about your records").fill("x")
    page.keyboard.press("Enter")
    page.get_by_text("evil.example").wait_for()
    assert page.locator(".answer :is(img, a, script)").count() == 0
    assert page.locator(".answer").inner_text() == hostile
    assert {url.split("/")[2] for url in asked_for} == {link.split("/")[2]}
    assert faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_every_view_fits_its_screen(browser: Any, link: str, scheme: str, width: int, height: int) -> None:
    page, faults = signed_in(browser, link, viewport={"width": width, "height": height}, color_scheme=scheme)
    name = f"{width}-{scheme}"
    page.get_by_role("heading", name="What would you like to know?").wait_for()
    shot(page, f"{name}-1-hello")
    page.locator(".example").first.click()
    page.get_by_role("button", name="Approve").wait_for()
    shot(page, f"{name}-2-answer")
    page.locator(".answer .chip").first.click()
    shot(page, f"{name}-3-record")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Deny").click()
    shot(page, f"{name}-4-deny")
    if width < 800:
        page.locator("#menu").click()
        time.sleep(0.3 if SHOTS else 0)
        shot(page, f"{name}-5-drawer")
    page.locator("#to-proposals").click()
    page.get_by_role("heading", name="Waiting for you").wait_for()
    shot(page, f"{name}-6-proposals")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults == []


def to_card(page: Any) -> Any:
    page.get_by_label("Ask about your records").fill("x")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Approve").wait_for()
    return page.locator(".proposal")


def test_a_person_edits_every_type_of_input_by_keyboard_and_approves_what_is_shown(
    browser: Any, link: str, assistant: Any, remind: Any
) -> None:
    assistant.show(remind)
    page, faults = signed_in(browser, link)
    card = to_card(page)
    card.get_by_role("button", name="Edit").focus()
    page.keyboard.press("Enter")
    form = card.get_by_role("form", name="Edit this proposal")
    assert form.get_by_label("Text").evaluate("node => node === document.activeElement")
    assert card.get_by_role("button", name="Approve").count() == 0
    assert form.get_by_label("Person").count() == 0
    assert "Elena Weber" in form.inner_text()
    form.get_by_label("Text").fill("<b>Call</b>\nher")
    form.get_by_label("Due").fill("2026-12-05")
    form.get_by_label("Count").fill("3")
    form.get_by_label("Urgent").check()
    form.get_by_label("Size").select_option(label="large")
    form.get_by_label("Count").press("Enter")
    card.get_by_role("button", name="Approve").wait_for()
    assert card.evaluate("node => node === document.activeElement")
    assert "Saved" in page.locator("#live").inner_text()
    wanted = {
        "person": "Elena Weber",
        "text": "<b>Call</b>\nher",
        "due": "2026-12-05",
        "count": 3,
        "urgent": True,
        "size": "large",
    }
    assert assistant.card.values == wanted
    for value in ("<b>Call</b>\nher", "2026-12-05", "large"):
        assert value in card.inner_text()
    card.get_by_role("button", name="Approve").click()
    page.get_by_text("created").wait_for()
    assert assistant.approvals == ["prop_1"]
    assert faults == []


def test_a_wrong_input_is_told_beside_it_and_escape_leaves_the_form(
    browser: Any, link: str, assistant: Any, remind: Any
) -> None:
    assistant.show(remind)
    page, _ = signed_in(browser, link)
    card = to_card(page)
    card.get_by_role("button", name="Edit").click()
    form = card.get_by_role("form")
    form.get_by_label("Text").fill("")
    form.get_by_label("Count").fill("12")
    form.get_by_role("button", name="Save changes").click()
    form.get_by_text("Write 9 or less.").wait_for()
    text = form.get_by_label("Text")
    assert text.get_attribute("aria-invalid") == "true"
    assert text.evaluate("node => node === document.activeElement")
    described = text.evaluate("node => document.getElementById(node.getAttribute('aria-describedby')).textContent")
    assert described == "Write something here."
    shot(page, "wrong-input")
    text.fill("Back")
    assert text.get_attribute("aria-invalid") is None
    page.keyboard.press("Escape")
    edit = card.get_by_role("button", name="Edit")
    assert edit.evaluate("node => node === document.activeElement")
    assert assistant.card.values == remind


def test_a_card_that_moved_on_shows_what_is_there_now(browser: Any, link: str, assistant: Any, remind: Any) -> None:
    assistant.show(remind)
    page, _ = signed_in(browser, link)
    card = to_card(page)
    card.get_by_role("button", name="Edit").click()
    assistant.show({**remind, "text": "Write to her"}, "cd" * 32)
    card.get_by_label("Text").fill("Visit her")
    card.get_by_role("button", name="Save changes").click()
    card.get_by_text("the card has changed since it was shown").wait_for()
    assert "Write to her" in card.inner_text()
    assistant.show({**remind, "text": "Wave"}, "ef" * 32)
    card.get_by_role("button", name="Approve").click()
    card.get_by_text("Wave").wait_for()
    assert assistant.approvals == []


def answered(assistant: Any, found: Any, *pieces: tuple[str, str]) -> None:
    """Let the assistant answer with these sentences and their verdicts."""
    from sayso.core.events import Answer, Finish, RunStarted, TextDelta, Verified
    from sayso.core.messages import Outcome, StopReason
    from sayso.core.verify.report import Judged, Report, Verdict, Violation, ViolationKind

    def judged(text: str, start: int, verdict: str) -> Judged:
        open_claim = (
            Violation(ViolationKind.UNSUPPORTED, text.strip(), start, start + len(text), "leave it out", "F1"),
        )
        return Judged(text, start, Verdict(verdict), open_claim if verdict == "unsupported" else ())

    text = "".join(words for words, _ in pieces)
    starts = [sum(len(words) for words, _ in pieces[:n]) for n in range(len(pieces))]
    sentences = tuple(judged(words, start, verdict) for (words, verdict), start in zip(pieces, starts, strict=True))
    assistant.events = [
        RunStarted("r", "th_1", "e", "m"), found, TextDelta(text), Verified(Report(sentences), False),
        Answer(text, Outcome.ANSWERED, ("F1",)), Finish(Outcome.ANSWERED, StopReason.ANSWERED),
    ]  # fmt: skip


def marks(page: Any) -> list[str]:
    """What is marked, without the words for screen readers."""
    return page.locator(".answer mark").evaluate_all(
        "all => all.map(m => [...m.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join(''))"
    )


def test_a_sentence_without_a_record_is_marked_where_it_stands(
    browser: Any, link: str, assistant: Any, found: Any
) -> None:
    answered(
        assistant, found,
        ("Elena works at SINGA [F1]. ", "supported"), ("She **likes <i>tea</i>** a lot [F1].\n\n", "unsupported"),
        ("- She likes tea.\n", "supported"), ("- She likes tea.\n\n", "unsupported"),
        ("| Name | Drink |\n|---|---|\n", "talk"), ("| Elena | <img src=x onerror=alert(1)> |", "unsupported"),
    )  # fmt: skip
    page, faults = signed_in(browser, link)
    page.get_by_label("Ask about your records").fill("x")
    page.keyboard.press("Enter")
    page.get_by_text("3 sentences are not backed by a record.").first.wait_for()
    assert marks(page) == [
        "She ",
        "likes <i>tea</i>",
        " a ",
        "lot ",
        ".",
        "She likes tea.",
        "Elena",
        "<img src=x onerror=alert(1)>",
    ]
    assert page.locator(".answer :is(i, img)").count() == 0
    assert page.locator(".answer li mark").count() == 1
    assert page.locator(".answer .sr").all_inner_texts() == ["not backed by a record:"] * 3
    assert page.locator(".open-claims").count() == 0
    assert "3 sentences are not backed" in page.locator("#live").inner_text()
    mark = page.locator(".answer li mark")
    tip = page.locator(f"#{mark.get_attribute('aria-describedby')}")
    assert tip.is_hidden()
    at = mark.evaluate("node => { const box = node.getBoundingClientRect(); return [box.x + 40, box.y + 9]; }")
    page.mouse.move(*at)
    assert "Your records say nothing for or against it." in tip.inner_text()
    assert "Elena Weber" in tip.inner_text()
    shot(page, "unbacked")
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    mark.focus()
    assert tip.is_visible()
    assert faults == []


def test_marks_come_back_with_the_conversation_and_what_is_not_found_is_listed(
    browser: Any, link: str, assistant: Any, found: Any
) -> None:
    answered(assistant, found, ("Quite.", "unsupported"), ("Never shown.", "unsupported"))
    assistant.events[-2] = type(assistant.events[-2])("Quite.", assistant.events[-2].outcome, ())
    page, _ = signed_in(browser, link)
    page.get_by_label("Ask about your records").fill("x")
    page.keyboard.press("Enter")
    page.get_by_text("Not in your records").wait_for()
    assert marks(page) == ["Quite."]
    assert page.locator(".open-claims li").all_text_contents() == ["Never shown."]


def test_many_sources_fold_and_days_are_shown_in_words_and_exactly(
    browser: Any, link: str, assistant: Any, found: Any, remind: Any
) -> None:
    from dataclasses import replace

    one = found.facts[0]
    many = tuple(replace(one, ref=f"F{n}", fact=replace(one.fact, key=f"p{n}")) for n in range(1, 13))
    text = " ".join(f"Elena works [F{n}]." for n in range(1, 13))
    answered(assistant, replace(found, facts=many), (text, "supported"))
    page, _ = signed_in(browser, link)
    page.get_by_label("Ask about your records").fill("x")
    page.keyboard.press("Enter")
    page.get_by_text("6 more").click()
    assert page.locator(".sources .chip").all_inner_texts() == [str(n) for n in range(1, 13)]
    assert page.locator(".answer .kept").first.inner_text() == "works 1"
    assistant.show({**remind, "due": "2026-12-04T15:00:00+01:00"})
    page.locator("#to-proposals").click()
    card = page.locator(".proposal")
    card.wait_for()
    assert "Fri, 4 Dec 2026, 15:00" in card.inner_text()
    assert "2026-12-04T15:00:00+01:00" in card.inner_text()


def test_another_agents_answer_stands_on_its_card_as_that_agents_words(browser: Any, link: str, assistant: Any) -> None:
    from dataclasses import replace

    from sayso.core.facts import SECOND_HAND, Provenance

    words = SECOND_HAND.fact(
        {"agent": "claw", "asked": "When?", "answer": "In <b>March</b>\u202e."},
        source="agent claw", key="k", as_of=assistant.card.created, provenance=Provenance.SECOND_HAND,
    )  # fmt: skip
    assistant.card = replace(assistant.card, state="done", outcome="answered", details="by claw", learned=(words,))
    page, faults = signed_in(browser, link)
    page.locator("#to-proposals").click()
    learned = page.locator(".learned")
    learned.wait_for()
    assert "another agent’s words · claw" in learned.inner_text().lower()
    assert "In <b>March</b>⟨U+202E⟩." in learned.inner_text()
    shot(page, "second-hand")
    assert faults == []


SIZES = pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])


def in_view(page: Any, node: Any) -> bool:
    """Whether all of it can be seen in the part of the page that scrolls."""
    box, view = node.bounding_box(), page.locator("#view").bounding_box()
    return view["y"] <= box["y"] and box["y"] + box["height"] <= view["y"] + view["height"]


def long_text(assistant: Any, found: Any) -> str:
    text = "".join(f"- Elena works here and there, number {n} [F1].\n" for n in range(60))
    answered(assistant, found, (text, "supported"))
    return text


@SIZES
def test_a_new_card_is_shown_down_to_its_buttons_which_get_no_focus(
    browser: Any, link: str, assistant: Any, remind: Any, width: int, height: int
) -> None:
    assistant.show({**remind, "text": "\n".join(f"Line {n} of a letter" for n in range(3))})
    page, _ = signed_in(browser, link, viewport={"width": width, "height": height})
    card = to_card(page)
    approve = card.get_by_role("button", name="Approve")
    page.locator("#send").wait_for()
    assert in_view(page, approve)
    assert in_view(page, card.locator("footer"))
    assert approve.evaluate("node => node !== document.activeElement")
    card.get_by_role("button", name="Edit").click()
    card.get_by_label("Count").fill("3")
    card.get_by_role("button", name="Save changes").click()
    approve.wait_for()
    assert in_view(page, approve)


@SIZES
def test_a_card_taller_than_the_window_opens_at_its_top_with_approve_inert(
    browser: Any, link: str, assistant: Any, remind: Any, width: int, height: int
) -> None:
    assistant.show({**remind, "text": "\n".join(f"Line {n} of a long letter" for n in range(80))})
    page, _ = signed_in(browser, link, viewport={"width": width, "height": height})
    card = to_card(page)
    page.locator("#send").wait_for()
    assert in_view(page, card.locator("header"))
    assert card.get_by_role("button", name="Approve").get_attribute("aria-disabled") == "true"


@SIZES
def test_a_long_answer_opens_at_its_question_and_again_with_its_conversation(
    browser: Any, link: str, assistant: Any, found: Any, width: int, height: int
) -> None:
    long_text(assistant, found)
    page, _ = signed_in(browser, link, viewport={"width": width, "height": height})
    for _ in range(2):
        page.get_by_label("Ask about your records").fill("Where?")
        page.keyboard.press("Enter")
        page.locator("#send").wait_for()
        page.locator(".sources").last.wait_for(state="attached")
        assert in_view(page, page.locator(".question").last)


def test_a_person_who_scrolls_is_left_alone(browser: Any, link: str, assistant: Any, remind: Any) -> None:
    assistant.show({**remind, "text": "\n".join(f"Line {n}" for n in range(60))})
    page, _ = signed_in(browser, link, viewport={"width": 1280, "height": 800})
    page.goto(page.url + "t/th_1")
    card = page.locator(".proposal")
    card.wait_for()
    held: list[Any] = []
    page.route("**/api/v1/proposals/prop_1", lambda route: held.append(route))
    with page.expect_request("**/api/v1/proposals/prop_1"):
        page.get_by_label("Ask about your records").fill("x")
        page.keyboard.press("Enter")
    page.locator("#send").wait_for()
    top = "document.querySelector('#view').scrollTop"
    page.evaluate(
        "() => { window.moved = new Promise((done) => view.addEventListener('scrollend', done, { once: true })); }"
    )
    page.locator("#view").hover()
    page.mouse.wheel(0, -300)
    page.evaluate("() => window.moved.then(() => true)")
    before = page.evaluate(top)
    for route in held:
        route.continue_()
    card.nth(1).wait_for()
    assert page.evaluate(top) == before


MESSAGE = {"recipient": "Elena Weber", "channel": "whatsapp", "address": "+41 77 473 00 93", "text": "Hello"}


def message_card(assistant: Any, **changes: Any) -> None:
    from dataclasses import replace

    assistant.card = replace(
        assistant.card, action="workspace.prepare_message", title="Message to Elena Weber", target="Elena Weber",
        target_record="person person_44b0", arguments=tuple(MESSAGE.items()), unbacked=(), **changes,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("locale", "title", "state", "told"),
    [
        ("en", "Message to Elena Weber", "approved, not sent", "Nothing was sent."),
        ("de", "Nachricht an Elena Weber", "genehmigt, nicht gesendet", "Nichts wurde gesendet."),
    ],
)
def test_a_card_says_how_it_ended_in_the_pages_language_and_keeps_raw_values_in_its_details(
    browser: Any, link: str, assistant: Any, config: Any, locale: str, title: str, state: str, told: str
) -> None:
    object.__setattr__(config, "locale", locale)
    message_card(
        assistant, state="done", outcome="approved, not sent",
        details="message to Elena Weber (email elena@example.org); mailto:elena@example.org?body=Hello",
    )  # fmt: skip
    page, faults = signed_in_in(browser, link, locale)
    page.locator("#to-proposals").click()
    card = page.locator(".proposal")
    card.wait_for()
    assert card.locator("h3").inner_text() == title
    assert card.locator(".state").inner_text() == state
    assert told in card.locator(".outcome").inner_text()
    assert card.locator("a[href^='mailto:elena@example.org']").count() == 1
    assert card.inner_text().count("Elena Weber") == 2  # the title and the recipient
    for raw in ("person_44b0", "workspace.prepare_message", "abababab"):
        assert raw not in card.inner_text()
    card.locator("summary").click()
    for raw in ("person person_44b0", "workspace.prepare_message", "abababab"):
        assert raw in card.inner_text()
    shot(page, f"done-{locale}")
    assert faults == []


def test_a_german_page_names_a_records_fields_in_german(browser: Any, link: str, config: Any) -> None:
    object.__setattr__(config, "locale", "de")
    page, faults = signed_in_in(browser, link, "de")
    page.locator("#message").fill("x")
    page.keyboard.press("Enter")
    page.locator(".sources").wait_for()
    assert "Person" in page.locator(".sources").inner_text()
    page.locator(".answer .chip").first.click()
    told = record_shown(page).inner_text().lower()
    assert "erreichbar" in told
    assert "kennengelernt\nnicht erfasst" in told
    assert faults == []


def record_shown(page: Any) -> Any:
    """The record's card once it is open: the text of what is still hidden has no line breaks."""
    record = page.locator("#record")
    record.wait_for()
    return record


def signed_in_in(browser: Any, link: str, locale: str) -> tuple[Any, list[str]]:
    """Signed in on a page of that language."""
    page = browser.new_context(locale=locale).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda e: faults.append(str(e)))
    page.goto(link)
    page.locator("button.primary").click()
    page.wait_for_url("**/")
    return page, faults


def test_times_in_a_records_card_are_said_as_people_say_them(
    browser: Any, link: str, assistant: Any, found: Any
) -> None:
    from dataclasses import replace

    from sayso.core.facts import FactKind, Field, FieldType

    kind = FactKind("event", (Field("title"), Field("starts", FieldType.DATETIME), Field("days")), subject="title")
    at = assistant.card.created.replace(hour=15)
    fact = kind.fact(
        {"title": "Tea", "starts": at, "days": "2026-06-12; 2026-06-13"}, source="events", key="e", as_of=at
    )
    answered(assistant, replace(found, facts=(replace(found.facts[0], fact=fact),)), ("Tea [F1].", "supported"))
    page, _ = signed_in(browser, link, timezone_id="Europe/Zurich")
    page.get_by_label("Ask about your records").fill("x")
    page.keyboard.press("Enter")
    page.locator(".sources").wait_for()
    page.locator(".answer .chip").first.click()
    told = record_shown(page).locator(".fields").inner_text()
    assert "Mon, 30 Nov 2026, 15:00 UTC" in told
    assert "Fri, 12 Jun 2026; Sat, 13 Jun 2026" in told


def test_who_answered_instead_and_why_is_told_also_after_a_reload(
    browser: Any, link: str, assistant: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from sayso.core.events import UsageReport
    from sayso.core.messages import Attempt, Usage

    passed = (Attempt("toy", "model_refused", "toy: the key was not accepted"), Attempt("quote", "left_out", "less"))
    events = script("r", "th_1")
    assistant.events = [*events[:-1], UsageReport(Usage(), 1, "quote", passed), events[-1]]
    kept = assistant.thread

    async def thread(actor: Any, thread_id: str) -> Any:
        detail = await kept(actor, thread_id)
        shown = tuple(replace(e, model="quote", attempts=passed) for e in detail.exchanges)
        return replace(detail, exchanges=shown)

    monkeypatch.setattr(assistant, "thread", thread, raising=False)
    page, faults = signed_in(browser, link)
    page.get_by_label("Ask about your records").fill("Where does Elena work?")
    page.keyboard.press("Enter")
    told = "toy did not answer: the key was not accepted. Answered by quote."
    page.get_by_text(told).wait_for()
    page.reload()
    page.get_by_text(told).wait_for()
    assert faults == []
