"""The entry point: a command ends with an exit code and at most one line, never with a stack.

Exit codes: 0 fine (that nothing was found is an answer), 1 something failed (the message says what to do),
2 wrong usage, 3 no answer (the assistant abstained), 130 stopped by Ctrl-C.

The commands are loaded within `main`, which takes a while, so that Ctrl-C is answered from the first moment.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sayso.errors import SaysoError

STOPPED = 130


def main() -> None:
    """Run the command that the arguments name."""
    signal.signal(signal.SIGINT, _stop)
    code = _ended(_commands())
    signal.signal(signal.SIGINT, _stop)
    if code == STOPPED:
        _stop()
    sys.exit(code)


def _stop(*_: Any) -> None:
    """End at once: nothing has begun yet, or all is closed. Threads that wait for a key are not waited for."""
    with suppress(OSError, ValueError):
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    os._exit(STOPPED)


def _commands() -> Callable[[], None]:
    from sayso.cli.commands import app

    return app


def _ended(run: Callable[[], None]) -> int | str | None:
    """The exit code of a command that ran. Our own errors are one line that says what to do."""
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            run()
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except SystemExit as end:
        return end.code
    except KeyboardInterrupt:
        return STOPPED
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
    from sayso.cli.terms import fail

    with suppress(OSError):
        fail(line)
    return 1


def _let_go_of_output() -> None:
    """What is still held for a place that takes no more goes nowhere, or Python would complain at the end."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
