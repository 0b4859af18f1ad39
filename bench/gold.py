"""The gold set: how many wrong answers the verifier catches, and how many true ones it withholds or marks.

`python -m bench.gold [--n N] [--seed S] [--json] [--wrong [K]]`: shares by kind of mutation and language, on all
wordings and on the blind ones alone, by someone who had not seen the rules; `--unseen`: on those that were written
after the rules, true answers and changes in these wordings alone. `--wrong` prints what went wrong.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from gold import generator
from gold.languages import LANGUAGES
from gold.measure import Outcome, Shares, everyday, outcomes, shares
from sayso.core.facts import value_text


def main() -> None:
    asked = _arguments()
    if asked.floors:
        _print_floors(asked.floors)
        return
    cases = generator.sample(asked.n, asked.seed) if asked.n else list(generator.cases(asked.seed, unseen=asked.unseen))
    cases = [c for c in cases if asked.lang in (None, c.lang) and asked.kind in (None, c.kind)]
    found = list(outcomes(cases))
    if asked.unseen:
        found = [o for o in found if o.case.origin == "unseen"]  # some changes have wordings of their own
        tables = {"unseen wordings": shares(found)}
    else:
        tables = {"all wordings": shares(found), "blind wordings": shares(found, "blind")}
    if asked.kind in (None, "everyday") and not asked.unseen:
        found_everyday = list(outcomes(c for c in everyday() if asked.lang in (None, c.lang)))
        tables["everyday exchanges"] = shares(found_everyday)
        found += found_everyday
    if asked.json:
        print(json.dumps({name: _plain(table) for name, table in tables.items()}, indent=1))
        return
    if asked.markdown:
        for name, table in tables.items():
            _print_markdown(name, table)
        return
    if asked.wrong:
        _print_wrong([o for o in found if o.missed], asked.wrong)
    for name, table in tables.items():
        if table:
            _print(name, table)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=0, help="about so many cases instead of all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unseen", action="store_true", help="the wordings that were written after the rules, alone")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", action="store_true", help="the tables as docs/gold_set.md shows them")
    parser.add_argument(
        "--wrong", type=int, nargs="?", const=4, default=0, help="so many examples of each kind and language"
    )
    parser.add_argument("--floors", choices=("sample", "whole"), help="print what is reached, as the tests read it")
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--kind", help="one kind of mutation, true or everyday")
    asked = parser.parse_args()
    if asked.unseen and asked.n:
        parser.error("--n draws from the wordings that are known: leave it out beside --unseen")
    return asked


def _print(name: str, table: Shares) -> None:
    columns = ("all", *LANGUAGES)
    print(f"\n{name}: caught (withheld) of the wrong, withheld or marked of the true, in per cent")
    print(f"{'':>20} {'count':>6} " + " ".join(f"{c:>12}" for c in columns))
    for kind in sorted({kind for kind, _ in table}, key=lambda k: (k == "all", k == generator.TRUE, k)):
        cells = [_cell(table, kind, column) for column in columns]
        print(f"{kind:>20} {table[kind, 'all'].count:>6} " + " ".join(f"{c:>12}" for c in cells))


def _print_markdown(name: str, table: Shares) -> None:
    columns = ("all", *LANGUAGES)
    print(f"\n### {name[0].upper()}{name[1:]}\n")
    print(f"| kind | count | {' | '.join(columns)} |\n|---|--:|{'--:|' * len(columns)}")
    for kind in sorted({kind for kind, _ in table}, key=lambda k: (k == "all", k == generator.TRUE, k)):
        cells = [f"{100 * table[kind, c].caught:.1f}" if (kind, c) in table else "–" for c in columns]
        print(f"| {kind} | {table[kind, 'all'].count:,} | {' | '.join(cells)} |")


def _cell(table: Shares, kind: str, column: str) -> str:
    share = table.get((kind, column))
    return f"{100 * share.caught:5.1f} ({100 * share.withheld / share.count:3.0f})" if share else "-"


def _print_floors(part: str) -> None:
    """What is reached, as the test reads it: in the sample by kind and by language, in the whole by both."""
    if part == "sample":
        sampled = shares(outcomes(generator.sample(generator.SAMPLED, per_template=1)))
        rough = {key: s for key, s in sampled.items() if "all" in key or key[0] == generator.TRUE}
        parts = {"sample": rough, "everyday": shares(outcomes(everyday()))}
    else:
        found = list(outcomes(generator.cases()))
        unseen = shares(outcomes(generator.cases(unseen=True)), "unseen")
        parts = {"whole": shares(found), "blind": shares(found, "blind"), "unseen": unseen}
    print(
        f"# Made by `python -m bench.gold --floors {part}`: shares that were reached, of the wrong ones caught, of the"
    )
    print("# true ones withheld or marked. The first only go up, the second only down.")
    for name, table in parts.items():
        for kind in sorted({kind for kind, _ in table}):
            print(f"\n[{name}.{kind}]")
            for language in ("all", *LANGUAGES):
                if share := table.get((kind, language)):
                    print(f"{language} = {_rounded(share.caught, up=kind == generator.TRUE)}")


def _rounded(share: float, *, up: bool) -> float:
    return (math.ceil if up else math.floor)(share * 1000) / 1000


def _plain(table: Shares) -> dict[str, dict[str, dict[str, float]]]:
    made: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    for (kind, language), share in table.items():
        made[kind][language] = {
            "count": share.count, "caught": round(share.caught, 4), "withheld": share.withheld, "marked": share.marked,
        }  # fmt: skip
    return made


def _print_wrong(missed: list[Outcome], most: int) -> None:
    groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for one in missed:
        groups[one.case.kind, one.case.lang].append(one)
    for (kind, language), group in sorted(groups.items()):
        print(f"\n== {kind}, {language}: {len(group)} went wrong")
        by_type: dict[str, list[Outcome]] = defaultdict(list)
        for one in group:
            by_type[one.case.type].append(one)
        for type_, some in sorted(by_type.items(), key=lambda item: -len(item[1])):
            print(f"-- {type_}: {len(some)}")
            for one in some[:most]:
                _print_one(one)


def _print_one(one: Outcome) -> None:
    case = one.case
    print(f"   {case.answer!r}  [{case.origin}] {'; '.join(one.reasons)}")
    print(
        f"      asked: {case.user_message}   now {case.now:%Y-%m-%d}"
        + (f"   true: {case.true_answer!r}" if case.true_answer else "")
    )
    cited = [n for n in case.facts if f"[{n.ref}]" in case.answer or n.fact.subject in case.answer + case.true_answer]
    for numbered in cited[:3]:
        values = {
            k: value_text(v) for k, v in numbered.fact.values.items() if k not in ("as_of", "notes", "proposal_id")
        }
        print(f"      {numbered.ref} {numbered.fact.kind.name} {values}")


if __name__ == "__main__":
    main()
