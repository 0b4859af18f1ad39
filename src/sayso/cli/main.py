"""The entry point: a command ends with an exit code and at most one line, never with a stack.

Exit codes: 0 fine (that nothing was found is an answer), 1 something failed (the message says what to do),
2 wrong usage, 3 no answer (the assistant abstained), 130 stopped by Ctrl-C.

Everything else is loaded within `main`, which takes a while, so that Ctrl-C is answered from the first moment.
"""

from __future__ import annotations

import os
import sys

STOPPED = 130


def main() -> None:
    """Run the command that the arguments name."""
    try:
        code = _code()
    except KeyboardInterrupt:
        code = STOPPED
    if code == STOPPED:
        _stop()
    sys.exit(code)


def _code() -> int | str | None:
    import signal  # even this one takes a moment

    signal.signal(signal.SIGINT, _stop)
    if _serves_inference(sys.argv[1:]):  # that process loads no store and no records
        from sayso.cli.serve_inference import app
    else:
        from sayso.cli.commands import app_for

        app = app_for(sys.argv[1:])
    from sayso.cli.ending import code_of

    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return code_of(app)
    finally:
        signal.signal(signal.SIGINT, _stop)


def _serves_inference(arguments: list[str]) -> bool:
    """Whether it is `sayso serve --role inference`."""
    given = " ".join(arguments).replace("--role=", "--role ") + " "
    return arguments[:1] == ["serve"] and "--role inference " in given


def _stop(*_: object) -> None:
    """End at once: nothing has begun yet, or all is closed. Threads that wait for a key are not waited for."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError, RuntimeError):
            continue
    os._exit(STOPPED)
