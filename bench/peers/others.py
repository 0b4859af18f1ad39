"""Other verifiers that run offline, each behind one call: a text and the facts as sentences in, wrong spans out.

None of them is a dependency. They are looked for in a folder that is named when the benchmark is run, and what is not
there is left out. Each is called as its own documentation shows, with its defaults; what it says it would stop is
flagged. They take passages and not records, so each fact is told to them as one line of text, without its gaps.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import value_text

Span = tuple[int, int]
Check = Callable[[str, Sequence[str]], list[Span]]

HOW_TO_GET = (
    "pip install --no-deps --target FOLDER corroborate==0.1.0 ancora-rag==0.1.1 "
    "claimproofkit==0.1.1, then pass --peers FOLDER"
)


@dataclass(frozen=True)
class Peer:
    name: str
    check: Check


def told(evidence: Evidence) -> list[str]:
    """Each fact as a line of text."""
    return [_line(numbered) for numbered in evidence.current()]


def _line(numbered: Numbered) -> str:
    fact = numbered.fact
    held = (f"{name.lstrip('_').replace('_', ' ')}: {value_text(v)}" for name, v in fact.values.items())
    return f"{fact.subject}. {'; '.join(held)}."


def peers_in(folder: Path | None) -> list[Peer]:
    """Those that can be imported, from the folder if one is given."""
    if folder is not None and str(folder) not in sys.path:
        sys.path.append(str(folder))
    made = {"corroborate": _corroborate, "ancora-rag": _ancora, "claimproofkit": _claimproofkit}
    return [Peer(name, check) for name, make in made.items() if (check := _or_none(make)) is not None]


def _or_none(make: Callable[[], Check]) -> Check | None:
    try:
        return make()
    except ImportError:
        return None


def _corroborate() -> Check:
    package: Any = importlib.import_module("corroborate")

    def check(answer: str, facts: Sequence[str]) -> list[Span]:
        report = package.check_answer("", list(facts), answer)
        return list(_whole_words(answer, (span for finding in report.critical for span in finding.spans)))

    return check


def _ancora() -> Check:
    package: Any = importlib.import_module("ancora")
    checker = package.GroundingChecker()

    def check(answer: str, facts: Sequence[str]) -> list[Span]:
        chunks = [package.Chunk(f"c{i}", f"d{i}", fact, 0, len(fact)) for i, fact in enumerate(facts)]
        claims = checker.check_answer(answer, chunks)
        return list(_in_order(answer, ((c.claim, not c.supported) for c in claims)))

    return check


def _claimproofkit() -> Check:
    package: Any = importlib.import_module("claimproofkit")
    verifier = package.ClaimVerifier()

    def check(answer: str, facts: Sequence[str]) -> list[Span]:
        passages = [package.EvidencePassage(id=f"p{i}", source="records", text=f) for i, f in enumerate(facts)]
        verdicts = verifier.verify_document(answer, passages).verdicts
        stopped = ((v.claim.text, v.status not in package.APPROVED_STATUSES) for v in verdicts)
        return list(_in_order(answer, stopped))

    return check


def _whole_words(answer: str, found: Iterable[str]) -> Iterator[Span]:
    """Where each wording stands in the answer, wherever it does: these verifiers give no places."""
    for wording in {w for w in found if w.strip()}:
        for match in re.finditer(rf"(?<!\w){re.escape(wording)}(?!\w)", answer, re.IGNORECASE):
            yield match.span()


def _in_order(answer: str, claims: Iterable[tuple[str, bool]]) -> Iterator[Span]:
    """The places of the claims that are stopped; claims come in the order of the text."""
    at = 0
    for claim, stopped in claims:
        place = answer.find(claim, at)
        if place < 0:
            continue
        at = place + 1
        if stopped:
            yield place, place + len(claim)
