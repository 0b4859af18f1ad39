"""The commands that a conversation in the terminal knows, beside its questions. It runs none of them."""

from __future__ import annotations

from sayso.cli.terms import err, fail


def is_command(line: str) -> bool:
    """Whether a line is a command, known or not; a path such as /home/me/a.png in a question is none."""
    return line.startswith("/") and "/" not in line[1:]


def tell_commands(line: str) -> None:
    """The commands; for one that is none, that it is none."""
    if line != "/help":
        fail(f"There is no command {line.split()[0]}.")
    err.print("/image FILE attaches an image to the next question, /quit or an empty line ends.", style="dim")
