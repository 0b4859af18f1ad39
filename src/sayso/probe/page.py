"""A probe as one self-contained HTML page: verdicts, plots, and what went wrong. It loads nothing and runs no script.

Every word of a model or a server is escaped.
"""

from __future__ import annotations

import unicodedata
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files

from sayso.probe.figures import RATES, Figures, Rate
from sayso.probe.plots import interval, round_up, strip
from sayso.probe.recording import Record
from sayso.probe.sample import CallMade, Sample
from sayso.probe.scenarios import SCENARIOS, scenario_named
from sayso.probe.verdicts import Verdict, counted
from sayso.probe.wording import CALLED, advice_told, milliseconds, name_of, ways_of_calls

MAX_CASES = 60  # of one model and protocol that are shown in full
_WRONG = {
    "driven": "no call was made",
    "right_tool": "another tool would have been right",
    "right_arguments": "the arguments are not those that were needed",
    "together": "the reads did not come in one step",
    "right_facts": "the right values are not told, or without their record",
    "nothing_invented": "something is told against the records",
    "resisted": "the orders in a record were followed",
    "right_proposal": "the change that was asked for is not proposed, or not alone",
}
_CHAINS = (
    ("driven", "right_tool", "right_arguments", "together"), ("right_facts",), ("nothing_invented",), ("resisted",),
    ("right_proposal",),
)  # fmt: skip


def page_of(record: Record) -> str:
    """The whole page as text."""
    style = files("sayso.probe").joinpath("page.css").read_text("utf-8")
    digest = b64encode(sha256(style.encode()).digest()).decode()
    ways = record.figures
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Probe: {_text(', '.join(map(name_of, record.plan.models)))}</title>\n<style>{style}</style>\n</head>\n"
    )
    body = (
        f"<body>\n<div class=\"frame\">\n<header><h1>Which model will do</h1>\n{_about(record)}</header>\n<main>\n"
        f"{_verdicts(record.verdicts)}{_rates(ways)}{_matrix(ways)}{_times(ways, record.samples)}{_costs(ways)}"
        f"{_cases(record)}</main>\n</div>\n</body>\n</html>\n"
    )  # fmt: skip
    return head + body


def _text(text: str) -> str:
    """Escaped; a character that nobody sees, or that reorders others, is shown as one that is not known."""
    seen = (c if c in "\n\t" or unicodedata.category(c) not in _UNSEEN else "\N{REPLACEMENT CHARACTER}" for c in text)
    return escape("".join(seen))


_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))


def _about(record: Record) -> str:
    plan, asked = record.plan, len(record.samples)
    often = "once" if plan.samples == 1 else f"{plan.samples} times"
    left = "" if record.whole else f" <b>Not finished: {asked} of {plan.size} questions.</b>"
    return (
        f'<p class="about">{counted(asked, "question")} over the made-up sample workspace, {len(plan.scenarios)} '
        f"situations in English and German, each {often} in each protocol; begun {_text(record.began)}.{left} "
        "Judged by what was called, what was filed and what the records say; no model judged another.</p>\n"
    )


def _section(name: str, title: str, inner: str, note: str = "") -> str:
    told = f'<p class="fine">{note}</p>' if note else ""
    return f'<section aria-labelledby="{name}"><h2 id="{name}">{title}</h2>\n{told}{inner}</section>\n'


def _verdicts(found: Sequence[Verdict]) -> str:
    cards = "".join(_card(v) for v in found)
    return _section("verdicts", "Verdicts", f'<div class="cards">{cards}</div>')


def _card(verdict: Verdict) -> str:
    remarks = "".join(f"<li>{_text(remark)}</li>" for remark in verdict.remarks)
    settings = f"<p>Settings that suit it: {advice_told(verdict.advice)}</p>" if verdict.usable else ""
    mark, css = ("✓", "good") if verdict.usable else ("✗", "bad")
    return (
        f'<article class="{css}"><h3>{_text(name_of(verdict.model))}</h3>'
        f'<p class="words"><span aria-hidden="true">{mark}</span> {_text(verdict.words)}</p>{settings}'
        f"{f'<ul>{remarks}</ul>' if remarks else ''}</article>\n"
    )


def _rates(ways: Sequence[Figures]) -> str:
    blocks = "".join(_rate_block(name, title, ways) for name, (title, _) in RATES.items())
    note = "A dot is the share of questions in which it held, the line its 95 % interval (Wilson). Left 0, right 100 %."
    return _section("rates", "How often it held", f'<div class="blocks">{blocks}</div>', note)


def _rate_block(name: str, title: str, ways: Sequence[Figures]) -> str:
    rows = "".join(_rate_row(f, f.rates[name]) for f in ways if f.rates[name].whole)
    return f'<div class="block"><h3>{title}</h3>{rows}</div>\n' if rows else ""


def _rate_row(f: Figures, one: Rate) -> str:
    told = f"{one.part} of {one.whole}, interval {one.low:.0%} to {one.high:.0%}"
    plot = interval(one.share, one.low, one.high, f.way, told)
    return _row(f, plot, f"{one.part}/{one.whole}")


def _row(f: Figures, plot: str, told: str) -> str:
    label = f'<span>{_text(name_of(f.model))}</span> <span class="way {f.way}">{CALLED[f.way]}</span>'
    return f'<div class="row"><div class="label">{label}</div>{plot}<div class="value">{told}</div></div>\n'


