"""How a command ended, as an exit code; what went wrong is told in one line. It knows no command."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress

from sayso.cli.terms import fail
from sayso.errors import SaysoError


def code_of(run: Callable[[], object]) -> int | str | None:
    """Runs it. Raises KeyboardInterrupt only."""
    try:
        try:
            run()
        finally:
            if sys.stdout:  # None where it was closed
                sys.stdout.flush()
    except SystemExit as end:
        return end.code
    except SaysoError as wrong:
        return _failed(str(wrong))
    except OSError as wrong:
        _let_go_of_output()
        return 1 if wrong.errno == errno.EPIPE else _failed(_refused(wrong))
    return 0


def _refused(wrong: OSError) -> str:
    """What the system would not do. Without a file's name it is the place that the output goes to."""
    where = wrong.filename or "the output"
    return f"{where}: {wrong.strerror or wrong}; check the place, its free space and its rights"


def _failed(line: str) -> int:
    with suppress(OSError):
        fail(line)
    return 1


def _let_go_of_output() -> None:
    """What is still held for a place that takes no more goes nowhere, or Python would complain at the end."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
