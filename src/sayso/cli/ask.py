"""`sayso ask`: one question, one answer, with its sources; `--json` for scripts."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any

import typer
from rich.text import Text

from sayso.cli.compose import LOCAL_USER, opened
from sayso.cli.terms import HomeOption, ModelOption, SampleOption, err, fail, out, safe, say
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
from sayso.core.facts import value_text
from sayso.core.messages import CallPart
from sayso.core.verify.report import Report

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
            case UsageReport(usage, steps, model):
                self.steps, self.model = steps, model
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
            "error": {"code": self.error.code, "message": self.error.message} if self.error else None,
        }


def fact_json(numbered: Numbered) -> dict[str, Any]:
    """A fact for scripts: every declared field, null where nothing is recorded."""
    fact = numbered.fact
    fields = {f.name: value_text(fact.values[f.name]) if f.name in fact.values else None for f in fact.kind.fields}
    return {
        "ref": numbered.ref,
        "kind": fact.kind.name,
        "subject": fact.subject,
        "source": fact.source,
        "provenance": fact.provenance.value,
        "fields": fields,
    }


def ask(
    question: Annotated[str, typer.Argument(help="What you want to know, in plain words.")],
    model: ModelOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    thread: Annotated[str | None, typer.Option(help="Go on with this conversation.")] = None,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Ask one question about your records."""
    told = asyncio.run(_ask(question, model, as_json, thread, {"home": home, "sample": sample}))
    if as_json:
        typer.echo(json.dumps(told.as_json(), ensure_ascii=False, indent=2))
    if told.error is not None:
        if not as_json:
            fail(f"{told.error.code}: {told.error.message}")
        raise typer.Exit(1)
    if told.outcome == "abstained":
        raise typer.Exit(NO_ANSWER)


async def _ask(question: str, model: str | None, quiet: bool, thread: str | None, flags: dict[str, Any]) -> Told:
    told = Told()
    async with opened({**flags, "model": model}) as assistant:
        if not quiet:
            err.print(Text(f"{assistant.model_name}: {assistant.model_reason}", style="dim"), soft_wrap=True)
        async for event in assistant.ask(question, actor=LOCAL_USER, thread_id=thread):
            told.take(event)
            if not quiet:
                show(event)
        if not quiet:
            out.print()
            show_sources(told)
    return told


def show(event: Event) -> None:
    """One event as it happens: status lines quietly, released text as it comes."""
    if isinstance(event, Status) and (event.text or event.tool) and event.state is None:
        told = f"… {event.tool} {event.text}" if event.tool else event.text
        err.print(Text(safe(told), style="dim"), soft_wrap=True)
    elif isinstance(event, TextDelta):
        out.print(Text(safe(event.text)), end="", soft_wrap=True)


def show_sources(told: Told) -> None:
    """Where each cited claim comes from, with the gaps."""
    if not told.citations:
        return
    out.print("\n[bold]Sources[/]")
    for ref in told.citations:
        if ref in told.facts:
            fact = told.facts[ref].fact
            say(f"  [{ref}] {fact.kind.name}: {fact.subject} ({fact.source})")
            for name, value in fact.values.items():
                if name != fact.kind.subject and fact.kind.name != "lookup":
                    say(f"       {name}: {value_text(value)}", "dim")
            if fact.gaps and fact.kind.name != "lookup":
                say(f"       not recorded: {', '.join(fact.gaps)}", "dim italic")
