"""A report as one self-contained HTML page: the text with its marks, the reasons, and the facts beside it.

Every word of the text and of the facts is escaped; the page may load nothing and run only its own script.
"""

from __future__ import annotations

import re
import unicodedata
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import groupby

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import Provenance, value_text
from sayso.core.verify.citations import citations
from sayso.core.verify.repair import final_text
from sayso.core.verify.report import Judged, Report, Verdict, Violation
from sayso.verifying.telling import is_marked, marked, withheld

MAX_OTHERS = 200  # facts that the text does not use are context: the first of them will do

_SIGNS = {Verdict.SUPPORTED: "✓", Verdict.YOURS: "✓", Verdict.CONTRADICTED: "✗", Verdict.UNSUPPORTED: "?"}
_MEANING = {
    Verdict.SUPPORTED: "follows from the facts",
    Verdict.CONTRADICTED: "against the facts",
    Verdict.UNSUPPORTED: "nothing in the facts for or against it",
    Verdict.YOURS: "follows from what was asked or pasted",
    Verdict.TALK: "says nothing about the records",
}
_PROVENANCE = {
    Provenance.OWN: "", Provenance.REPORTED: "reported by the client", Provenance.SECOND_HAND: "second-hand",
    Provenance.PROVIDED: "given by the user",
}  # fmt: skip
_ONE_REF = re.compile(r"(?P<letter>[FUfu])\s?0{0,6}(?P<number>\d{1,7})")


def page_of(report: Report, evidence: Evidence, *, locale: str = "en", title: str = "") -> str:
    """The whole page as text; `title` says what was verified."""
    found = [_Finding(i, n, s, v) for i, (n, s, v) in enumerate(_violations(report), 1)]
    style, script = (files("sayso.verifying").joinpath(name).read_text("utf-8") for name in ("page.css", "page.js"))
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    heading = _heading(report)
    head = (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(f'{heading}: {title}' if title else heading)}</title>\n<style>{style}</style>\n</head>\n"
    )
    body = (
        f'<body>\n<a class="skip" href="#facts">To the facts</a>\n<div class="frame">\n<header><h1>{heading}</h1>\n'
        f'{_counts(report)}</header>\n<div class="columns">\n<main>\n'
        f'<section aria-labelledby="text-title"><h2 id="text-title">The text</h2>\n'
        f'<div class="text" lang="{_text(locale)}" dir="auto">{_marked_text(report, evidence, found)}</div></section>\n'
        f"{_findings(found, evidence)}{_shown(report, evidence, locale)}</main>\n"
        f"{_facts(report, evidence, found)}</div>\n</div>\n"
        f'<div class="tip" id="tip" aria-hidden="true" hidden></div>\n<script>{script}</script>\n</body>\n</html>\n'
    )
    return head + body


@dataclass(frozen=True, slots=True)
class _Finding:
    """A violation with its number, and the sentence that it stands in, with the number of that."""

    number: int
    place: int
    sentence: Judged
    violation: Violation


def _violations(report: Report) -> Iterator[tuple[int, Judged, Violation]]:
    return ((n, s, v) for n, s in enumerate(report.sentences, 1) for v in _in_order(s))


def _in_order(sentence: Judged) -> list[Violation]:
    return sorted(sentence.violations, key=lambda v: (v.start, v.end))


def _digest(content: str) -> str:
    return "sha256-" + b64encode(sha256(content.encode()).digest()).decode()


def _text(text: str) -> str:
    """Escaped; a character that nobody sees, or that reorders others, is shown as one that is not known."""
    return escape("".join(c if " " <= c <= "~" or _is_seen(c) else "\N{REPLACEMENT CHARACTER}" for c in text))


def _is_seen(char: str) -> bool:
    return char in "\n\t\u200c\u200d" or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def _heading(report: Report) -> str:
    held, noted = withheld(report), marked(report)
    if report.clean:
        return "All that was checked follows from the facts"
    parts = [f"{held} withheld" if held else "", f"{noted} marked" if noted else ""]
    count = len(report.sentences)
    return f"{' and '.join(p for p in parts if p)} of {count} sentence{'' if count == 1 else 's'}"


