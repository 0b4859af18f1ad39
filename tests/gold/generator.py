"""The gold set: true answers over the sample workspace in many wordings, and wrong ones made by one change each.

The same seed gives the same cases. It asks no verifier: what is true follows from the records alone.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from zlib import crc32

from gold.claims import Claim, claims_of
from gold.mutations import Changed, Said, changes
from gold.renderings import Template, fits, render, templates
from gold.world import MOMENTS, Call, World, call, world_at
from sayso.core.evidence import Evidence, Numbered

TRUE = "true"
CLAIMS_PER_TEMPLATE = 4
CHANGES_PER_CLAIM = 3
SAMPLED = 1500  # what `make test` judges
RARE = frozenset(
    {
        "reversed",
        "unit",
        "count",
        "false_action",
        "substring_attribute",
        "time",
        "weekday",
        "state",
        "contact",
        "quote",
        "swapped_field",
    }
)
"""Kinds that few statement types can have: taken whenever they are there."""


@dataclass(frozen=True, slots=True)
class Case:
    """One answer over its facts. `kind` is "true" or the mutation's; `spans` are where the change stands."""

    id: str
    lang: str
    type: str
    origin: str
    now: datetime
    user_message: str
    facts: tuple[Numbered, ...]
    answer: str
    kind: str
    spans: tuple[tuple[int, int], ...] = ()
    true_answer: str = ""


def cases(seed: int = 1, per_template: int = CLAIMS_PER_TEMPLATE, *, unseen: bool = False) -> Iterator[Case]:
    """Every wording with some claims, each true and with some changes; or those alone that are kept unseen."""
    for template in templates():
        if (template.origin == "unseen") is not unseen:
            continue
        if template.type == "commitment_from":  # the sample holds none: only a reversed relation says so
            continue
        chance = random.Random(f"{seed} {template.language} {template.type} {template.text}")
        fitting = [(now, c) for now in MOMENTS for c in claims_of(now).get(template.type, ()) if fits(template, c)]
        for now, claim in chance.sample(fitting, min(per_template, len(fitting))):
            yield from _both(world_at(now), claim, template, chance)


def sample(count: int, seed: int = 1, per_template: int = CLAIMS_PER_TEMPLATE) -> list[Case]:
    """About `count` cases: a third of them true, and of each kind and language as many.

    Chosen by a digest of their ids, so that a new wording moves few of them.
    """
    pools: dict[tuple[str, str], list[Case]] = {}
    for case in cases(seed, per_template):
        pools.setdefault((case.kind, case.lang), []).append(case)
    wrong_pools = [pool for (kind, _), pool in pools.items() if kind != TRUE]
    true_pools = [pool for (kind, _), pool in pools.items() if kind == TRUE]
    return [*_taken(true_pools, count // 3), *_taken(wrong_pools, count - count // 3)]


def _taken(pools: list[list[Case]], count: int) -> list[Case]:
    """As many of each pool as there are, filled up from the largest."""
    taken: list[Case] = []
    for at, pool in enumerate(sorted(pools, key=len)):
        share = (count - len(taken)) // (len(pools) - at)
        taken += sorted(pool, key=lambda case: crc32(case.id.encode()))[:share]
    return taken


def _both(world: World, claim: Claim, template: Template, chance: random.Random) -> Iterator[Case]:
    facts = evidence_for(world, claim, chance)
    found = {slot: n.ref for slot, fact in claim.cites.items() for n in facts if n.fact.identity == fact.identity}
    assert set(found) == set(claim.cites), (claim.type, claim.slots, [n.fact.subject for n in facts])
    seed, asked = chance.randrange(10**6), question(template, claim, chance)
    right = render(template, claim, found, world.now.date(), seed).text
    name = f"{template.language}-{claim.type}-{crc32(template.text.encode()):08x}-{seed}"
    yield Case(name, template.language, claim.type, template.origin, world.now, asked, facts, right, TRUE)
    said = Said(world, claim, template, found, facts, chance)
    for changed in _chosen(list(changes(said)), chance):
        made = _wrong(world, changed, right, seed)
        if made:
            answer, spans = made
            over = changed.facts or facts
            yield Case(
                f"{name}-{changed.kind}", template.language, claim.type, changed.template.origin, world.now, asked, over,
                answer, changed.kind, spans, right,
            )  # fmt: skip


def _chosen(made: list[Changed], chance: random.Random) -> list[Changed]:
    rare = [c for c in made if c.kind in RARE]
    others = [c for c in made if c.kind not in RARE]
    return [*rare, *chance.sample(others, min(CHANGES_PER_CLAIM, len(others)))]


def _wrong(world: World, changed: Changed, right: str, seed: int) -> tuple[str, tuple[tuple[int, int], ...]] | None:
    """The wrong answer and its changed spans; None where it reads like the true one."""
    rendered = render(changed.template, changed.claim, changed.refs, world.now.date(), seed)
    if changed.edit:
        return changed.edit(rendered)
    if rendered.text == right and changed.facts is None:
        return None
    return rendered.text, tuple(span for slot in changed.slots for span in rendered.places.get(slot, ()))


BACKGROUND = tuple(
    call("search_people", query=query)
    for query in (
        "Weber", "Havnelab", "Museum am Wehr", "Tidewell", "Claudia", "Peña", "board", "software developer",
        "Winter School", "Papierboot", "Tonspur", "Jörg", "Keller", "Brightwater", "coordinator",
    )
)  # fmt: skip
ENOUGH, MANY = 4, 12


def evidence_for(world: World, claim: Claim, chance: random.Random) -> tuple[Numbered, ...]:
    """The record asked for as a tool found it, with what the same and other reads of the thread brought."""
    wanted = {f.identity for f in claim.cites.values()} - {f.identity for f in claim.extra}
    asked = [c for c in claim.calls if wanted <= {f.identity for f in world.found(c)}]
    short = [c for c in asked if _records(world, c) <= MANY]
    chosen = [chance.choice(short if short and chance.random() < 0.8 else asked)] if asked else list(claim.calls)
    kind = next(iter(claim.cites.values())).kind.name
    others = [c for c in BACKGROUND if c not in chosen]
    if kind in ("person", "lookup", "proposal", "receipt"):
        while sum(_records(world, c) for c in chosen) < ENOUGH and others:
            chosen.append(others.pop(chance.randrange(len(others))))
    elif chance.random() < 0.3:
        chosen.append(chance.choice(others))
    chance.shuffle(chosen)
    evidence = Evidence()
    for one in chosen:
        evidence.add_all(world.found(one))
    evidence.add_all(claim.extra)
    return tuple(evidence)


def _records(world: World, asked: Call) -> int:
    return sum(f.kind.name not in ("lookup", "proposal") for f in world.found(asked))


@cache
def _questions() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("questions.toml").read_text("utf-8"))


_ASKED = re.compile(r"You asked|Du fragst|Vous demandez|Chiedi|Preguntas|me lo chiedi|lo preguntas")


def question(template: Template, claim: Claim, chance: random.Random) -> str:
    """What the user asked: by the statement's type, or by the kind of its subject; of one thing often by its name."""
    table, kind = _questions(), next(iter(claim.subjects.values()), "")
    told = table.get(claim.type) or table.get(claim.type.split("_")[0]) or table.get(kind) or table["goal"]
    if "title" in claim.slots and kind != "passage" and (_ASKED.search(template.text) or chance.random() < 0.4):
        told = table["named"]
    if claim.type == "count_overdue":
        told = table["commitment"]
    return chance.choice(told[template.language]).format(**{k: str(v) for k, v in claim.slots.items()})
