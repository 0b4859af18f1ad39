"""The grounding rule: a text that retells a document of records, without citing them, rests on what they hold.

For evidence whose kinds declare nothing of their own and whose records belong together: its fields are read by
their names, their values and what a lexicon's `[grounding]` says. What the records speak against is told in
every profile, what nothing speaks for in the strict one. No domain is known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sayso.core.verify.declared.grounding_checks import (
    Finding,
    loose_findings,
    measure_findings,
    name_findings,
    phrase_findings,
    state_findings,
    time_findings,
)
from sayso.core.verify.declared.grounding_course import course
from sayso.core.verify.declared.grounding_index import Ground, is_document
from sayso.core.verify.declared.grounding_lexicon import GroundingLexicon
from sayso.core.verify.declared.grounding_measures import is_wide, measured
from sayso.core.verify.declared.grounding_numbers import numerals
from sayso.core.verify.declared.series import Key, When, is_calendar, joined_times, times_in
from sayso.core.verify.index import Entry
from sayso.core.verify.report import Profile, ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.setting import Setting
from sayso.core.verify.values import Value, ValueKind

_READ_APART = frozenset({ValueKind.TIME, ValueKind.URL, ValueKind.EMAIL})


class Grounding:
    """One for each verifier; reads the evidence again only when it has grown."""

    def __init__(self, setting: Setting) -> None:
        self._lexicon: GroundingLexicon = setting.lexicon.grounding
        self._strict = setting.profile is Profile.STRICT
        self._english = setting.language == "en"
        self._entries: tuple[Entry, ...] = ()
        self._ground: Ground | None = None
        self._dated: tuple[str, Sequence[Key]] = ("", ())

    def applies(self, s: Sentence) -> bool:
        """Whether the text retells a document of records: nothing is cited, and no kind declares a word."""
        return self._english and not s.bound.cited and self._read(s) is not None

    def check(self, s: Sentence) -> Iterator[Checked]:
        ground = self._read(s)
        if ground is None or (s.advice and not self._strict):
            return
        findings = list(self._findings(s, ground))
        for found in _outermost(findings):
            if self._strict or found.plain:
                yield wrong(s, found.kind, found.start, found.end, found.why)
        if not findings and _says_something(s):
            yield Checked()

    def _read(self, s: Sentence) -> Ground | None:
        """The ground of a document of records; None for any other evidence."""
        if self._entries is not s.index.current:
            self._entries, self._dated = s.index.current, ("", ())
            records = tuple(e for e in self._entries if e.is_record)
            self._ground = Ground(records, self._lexicon) if is_document(records, self._lexicon) else None
        return self._ground

    def _findings(self, s: Sentence, ground: Ground) -> Iterator[Finding]:
        series = ground.series
        times = times_in(s.clean, series) if series else []
        together = joined_times(times, s.clean, series)
        carried = self._carried(s, ground, times)
        found = [n for n in numerals(s.clean) if not _within(n.start, times) and not _read_apart(s, n.start)]
        told = list(measured(s.folded, found, together, carried, ground)) if series else []
        counted = list(ground.tally.check(s.folded, s.words)) if ground.tally else []
        counted += ground.events.check(s.folded, s.words) if ground.events else []
        read = {m.place for m in told} | {at for c in counted for at in range(c.start, c.end)}
        yield from measure_findings(told, ground)
        yield from loose_findings([n for n in found if n.start not in read], ground)
        yield from time_findings(s, times, ground)
        yield from name_findings(s, ground)
        yield from phrase_findings(s, self._lexicon)
        yield from state_findings(s, together, carried, ground)
        for turn in course(s.folded, times, [n.start for n in found], ground):
            yield Finding(turn.start, turn.end, "the readings do not run so")
        for count in (c for c in counted if not c.right):
            kind = ViolationKind.WRONG_COUNT if count.sure else ViolationKind.UNSUPPORTED
            yield Finding(count.start, count.end, f"the records say otherwise: {count.why}", True, kind)
        for start, end in ground.siblings.check(s.folded, s.words) if ground.siblings else ():
            yield Finding(start, end, "the records keep other numbers there")

    def _carried(self, s: Sentence, ground: Ground, times: Sequence[When]) -> Sequence[Key]:
        """The time of the last sentence that named one, unless this one names its own or speaks of all."""
        if times or not ground.series or not s.dated or is_wide(s.folded):
            return ()
        if s.dated != self._dated[0]:
            before = joined_times(times_in(s.dated, ground.series), s.dated, ground.series)
            self._dated = (s.dated, before[-1].keys if before else ())
        return self._dated[1]


def _outermost(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Those that do not lie within another."""
    end = -1
    for found in sorted(findings, key=lambda f: (f.start, -f.end)):
        if found.end > end:
            end = found.end
            yield found


def _within(at: int, times: Sequence[When]) -> bool:
    return any(w.start <= at < w.end for w in times)


def _read_apart(s: Sentence, at: int) -> bool:
    return any(v.start <= at < v.end and _is_apart(v) for v in s.values)


def _is_apart(v: Value) -> bool:
    return v.kind in _READ_APART or (v.kind is ValueKind.DATE and is_calendar(v.text))


def _says_something(s: Sentence) -> bool:
    """Whether there is a number, a date or a name in it that could have been wrong."""
    return bool(s.values) or any(t.capital for t in s.words[1:])
