"""How fast the verifier is, beside others that run offline.

`python -m bench.verifier_speed [--peers FOLDER] [--data DIR] [--plot] [--json FILE]`

Prints the figures; `--plot` draws docs/images/verifier_speed.svg; `--json FILE` puts them under "verifier" there, and
writes docs/verifier_speed.md where nothing is missing. Without the others it measures ours alone, and says how they
are got.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.peers import plot
from bench.peers.others import HOW_TO_GET, Peer, peers_in
from bench.peers.page import page
from bench.peers.scored import balanced, on_answers
from bench.peers.timed import by_facts, by_words, speed

PAGE = Path(__file__).parents[1] / "docs" / "verifier_speed.md"
PICTURE = Path(__file__).parents[1] / "docs" / "images" / "verifier_speed.svg"
WORDS = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
FACTS = (10, 30, 100, 300, 1_000, 3_000, 10_000)


def measure(folder: Path | None, *, rounds: int = 200) -> dict[str, Any]:
    """CPU milliseconds for 120 words over 40 facts, and ratios to the median of known facts."""
    peers = peers_in(folder)
    taken = speed(peers, rounds=rounds)
    ours = taken["known facts"]["median"]
    result: dict[str, Any] = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu_ms_120_words_40_facts": taken,
        "cpu_ms_of_the_index": round(taken["new facts"]["median"] - ours, 2),
        "sayso, known facts / peer": {p.name: round(ours / max(taken[p.name]["median"], 0.01), 2) for p in peers},
    }
    return result if peers else result | {"beside": f"no other verifier is installed: {HOW_TO_GET}"}


def lines(curves: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    return plot.page(
        [
            ("Length of the answer (40 facts)", "words", curves["words"]),
            ("Number of facts (120 words)", "facts, all of them new", curves["facts"]),
        ]
    )


def scores(data: Path, peers: Sequence[Peer], every: int) -> dict[str, Any]:
    found: dict[str, Any] = {"balanced_accuracy": balanced(data, peers, every=every), "every": every}
    answers = data / "answers_dev.jsonl"
    return found | ({"answers": on_answers(answers, peers)} if answers.exists() else {})


def keep(path: Path, result: dict[str, Any]) -> None:
    whole: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    result = whole.get("verifier", {}) | result
    path.write_text(json.dumps(whole | {"verifier": result}, indent=2) + "\n")
    if {"scores", "cpu_ms_by_size"} <= result.keys() and "beside" not in result:
        PAGE.write_text(page(result))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, help="where the other verifiers are installed")
    parser.add_argument("--data", type=Path, help="the folder of the labelled sets")
    parser.add_argument("--every", type=int, default=1, help="read each n-th text only")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--plot", action="store_true")
    parser.add_argument("--json", type=Path, help='write the figures under "verifier" in this file')
    options = parser.parse_args()
    result = measure(options.peers, rounds=options.rounds)
    if options.plot:
        result["cpu_ms_by_size"] = {"words": by_words(WORDS), "facts": by_facts(FACTS)}
        PICTURE.write_text(lines(result["cpu_ms_by_size"]))
    if options.data:
        result["scores"] = scores(options.data, peers_in(options.peers), options.every)
    print(json.dumps(result, indent=2))
    if options.json:
        keep(options.json, result)
    if "beside" in result:
        print(result["beside"], file=sys.stderr)


if __name__ == "__main__":
    main()
