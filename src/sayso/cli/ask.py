"""`sayso ask`: one question, one answer, with its sources; `--json` for scripts."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import aclosing, nullcontext
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any, Self

import typer
from rich.status import Status as RichStatus
from rich.text import Text

from sayso.cli.attached import ImageOption, read_images
from sayso.cli.compose import LOCAL_USER, opened
from sayso.cli.given import BAD_INPUT
from sayso.cli.terms import HomeOption, ModelOption, SampleOption, err, fail, out, safe, say
from sayso.cli.typed import readable
from sayso.core.events import (
    Answer,
    Event,
    FactsFound,
    Failed,
    Finish,
    Recorded,
    RunStarted,
    Status,
    TextDelta,
    UsageReport,
    Verified,
)
from sayso.core.evidence import Numbered
from sayso.core.facts import Fact, value_text
from sayso.core.images import Attachment
from sayso.core.messages import Attempt, CallPart
from sayso.core.verify.report import Report
from sayso.verifying.telling import fact_json

NO_ANSWER = 3


class Told:
    """What the events of one exchange told, as one value for scripts."""

    def __init__(self) -> None:
        self.answer = ""
        self.outcome, self.stop_reason, self.model = "failed", "", ""
        self.citations: tuple[str, ...] = ()
        self.facts: dict[str, Numbered] = {}
        self.report = Report(())
        self.calls: list[dict[str, Any]] = []
        self.steps, self.usage = 0, {"input_tokens": 0, "output_tokens": 0}
        self.attempts: tuple[Attempt, ...] = ()
        self.error: Failed | None = None

    def take(self, event: Event) -> None:
        match event:
            case RunStarted(model=model):
                self.model = model
            case FactsFound(facts):
                self.facts.update((n.ref, n) for n in facts)
            case Recorded(message):
                self.calls += [{"tool": p.call.name, "arguments": p.call.arguments, "protocol": p.call.protocol}
                               for p in message.parts if isinstance(p, CallPart)]  # fmt: skip
            case Verified(report):
                self.report = report
            case Answer(text, outcome, citations):
                self.answer, self.outcome, self.citations = text, outcome.value, citations
            case UsageReport(usage, steps, model, attempts):
                self.steps, self.model, self.attempts = steps, model, attempts
                self.usage = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
            case Finish(outcome, reason):
                self.outcome, self.stop_reason = outcome.value, reason.value
            case Failed(reason=reason):
                self.error, self.outcome, self.stop_reason = event, "failed", reason.value
            case _:
                pass

    def as_json(self) -> dict[str, Any]:
        proposals = [n for n in self.facts.values() if n.fact.kind.name == "proposal"]
        return {
            "outcome": self.outcome,
            "answer": self.answer,
            "citations": [fact_json(self.facts[ref]) for ref in self.citations if ref in self.facts],
            "facts": [fact_json(n) for n in self.facts.values()],
            "violations": [
                {"kind": v.kind.value, "words": v.words, "nearest": v.nearest, "instruction": v.instruction}
                for v in self.report.violations
            ],
            "sentences": [{"text": s.text, "verdict": s.verdict.value} for s in self.report.sentences],
            "calls": self.calls,
            "proposals": [fact_json(n) for n in proposals],
            "model": self.model,
            "steps": self.steps,
            "stop_reason": self.stop_reason,
            "usage": self.usage,
            "attempts": [asdict(attempt) for attempt in self.attempts],
            "error": {"code": self.error.code, "message": self.error.message} if self.error else None,
        }


class Sources(StrEnum):
    """How much of each source is shown under an answer."""

    NONE = "none"
    SHORT = "short"
    FULL = "full"


SourcesOption = Annotated[Sources, typer.Option("--sources", help="Sources as one line each, in full, or none.")]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Also show each search, and sources in full.")]


def ask(
    question: Annotated[
        str, typer.Argument(help="What you want to know, in plain words; - reads it from standard input.")
    ],
    model: ModelOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    image: ImageOption = None,
    thread: Annotated[str | None, typer.Option(help="Go on with this conversation.")] = None,
    sources: SourcesOption = Sources.SHORT,
    verbose: VerboseOption = False,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Ask one question about your records."""
    question = asked_for(question)
    screen = None if as_json else Screen(sources, verbose)
    images = read_images(image or [])
    flags = {"home": home, "sample": sample, "model": model}
    told = asyncio.run(_ask(question, screen, thread, flags, images))
    if as_json:
        typer.echo(json.dumps(told.as_json(), ensure_ascii=False, indent=2))
    if told.error is not None:
        if not as_json:
            fail(f"{told.error.code}: {told.error.message}")
        raise typer.Exit(1)
    if told.outcome == "abstained":
        raise typer.Exit(NO_ANSWER)


