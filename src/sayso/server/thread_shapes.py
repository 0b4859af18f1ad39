"""What the routes of threads take and give, as models. They decide nothing."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from sayso.core.messages import Outcome, StopReason
from sayso.server.answers import Digest, Moment, ThreadLine
from sayso.serving.bodies import Strict
from sayso.serving.event_shapes import FactShape
from sayso.store.ports import ExchangeState, Rating

MESSAGES_LIMIT = 8 << 20
Title = Annotated[str, Field(max_length=200)]
Transcript = Annotated[
    str, Field(pattern="^([0-9a-f]{64})?$", description='The chained digest of the messages; "" for none')
]


class NewThread(Strict):
    """Without a title it gets the beginning of its first question."""

    title: Title = ""


class Renamed(Strict):
    """The title holds more than spaces."""

    title: Annotated[str, Field(min_length=1, max_length=200, pattern=r"[^\s\x00-\x1f]")]


class SentMessages(Strict):
    """What a run added, as its `finish` gave it out; `expected` is the digest of what is stored before it."""

    expected: Transcript
    messages: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=2000)]
    continuation: Annotated[str, Field(min_length=1, max_length=64 << 10)]


class SentFeedback(Strict):
    """One's opinion of an answer; `none` takes it back."""

    rating: Literal["up", "down", "none"]
    words: Annotated[str, Field(max_length=4000)] = ""


class ThreadsQuery(Strict):
    """A page of at most `limit`, after the thread `before`; `q`: with each of these words in it."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
    before: Annotated[str, Field(max_length=200)] | None = None
    q: Annotated[str, Field(max_length=500)] = ""


class FeedbackQuery(Strict):
    limit: Annotated[int, Field(ge=1, le=1000)] = 200


class ThreadPage(Strict):
    """`more`: there are older ones."""

    threads: list[ThreadLine]
    more: bool = False


class StoredThread(Strict):
    """How a thread stands after messages were taken in; `added` is 0 where they were there already."""

    id: str
    title: str
    transcript: Transcript
    messages: int
    added: int


class ThreadHistory(Strict):
    """What to resubmit as `history`, with its `history_seal`."""

    id: str
    messages: list[dict[str, Any]]
    transcript: Transcript
    next_ref: int
    seal: str


class GivenFeedback(Strict):
    thread_id: str
    exchange_id: str
    by: str
    rating: Rating
    words: str
    at: Moment


class GivenFeedbacks(Strict):
    feedback: list[GivenFeedback]


class ExportedFeedback(Strict):
    by: str
    rating: Rating
    words: str
    at: Moment


class ExportedExchange(Strict):
    id: str
    question: str
    asked: Moment
    answer: str | None
    citations: list[str]
    state: ExchangeState
    outcome: Outcome | None
    reason: StopReason | None
    model: str
    steps: int
    sentences: list[Any]
    feedback: list[ExportedFeedback]


class ExportedThread(Strict):
    """The whole thread: as it is shown, and the messages from which it can be taken up again."""

    format: str
    id: str
    title: str
    created: Moment
    updated: Moment
    transcript: Digest | Literal[""]
    exchanges: list[ExportedExchange]
    facts: list[FactShape]
    messages: list[dict[str, Any]]
