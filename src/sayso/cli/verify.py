"""`sayso verify`: facts and a text in, a verdict for each sentence out; as a table, as JSON or as a page.

Exit codes: 0 nothing is withheld or marked, 1 something is, 2 what was given cannot be read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from sayso.cli.given import input_told
from sayso.cli.verdicts import show_verdicts
from sayso.core.evidence import Evidence
from sayso.core.verify.declared.lexicon import NO_LEXICON, Lexicon
from sayso.core.verify.report import Profile
from sayso.errors import FactError, ImportFailed
from sayso.verifying.calling import verify as verified
from sayso.verifying.files import STDIN, named, read_json, read_lexicon, read_text
from sayso.verifying.page import page_of
from sayso.verifying.reading import EXAMPLE, listed, moment, read_facts
from sayso.verifying.telling import report_json

FOUND = 1
_FACTS_HELP = "A JSON list of facts, or an object with facts and a text (answer). - reads standard input."
_TEXT_HELP = "The text to verify; - reads standard input. Left out, it is the answer beside the facts."


@dataclass(frozen=True, slots=True)
class Given:
    """What is to be verified, read and checked."""

    evidence: Evidence
    text: str
    question: str
    locale: str
    now: datetime | None
    lexicon: Lexicon = NO_LEXICON


def verify(
    facts: Annotated[str, typer.Argument(metavar="FACTS.json", help=_FACTS_HELP)],
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help=_TEXT_HELP)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a self-contained page.")] = None,
    profile: Annotated[
        Profile, typer.Option(help="strict withholds what is merely unsupported; default marks it.")
    ] = Profile.DEFAULT,
    lexicon: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="What is declared of the records beside the facts.")
    ] = None,
    locale: Annotated[str | None, typer.Option(help="The text's language: en, de, fr, it, es.")] = None,
    now: Annotated[str | None, typer.Option(help='What "tomorrow" counts from: 2026-11-30T09:00+01:00.')] = None,
    question: Annotated[str | None, typer.Option(help="What the text answers.")] = None,
) -> None:
    """Check each sentence of a text against facts. Ends with 1 when something is withheld or marked."""
    with input_told():
        given = _given(facts, text, lexicon, {"lang": locale, "now": now, "user_message": question})
    report = verified(
        given.evidence, given.text, question=given.question, locale=given.locale, now=given.now, profile=profile,
        lexicon=given.lexicon,
    )  # fmt: skip
    if html:
        source = "the given text" if text in (None, STDIN) else Path(text or "").name
        html.write_text(page_of(report, given.evidence, locale=given.locale, title=source), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(report_json(report, given.evidence, given.locale), ensure_ascii=False, indent=2))
    else:
        show_verdicts(report, given.evidence, html)
    if not report.clean:
        raise typer.Exit(FOUND)


def _given(facts: str, text: str | None, lexicon: Path | None, told: Mapping[str, str | None]) -> Given:
    """Options win over what stands beside the facts."""
    if facts == STDIN and text == STDIN:
        raise ImportFailed("both the facts and the text are -: only one can come from standard input")
    beside = _beside(read_json(facts), facts)
    evidence = _facts(beside, facts)
    words = {name: value if (value := told[name]) is not None else _word(beside, name, facts) for name in told}
    whole = _answer(beside, facts) if text is None else read_text(text)
    if not whole.strip():
        place = f"the answer in {named(facts)}" if text is None else named(text)
        raise ImportFailed(f"{place} is empty: there is nothing to verify")
    declared = read_lexicon(lexicon) if lexicon else NO_LEXICON
    now = _now(words["now"], "--now" if told["now"] else named(facts))
    return Given(evidence, whole, words["user_message"] or "", words["lang"] or "en", now, declared)


def _facts(beside: Mapping[str, Any], place: str) -> Evidence:
    try:
        return read_facts(listed(beside, "facts"))
    except FactError as wrong:
        raise ImportFailed(f"{named(place)}: {wrong}") from wrong


def _now(stated: str | None, place: str) -> datetime | None:
    try:
        return moment(stated) if stated else None
    except FactError as wrong:
        raise ImportFailed(f"{place}: {wrong}") from wrong


def _beside(document: object, place: str) -> dict[str, Any]:
    if isinstance(document, list):
        return {"facts": document}
    if not isinstance(document, dict) or "facts" not in document:
        raise ImportFailed(f"{named(place)} holds no facts: write a list such as [{EXAMPLE}]")
    return cast(dict[str, Any], document)


def _word(record: Mapping[str, Any], name: str, place: str) -> str | None:
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise ImportFailed(f'{named(place)}: "{name}" is no text: write it in double quotes')
    return value


def _answer(record: Mapping[str, Any], place: str) -> str:
    text = _word(record, "answer", place)
    text = _word(record, "text", place) if text is None else text
    if text is None:
        raise ImportFailed(
            f"{named(place)} holds no answer: name the text's file after it, or - to read standard input"
        )
    return text
