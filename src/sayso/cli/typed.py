"""What a person types: a line at a time, and whether there is a person at all. It knows no question and no card."""

from __future__ import annotations

import asyncio
import sys
import threading
from contextlib import suppress
from typing import Annotated

import typer

PipeOption = Annotated[
    bool,
    typer.Option("--approve-from-pipe", help="Take a say-so from standard input though it is no terminal."),
]


def has_terminal() -> bool:
    """Whether a person can answer here: what comes through a pipe was written before the card was seen."""
    return sys.stdin is not None and sys.stdin.isatty()  # pyright: ignore[reportUnnecessaryComparison]


def readable(text: str) -> str:
    """The same text, with a mark where the terminal gave bytes that are none."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


async def typed(prompt: str) -> str:
    """The next line. Raises EOFError at the end of input, and where there is none.

    The line is waited for by a thread of its own that nobody waits for, so that Ctrl-C ends the command at once.
    """
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()

    def settle(value: str | BaseException) -> None:
        if not line.done():
            line.set_exception(value) if isinstance(value, BaseException) else line.set_result(value)

    def read() -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, _line(prompt))

    threading.Thread(target=read, daemon=True).start()
    return await line


def _line(prompt: str) -> str | BaseException:
    try:
        return readable(input(prompt))
    except (EOFError, OSError, ValueError) as end:
        return EOFError(str(end))
    except RuntimeError:  # Python has no standard input
        return EOFError("standard input is closed")
