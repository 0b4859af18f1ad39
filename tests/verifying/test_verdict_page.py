"""The page of a report: whole, safe and with every link leading somewhere; in a browser also by keys and on a phone."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.verify.report import Judged, Profile, Report, Verdict, Violation, ViolationKind
from sayso.verifying.calling import verify
from sayso.verifying.page import MAX_OTHERS, page_of
from sayso.verifying.reading import read_facts

CHROMIUM = shutil.which("chromium")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
SHOTS = os.environ.get("SAYSO_SHOTS")
FACTS = [
    {"id": "F1", "entity": "Ann Lee", "kind": "player", "fields": {"points": 12, "due": "2026-12-01", "role": None}},
    {"id": "F2", "entity": "Bo <Ek>", "kind": "player", "provenance": "second_hand", "fields": {"points": 31}},
]
TEXT = "Ann Lee has 12 points [F1]. Ann Lee has 14 points [F1].\n\n| Ann | 31 [F9] |\nAnything <b>else</b>?"


def page(text: str = TEXT, facts: Any = FACTS, **more: Any) -> str:
    return page_of(verify(facts, text), read_facts(facts), **more)


def ids_and_links(html: str) -> tuple[list[str], list[str]]:
    return re.findall(r'\bid="([^"]+)"', html), re.findall(r'href="#([^"]+)"', html)


def plain(html: str) -> str:
    """What the marked text says, without its marks."""
    inner = html.split('dir="auto">', 1)[1].split("</div></section>", 1)[0]
    inner = re.sub(r'<span class="(?:sr|mark)"[^>]*>[^<]*</span>', "", inner)
    return re.sub(r"<[^>]+>", "", inner).replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace(
        "&#x27;", "'"
    ).replace("&amp;", "&")  # fmt: skip


def test_the_text_stands_on_the_page_to_the_letter() -> None:
    assert plain(page()) == TEXT


def test_every_link_leads_somewhere_and_every_id_is_there_once() -> None:
    ids, links = ids_and_links(page())
    assert len(ids) == len(set(ids))
    assert set(links) <= set(ids)
    assert {"fact-F1", "fact-F2", "why-1", "claim-1"} <= set(ids)


def test_nothing_of_a_text_or_a_fact_is_markup_and_nothing_is_loaded() -> None:
    html = page(title="<script>x</script>")
    assert "<b>" not in html.split('class="text"')[1].split("</section>")[0]
    assert "Bo &lt;Ek&gt;" in html
    assert html.count("<script>") == 1
    assert not re.search(r'(?:src|href)="(?!#)', html)
    assert "default-src 'none'" in html


def test_the_heading_says_how_it_ends() -> None:
    wrong, doubt, talk = Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.TALK
    told = {
        "1 marked of 1 sentence": [doubt], "2 withheld and 1 marked of 4 sentences": [wrong, wrong, doubt, talk],
        "All that was checked follows from the facts": [Verdict.SUPPORTED, talk],
    }  # fmt: skip
    for heading, verdicts in told.items():
        report = Report(tuple(Judged("She sings. ", 11 * i, v) for i, v in enumerate(verdicts)))
        assert f"<h1>{heading}</h1>" in page_of(report, read_facts(FACTS))


def test_a_finding_that_a_citation_divides_is_one_stop_for_keys() -> None:
    whole = Violation(ViolationKind.UNSUPPORTED, "She sings [F1] well.", 0, 20, "no record says so", "F1")
    html = page_of(Report((Judged("She sings [F1] well.", 0, Verdict.UNSUPPORTED, (whole,)),)), read_facts(FACTS))
    assert html.count('<a class="claim"') == 1
    assert html.count('<span class="claim"') == 1


def test_the_shortest_of_two_findings_on_the_same_words_is_linked() -> None:
    longer = Violation(ViolationKind.UNSUPPORTED, "She has 14.", 0, 11, "a", None)
    shorter = Violation(ViolationKind.WRONG_VALUE, "14", 8, 10, "b", "F1")
    sentence = Judged("She has 14.", 0, Verdict.CONTRADICTED, (shorter, longer))
    html = page_of(Report((sentence,), Profile.STRICT), read_facts(FACTS))
    assert re.findall(r'aria-describedby="why-(\d)">([^<]*)<', html) == [("1", "She has "), ("2", "14")]


def test_a_ref_that_is_not_there_is_struck_out_where_nothing_else_is_said_of_it() -> None:
    html = page_of(Report((Judged("See [F9] and [F1].", 0, Verdict.TALK),)), read_facts(FACTS))
    assert '<s class="ref" title="there is no such fact">F9</s>' in html
    assert '<a class="ref" href="#fact-F1"' in html


def test_characters_that_hide_are_seen() -> None:
    html = page("a\u202eb \x07c", [])
    assert "a�b �c" in html
    assert "There are no facts." in html


def test_of_many_facts_that_are_not_used_only_some_are_shown() -> None:
    facts = [{"entity": f"Name {i}", "fields": {"n": i}} for i in range(MAX_OTHERS + 5)]
    html = page("Hello there.", facts)
    assert html.count("<article") == MAX_OTHERS
    assert "… and 5 more" in html


@given(st.text(max_size=120), st.lists(st.tuples(st.integers(-5, 130), st.integers(-5, 130)), max_size=5))
def test_any_text_with_any_findings_makes_a_page(text: str, spans: list[tuple[int, int]]) -> None:
    found = tuple(Violation(ViolationKind.WRONG_VALUE, "x", a, b, "y", "F7") for a, b in spans)
    html = page_of(Report((Judged(text, 0, Verdict.CONTRADICTED, found),)), read_facts(FACTS))
    ids, links = ids_and_links(html)
    assert len(ids) == len(set(ids))
    assert {link for link in links if not link.startswith("s")} <= set(ids)


def test_a_page_takes_time_in_line_with_its_text(grows_linearly: Any) -> None:
    evidence = read_facts(FACTS)

    def made(size: int) -> object:
        wrong = tuple(
            Violation(ViolationKind.WRONG_VALUE, "14", i * 20, i * 20 + 2, "it is 12", "F1") for i in range(size)
        )
        return page_of(Report((Judged("14 words and more [F1]" * size, 0, Verdict.CONTRADICTED, wrong),)), evidence)

    grows_linearly(made, 400)


@pytest.fixture
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield running
        running.close()


def opened(browser: Any, folder: Path, html: str, **options: Any) -> tuple[Any, list[str]]:
    path = folder / "page.html"
    path.write_text(html, encoding="utf-8")
    shown = browser.new_context(**options).new_page()
    faults: list[str] = []
    shown.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
    shown.on("pageerror", lambda e: faults.append(str(e)))
    shown.goto(path.as_uri())
    return shown, faults


def shot(shown: Any, name: str) -> None:
    if SHOTS:
        Path(SHOTS).mkdir(exist_ok=True)
        shown.screenshot(path=f"{SHOTS}/{name}.png")


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
def test_a_reason_is_told_on_hover_and_on_focus_and_goes_with_escape(browser: Any, tmp_path: Path) -> None:
    shown, faults = opened(browser, tmp_path, page(), viewport={"width": 1200, "height": 800})
    tip, claim = shown.locator("#tip"), shown.locator(".text a.claim").first
    assert tip.is_hidden()
    claim.hover()
    why = next(v.instruction for v in verify(FACTS, TEXT).violations if v.words == "14")
    assert why in tip.inner_text()
    assert "near" in (shown.locator("#fact-F1").get_attribute("class") or "")
    shot(shown, "verdicts-hover")
    shown.keyboard.press("Escape")
    assert tip.is_hidden()
    claim.focus()
    assert tip.is_visible()
    described = claim.get_attribute("aria-describedby")
    assert why in shown.locator(f"#{described}").inner_text()
    shown.keyboard.press("Enter")
    shown.wait_for_url("**/page.html#why-1")
    assert shown.url.endswith("#why-1")
    assert faults == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_it_all_in_one_column(browser: Any, tmp_path: Path, scheme: str) -> None:
    size = {"width": 360, "height": 740}
    text = f"{TEXT}\n{'long' * 60} [F1]"
    shown, faults = opened(browser, tmp_path, page(text), viewport=size, color_scheme=scheme, has_touch=True)
    assert shown.evaluate("document.documentElement.scrollWidth") <= 360
    assert shown.locator("#facts").bounding_box()["y"] > shown.locator("main").bounding_box()["y"]
    shot(shown, f"verdicts-phone-{scheme}")
    assert faults == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
def test_the_nearest_of_many_facts_comes_into_view(browser: Any, tmp_path: Path) -> None:
    facts = [{"id": f"F{i}", "entity": f"Name{i} Lee{i}", "fields": {"points": i, "rank": i}} for i in range(1, 31)]
    text = " ".join(f"Name{i} Lee{i} has {i + 40} points [F{i}]." for i in range(1, 31))
    shown, faults = opened(browser, tmp_path, page(text, facts), viewport={"width": 1200, "height": 700})
    claim = shown.locator('.text a.claim[data-near="F30"]').first
    claim.hover()
    box = shown.locator("#fact-F30").bounding_box()
    assert 0 <= box["y"] < 700
    assert shown.locator("#tip").is_visible()
    assert faults == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
def test_without_scripts_a_finding_links_to_its_reason(browser: Any, tmp_path: Path) -> None:
    shown, _ = opened(browser, tmp_path, page(), java_script_enabled=False)
    shown.locator(".text a.claim").first.click()
    assert shown.url.endswith("#why-1")
