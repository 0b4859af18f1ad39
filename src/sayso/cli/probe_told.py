"""A probe in the terminal: how far it is, and what came out. It measures nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Column, Table

from sayso.cli.terms import err, out, safe, say
from sayso.probe.figures import RATES, Figures, Rate, figures
from sayso.probe.recording import Record
from sayso.probe.sample import Sample, Way
from sayso.probe.scenarios import SCENARIOS
from sayso.probe.verdicts import Verdict
from sayso.probe.wording import CALLED, advice_told, milliseconds, name_of, ways_of_calls


class Live:
    """A bar for each model and protocol, with what has held so far."""

    def __init__(self, record: Record) -> None:
        self._bars = _bars()
        plan = record.plan
        self._each = plan.samples * len(plan.scenarios)
        self._seen: dict[tuple[str, Way], list[Sample]] = {(m, w): [] for m in plan.models for w in plan.ways_of(m)}
        self._tasks: dict[tuple[str, Way], TaskID] = {
            key: self._bars.add_task(f"{safe(name_of(key[0]))}, {CALLED[key[1]]}", total=self._each, told="")
            for key in self._seen
        }
        for sample in record.samples:
            self._take(sample)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def show(self, sample: Sample) -> None:
        self._take(sample)
        if not err.is_terminal:
            held = "failed" if sample.failed else "right" if sample.judged.right else "not right"
            place = sample.place
            err.print(
                f"{safe(name_of(place.model))}, {place.way}: {place.scenario} ({sample.language}): {held}",
                soft_wrap=True,
            )

    def _take(self, sample: Sample) -> None:
        key = (sample.place.model, sample.place.way)
        if key not in self._seen:
            return
        self._seen[key].append(sample)
        (held,) = figures(self._seen[key])
        driven, right = held.rates["driven"], held.rates["right"]
        failed = f", {held.failed} failed" if held.failed else ""
        told = f"driven {driven.part}/{driven.whole}, right {right.part}/{right.whole}{failed}"
        self._bars.update(self._tasks[key], completed=len(self._seen[key]), told=told)


def _bars() -> Progress:
    """One line a bar, also where the terminal is narrow: then the name gives way, not the figures."""
    narrow = err.width < _WIDE
    room = Column(no_wrap=True, overflow="ellipsis", max_width=max(err.width - _FIGURES, 12) if narrow else None)
    columns = [TextColumn("{task.description}", table_column=room), BarColumn(bar_width=8 if narrow else 24)]
    told = TextColumn("{task.fields[told]}", table_column=Column(no_wrap=True))
    return Progress(*columns, MofNCompleteColumn(), *(() if narrow else (TimeRemainingColumn(),)), told, console=err)


_WIDE = 120
_FIGURES = 56  # columns that a short bar and its figures take


def show_record(record: Record) -> None:
    """A table for each model, then what it means."""
    by_model: dict[str, list[Figures]] = {}
    for one in record.figures:
        by_model.setdefault(one.model, []).append(one)
    for verdict in record.verdicts:
        out.print()
        out.print(_table(verdict.model, by_model[verdict.model]))
        _show_verdict(verdict)


def _show_verdict(verdict: Verdict) -> None:
    say(f"{name_of(verdict.model)}: {verdict.words}.", "bold green" if verdict.usable else "bold yellow")
    for remark in verdict.remarks:
        say(f"  {remark}")
    if verdict.usable:
        say(f"  Settings that suit it: {advice_told(verdict.advice)}")


def _table(model: str, ways: Sequence[Figures]) -> Table:
    table = Table(safe(name_of(model)), *(CALLED[f.way] for f in ways), box=None, title_justify="left")
    table.add_row("questions asked, failed", *(f"{f.samples}, {f.failed}" for f in ways))
    for name, (title, _) in RATES.items():
        if any(f.rates[name].whole for f in ways):
            table.add_row(title, *(_told(f.rates[name]) for f in ways))
    table.add_section()
    table.add_row("calls came", *(ways_of_calls(f) for f in ways))
    table.add_row("violations before, after the repair", *(f"{f.before}, {f.after}" for f in ways))
    table.add_row("tokens in, out (median)", *(f"{f.input_tokens:,}, {f.output_tokens:,}" for f in ways))
    table.add_row("first token (median)", *(milliseconds(f.first_token) for f in ways))
    table.add_row("whole answer (median, nine of ten)", *(f"{f.seconds:.1f} s, {f.slow:.1f} s" for f in ways))
    table.add_row("ended", *(_counts(f.stop_reasons) for f in ways))
    if any(f.errors for f in ways):
        table.add_row("errors", *(_counts(f.errors) for f in ways))
    table.add_section()
    for scenario in SCENARIOS:
        if any(scenario.name in f.scenarios for f in ways):
            table.add_row(f"  {scenario.title}", *(_short(f.scenarios.get(scenario.name)) for f in ways))
    return table


def _told(one: Rate) -> str:
    return f"{one.part}/{one.whole}  ({one.low:.2f}–{one.high:.2f})" if one.whole else "–"


def _short(one: Rate | None) -> str:
    return f"{one.part}/{one.whole}" if one else "–"


def _counts(counts: Mapping[str, int]) -> str:
    return safe(", ".join(f"{name} {count}" for name, count in counts.items())) or "–"
