"""The documents, read as a newcomer reads them: examples run, commands and settings exist, links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer

from sayso.cli import serve_inference
from sayso.cli.commands import COMMANDS, app_of
from sayso.config import Config

ROOT = Path(__file__).parent.parent
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    *(f"docs/{p.name}" for p in sorted((ROOT / "docs").glob("*.md"))),
]
COMMAND = re.compile(r"(?:^|[`/ ])sayso ((?:[a-z]+ )*[a-z]+)((?: [^`\n#]*)?)", re.MULTILINE)


def text_of(page: str) -> str:
    return (ROOT / page).read_text()


def code_of(page: str) -> str:
    """What a page shows as code: blocks and spans."""
    text = text_of(page)
    blocks = re.findall(r"```\w*\n(.*?)```|^((?:    [^\n]*\n)+)", text, re.DOTALL | re.MULTILINE)
    return "\n".join([*("".join(b) for b in blocks), *re.findall(r"`([^`\n]+)`", text)])


def found(words: list[str]) -> Any:
    """The deepest command that these words name."""
    command: Any = typer.main.get_command(app_of(COMMANDS))
    for word in words:
        inner = getattr(command, "commands", {})
        if word not in inner:
            break
        command = inner[word]
    return command


OVER_SERVICES = {"docs/contract.md"}
"""Pages whose examples need running services: tests/end_to_end/test_contract_page.py runs them."""
EXAMPLES = [page for page in PAGES if "```python\n" in text_of(page) and page not in OVER_SERVICES]


@pytest.mark.parametrize("page", EXAMPLES)
def test_a_pages_examples_print_what_it_says(page: str) -> None:
    """Its Python blocks are one program; the indented lines that follow a block are what it prints."""
    parts = re.findall(r"```python\n(.*?)```\n((?:\n*    [^\n]*\n)*)", text_of(page), re.DOTALL)
    code = "\n".join(block for block, _ in parts)
    promised = [line.strip() for _, told in parts for line in told.splitlines() if line.strip()]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stderr == ""
    assert done.stdout.strip().splitlines() == promised


def test_an_assistant_takes_thirty_lines() -> None:
    code = text_of("docs/embedding.md").split("```python\n", 1)[1].split("```", 1)[0]
    assert len(code.splitlines()) <= 30


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text_of(page)):
        assert ((ROOT / page).parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_is_shown_exists_with_its_options(page: str) -> None:
    root = typer.main.get_command(app_of(COMMANDS))
    for match in COMMAND.finditer(code_of(page)):
        words, rest = match[1].split(), match[2]
        alone = words == ["serve"] and "--role inference" in rest  # a process of its own, with options of its own
        command = typer.main.get_command(serve_inference.app).commands["serve"] if alone else found(words)  # pyright: ignore
        assert command is not root, f"{page}: sayso {match[1]}"
        known = {option for p in (*command.params, *root.params) for option in p.opts} | {"--help"}
        assert set(re.findall(r"--[a-z][a-z-]+", rest)) <= known, f"{page}: {match.group()}"


def test_every_make_target_that_is_shown_exists() -> None:
    targets = set(re.findall(r"^(\w+):", text_of("Makefile"), re.MULTILINE))
    for page in PAGES:
        assert set(re.findall(r"\bmake ([a-z]+)\b(?=`| {2,}| ARGS| YES|$)", code_of(page), re.MULTILINE)) <= targets, (
            page
        )


def test_every_setting_that_is_shown_exists() -> None:
    names = {f.name for f in fields(Config)}
    table = text_of("docs/cli.md").split("## Settings", 1)[1].split("\n## ", 1)[0]
    shown = re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in table.splitlines() if line.startswith("| `")))
    assert set(shown) <= names, set(shown) - names
