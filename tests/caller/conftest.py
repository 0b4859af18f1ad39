"""The services on loopback, and a caller of them that waits for nothing long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from caller_services import TOKEN, Served, Services
from sayso.caller import Caller, Told, Waits

QUICK = Waits(call=20, silence=20, pause=0.01, longest=0.05)


@pytest.fixture
def services() -> Services:
    return Services()


@pytest.fixture
def url(services: Services) -> Iterator[str]:
    with Served(services) as served:
        yield served.url


@pytest.fixture
def caller(url: str) -> Callable[..., Caller]:
    def make(**options: Any) -> Caller:
        return Caller(url, **{"token": TOKEN, "waits": QUICK, **options})

    return make


@pytest.fixture
def heard() -> Callable[..., Any]:
    async def collect(events: Any) -> list[Told]:
        return [told async for told in events]

    return collect