async def _ask(
    question: str, screen: Screen | None, thread: str | None, flags: dict[str, Any], images: tuple[Attachment, ...]
) -> Told:
    told = Told()
    async with opened(flags) as assistant:
        if screen:
            err.print(Text(f"{assistant.model_name}: {assistant.model_reason}", style="dim"), soft_wrap=True)
        with screen or nullcontext():
            async with aclosing(assistant.ask(question, actor=LOCAL_USER, thread_id=thread, images=images)) as events:
                async for event in events:
                    told.take(event)
                    if screen:
                        screen.show(event)
        if screen:
            out.print()
            screen.show_withheld(told)
            screen.show_sources(told)
            screen.show_model(told)
    return told


def asked_for(question: str) -> str:
    """The question as it was given, or from standard input for `-`. Ends the command with 2 where there is none."""
    if question.strip() == "-":
        question = sys.stdin.read() if sys.stdin is not None else ""  # pyright: ignore[reportUnnecessaryComparison]
    if not question.strip():
        fail('The question is empty: write what you want to know, such as sayso ask "What is due this week?"')
        raise typer.Exit(BAD_INPUT)
    return readable(question)


class Screen:
    """An exchange as it is shown in a terminal. While it lasts, a quiet line says what is being done."""

    def __init__(self, sources: Sources = Sources.SHORT, verbose: bool = False) -> None:
        self._sources = Sources.FULL if verbose else sources
        self._verbose = verbose
        self._waiting: RichStatus | None = None

    def __enter__(self) -> Self:
        if err.is_terminal and not self._verbose:
            self._waiting = err.status("…", spinner="dots")
            self._waiting.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._waiting:
            self._waiting.stop()
            self._waiting = None

    def show(self, event: Event) -> None:
        """One event as it happens: what is looked up, released text as it comes, another model's notice."""
        if isinstance(event, Status) and (event.text or event.tool) and event.state is None:
            self._doing(event)
        elif isinstance(event, TextDelta):
            self.__exit__()
            out.print(Text(safe(event.text)), end="", soft_wrap=True)

    def _doing(self, event: Status) -> None:
        told = f"… {event.tool} {event.text}" if event.tool else event.text
        if self._verbose or not event.tool:
            err.print(Text(safe(told), style="dim"), soft_wrap=True)
        elif self._waiting:
            self._waiting.update(Text(safe(event.tool.replace("_", " ")), style="dim"))

    def show_withheld(self, told: Told) -> None:
        """That a model said more than is shown: what your records do not carry is not repeated here."""
        count = sum(told.report.withheld(sentence) for sentence in told.report.sentences)
        if count:
            what = "1 sentence was" if count == 1 else f"{count} sentences were"
            err.print(f"{what} withheld: your records do not carry it.", style="dim", soft_wrap=True)

    def show_sources(self, told: Told) -> None:
        """Where each cited claim comes from: one line each, or with every value and the gaps."""
        cited = [told.facts[ref] for ref in told.citations if ref in told.facts]
        if not cited or self._sources is Sources.NONE:
            return
        out.print("\n[bold]Sources[/]")
        for numbered in cited:
            fact = numbered.fact
            say(f"  [{numbered.ref}] {fact.kind.name}: {fact.subject} ({fact.source})")
            if self._sources is Sources.FULL and fact.kind.name != "lookup":
                show_fields(fact)

    def show_model(self, told: Told) -> None:
        """With --verbose: which model answered, and what came of the others."""
        if not self._verbose:
            return
        err.print(Text(safe(f"\nanswered by {told.model} in {told.steps} step(s)"), style="dim"), soft_wrap=True)
        for attempt in told.attempts:
            err.print(Text(safe(f"  {attempt.model}: {attempt.code}: {attempt.reason}"), style="dim"), soft_wrap=True)


def show_fields(fact: Fact) -> None:
    for name, value in fact.values.items():
        if name != fact.kind.subject:
            say(f"       {name}: {value_text(value)}", "dim")
    if fact.gaps:
        say(f"       not recorded: {', '.join(fact.gaps)}", "dim italic")
