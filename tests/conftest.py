"""Shared by every test: the async backend, failures told at once, and `--run-long` for what `make prove` runs."""

import os
import sys
import time
from collections.abc import Callable

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def grows_linearly() -> Callable[[Callable[[int], object], int], None]:
    """Checks that four times the input costs far less than sixteen times the work, however busy the machine is."""

    def cost(run: Callable[[int], object], size: int) -> float:
        started = time.process_time()
        run(size)
        return time.process_time() - started

    def check(run: Callable[[int], object], size: int) -> None:
        run(size)
        tries: list[tuple[float, float]] = []
        for _ in range(3):  # a machine that is busy meanwhile costs another look; what is not linear is so each time
            tries += [(cost(run, size), cost(run, 4 * size)) for _ in range(3)]
            small, large = min(a for a, _ in tries), min(b for _, b in tries)
            if large < 10 * small + 0.02:
                return
        pytest.fail(f"{size}: {small:.3f} s of work, four times that: {large:.3f} s")

    return check


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run-long", action="store_true", help="run the tests marked `long` as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--run-long"):
        return
    for item in items:
        if "long" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="long: make prove runs it"))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Tell a failure when it happens: of a run that is cut short, the summary at the end is never seen."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(
            f"\n{report.nodeid} failed ({report.when}):\n{report.longreprtext[-4000:]}", file=sys.__stderr__, flush=True
        )
