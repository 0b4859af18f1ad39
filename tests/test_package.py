"""The package as others meet it: what importing it loads, and its public names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import sayso

ROOT = Path(__file__).parent.parent


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_importing_sayso_loads_neither_the_server_nor_the_database() -> None:
    loaded = python("import sayso, sys; print('\\n'.join(sys.modules))").split()
    assert not {"sqlalchemy", "starlette", "uvicorn", "aiohttp", "typer", "rich"} & set(loaded)


def test_asking_in_memory_loads_no_database_or_server() -> None:
    loaded = python("import sys; from sayso import ask, Conversation; print('\\n'.join(sys.modules))").split()
    assert not {"sqlalchemy", "starlette", "uvicorn", "aiohttp", "typer", "rich", "dateparser"} & set(loaded)


def test_the_loop_loads_no_database_server_or_client() -> None:
    loaded = python("import sys; from sayso import run_exchange; print('\\n'.join(sys.modules))").split()
    assert not {"sqlalchemy", "starlette", "uvicorn", "aiohttp", "typer", "rich", "dateparser"} & set(loaded)


def test_every_public_name_is_there() -> None:
    assert dir(sayso) == sorted(sayso.__all__)
    for name in dir(sayso):
        assert getattr(sayso, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = sayso.nothing  # pyright: ignore


def test_no_file_is_longer_than_400_lines() -> None:
    long = {str(p): n for p in (ROOT / "src").rglob("*.py") if (n := len(p.read_text().splitlines())) > 400}
    assert long == {}


def test_the_loop_is_under_100_lines() -> None:
    source = (ROOT / "src/sayso/core/loop.py").read_text()
    body = source.split("async def run_exchange", 1)[1].split("\n\n\ndef ", 1)[0]
    assert len(body.splitlines()) < 100
