"""What a command is given in files: where it is not as it should be, one line says what to do, and the code is 2."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import typer

from sayso.cli.terms import fail
from sayso.errors import SaysoError

BAD_INPUT = 2


@contextmanager
def input_told() -> Generator[None]:
    """Around the reading of what was given, and nothing else."""
    try:
        yield
    except SaysoError as wrong:
        line = str(wrong)
    except OSError as wrong:
        line = _unread(wrong)
    else:
        return
    fail(" ".join(line.split()))
    raise typer.Exit(BAD_INPUT)


def _unread(wrong: OSError) -> str:
    match wrong:
        case FileNotFoundError():
            return f"there is no file {wrong.filename}: check its name (- reads standard input)"
        case IsADirectoryError():
            return f"{wrong.filename} is a folder: name a file in it"
        case _:
            return f"{wrong.filename or 'standard input'} cannot be read: {wrong.strerror or wrong}"
