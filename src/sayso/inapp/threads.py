"""Threads as their owner works with them: what a caller ran is taken in with its proof, histories are given out sealed.

The messages themselves are judged by nobody here: who signed for them has. It knows no HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sayso.core.actors import Actor
from sayso.core.encoding import read_outside, transcript_digest
from sayso.core.evidence import Evidence
from sayso.core.facts import Fact
from sayso.core.messages import Message, Outcome, Role, StopReason, Usage, open_calls
from sayso.core.ports import Clock
from sayso.core.receipts import told_receipts
from sayso.core.transcripts import sound
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Profile
from sayso.errors import Conflict, Forbidden, SaysoError, StaleCopy
from sayso.inapp.assistant import report_json, title_of
from sayso.models.quote.question import MAX_QUESTION
from sayso.models.quote.words import keys, language_of
from sayso.signing.keys import Keyring, PublicKeys
from sayso.signing.tokens import BadToken, TokenKind, read, sign
from sayso.store.ports import Exchange, ExchangeState, Thread, ThreadStore
from sayso.vocabulary import ordinary_words

HISTORY_SECONDS = 3600


class ContinuationKeys(Protocol):
    """The inference service's public keys."""

    async def for_token(self, token: str) -> PublicKeys: ...


class Receipts(Protocol):
    """Where it is kept which receipts a thread was told."""

    async def mark_delivered(self, owner: str, receipts: Collection[Fact]) -> None: ...


class WrongMessages(SaysoError):
    """What was sent is no list of messages as they were given out."""

    code = "wrong_inputs"  # a 422


class Unproven(Forbidden):
    """Messages without a continuation that vouches for them, here and for this person."""

    code = "unproven"

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason

    @property
    def members(self) -> dict[str, Any]:
        return {"reason": self.reason}


class WrongTranscript(Conflict):
    """The continuation vouches for other messages than those that were sent."""

    code = "history_changed"


@dataclass(frozen=True, slots=True)
class History:
    """A thread as a caller resubmits it: whole, with the digest that its seal is over."""

    thread: Thread
    messages: tuple[Message, ...]
    transcript: str
    next_ref: int
    seal: str


@dataclass(frozen=True, slots=True)
class Stored:
    """How a thread stands after messages were taken in. `added` is 0 where they were there already."""

    thread: Thread
    transcript: str
    messages: int
    added: int