def _counts(report: Report) -> str:
    counts = Counter(s.verdict for s in report.sentences)
    items = [f"<li><b>{counts[v]} {v.value}</b>: {_MEANING[v]}</li>" for v in Verdict if counts[v]]
    return f'<ul class="counts">{"".join(items)}<li>{report.profile.value} profile</li></ul>'


def _marked_text(report: Report, evidence: Evidence, found: Sequence[_Finding]) -> str:
    of_sentence = {start: list(group) for start, group in groupby(found, lambda f: f.sentence.start)}
    return "".join(
        _sentence(n, s, report, evidence, of_sentence.get(s.start, [])) for n, s in enumerate(report.sentences, 1)
    )


def _sentence(number: int, sentence: Judged, report: Report, evidence: Evidence, found: list[_Finding]) -> str:
    body = sentence.text.rstrip()
    tail = sentence.text[len(body) :]
    if not body:
        return _text(tail)
    told = "withheld, " if report.withheld(sentence) else "marked, " if is_marked(sentence, report) else ""
    told = f'<span class="sr"> ({told}{sentence.verdict.value}) </span>' if told else ""
    sign = _SIGNS.get(sentence.verdict, "")
    sign = f'<span class="mark" aria-hidden="true" title="{sentence.verdict.value}">{sign}</span>' if sign else ""
    inner = "".join(_runs(body, sentence.start, evidence, found))
    return f'<span class="{sentence.verdict.value}" id="s{number}">{told}{inner}{sign}</span>{_text(tail)}'


def _runs(body: str, start: int, evidence: Evidence, found: list[_Finding]) -> Iterator[str]:
    """A sentence in runs of one owner each: a finding (the shortest one that covers it), a cited ref, or nobody."""
    owners: list[int] = [0] * len(body)
    for f in sorted(found, key=lambda f: f.violation.start - f.violation.end):
        inside = slice(max(f.violation.start - start, 0), max(f.violation.end - start, 0))
        owners[inside] = [f.number] * len(owners[inside])
    refs = list(_refs_in(body))
    for n, (a, b, ref) in enumerate(refs, 1):
        if evidence.get(ref) or not owners[a]:
            owners[a:b] = [-n] * (b - a)
    by_number = {f.number: f for f in found}
    linked: set[int] = set()
    at = 0
    for owner, run in groupby(owners):
        words = body[at : (at := at + len(list(run)))]
        if owner < 0:
            yield _ref(words, refs[-owner - 1][2], evidence)
        elif owner and words.strip():
            yield _claim(words, by_number[owner], first=owner not in linked)
            linked.add(owner)
        else:
            yield _text(words)


def _refs_in(body: str) -> Iterator[tuple[int, int, str]]:
    for citation in citations(body):
        for one in _ONE_REF.finditer(body, citation.start, citation.end):
            yield one.start(), one.end(), f"{one['letter'].upper()}{int(one['number'])}"


def _ref(words: str, ref: str, evidence: Evidence) -> str:
    numbered = evidence.get(ref)
    if numbered is None:
        return f'<s class="ref" title="there is no such fact">{_text(words)}</s>'
    return f'<a class="ref" href="#fact-{ref}" title="{_named(numbered)}">{_text(words)}</a>'


def _claim(words: str, f: _Finding, *, first: bool) -> str:
    """The first run of a finding is a link to its reason; the others only look alike: one stop for keys."""
    near = f' data-near="{_text(f.violation.nearest)}"' if f.violation.nearest else ""
    data = f'class="claim" data-why="{f.number}"{near}'
    if not first:
        return f"<span {data}>{_text(words)}</span>"
    return (
        f'<a {data} id="claim-{f.number}" href="#why-{f.number}" aria-describedby="why-{f.number}">{_text(words)}</a>'
    )


def _findings(found: Sequence[_Finding], evidence: Evidence) -> str:
    if not found:
        return ""
    items = "".join(_finding(f, evidence) for f in found)
    title = '<h2 id="found-title">What was found</h2>'
    return f'<section aria-labelledby="found-title">{title}\n<ol class="findings">{items}</ol></section>\n'


