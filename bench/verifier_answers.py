# ruff: noqa: E501 (messages on one line)
"""How the verifier judges labelled answers: `python bench/verifier_answers.py FILE.jsonl [--wrong]`.

Each line holds facts, an answer and a verdict for each sentence; prints a confusion table.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from datetime import datetime
from typing import Any

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import Fact, FactKind, Field, FieldType, Provenance
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Judged, Verdict
from sayso.workspace.kinds import WORKSPACE_KINDS

_WORKSPACE = {kind.name: kind for kind in WORKSPACE_KINDS}
_WORST = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.SUPPORTED, Verdict.YOURS, Verdict.TALK)


def load_fact(record: dict[str, Any], as_of: datetime) -> Numbered:
    """A fact of a kind made on the fly; words are taken from the workspace's kind where names match."""
    known = _WORKSPACE.get(record["kind"])
    names = dict.fromkeys(["_subject", *record["fields"]])
    fields = tuple(
        replace(declared, type=FieldType.TEXT, unit=None) if known and (declared := known.field(n)) else Field(n)
        for n in names
    )
    kind = FactKind(
        record["kind"],
        fields,
        "_subject",
        words=known.words if known else (),
        named_by_parts=bool(known and known.named_by_parts),
    )
    values = {"_subject": record["subject"], **{k: v for k, v in record["fields"].items() if v != "<not recorded>"}}
    fact = Fact(
        kind, record["subject"], values, record["source"], record["ref"], as_of, Provenance(record["provenance"])
    )
    return Numbered(record["ref"], fact)


def judged_as(sentence: str, answer: str, at: int, pieces: tuple[Judged, ...]) -> tuple[Verdict, int, list[Judged]]:
    """The worst verdict of the pieces that overlap a labelled sentence."""
    start = answer.find(sentence, at)
    if start < 0:
        start = at
    end = start + len(sentence)
    over = [p for p in pieces if p.start < end and p.start + len(p.text.rstrip()) > start]
    return next((v for v in _WORST if any(p.verdict is v for p in over)), Verdict.TALK), end, over


def main(path: str, show: bool) -> None:
    table: Counter[tuple[str, str]] = Counter()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            now = datetime.fromisoformat(record["now"])
            evidence = Evidence(load_fact(f, now) for f in record["facts"])
            setting = Setting(now, record["lang"], record["user_message"], frozenset())
            report = Verifier(evidence, setting).report(record["answer"])
            at = 0
            for sentence in record["sentences"]:
                verdict, at, over = judged_as(sentence["text"], record["answer"], at, report.sentences)
                table[sentence["verdict"], verdict.value] += 1
                good = sentence["verdict"] in ("supported", "yours", "talk")
                bad = verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)
                if show and (good == bad or (sentence["verdict"] != verdict.value and not good)):
                    reasons = [f"{v.kind.value}: {v.words[:40]!r}" for p in over for v in p.violations]
                    print(
                        f"{record['id']}: {sentence['verdict']} -> {verdict.value} | {sentence['text'][:130]} | {reasons}"
                    )
    _print(table)


def _print(table: Counter[tuple[str, str]]) -> None:
    names = [v.value for v in Verdict]
    print(f"{'label':>14} " + " ".join(f"{n:>13}" for n in names))
    for label in names:
        print(f"{label:>14} " + " ".join(f"{table[label, n]:>13}" for n in names))
    fine = ("supported", "yours", "talk")
    total = sum(table[a, b] for a in fine for b in names) or 1
    wrong = sum(table["contradicted", n] for n in names) or 1
    print(f"contradicted found: {table['contradicted', 'contradicted'] / wrong:.1%} of {wrong}")
    print(f"fine withheld: {sum(table[a, 'contradicted'] for a in fine) / total:.1%} of {total}")
    print(f"fine marked: {sum(table[a, 'unsupported'] for a in fine) / total:.1%}")


if __name__ == "__main__":
    main(sys.argv[1], "--wrong" in sys.argv)
