"""A second opinion on what the verifier could not decide: an entailment or judge model, where a host gives one.

It is shown only sentences for which and against which no record spoke, each with the facts that it cites or that
come closest. It may say that these carry the sentence, or leave it; it frees nothing that is contradicted, and
speaks against nothing. This module knows no model, and refuses to know what an opinion was based on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from sayso.core.evidence import Evidence, Numbered
from sayso.core.messages import Usage
from sayso.core.verify.report import Judged, Report, Verdict, ViolationKind

MAX_DOUBTS = 8  # sentences of one answer; further ones keep their verdict
MAX_FACTS = 6  # facts beside one sentence


@dataclass(frozen=True, slots=True)
class Doubt:
    """One unsupported sentence as it was written, its citations included, and its facts: at least one."""

    sentence: str
    facts: tuple[Numbered, ...]


@dataclass(frozen=True, slots=True)
class Opinion:
    """Whether its facts carry each sentence, in the order asked, and what the asking cost."""

    carried: tuple[bool, ...] = ()
    usage: Usage = field(default_factory=Usage)


class SecondOpinion(Protocol):
    async def weigh(self, doubts: Sequence[Doubt], *, now: datetime, seconds: float) -> Opinion:
        """Say of each sentence whether its facts carry it; in doubt, that they do not.

        `now` is what "tomorrow" is counted from. What takes longer than `seconds`, raises, or does not answer for
        each sentence leaves every verdict as it is.
        """
        ...


async def reconsidered(
    report: Report, evidence: Evidence, opinion: SecondOpinion, *, now: datetime, seconds: float, released: int = 0
) -> tuple[Report, Usage]:
    """The report after the opinion, and its cost. The first `released` sentences were told already: they stay."""
    asked = _doubts(report, evidence, released)
    if not asked:
        return report, Usage()
    try:
        async with asyncio.timeout(seconds):
            given = await opinion.weigh(tuple(asked.values()), now=now, seconds=seconds)
    except (Exception, BaseExceptionGroup):  # an opinion is a courtesy: without it the verdicts are what they were
        return report, Usage()
    if len(given.carried) != len(asked):
        return report, given.usage
    carried = {place: doubt for (place, doubt), yes in zip(asked.items(), given.carried, strict=True) if yes is True}
    told = tuple(_carried(s, carried[i]) if i in carried else s for i, s in enumerate(report.sentences))
    return replace(report, sentences=told), given.usage


def _doubts(report: Report, evidence: Evidence, released: int) -> dict[int, Doubt]:
    """By place: the sentences that may be asked about."""
    found: dict[int, Doubt] = {}
    for place, sentence in enumerate(report.sentences[released:], released):
        facts = _facts(sentence, evidence) if _open(sentence) else ()
        if facts and len(found) < MAX_DOUBTS:
            found[place] = Doubt(sentence.text.strip(), facts)
    return found


def _open(sentence: Judged) -> bool:
    """Whether nothing is wrong with it but that no record says so. A missing attribution is no matter of opinion."""
    only = all(v.kind is ViolationKind.UNSUPPORTED for v in sentence.violations)
    return sentence.verdict is Verdict.UNSUPPORTED and only


def _facts(sentence: Judged, evidence: Evidence) -> tuple[Numbered, ...]:
    refs = dict.fromkeys((*sentence.refs, *(v.nearest for v in sentence.violations if v.nearest)))
    known = (evidence.get(ref) for ref in refs)
    return tuple(n for n in known if n is not None)[:MAX_FACTS]


def _carried(sentence: Judged, doubt: Doubt) -> Judged:
    refs = tuple(n.ref for n in doubt.facts)
    added = refs if not sentence.refs and len(refs) == 1 else ()
    return replace(
        sentence, verdict=Verdict.SUPPORTED, violations=(), refs=refs, claims=max(sentence.claims, 1), added=added,
        second_opinion=True,
    )  # fmt: skip