def _finding(f: _Finding, evidence: Evidence) -> str:
    numbered = evidence.get(f.violation.nearest) if f.violation.nearest else None
    nearest = f"<p data-tip>Nearest fact: {_link(numbered)} {_named(numbered)}</p>" if numbered else ""
    mild = ' class="doubt"' if f.sentence.verdict is Verdict.UNSUPPORTED else ""
    kind = f.violation.kind.value.replace("_", " ")
    words = " ".join(f.violation.words.split()) or "this sentence"
    return (
        f'<li id="why-{f.number}"{mild}><p data-tip><span class="words">“{_text(_short(words, 200))}”</span> '
        f'<span class="fine">{kind}</span></p><p data-tip>{_text(f.violation.instruction)}</p>{nearest}'
        f'<p class="fine"><a href="#s{f.place}">In sentence {f.place}</a></p></li>\n'
    )


def _shown(report: Report, evidence: Evidence, locale: str) -> str:
    if report.clean:
        return ""
    text = _text(final_text(report, evidence, locale))
    return f'<details><summary>What a reader would see of it</summary><div class="text">{text}</div></details>\n'


def _facts(report: Report, evidence: Evidence, found: Sequence[_Finding]) -> str:
    """First the facts that the text uses, then the others."""
    used = {ref for s in report.sentences for ref in (*s.refs, *(v.nearest for v in s.violations)) if ref}
    first = [n for n in evidence if n.ref in used]
    others = [n for n in evidence if n.ref not in used]
    told_of = _uses(report, found)
    cards = "".join(_fact(n, told_of.get(n.ref, [])) for n in first)
    rest = "".join(_fact(n, []) for n in others[:MAX_OTHERS])
    more = f'<p class="fine">… and {len(others) - MAX_OTHERS} more</p>' if len(others) > MAX_OTHERS else ""
    opened = "" if first else " open"
    behind = (
        f"<details{opened}><summary>{len(others)} not used by the text</summary>{rest}{more}</details>"
        if others
        else ""
    )
    nothing = "" if first or others else '<p class="fine">There are no facts.</p>'
    inner = f"<h2>The facts</h2>\n{cards}{behind}{nothing}"
    return f'<aside class="facts" id="facts" aria-label="Facts" tabindex="0">{inner}</aside>\n'


def _uses(report: Report, found: Sequence[_Finding]) -> dict[str, list[str]]:
    uses: dict[str, list[str]] = {}
    for n, sentence in enumerate(report.sentences, 1):
        for ref in sentence.refs:
            uses.setdefault(ref, []).append(f'<a href="#s{n}">sentence {n}</a>')
    for f in found:
        if f.violation.nearest:
            uses.setdefault(f.violation.nearest, []).append(f'<a href="#why-{f.number}">finding {f.number}</a>')
    return uses


def _fact(numbered: Numbered, uses: Iterable[str]) -> str:
    fact = numbered.fact
    rows = [
        f"<div><dt>{_title(numbered, name)}</dt><dd dir=\"auto\">{_text(value_text(value))}</dd></div>"
        for name, value in fact.values.items() if name != fact.kind.subject
    ]  # fmt: skip
    if fact.gaps:
        gaps = ", ".join(_title(numbered, name) for name in fact.gaps)
        rows.append(f'<div><dt class="gap">not recorded</dt><dd class="gap">{gaps}</dd></div>')
    about = [_text(fact.source), _PROVENANCE[fact.provenance], *dict.fromkeys(uses)]
    return (
        f'<article id="fact-{numbered.ref}" aria-labelledby="name-{numbered.ref}"><header>'
        f'<span class="chip">{numbered.ref}</span><h3 id="name-{numbered.ref}">{_named(numbered)}</h3></header>'
        f'<p class="fine">{" · ".join(part for part in about if part)}</p><dl>{"".join(rows)}</dl></article>\n'
    )


def _title(numbered: Numbered, name: str) -> str:
    declared = numbered.fact.kind.field(name)
    return _text(declared.title if declared else name)


def _link(numbered: Numbered) -> str:
    return f'<a class="chip" href="#fact-{numbered.ref}">{numbered.ref}</a>'


def _named(numbered: Numbered) -> str:
    kind = numbered.fact.kind.name
    return _text(("" if kind == "record" else f"{kind}: ") + _short(" ".join(numbered.fact.subject.split()), 120))


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
