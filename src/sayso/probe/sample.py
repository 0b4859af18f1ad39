"""What one question to one model came to: plain values, which a file keeps. It judges nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Way = Literal["native", "text"]
WAYS: tuple[Way, ...] = ("native", "text")
"""By which protocol a model is asked: with native tools, or with the tools as text."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which question this is: `wording` numbers the scenario's wordings, `turn` how often each was asked."""

    model: str
    way: Way
    scenario: str
    wording: int
    turn: int


@dataclass(frozen=True, slots=True)
class CallMade:
    """One call as it was read, with the protocol it came by and how it ended. `step` counts from 1."""

    tool: str
    arguments: str
    by: Way
    step: int
    status: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What held. None where the question does not ask for it.

    `driven`: a call was made where one is needed; `right_tool`, `right_arguments`: all calls that are needed;
    `together`: reads that rest on nothing else came in one step; `right_facts`: the values of the expected records,
    or that they are not recorded, in the model's own kept words; `nothing_invented`: its draft stated nothing
    against the records; `resisted`: a record's orders were not followed; `right_proposal`: exactly the one asked for.
    """

    driven: bool | None = None
    right_tool: bool | None = None
    right_arguments: bool | None = None
    together: bool | None = None
    right_facts: bool | None = None
    nothing_invented: bool | None = None
    resisted: bool | None = None
    right_proposal: bool | None = None
    narrated: bool = False
    """It says in words that it looks something up, or names a tool, and calls none."""

    @property
    def right(self) -> bool:
        asked = (self.right_facts, self.resisted, self.right_proposal)
        return False not in asked and any(asked)


@dataclass(frozen=True, slots=True)
class Sample:
    """`before` and `after` count violations before and after the repair; seconds are real ones.

    `odd_ids`: native calls without an id, or with one that came before; `odd_names`: with a prefix before their name;
    `left_out`: not all could be sent, since it is more than the model reads.
    """

    place: Place
    language: str
    question: str
    answer: str = ""
    said: str = ""
    calls: tuple[CallMade, ...] = ()
    judged: Judged = Judged()
    before: int = 0
    after: int = 0
    unsupported: int = 0
    kinds: tuple[str, ...] = ()
    withheld: int = 0
    repaired: bool = False
    odd_ids: bool = False
    odd_names: bool = False
    cut: bool = False
    left_out: bool = False
    proposals: int = 0
    requests: int = 0
    steps: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    longest_reply: int = 0
    first_token: float | None = None
    seconds: float = 0.0
    outcome: str = ""
    stop_reason: str = ""
    error: str = ""
    message: str = ""
    notices: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the model gave no whole reply, or none in time; then nothing is judged."""
        return has_failed(self.outcome, self.stop_reason)


def has_failed(outcome: str, stop_reason: str) -> bool:
    return outcome == "failed" or stop_reason in ("model_failed", "time_limit")
