"""What every command shares: options, the terminal, stored text made safe to print."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

ModelOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        "-m",
        help="Which model answers: quote, ollama:NAME, openai:NAME, URL#NAME. Several, by commas or with --model "
        "again, are asked in their order.",
    ),
]


def _home(value: str) -> Path:
    if not value.strip():
        raise typer.BadParameter("it is empty; name a folder, such as ~/sayso")
    return Path(value)


HomeOption = Annotated[
    Path | None,
    typer.Option("--home", parser=_home, metavar="<path>", help="Where the embedded data lives (SAYSO_HOME)."),
]
SampleOption = Annotated[bool, typer.Option("--sample", help="Use the made-up sample instead of your own records.")]


class Terminal(Console):
    """A console whose closed pipe is an error like others: an exit on the spot would close nothing."""

    def on_broken_pipe(self) -> None:
        raise  # rich calls this where it has caught the error


out = Terminal(highlight=False)
err = Terminal(stderr=True, highlight=False)


def safe(text: str) -> str:
    """Text from records or a model without anything that a terminal would obey."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cf", "Cs"} else "�" for c in text)


def say(text: str, style: str = "") -> None:
    out.print(Text(safe(text), style=style), soft_wrap=True)


def fail(text: str) -> None:
    err.print(Text(safe(text), style="red"), soft_wrap=True)
