"""Shared by every test: the async backend."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
