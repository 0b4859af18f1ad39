"""What must hold of every answer of the inference service, whoever asked what: for tests that drive the services."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from driven_services import STEPS, Answer
from sayso.core.encoding import canonical_digest, read_outside, transcript_digest
from sayso.core.messages import CallStatus, Message, Outcome, open_calls
from sayso.core.transcripts import faults
from sayso.signing.tokens import SKEW
from sealed_world import Json, MovingClock

CLOSED = {CallStatus.SUPERSEDED, CallStatus.EXPIRED}


def claims_of(token: str | None) -> Json:
    """What a token says, unchecked; {} for none."""
    if not token:
        return {}
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def read_all(documents: Sequence[Any]) -> tuple[Message, ...]:
    return tuple(read_outside(document, {}) for document in documents)


class Observed:
    """Remembers what was told, and checks each new answer against it. `proven` are the transcripts that were."""

    def __init__(self, clock: MovingClock) -> None:
        self._clock = clock
        self._used: dict[str, tuple[str, Json]] = {}
        self.proven: set[str] = {""}

    def answer(self, body: Json, answer: Answer) -> None:
        assert answer.status in (0, 200) or 400 <= answer.status < 500, answer
        finish = answer.finish
        if finish is None:
            return
        proof = claims_of(body.get("continuation") or body.get("history_seal"))
        claims = claims_of(finish["continuation"])
        added = read_all(finish["messages"])
        sent = read_all([*body.get("history", []), *body.get("exchange", [])])
        if "message" not in body and self._is_new(body):
            assert self._clock.now().timestamp() <= proof["until"] + SKEW, "results were taken too late"
        self._once(body, finish)
        _end(proof, claims, finish, added)
        _refs(proof, claims, sent, added)
        _calls(body, proof, claims, sent, added, finish)
        self.proven.add(finish["transcript"])

    def _is_new(self, body: Json) -> bool:
        return body.get("continuation") not in self._used

    def _once(self, body: Json, finish: Json) -> None:
        """A continuation leads to one end: asking the same again tells it again, asking otherwise tells nothing."""
        token = body.get("continuation")
        if token is None:
            return
        first = self._used.setdefault(token, (canonical_digest(body), finish))
        assert first == (canonical_digest(body), finish), "one continuation led to two ends"


def _end(proof: Json, claims: Json, finish: Json, added: Sequence[Message]) -> None:
    """The continuation vouches for what was there and what was added, to the letter."""
    digest = transcript_digest(added, proof.get("transcript", ""))
    assert claims["transcript"] == finish["transcript"] == digest
    assert claims["messages"] == proof.get("messages", 0) + len(added)
    assert claims["next_ref"] == finish["next_ref"]
    assert (claims["sub"], claims["owner"]) == ("local", "local")
    assert proof.get("thread", claims["thread"]) == claims["thread"]


def _refs(proof: Json, claims: Json, sent: Sequence[Message], added: Sequence[Message]) -> None:
    """A ref is of a message that was sent, or it is new: one that was ever given out is not given again."""
    known = {n.ref: n.fact.identity for message in sent for n in message.numbered}
    first, end = proof.get("next_ref", 1), claims["next_ref"]
    assert end >= first
    for numbered in (n for message in added for n in message.numbered):
        if numbered.ref in known:
            assert known[numbered.ref] == numbered.fact.identity, "a ref got another meaning"
        else:
            assert first <= int(numbered.ref[1:]) < end, "a ref was given out that was not new"


def _calls(
    body: Json, proof: Json, claims: Json, sent: Sequence[Message], added: Sequence[Message], finish: Json
) -> None:
    """What waits are the open calls of the newest exchange, and no others; each result is the one that was sent."""
    assert not faults((*sent, *added)), faults((*sent, *added))
    waiting = [call[0] for call in claims["calls"]]
    assert waiting == [call.id for call in open_calls((*sent, *added))]
    assert (finish["outcome"] == Outcome.WAITING) == bool(waiting)
    given = {result["call_id"]: result for result in body.get("tool_results", [])}
    owed = [call[0] for call in proof.get("calls", [])]
    ended = {r.call_id: r for message in added for r in message.results}
    for name in owed:
        if name in given:
            assert ended[name].status == given[name]["status"]
            assert len(ended[name].facts) >= len(given[name]["facts"])
        else:
            assert ended[name].status in CLOSED
            assert not ended[name].facts
    if waiting:
        used = proof["steps"] if "message" not in body else 0
        assert used < claims["steps"] < STEPS, "the steps of an exchange were not counted on"