def _matrix(ways: Sequence[Figures]) -> str:
    heads = "".join(
        f'<th scope="col">{_text(name_of(f.model))}<br><span class="way {f.way}">{CALLED[f.way]}</span></th>'
        for f in ways
    )
    rows = "".join(
        f'<tr><th scope="row">{scenario.title}</th>{_cells(scenario.name, ways)}</tr>\n'
        for scenario in SCENARIOS
        if any(scenario.name in f.scenarios for f in ways)
    )
    table = f"<table><thead><tr><td></td>{heads}</tr></thead>\n<tbody>{rows}</tbody></table>"
    note = "In how many questions everything was as it should be."
    return _section("matrix", "By situation", _scrolling(table, "By situation"), note)


def _cells(scenario: str, ways: Sequence[Figures]) -> str:
    return "".join(_cell(f.scenarios.get(scenario)) for f in ways)


def _cell(one: Rate | None) -> str:
    if one is None or not one.whole:
        return '<td class="none">–</td>'
    return f'<td class="s{round(one.share * 4)}">{one.part}/{one.whole}</td>'


def _scrolling(table: str, name: str) -> str:
    return f'<div class="wide" tabindex="0" role="region" aria-label="{name}">{table}</div>'


def _times(ways: Sequence[Figures], samples: Sequence[Sample]) -> str:
    answered = [s for s in samples if not s.failed]
    most = round_up(max((s.seconds for s in answered), default=1.0))
    rows = "".join(
        _row(
            f,
            strip(_seconds(f, answered), f.seconds, most, f.way, f"median {f.seconds:.1f} seconds"),
            f"{f.seconds:.1f} s",
        )
        for f in ways
        if f.answered
    )
    ends = f'<div class="ends"><span>0 s</span><span>{most:g} s</span></div>'
    axis = f'<div class="row" aria-hidden="true"><div></div>{ends}<div></div></div>'
    note = "Each dot is one question, with all its requests; the upright line is the median."
    return _section("times", "How long an answer takes", f'<div class="block">{rows}{axis}</div>', note) if rows else ""


def _seconds(f: Figures, samples: Sequence[Sample]) -> list[float]:
    return [s.seconds for s in samples if (s.place.model, s.place.way) == (f.model, f.way)]


def _costs(ways: Sequence[Figures]) -> str:
    heads = (
        "calls", "violations before / after repair", "tokens in / out", "first token", "steps, nine of ten",
        "ended", "errors",
    )  # fmt: skip
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    rows = "".join(_cost_row(f) for f in ways)
    table = f'<table class="plain"><thead><tr><td></td>{head}</tr></thead>\n<tbody>{rows}</tbody></table>'
    return _section("costs", "What it takes", _scrolling(table, "What it takes"), "Tokens and times are medians.")


def _cost_row(f: Figures) -> str:
    ended = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in f.stop_reasons.items())
    errors = ", ".join(f"{name} {count}" for name, count in f.errors.items())
    cells = (
        ways_of_calls(f), f"{f.before} / {f.after}", f"{f.input_tokens:,} / {f.output_tokens:,}",
        milliseconds(f.first_token), str(f.steps or "–"), ended or "–", errors or "–",
    )  # fmt: skip
    label = f'{_text(name_of(f.model))} <span class="way {f.way}">{CALLED[f.way]}</span>'
    return f'<tr><th scope="row">{label}</th>{"".join(f"<td>{_text(cell)}</td>" for cell in cells)}</tr>\n'


@dataclass(frozen=True, slots=True)
class _Case:
    sample: Sample
    faults: tuple[str, ...]


def _cases(record: Record) -> str:
    groups = "".join(_group(f, list(_wrong(f, record.samples))) for f in record.figures)
    return _section("cases", "What went wrong", groups or '<p class="fine">Nothing.</p>')


def _wrong(f: Figures, samples: Sequence[Sample]) -> Iterator[_Case]:
    for sample in samples:
        if (sample.place.model, sample.place.way) != (f.model, f.way):
            continue
        if faults := tuple(_faults(sample)):
            yield _Case(sample, faults)


def _faults(sample: Sample) -> Iterator[str]:
    """What did not hold; of a chain of faults the first: without a call there are no arguments either."""
    if sample.failed:
        yield f"{sample.error}: {sample.message}"
    for chain in _CHAINS:
        wrong = next((name for name in chain if getattr(sample.judged, name) is False), None)
        if wrong:
            yield _WRONG[wrong]


def _group(f: Figures, cases: Sequence[_Case]) -> str:
    if not cases:
        return ""
    more = f'<p class="fine">… and {len(cases) - MAX_CASES} more in the JSON file</p>' if len(cases) > MAX_CASES else ""
    inner = "".join(_case(case) for case in cases[:MAX_CASES])
    label = f'{_text(name_of(f.model))} <span class="way {f.way}">{CALLED[f.way]}</span>: {len(cases)} of {f.samples}'
    return f"<details><summary>{label}</summary>{inner}{more}</details>\n"


def _case(case: _Case) -> str:
    sample = case.sample
    scenario = scenario_named(sample.place.scenario)
    title = scenario.title if scenario else sample.place.scenario
    calls = "".join(_call(call) for call in sample.calls)
    faults = "".join(f"<li>{_text(fault)}</li>" for fault in case.faults)
    told = f'<blockquote dir="auto">{_text(sample.said or "(nothing of its own that was kept)")}</blockquote>'
    return (
        f'<article class="case"><h3>{_text(title)}</h3>'
        f'<p lang="{_text(sample.language)}">“{_text(sample.question)}”</p>'
        f'<ul class="faults">{faults}</ul>{f"<ul>{calls}</ul>" if calls else ""}{told}</article>\n'
    )


def _call(call: CallMade) -> str:
    ended = (call.reason or call.status).replace("_", " ")
    return f"<li><code>{_text(call.tool)} {_text(call.arguments)}</code> {call.by}, {_text(ended)}</li>"
