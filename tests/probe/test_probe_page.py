"""The report as a page: whole in one file, safe to open, readable on a desk and on a phone. One part needs Chromium."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probe.kinds import Narrator, Native, NeverCalls
from sayso.probe.page import page_of
from sayso.probe.plots import interval, round_up, strip
from sayso.probe.recording import Record, new_record
from sayso.probe.running import Plan

CHROMIUM = shutil.which("chromium")
SHOTS = os.environ.get("SAYSO_SHOTS")
HOSTILE = "<script>alert(1)</script>\"'&\u202e"


@pytest.fixture(scope="module")
def record(probe: Any) -> Record:
    """Three models of one probe; one has a hostile name and hostile words."""
    samples = [
        replace(s, place=replace(s.place, model=name), said=said or s.said)
        for name, make, said in ((HOSTILE, NeverCalls, HOSTILE), ("narrator", Narrator, ""), ("native", Native, ""))
        for s in probe(lambda _, make=make: make()).samples
    ]
    return new_record(Plan((HOSTILE, "narrator", "native"), samples=1), "2026-11-30T08:00:00+00:00").with_samples(
        samples
    )


@pytest.fixture(scope="module")
def page(record: Record) -> str:
    return page_of(record)


def test_a_page_loads_nothing_and_runs_nothing(page: str) -> None:
    assert not re.search(r"<script|<link|<img|<iframe|@import|url\(|\ssrc=|\son\w+=|https?://", page)
    assert "default-src 'none'; style-src 'sha256-" in page
    assert not re.search(r"\sstyle=", page)


def test_words_of_a_model_stay_words(page: str) -> None:
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "\u202e" not in page


def test_a_page_tells_verdicts_rates_and_what_went_wrong(page: str) -> None:
    assert "drives natively" in page
    assert "narrates: describes calls but does not make them" in page
    assert 'aria-label="7 of 7, interval 65% to 100%"' in page
    assert "no call was made" in page
    assert page.count('<section aria-labelledby="') == 6
    assert "Not finished" not in page


def test_what_is_not_finished_says_so(record: Record) -> None:
    assert "Not finished: 3 of 66 questions" in page_of(replace(record, samples=record.samples[:3]))


def test_a_page_of_nothing_is_a_page() -> None:
    assert "Nothing." in page_of(new_record(Plan(("m",)), "now"))


def test_an_axis_ends_at_a_round_number() -> None:
    assert [round_up(v) for v in (0, 0.03, 1.0, 1.2, 7, 48, 100, 120.5)] == [1, 0.05, 1, 2, 10, 50, 100, 200]


def test_marks_stay_within_their_row() -> None:
    drawn = interval(1.0, 0.9, 1.0, "native", "x") + strip([0, 5, 50], 5, 10, "text", "x")
    positions = [float(x) for x in re.findall(r'(?:cx|x1|x2)="([\d.]+)%"', drawn)]
    assert len(positions) > 10
    assert all(0 <= x <= 100 for x in positions)


@pytest.fixture
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
@pytest.mark.parametrize(("width", "scheme"), [(1180, "light"), (1180, "dark"), (390, "light"), (390, "dark")])
def test_a_page_fits_a_desk_and_a_phone(
    browser: Any, page: str, tmp_path: Path, width: int, scheme: str
) -> None:  # fmt: skip
    file = tmp_path / "probe.html"
    file.write_text(page, encoding="utf-8")
    shown = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
    faults: list[str] = []
    requests: list[str] = []
    shown.on("console", lambda m: faults.append(m.text))
    shown.on("request", lambda r: requests.append(r.url))
    shown.goto(file.as_uri())
    shown.locator("summary").first.click()
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert shown.locator("svg.plot").first.bounding_box()["width"] > 80
    dots = shown.evaluate("[...document.querySelectorAll('circle.dot')].map(n => getComputedStyle(n).fill)")
    assert len(set(dots)) == 2
    assert faults == []
    assert requests == [file.as_uri()]
    if SHOTS:
        Path(SHOTS).mkdir(exist_ok=True)
        shown.screenshot(path=f"{SHOTS}/probe-{width}-{scheme}.png", full_page=True)
