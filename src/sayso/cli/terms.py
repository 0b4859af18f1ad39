"""What every command shares: options, the terminal, stored text made safe to print."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

ModelOption = Annotated[
    str | None, typer.Option("--model", "-m", help="Which model answers: quote, ollama:NAME, openai:NAME, URL#NAME.")
]
HomeOption = Annotated[Path | None, typer.Option("--home", help="Where the embedded data lives (SAYSO_HOME).")]
SampleOption = Annotated[bool, typer.Option("--sample", help="Use the made-up sample instead of your own records.")]

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def safe(text: str) -> str:
    """Text from records or a model without anything that a terminal would obey."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cf", "Cs"} else "�" for c in text)


def say(text: str, style: str = "") -> None:
    out.print(Text(safe(text), style=style), soft_wrap=True)


def fail(text: str) -> None:
    err.print(Text(safe(text), style="red"), soft_wrap=True)
