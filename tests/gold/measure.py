"""What the verifier makes of the gold set: shares by kind of mutation and language. It changes nothing and prints nothing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gold.generator import TRUE, Case
from gold.world import MOMENTS, call, world_at
from sayso.core.evidence import Evidence
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Report, Verdict
from sayso.inapp.conversation import known_words
from sayso.vocabulary import ordinary_words

WITHHELD, MARKED, PASSED = "withheld", "marked", "passed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case and what became of it: the worst of its sentences, and the verifier's reasons."""

    case: Case
    end: str
    reasons: tuple[str, ...]

    @property
    def missed(self) -> bool:
        """A wrong answer that passed, or a true one that did not."""
        return (self.end == PASSED) != (self.case.kind == TRUE)


def outcomes(cases: Iterable[Case]) -> Iterator[Outcome]:
    for case in cases:
        report = judged(case)
        verdicts = {s.verdict for s in report.sentences}
        end = WITHHELD if Verdict.CONTRADICTED in verdicts else MARKED if Verdict.UNSUPPORTED in verdicts else PASSED
        yield Outcome(case, end, tuple(f"{v.kind.value}: {v.words[:40]!r}" for v in report.violations))


def judged(case: Case) -> Report:
    """The default profile's report, with the words of the tools' catalogue known as in the product."""
    setting = Setting(case.now, case.lang, case.user_message, _tool_words(), ordinary=ordinary_words(case.lang))
    return Verifier(Evidence(case.facts), setting).report(case.answer)


def everyday() -> list[Case]:
    """Exchanges without records; a part of them while a thread holds unrelated facts."""
    lines = Path(__file__).with_name("everyday.jsonl").read_text("utf-8").splitlines()
    return [_everyday(json.loads(line), number) for number, line in enumerate(lines)]


def _everyday(told: dict[str, str], number: int) -> Case:
    world = world_at(MOMENTS[number % len(MOMENTS)])
    reads = UNRELATED[number % len(UNRELATED)] if told["facts"] == "some" else ()
    evidence = Evidence()
    for read in reads:
        evidence.add_all(world.found(read))
    facts = tuple(evidence)
    return Case(told["id"], told["lang"], "everyday", "blind", world.now, told["user"], facts, told["answer"], TRUE)


UNRELATED = (
    (call("search_people", query="Weber"), call("list_goals", status="behind")),
    (call("list_commitments", days=7),),
    (call("search_people", query="Museum am Wehr"), call("list_habits"), call("list_projects")),
    (call("search_knowledge", query="lease"), call("search_people", query="Claudia")),
)


@cache
def _tool_words() -> frozenset[str]:
    return known_words(world_at(MOMENTS[0]).tools)


@dataclass(slots=True)
class Share:
    """How many there were, and how many of them were withheld and marked."""

    count: int = 0
    withheld: int = 0
    marked: int = 0

    def add(self, end: str) -> None:
        self.count += 1
        self.withheld += end == WITHHELD
        self.marked += end == MARKED

    @property
    def caught(self) -> float:
        return (self.withheld + self.marked) / self.count if self.count else 0.0


Shares = dict[tuple[str, str], Share]
"""By kind and language; "all" stands for every language, and for every kind of mutation."""


def shares(found: Iterable[Outcome], origin: str | None = None) -> Shares:
    table: Shares = defaultdict(Share)
    for one in found:
        if origin and one.case.origin != origin:
            continue
        kinds = (one.case.kind,) if one.case.kind == TRUE else (one.case.kind, "all")
        for kind in kinds:
            for language in (one.case.lang, "all"):
                table[kind, language].add(one.end)
    return dict(table)
