"""`sayso serve --sample` as a person meets it: the real process, the real database, a real browser."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PICTURES = os.environ.get("SAYSO_PICTURES")
"""Where to keep the README's picture: `SAYSO_PICTURES=docs/images`."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("home")
    environ = {**os.environ, "SAYSO_HOME": str(home), "SAYSO_MODEL": "quote", "PYTHONUNBUFFERED": "1"}
    command = [Path(sys.executable).with_name("sayso"), "serve", "--sample", "--port", str(free_port())]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environ)
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if found := re.search(r"http://\S+/sign-in\?\S+", line):
            break
    else:
        raise AssertionError("no link was printed:\n" + "".join(lines))
    yield found.group()
    process.send_signal(signal.SIGINT)
    assert process.wait(20) in (0, 130)


@pytest.fixture(scope="module")
def page(link: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.goto(link)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/")
        yield page
        browser.close()


def ask(page: Any, question: str) -> Any:
    answers = page.locator(".answer")
    before = answers.count()
    page.get_by_label("Ask about your records").fill(question)
    page.keyboard.press("Enter")
    answers.nth(before).locator(".chip").first.wait_for()
    page.get_by_role("heading", name="Sources").last.wait_for()
    return answers.nth(before)


def test_who_is_elena_is_answered_with_citations_and_gaps(page: Any) -> None:
    answer = ask(page, "Who is Elena Weber?")
    text = answer.inner_text()
    assert "SINGA Switzerland" in text
    assert "not recorded" in text
    answer.locator(".chip").first.hover()
    record = page.locator("#record")
    record.wait_for()
    assert "not recorded" in record.inner_text()
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/answer.png")


def test_letters_inside_a_surname_find_nobody(page: Any) -> None:
    assert "No one called UZH" in ask(page, "Who is UZH?").inner_text()


def test_a_message_waits_for_approval_and_is_never_said_to_be_sent(page: Any) -> None:
    answer = ask(page, "draft a message to Ilya about the lease")
    assert "waits for your approval" in answer.inner_text()
    page.get_by_role("button", name="Approve").last.click()
    page.get_by_text("approved, not sent").first.wait_for()
