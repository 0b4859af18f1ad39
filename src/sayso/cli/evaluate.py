"""`sayso eval`: the verifier and the reader of calls, measured on labelled sets.

What counts is decided in `sayso.evaluation`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sayso.cli.figures import show_answer_figures, show_call_figures, show_figures
from sayso.cli.given import input_told
from sayso.cli.terms import err
from sayso.core.verify.report import Profile
from sayso.errors import ConfigError
from sayso.evaluation.answers import answer_figures, compared, labelled_answers
from sayso.evaluation.calls import call_figures, labelled_replies, read_replies
from sayso.evaluation.heldout import Part, in_part
from sayso.evaluation.lexicons import chosen_lexicons
from sayso.evaluation.measuring import Measured, figures, judging, measured
from sayso.evaluation.records import labelled_texts
from sayso.evaluation.scoring import FACTUAL
from sayso.verifying.files import read_lexicon

app = typer.Typer(help="Measure the verifier and the reader of tool calls on labelled sets.", no_args_is_help=True)

T = TypeVar("T")
DataOption = Annotated[Path, typer.Option("--data", metavar="FILE.jsonl", help="The labelled set, a record a line.")]
LexiconOption = Annotated[
    Path | None,
    typer.Option("--lexicon", metavar="FILE.toml", help="What is declared of the records beside the facts."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
_KINDS_HELP = "Kinds of error that count, with commas between them, or all. Else those that facts can show."


@app.command()
def verifier(
    data: DataOption,
    lexicon: LexiconOption = None,
    lexicons: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder with a lexicon for each domain of the set.")
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(metavar="OUT.jsonl", help="Write the spans of the violations here, a text a line.")
    ] = None,
    profile: Annotated[Profile, typer.Option(help="strict: what is unsupported is a violation too.")] = Profile.STRICT,
    part: Annotated[Part, typer.Option(help="Only the texts that are held out, or only the others.")] = Part.ALL,
    kinds: Annotated[str, typer.Option(help=_KINDS_HELP)] = "",
    as_json: JsonOption = False,
) -> None:
    """Find violations in a set of annotated texts; print scores with 95 % intervals, and the time a text takes."""
    with input_told():
        texts = list(labelled_texts(data))
        chosen = chosen_lexicons(lexicon, lexicons, (t.domain for t in texts))
        counting = _kinds(kinds, {kind for t in texts for _, _, kind in t.errors})
    kept = in_part((t.id for t in texts), part)
    texts = [t for t in texts if t.id in kept]
    found = list(progressed(measured(texts, judging(chosen), profile=profile, kinds=counting), len(texts), "texts"))
    if predictions:
        _write(predictions, found)
    result = figures(found)
    if as_json:
        _print_json({"data": data.name, "profile": profile.value, "part": part.value, **result.as_json()})
    else:
        show_figures(result, f"{data.name}, {profile.value} profile")


@app.command()
def answers(
    data: DataOption,
    lexicon: LexiconOption = None,
    profile: Annotated[Profile, typer.Option(help="How answers are judged.")] = Profile.DEFAULT,
    as_json: JsonOption = False,
) -> None:
    """Compare verdicts with those of labelled answers; print a table by language, and what it got wrong."""
    with input_told():
        given = list(labelled_answers(data))
        declared = {"lexicon": read_lexicon(lexicon)} if lexicon else {}
    sets = [compared(a, profile=profile, **declared) for a in progressed(given, len(given), "answers")]
    result = answer_figures(sets)
    if as_json:
        _print_json({"data": data.name, "profile": profile.value, **result.as_json()})
    else:
        show_answer_figures(result, f"{data.name}, {profile.value} profile")


@app.command()
def calls(data: DataOption, as_json: JsonOption = False) -> None:
    """Read tool calls from labelled replies; print how many were read exactly, and calls where there are none."""
    with input_told():
        given = list(labelled_replies(data))
        if not given:
            raise ConfigError(f"{data} holds no reply: write one a line")
    result = call_figures(progressed(read_replies(given), len(given), "replies"))
    if as_json:
        _print_json({"data": data.name, **result.as_json()})
    else:
        show_call_figures(result, data.name)


def _kinds(wanted: str, known: set[str]) -> frozenset[str] | None:
    """Raises ConfigError for a kind that the set does not have."""
    if wanted == "all":
        return None
    names = frozenset(name.strip() for name in wanted.split(",") if name.strip())
    if missing := sorted(names - known):
        raise ConfigError(f"the set has no error of kind {', '.join(missing)}; it has {', '.join(sorted(known))}")
    return names or FACTUAL


def progressed(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The same items; a terminal shows how far it is, and anything else nothing."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield from bar.track(items, total=total, description=what)


def _write(path: Path, found: Sequence[Measured]) -> None:
    """Whole or not at all: what was there stays until all is written."""
    unfinished = path.with_name(path.name + ".part")
    try:
        with unfinished.open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(m.found.as_json()) + "\n" for m in found)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _print_json(document: dict[str, Any]) -> None:
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2))
