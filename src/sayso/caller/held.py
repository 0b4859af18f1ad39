"""What the caller holds of a conversation: messages exactly as they were given, the proof that goes with them, and
what it owes. It can be written down and taken up again. It sends nothing and reads no message's content.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sayso.caller.errors import Broken
from sayso.core.proposals import digest_of

Json = dict[str, Any]
MOST_MESSAGES, MOST_SIZE = 900, 600_000
"""Of earlier exchanges in one request, in messages and in characters of JSON; the service takes a little more."""


@dataclass(frozen=True, slots=True)
class Call:
    """What the model asks for. `arguments` is its raw JSON text: untrusted."""

    id: str
    name: str
    arguments: str


@dataclass(slots=True)
class Held:
    """`messages` are the whole thread's; those from `began` on are of the exchange that goes on. `ends` are the ends
    of exchanges: how many messages there were, and their digest.

    `owed` are the calls that the service waits for, `results` what came of them so far, and `asked` those of the run
    that goes on. `stored` and `kept` are the digest and number of the messages that the thread store has. `run` is the
    one whose end was not heard yet; `requests` counts those of the exchange, however often it was interrupted.
    """

    thread_id: str | None = None
    messages: list[Json] = field(default_factory=list[Json])
    began: int = 0
    continuation: str = ""
    history_seal: str = ""
    transcript: str = ""
    asked: list[Call] = field(default_factory=list[Call])
    owed: list[Call] = field(default_factory=list[Call])
    results: dict[str, Json] = field(default_factory=dict[str, Json])
    seen_calls: set[str] = field(default_factory=set[str])
    ends: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    stored: str = ""
    kept: int = 0
    run: str = ""
    requests: int = 0

    def told(self) -> Json:
        """The messages, for a request: all of the exchange that goes on, and as many whole ones before it as fit."""
        sizes = [len(json.dumps(message)) for message in self.messages]
        cuts = [(0, ""), *(end for end in self.ends if end[0] <= self.began)]
        fitting = (
            cut for cut in cuts if len(sizes) - cut[0] <= MOST_MESSAGES and sum(sizes[cut[0] :]) <= MOST_SIZE
        )  # fmt: skip
        start, before = next(fitting, cuts[-1])
        parts = {"history": self.messages[start : self.began], "exchange": self.messages[self.began :]}
        return {name: part for name, part in parts.items() if part} | ({"history_before": before} if before else {})

    @property
    def unsaved(self) -> list[Json]:
        return self.messages[self.kept :]

    def proof(self) -> Json:
        """What shows that these messages were given out: the last continuation, or the seal of a stored thread."""
        if self.continuation:
            return {"continuation": self.continuation}
        return {"history_seal": self.history_seal} if self.history_seal else {}

    def begin(self, run: str) -> None:
        """A run is heard from its beginning. What was owed before stays until its end: it may still fail."""
        self.run = run
        self.asked.clear()

    def fail(self) -> None:
        """A run failed: the service's side is as it was before it."""
        self.run = ""
        self.asked.clear()

    def owe(self, document: Mapping[str, Any]) -> Call:
        """Take up a call. Raises Broken for one that was asked for before, in this run or an earlier one."""
        call = Call(_text(document, "call_id"), _text(document, "name"), _text(document, "arguments"))
        if not call.id or call.id in self.seen_calls or any(call.id == asked.id for asked in self.asked):
            raise Broken(f"the service asked twice for the call {call.id!r}; it runs once")
        self.asked.append(call)
        return call

    def finish(self, document: Mapping[str, Any]) -> None:
        """A run's end: its messages are held, and unless it waits for results the exchange is over.

        Raises Broken where what it waits for and what it asked for differ: nothing is resubmitted then.
        """
        messages = document.get("messages", [])
        if not isinstance(messages, list) or not all(isinstance(m, dict) for m in messages):  # pyright: ignore[reportUnknownVariableType]
            raise Broken("the run's end does not say what was added to the conversation")
        added: list[Json] = messages  # pyright: ignore[reportUnknownVariableType]
        waiting = document.get("outcome") == "waiting"
        if waiting and not self.asked:
            raise Broken("the service waits for a call that it did not ask for")
        self.messages.extend(added)
        self.continuation = str(document.get("continuation") or "") or self.continuation
        self.transcript = str(document.get("transcript") or "") or self.transcript
        self.results.clear()
        self.seen_calls.update(call.id for call in self.asked)
        self.owed = list(self.asked) if waiting else []
        self.asked.clear()
        self.run = ""
        if not waiting:
            self.began = len(self.messages)
            self.ends.append((self.began, self.transcript))

    def saved(self) -> None:
        self.stored, self.kept = self.transcript, len(self.messages)

    @property
    def document(self) -> Json:
        """Everything, as plain JSON: to go on in another process."""
        return {
            "thread_id": self.thread_id, "messages": self.messages, "began": self.began,
            "continuation": self.continuation, "history_seal": self.history_seal, "transcript": self.transcript,
            "owed": [[call.id, call.name, call.arguments] for call in self.owed], "results": self.results,
            "ends": self.ends, "seen_calls": sorted(self.seen_calls), "stored": self.stored, "kept": self.kept,
            "run": self.run, "requests": self.requests,
        }  # fmt: skip


def read_held(document: Mapping[str, Any]) -> Held:
    """From `Held.document`. Raises Broken."""
    try:
        return Held(
            document["thread_id"], list(document["messages"]), int(document["began"]), document["continuation"],
            document["history_seal"], document["transcript"], [], [Call(*entry) for entry in document["owed"]],
            dict(document["results"]), set(document["seen_calls"]), [(int(n), str(d)) for n, d in document["ends"]],
            document["stored"], int(document["kept"]), document["run"], int(document["requests"]),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as wrong:
        raise Broken(f"what was written down of the conversation cannot be read: {wrong}") from wrong


def ends_of(messages: list[Json], transcript: str) -> list[tuple[int, str]]:
    """The ends of a stored thread's exchanges with their digests, which are chained message by message.

    None where they do not come to the `transcript` that was told: such a thread is only sent whole.
    """
    ends: list[tuple[int, str]] = []
    digest = ""
    for number, message in enumerate(messages, 1):
        digest = digest_of(f"{digest} {json.dumps(message, separators=(',', ':'))}".encode("ascii"))
        if number == len(messages) or messages[number].get("exchange") != message.get("exchange"):
            ends.append((number, digest))
    return ends if digest == transcript else []


def _text(document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    if not isinstance(value, str):
        raise Broken(f"a call of the service has no {name}")
    return value
