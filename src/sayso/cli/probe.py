"""`sayso probe`: asks models realistic questions over the sample, and tells which will do. No own record is sent."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from sayso import config
from sayso.cli.compose import choose_model
from sayso.cli.given import input_told
from sayso.cli.probe_told import Live, show_record
from sayso.cli.stored import Proven, read_stored, write_stored
from sayso.cli.terms import HomeOption, err, fail, say
from sayso.config import Config
from sayso.core.ports import Model
from sayso.core.progress import Limits
from sayso.errors import ConfigError
from sayso.models.chain import Chain, Link
from sayso.models.choice import QUOTE, build
from sayso.models.order import Wanted, read_order
from sayso.models.quote import Quote
from sayso.probe.page import page_of
from sayso.probe.recording import Record, new_record, read_record, write_record
from sayso.probe.replayed import Replayed
from sayso.probe.running import STEPS, Plan, probed
from sayso.probe.sample import Sample, Way
from sayso.probe.scenarios import SCENARIOS
from sayso.probe.verdicts import Kind, Verdict
from sayso.probe.world import made_world

STOPPED = 130
SAMPLES, QUICK_SAMPLES = 4, 1
_WRITTEN_EACH = 0.5  # seconds: a file of many samples is not written anew for each fast reply

ModelsOption = Annotated[
    str | None,
    typer.Option(
        "--models", metavar="SPEC,...", help="Models with commas between them; else the one that answers now."
    ),
]
SamplesOption = Annotated[
    int | None, typer.Option(min=1, max=100, help="How often each situation is asked in each protocol (4; quick: 1).")
]
QuickOption = Annotated[bool, typer.Option("--quick", help="Five situations only.")]
OnlyOption = Annotated[
    str | None, typer.Option(metavar="NAME,...", help="Only these situations, such as one_read,gap.")
]
JsonOption = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE.json", help="Keep all that is measured here, while it is measured."),
]
HtmlOption = Annotated[Path | None, typer.Option("--html", metavar="FILE.html", help="Write a page with plots.")]
ApplyOption = Annotated[bool, typer.Option("--apply", help="Store what suits each model; it is used from then on.")]
ResumeOption = Annotated[
    Path | None, typer.Option(metavar="FILE.json", help="Go on with an earlier --json; what failed is asked again.")
]
SecondsOption = Annotated[float, typer.Option(min=1, help="How long one question may take.")]


def probe(
    models: ModelsOption = None,
    samples: SamplesOption = None,
    quick: QuickOption = False,
    only: OnlyOption = None,
    as_json: JsonOption = None,
    html: HtmlOption = None,
    apply: ApplyOption = False,
    resume: ResumeOption = None,
    seconds: SecondsOption = 120.0,
    home: HomeOption = None,
) -> None:
    """Ask models realistic questions over the made-up sample, with native tools and with tools as text, and judge
    the answers: does it look things up, what does it invent, and which settings suit it?"""
    settings = config.load({"home": home}, os.environ, Path.cwd())
    with input_told():
        if resume and (models or samples or quick or only):
            raise ConfigError(
                "--resume goes on with the plan of its file; leave --models, --samples, --quick and --only"
            )
        record = read_record(resume) if resume else _new(settings, models, samples, quick, only)
        for spec in record.plan.models:
            model_of(spec, "text")  # says at once what is wrong with it
        if html:
            _check_place(html)
    kept = as_json or resume
    limits = Limits(steps=STEPS, seconds=seconds)
    record, stopped = _measured(record, kept, limits)
    show_record(record)
    if html:
        html.write_text(page_of(record), encoding="utf-8")
        say(f"The page: {html}")
    if kept:
        say(f"Everything that was measured: {kept}")
    if stopped:
        told = f" Go on with: sayso probe --resume {kept}" if kept else " With --json FILE it can be gone on with."
        err.print(f"Stopped after {len(record.samples)} of {record.plan.size} questions.{told}", soft_wrap=True)
        raise typer.Exit(STOPPED)
    if apply:
        _apply(settings, record.verdicts)
    if record.verdicts and all(v.kind is Kind.NO_REPLY for v in record.verdicts):
        fail("No model replied: check its address and key, or start its server.")
        raise typer.Exit(1)


def _new(settings: Config, models: str | None, samples: int | None, quick: bool, only: str | None) -> Record:
    """What is to be measured. Raises ConfigError."""
    specs = _listed(models)
    if models is not None and not specs:
        raise ConfigError("--models names no model: write one, such as --models ollama:NAME, or leave it out")
    if specs == (QUOTE,):
        raise ConfigError("quote needs no probing: it asks no model, and says what the records say; name a model")
    specs = tuple(spec for spec in specs if spec != QUOTE)  # it may stand at the end of an order
    if not specs:
        chosen = asyncio.run(choose_model(settings)).spec if settings.tool_loop else ""
        specs = tuple(spec for spec in _listed(chosen) if spec != QUOTE)
        if not specs:
            raise ConfigError(
                "there is no model to probe: name one, such as --models ollama:NAME or http://127.0.0.1:8000/v1#NAME"
            )
    names = _listed(only)
    known = [scenario.name for scenario in SCENARIOS]
    if wrong := next((name for name in names if name not in known), ""):
        raise ConfigError(f"unknown situation {wrong!r}; known are {', '.join(known)}")
    plan = Plan(specs, samples or (QUICK_SAMPLES if quick else SAMPLES), quick, only=names)
    return new_record(plan, datetime.now(UTC).isoformat(timespec="seconds"))


def _check_place(file: Path) -> None:
    """A place that takes no page is told before hours are spent. Raises ConfigError."""
    if not file.parent.is_dir():
        raise ConfigError(f"there is no folder {file.parent} for --html: make it, or name another place")
    if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
        raise ConfigError(f"{file} cannot be written: name another file for --html")


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in (text or "").split(",") if part.strip()))


def model_of(spec: str, way: Way) -> Model:
    """The model of a spec, asked in one protocol only, and with nothing that answers in its stead.

    What it waits for and what it leaves out is as in use: that is a chain of one.
    """

    (wanted,) = read_order(spec) or (Wanted(QUOTE),)

    def built() -> Model:
        return build(wanted.spec, quote=Quote(), environ=os.environ, fall_back=False, native_tools=way == "native")

    return Replayed(built, spec) if spec.startswith("scripted:") else Chain([Link(built(), wanted.room)])


def _measured(record: Record, kept: Path | None, limits: Limits) -> tuple[Record, bool]:
    """The record with all that was asked now, and whether a person stopped it."""
    samples: list[Sample] = []
    stopped, written = False, time.monotonic()
    if kept:
        write_record(kept, record)  # a place that takes nothing is told before hours are spent
    with Live(record) as live:

        def keep(sample: Sample) -> None:
            nonlocal written
            samples.append(sample)
            live.show(sample)
            if kept and time.monotonic() - written > _WRITTEN_EACH:
                write_record(kept, record.with_samples(samples))
                written = time.monotonic()

        try:
            asyncio.run(_ask(record, keep, limits))
        except KeyboardInterrupt:
            stopped = True
    record = record.with_samples(samples)
    if kept:
        write_record(kept, record)
    return record, stopped


async def _ask(record: Record, keep: Callable[[Sample], None], limits: Limits) -> None:
    done = {sample.place for sample in record.samples}
    async with (
        made_world() as world,
        aclosing(probed(record.plan, world, model_of, done, limits=limits)) as samples,
    ):
        async for sample in samples:
            keep(sample)


def _apply(settings: Config, verdicts: list[Verdict]) -> None:
    """Store the advice for each model that replied; say what is used from now on."""
    stored = read_stored(settings.home)
    proven = dict(stored.proven)
    for verdict in verdicts:
        if verdict.kind is not Kind.NO_REPLY:
            advice, spec = verdict.advice, verdict.model.partition("#ctx=")[0]  # stored by its plain name
            proven[spec] = Proven(
                advice.native_tools, advice.steps, advice.profile, advice.max_output_tokens, verdict.words
            )
    write_stored(settings.home, replace(stored, proven=proven))
    say("Stored: these settings are used whenever one of these models answers, unless you set others.")
    if good := next((v.model for v in verdicts if v.usable and v.model != stored.model), None):
        say(f"To let it answer: sayso models use {good}")
