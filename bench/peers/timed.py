"""How long a verdict takes: CPU time of this process, since the machine may be busy with other things.

What is measured takes turns, so that a slow minute hits all alike. New facts: the first answer over records that no
one has read; known facts: the next answer over them. Each text is judged once.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Sequence

from bench.peers.made import NOW, answer_of, evidence_of
from bench.peers.others import Peer, told
from sayso.core.verify import Setting, Verifier

WORDS, FACTS = 120, 40
_DELTA = 5  # characters that a model sends at a time


def cpu(run: Callable[[], object]) -> float:
    """Milliseconds of CPU."""
    started = time.process_time()
    run()
    return (time.process_time() - started) * 1000


def shape(taken: Iterable[float]) -> dict[str, float]:
    """The median and the 99th percentile."""
    ranked = sorted(taken)
    return {"median": round(ranked[len(ranked) // 2], 2), "p99": round(ranked[len(ranked) * 99 // 100], 2)}


def verifier_over(facts: int, first: int) -> Verifier:
    return Verifier(evidence_of(facts, first), Setting(NOW, "en", "What do you know of them?"))


def speed(peers: Sequence[Peer], *, rounds: int) -> dict[str, dict[str, float]]:
    """For an answer of 120 words over 40 facts: the whole, each sentence of a stream, and each peer."""
    taken: dict[str, list[float]] = {"new facts": [], "known facts": [], "sentence while streaming": []}
    taken |= {peer.name: [] for peer in peers}
    for number in range(-5, rounds):  # the first five warm up
        first = (number + 5) * 50
        verifier, answer = verifier_over(FACTS, first), answer_of(WORDS, FACTS, first)
        other = answer_of(2 * WORDS, FACTS, first)[len(answer) :].strip()
        texts = told(evidence_of(FACTS, first))
        gc.collect()
        one = {
            "new facts": [cpu(lambda v=verifier, a=answer: v.report(a))],
            "known facts": [cpu(lambda v=verifier, a=other: v.report(a))],
            "sentence while streaming": streamed(verifier, answer),
        }
        one |= {p.name: [cpu(lambda p=p, a=answer, t=texts: p.check(a, t))] for p in peers}
        for name, milliseconds in one.items() if number >= 0 else ():
            taken[name] += milliseconds
    return {name: shape(milliseconds) for name, milliseconds in taken.items()}


def streamed(verifier: Verifier, answer: str) -> list[float]:
    """What each sentence costs, from its first character to its verdict."""
    stream = verifier.stream()
    taken: list[float] = []
    before = 0.0
    for at in range(0, len(answer), _DELTA):
        started = time.process_time()
        judged = stream.feed(answer[at : at + _DELTA])
        before += (time.process_time() - started) * 1000
        if judged:
            taken.append(before / len(judged))
            before = 0.0
    return taken


def by_words(sizes: Sequence[int]) -> list[tuple[int, float]]:
    """Milliseconds by the length of the answer, over 40 facts."""
    return [(size, _least(FACTS, size)) for size in sizes]


def by_facts(sizes: Sequence[int]) -> list[tuple[int, float]]:
    """Milliseconds by the number of facts, new ones, for an answer of 120 words."""
    return [(size, _least(size, WORDS)) for size in sizes]


def _least(facts: int, words: int) -> float:
    answer = answer_of(words, facts)
    tries = 3 if words * facts < 1_000_000 else 1
    verifiers = [verifier_over(facts, 0) for _ in range(tries)]
    return round(min(cpu(lambda v=v: v.report(answer)) for v in verifiers), 2)
