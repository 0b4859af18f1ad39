"""The gold set: a sample of it in every run, all of it in `make prove`.

The goal is 99 % of each kind of mutation caught and 1 % of the true answers withheld or marked, in each language. The
floors are what was reached last, and only go up: `python -m bench.gold --floors sample > tests/gold/floors_sample.toml`,
and the same with `whole`.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from gold.generator import SAMPLED, TRUE, Case, cases, sample
from gold.languages import LANGUAGES
from gold.measure import Outcome, Share, everyday, outcomes, shares
from gold.mutations import KINDS

Floors = dict[str, dict[str, float]]


@cache
def sampled() -> tuple[Case, ...]:
    return tuple(sample(SAMPLED, per_template=1))


@cache
def judged() -> tuple[Outcome, ...]:
    return tuple(outcomes(sampled()))


@cache
def floors(part: str) -> Floors:
    file = "floors_sample.toml" if part in ("sample", "everyday") else "floors_whole.toml"
    return tomllib.loads(Path(__file__).with_name(file).read_text("utf-8"))[part]


def test_the_same_seed_gives_the_same_answers() -> None:
    first, second = (list(islice(cases(seed=5), 300)) for _ in range(2))
    assert first == second


def test_each_kind_of_mutation_is_there_in_each_language() -> None:
    counted = Counter((case.kind, case.lang) for case in sampled())
    kinds = {kind for kind, _ in counted}
    assert len(kinds) > len(KINDS)
    assert all(counted[kind, language] >= 3 for kind in kinds for language in LANGUAGES)


def test_half_of_the_answers_and_more_are_in_blind_wordings() -> None:
    assert sum(case.origin == "blind" for case in sampled()) > SAMPLED / 2


def test_a_wrong_answer_is_not_the_true_one() -> None:
    changed = [c for c in sampled() if c.kind not in (TRUE, "false_action")]
    assert all(c.answer != c.true_answer and c.spans for c in changed)
    assert all(0 <= start < end <= len(c.answer) for c in changed for start, end in c.spans)


def test_each_cited_ref_is_in_the_evidence_except_an_invented_one() -> None:
    for case in sampled():
        refs = {numbered.ref for numbered in case.facts}
        cited = {word for word in case.answer.replace("[", " ").replace("]", " ").split() if word in refs}
        assert case.kind == "invented_citation" or cited or "[" not in case.answer.replace("[ref", ""), case


def test_wrong_answers_are_caught_as_often_as_they_were() -> None:
    assert _sunk(shares(judged()), "sample") == {}


def test_everyday_answers_are_let_through() -> None:
    share = shares(outcomes(everyday()))[TRUE, "all"]
    assert share.count == 300
    assert share.caught <= floors("everyday")[TRUE]["all"], f"{share.withheld} withheld, {share.marked} marked"


@pytest.mark.long
def test_the_whole_set_holds_its_floors() -> None:
    found = list(outcomes(cases()))
    assert _sunk(shares(found), "whole") == {}
    assert _sunk(shares(found, "blind"), "blind") == {}
    assert _sunk(shares(outcomes(cases(unseen=True)), "unseen"), "unseen") == {}


def _sunk(table: dict[tuple[str, str], Share], part: str) -> dict[str, str]:
    """What is worse than its floor: fewer wrong ones caught, or more true ones withheld or marked."""
    sunk: dict[str, str] = {}
    for kind, by_language in floors(part).items():
        for language, floor in by_language.items():
            reached = table[kind, language].caught if (kind, language) in table else 0.0
            if reached > floor if kind == TRUE else reached < floor:
                sunk[f"{kind} {language}"] = f"{reached:.4f}, not {floor:.4f}"
    return sunk