@dataclass(frozen=True, slots=True)
class ThreadDesk:
    """`seals` gives the keys that sign histories; without `continuations` no caller's messages can be checked."""

    threads: ThreadStore
    clock: Clock
    seals: Callable[[], Keyring]
    continuations: ContinuationKeys | None = None
    locale: str = "en"
    profile: Profile = Profile.DEFAULT
    receipts: Receipts | None = None

    async def history(self, actor: Actor, thread_id: str) -> History:
        """The transcript, without what is damaged in it, sealed for this person. Raises NotFound."""
        thread = await self.threads.get(actor.desk, thread_id)
        messages = sound(await self.threads.messages(actor.desk, thread_id), may_wait=True)
        digest = transcript_digest(messages)
        claims = {
            "sub": actor.id, "owner": actor.owner, "thread": thread.id, "transcript": digest,
            "messages": len(messages), "next_ref": thread.next_ref,
            "waits": messages[-1].exchange_id if open_calls(messages) else "",
        }  # fmt: skip
        seal = sign(self.seals(), TokenKind.HISTORY, claims, self.clock.now(), HISTORY_SECONDS)
        return History(thread, messages, digest, thread.next_ref, seal)

    async def take(
        self, actor: Actor, thread_id: str, expected: str, documents: Sequence[Mapping[str, Any]], continuation: str
    ) -> Stored:  # fmt: skip
        """Append what a caller's runs added, where the inference service vouches for exactly that.

        Raises NotFound, Unproven, StaleCopy (the thread has moved on) or Conflict. The same again changes nothing.
        """
        thread = await self.threads.get(actor.desk, thread_id)
        claims = await self._claims(actor, thread_id, continuation)
        added = self._read(documents)
        stored = await self.threads.messages(actor.desk, thread_id)
        view = sound(stored, may_wait=True)
        told = transcript_digest(view)
        vouched = str(claims["transcript"])
        if vouched in (told, thread.transcript):
            await self._told(actor, view, added)  # which the first time may not have come to
            return Stored(thread, vouched, len(view), 0)
        if expected not in (told, thread.transcript):
            raise StaleCopy(told, len(view))
        if transcript_digest(added, expected) != vouched:
            raise WrongTranscript(
                "the continuation is not of these messages after that digest; send all that the run added, unchanged"
            )
        exchanges = self._exchanges(thread, (*view, *added), added, claims)
        after = await self.threads.extend(
            actor.desk, thread_id, added, exchanges, expected=thread.transcript,
            title=title_of(exchanges[0].question) if exchanges else "",
        )  # fmt: skip
        await self._told(actor, (*view, *added), added)
        return Stored(after, vouched, len(view) + len(added), len(added))

    async def _told(self, actor: Actor, whole: Sequence[Message], added: Sequence[Message]) -> None:
        """The receipts in exchanges that are stored with their answer now were told: they are no news any more."""
        touched = {message.exchange_id for message in added}
        receipts = told_receipts([message for message in whole if message.exchange_id in touched])
        if receipts and self.receipts is not None:
            await self.receipts.mark_delivered(actor.desk, receipts)

    async def _claims(self, actor: Actor, thread_id: str, continuation: str) -> Mapping[str, Any]:
        if self.continuations is None:
            raise Unproven("no inference service's keys are known here; name them in the settings", "unknown_keys")
        try:
            public = await self.continuations.for_token(continuation)
            claims = read(public, TokenKind.CONTINUATION, continuation, self.clock.now())
        except BadToken as wrong:
            whose = "; inference_keys names the service whose runs are stored" if wrong.reason == "signature" else ""
            raise Unproven(f"continuation: {wrong}{whose}", wrong.reason) from wrong
        if (claims.get("sub"), claims.get("owner")) != (actor.id, actor.owner):
            raise Unproven("the continuation is another person's", "other_identity")
        if claims.get("thread") != thread_id:
            raise Unproven("the continuation is of another thread; name this one as thread_id when you ask", "thread")
        return claims

    def _read(self, documents: Sequence[Mapping[str, Any]]) -> tuple[Message, ...]:
        try:
            return tuple(read_outside(document, {}) for document in documents)
        except ValueError as wrong:
            raise WrongMessages(f"messages: {wrong}") from wrong

    def _exchanges(
        self, thread: Thread, whole: Sequence[Message], added: Sequence[Message], claims: Mapping[str, Any]
    ) -> list[Exchange]:  # fmt: skip
        """What the page shows of the exchanges that these messages are of, as it would of runs of our own."""
        touched = dict.fromkeys(message.exchange_id for message in added)
        return [self._exchange(thread, name, whole, claims) for name in touched]

    def _exchange(
        self, thread: Thread, exchange_id: str, whole: Sequence[Message], claims: Mapping[str, Any]
    ) -> Exchange:  # fmt: skip
        own = tuple(message for message in whole if message.exchange_id == exchange_id)
        question = next((message.text for message in own if message.role is Role.USER), "")
        last = own[-1]
        answer = last.text if last.role is Role.ASSISTANT and not last.calls else None
        newest = claims.get("exchange") == exchange_id
        waits = newest and bool(open_calls(own))
        state = ExchangeState.WAITING if waits else ExchangeState.FINISHED if answer else ExchangeState.CUT
        outcome = Outcome.WAITING if waits else Outcome.ANSWERED if answer else Outcome.ABSTAINED
        reason = StopReason.WAITING if waits else StopReason.ANSWERED if answer else StopReason.STOPPED
        now = self.clock.now()
        return Exchange(
            exchange_id, thread.id, question, state, str(claims.get("model") or ""), now, now, outcome, reason,
            _usage(claims) if newest else Usage(), int(claims.get("steps") or 0) if newest else 0, answer,
            self._report(question, answer, whole) if answer else None,
        )  # fmt: skip

    def _report(self, question: str, answer: str, whole: Sequence[Message]) -> str:
        """The verdict on each sentence, found out anew: a caller's word on it would count for nothing."""
        evidence = Evidence(n for message in whole for n in message.numbered)
        locale = language_of(keys(question[:MAX_QUESTION]), self.locale)
        setting = Setting(
            self.clock.now(), locale, question, profile=self.profile, ordinary=ordinary_words(locale)
        )  # fmt: skip
        return report_json(Verifier(evidence, setting).report(answer))


def _usage(claims: Mapping[str, Any]) -> Usage:
    spent = claims.get("usage")
    match spent:
        case [int(read_), int(written)]:
            return Usage(max(0, read_), max(0, written))
        case _:
            return Usage()
