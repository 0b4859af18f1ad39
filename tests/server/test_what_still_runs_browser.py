"""What the page shows of a run is what the server says of it, also after a reload or in another window. Needs Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import text

from real_app import Gated, served_app, waited
from sayso.core.messages import Outcome, StopReason, Usage
from sayso.models.scripted import Scripted, say
from sayso.store.threads import Threads
from sayso.workspace.workspace import Workspace

from .conftest import ARGUMENTS, CHROMIUM

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]
HELLO = "Hello! How can I help?"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Gated, Workspace]]:
    """A window's context that is signed in, the model, and what is stored: one of each for all tests."""
    from playwright.sync_api import sync_playwright

    gated = Gated(Scripted([say(HELLO)] * 3))
    with served_app(tmp_path_factory.mktemp("runs"), gated) as (link, workspace), sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = running.new_context(base_url=link.partition("/sign-in")[0])
        page = context.new_page()
        page.goto(link)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/")
        yield context, gated, workspace
        gated.gate.set()
        running.close()


@pytest.fixture
def model(served: tuple[Any, Gated, Workspace]) -> Gated:
    served[1].gate.clear()
    return served[1]


@pytest.fixture
def page(served: tuple[Any, Gated, Workspace]) -> Iterator[Any]:
    opened = served[0].new_page()
    opened.goto("/")
    yield opened
    opened.close()


@pytest.fixture
def workspace(served: tuple[Any, Gated, Workspace]) -> Workspace:
    return served[2]


def ask(page: Any) -> None:
    page.get_by_label("Ask about your records").fill("Hello")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")


def shut(page: Any) -> bool:
    page.locator("#stop").wait_for()
    return page.locator("#send").is_hidden()


def test_f4_the_ask_box_stays_shut_after_a_reload_and_in_another_window_until_the_run_has_ended(
    page: Any, model: Gated
) -> None:
    before = len(model.requests)
    ask(page)
    page.reload()
    other = page.context.new_page()
    other.goto(page.url)
    for window in (page, other):
        assert shut(window), "the server says that it runs"
        assert window.locator(".reply .status").is_visible()
        assert window.get_by_text("Stopped.").count() == 0
        window.get_by_label("Ask about your records").fill("And?")
        window.keyboard.press("Enter")
        assert window.locator(".exchange").count() == 1, "nothing is asked beside it"
    model.gate.set()
    for window in (page, other):
        window.locator(".answer", has_text=HELLO).wait_for()
        window.locator("#send").wait_for()
        assert window.locator(".reply .status").is_hidden()
        assert window.get_by_label("Ask about your records").input_value() == "And?"
    assert len(model.requests) == before + 1
    other.close()
    page.reload()
    page.locator(".answer", has_text=HELLO).wait_for()
    page.locator("#send").wait_for()


def test_f4_a_run_is_stopped_from_a_window_that_did_not_begin_it(page: Any, model: Gated) -> None:
    """G4, G1: by the run's id that the server tells, after a reload."""
    before = len(model.requests)
    ask(page)
    page.reload()
    assert shut(page)
    page.locator("#stop").click()
    page.locator(".notes", has_text="Stopped.").wait_for()
    page.locator("#send").wait_for()
    assert len(model.requests) == before
    page.reload()
    page.locator(".notes", has_text="Stopped.").wait_for()
    page.locator("#send").wait_for()


def kept(workspace: Workspace, exchange: str, state: str = "running") -> str:
    """A stored exchange that nobody runs here, in that state; the path of its thread's page."""
    threads = Threads(workspace.database)

    async def stored() -> str:
        thread = await threads.create("local", "Kept")
        await threads.start_exchange("local", thread.id, exchange, "Who is Elena?", "toy", datetime.now(UTC))
        return thread.id

    thread = waited(stored)
    workspace.database.write(
        lambda c: c.execute(
            text("UPDATE exchanges SET state = :state WHERE id = :id"), {"state": state, "id": exchange}
        )
    )
    return f"/t/{thread}"


def test_f4_what_runs_elsewhere_is_shown_once_it_has_ended(page: Any, workspace: Workspace) -> None:
    """An exchange that another process holds, such as the command line's: no run of it is to be read here."""
    page.goto(kept(workspace, "ex_elsewhere"))
    page.get_by_text("Who is Elena?").wait_for()
    page.locator(".reply .status").wait_for()
    assert page.get_by_text("Stopped.").count() == 0
    ending = ("ex_elsewhere", Outcome.ANSWERED, StopReason.ANSWERED, Usage(), 1, "toy", HELLO, None, datetime.now(UTC))
    waited(lambda: Threads(workspace.database).finish_exchange(*ending))
    page.locator(".answer", has_text=HELLO).wait_for()


def test_f4_how_an_exchange_stands_is_told_as_it_is_stored(page: Any, workspace: Workspace) -> None:
    """That a caller still has a client tool at work is not told as an end."""
    for state, told in {
        "waiting": "Waits for the application that asked this.",
        "cut": "This answer was cut off.",
        "failed": "This failed before there was an answer. Please ask again.",
    }.items():
        page.goto(kept(workspace, f"ex_{state}", state))
        page.get_by_text(told).wait_for()
        page.locator("#send").wait_for()
