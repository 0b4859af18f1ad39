"""An ordered list of models that answers as one: each refusal is understood for what it is, and has its next move.

| refusal | next move |
|---|---|
| too large | less is sent, once a model and exchange; then a model with more room |
| allowance spent | the provider is passed over until its reset |
| too many at once | a short wait is kept, else the next model; a longer one where no other is left |
| model gone | dropped for good, and said |
| cannot see the image | the next model that may see |
| time-out, broken off, unreadable, refused, no connection | the next model; this one is out for the exchange |

All of it before anything was said: what breaks later is cut, and stays so. It knows no provider's wording and no
protocol; a model is only streamed, and what it refuses is typed (`sayso.errors`).
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from sayso.core.messages import Attempt
from sayso.core.ports import FinishReason, Model, ModelEvent, ModelRequest, Notice, Passed, ReplyEnd
from sayso.core.protocols.fitting import LeftOut, size
from sayso.errors import (
    ContextOverflow,
    ImageRefused,
    ModelBusy,
    ModelError,
    ModelGone,
    ModelProtocolError,
    ModelTimeout,
    QuotaSpent,
)
from sayso.models import chain_words as words
from sayso.models.chain_member import Link, Member
from sayso.models.hearing import BrokeOff, SaidNothing, heard, is_said
from sayso.models.waits import bounded_wait

__all__ = ["Chain", "Link"]

_SHORT_WAIT = 2.0  # seconds that are kept though another model could answer
_LONG_WAIT = 20.0  # seconds that are kept where no other can
_BUSY_REST = 20.0  # seconds that a busy model rests where it does not say how long
_QUOTA_REST = 3600.0  # an allowance whose reset is unknown is tried again after an hour
_HUNG_REST = 60.0  # a model that let a person wait in vain is not asked at once again, where there is another
_RESERVE = 2.0  # seconds of an exchange that are kept for `last`
_SHARE = 0.5  # of the time left, until a model that is not the only one must have begun
_REMEMBERED = 256  # exchanges whose failures are remembered


@dataclass(slots=True)
class _Past:
    """What one exchange has seen of each model, by its place in the chain."""

    failed: dict[int, Attempt] = field(default_factory=dict[int, Attempt])
    shed: set[int] = field(default_factory=set[int])
    waited: set[int] = field(default_factory=set[int])
    told: set[str] = field(default_factory=set[str])
    blind: set[int] = field(default_factory=set[int])
    answering: str = ""
    emptied: bool = False  # that an empty reply was left to the next model
    last_told: bool = False  # that `last` answers, and nobody else has since


@dataclass(slots=True)
class _Round:
    """One request on its way down the chain. `untold` are reasons that the person has not read yet; `answering` is
    the model that is taken to answer; `wait` the seconds to wait before the next one is asked."""

    request: ModelRequest
    past: _Past
    ends: float
    images: bool
    answering: str
    wait: float = 0.0
    done: bool = False
    untold: list[str] = field(default_factory=list[str])
    reasons: list[str] = field(default_factory=list[str])
    busy: list[int] = field(default_factory=list[int])
    error: ModelError | None = None

    def because(self, reason: str) -> None:
        self.reasons.append(reason)
        if reason not in self.past.told:
            self.past.told.add(reason)
            self.untold.append(reason)


class Chain:
    """Asks `models` in their order; when none answers, `last` does, with the reasons. `last` None: the error is raised.

    `monotonic` is the clock of rests and resets, `sleep` how a wait is kept.
    """

    def __init__(
        self, models: Sequence[Model | Link], last: Model | None = None, *,
        monotonic: Callable[[], float] = time.monotonic, sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:  # fmt: skip
        self._members = [Member(one if isinstance(one, Link) else Link(one)) for one in models]
        self._last = last
        self._monotonic, self._sleep = monotonic, sleep
        self._spent: dict[str, float] = {}
        self._pasts: OrderedDict[str, _Past] = OrderedDict()

    @property
    def name(self) -> str:
        """The model that would be asked first now."""
        first = next((m for m in self._members if self._rest_of(m) == 0 and not m.gone), None)
        return first.name if first else self._last.name if self._last else "none"

    @property
    def sees(self) -> bool | None:
        """Whether one of the models reads images; None where nobody knows."""
        told = [member.sees for member in self._members if not member.gone]
        return True if True in told else None if None in told else False

    async def aclose(self) -> None:
        """Close every model, as far as it can be closed."""
        for model in (*(m.model for m in self._members), self._last):
            close = getattr(model, "aclose", None)
            if close is not None:
                await close()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        """Raises ModelError where there is no `last`; ImageRefused where no model could read the image."""
        ends = self._monotonic() + request.seconds_left
        now = _Round(request, self._past_of(request), ends, bool(request.images), self.name)
        now.past.answering = now.past.answering or now.answering
        for number in range(len(self._members) + 1):
            place = number if number < len(self._members) else self._soonest(now)
            if place is None:
                break
            async with aclosing(self._try(place, now)) as events:
                async for event in events:
                    yield event
            if now.done:
                return
        async with aclosing(self._end(now)) as events:
            async for event in events:
                yield event

    async def _end(self, now: _Round) -> AsyncGenerator[ModelEvent]:
        if now.images:
            raise ImageRefused(". ".join(now.reasons) or "no model that reads images is set up")
        if self._last is None:
            raise now.error or ModelBusy(". ".join(now.reasons) or "no model is left to ask")
        # A reason that was told with a wait is told again: what it led to is new.
        why = () if now.past.last_told else tuple(dict.fromkeys(now.untold or now.reasons))
        told = words.instead(why, self._last.name, now.request.locale) if why else ""
        now.past.last_told = True
        yield Notice(told, model=self._last.name)
        left = now.ends - self._monotonic()
        left = max(left, _RESERVE / 2)
        sent = replace(now.request, seconds_left=left)
        async with aclosing(heard(self._last, sent, patience=left, within=left)) as events:
            async for event in events:
                yield event

    async def _try(self, place: int, now: _Round) -> AsyncGenerator[ModelEvent]:
        """Ask one model, twice where its first refusal has a remedy."""
        member = self._members[place]
        if not now.wait and (attempt := self._passed_over(place, now)) is not None:
            yield Passed(attempt)
            return
        again = True
        while again:
            if now.wait:
                yield Notice(words.again(now.untold, member.name, now.wait, now.request.locale))
                now.untold.clear()
                await self._sleep(now.wait)
                member.rests_until = now.wait = 0.0
            fitted = member.fitted(self._in_time(now))
            if fitted is None:
                yield Passed(self._failed(place, now, ContextOverflow(_too_small(member), member.limit)))
                return
            sent, left = fitted
            for told in self._announced(place, now, left):
                yield told
            try:
                async with aclosing(self._heard(place, sent, now)) as events:
                    async for event in events:
                        yield event
                return
            except ModelError as wrong:
                if now.done:
                    raise
                again = self._waits(place, now, wrong) or self._sheds(place, now, wrong, sent)
                yield Passed(_attempt(member, wrong) if again else self._failed(place, now, wrong))

    async def _heard(self, place: int, sent: ModelRequest, now: _Round) -> AsyncGenerator[ModelEvent]:
        """The events of one model. `now.done` once something was said; raises ModelError before that."""
        member, patience = self._members[place], self._patience(place, now)
        within = max(now.ends - self._monotonic(), sent.seconds_left)
        async with aclosing(heard(member.model, sent, patience=patience, within=within)) as events:
            async for event in events:
                if isinstance(event, ReplyEnd) and not now.done and self._is_passed_on(place, event, now):
                    raise SaidNothing(f"{member.name} said nothing")
                now.done = now.done or is_said(event)
                now.past.last_told = now.past.last_told and not now.done
                if isinstance(event, ReplyEnd) and event.usage.input_tokens and not now.images:
                    member.scale.counted(size(sent), event.usage.input_tokens)
                yield event

    def _is_passed_on(self, place: int, end: ReplyEnd, now: _Round) -> bool:
        """Whether an empty reply is left to the next model; once an exchange, then it is the loop's affair."""
        passed = end.reason is FinishReason.STOP and not now.past.emptied and self._others(place, now)
        now.past.emptied = now.past.emptied or passed
        return passed

    def _passed_over(self, place: int, now: _Round) -> Attempt | None:
        """Why a model is not asked at all; None where it is."""
        member, locale, moment = self._members[place], now.request.locale, now.request.now
        if member.gone:
            return Attempt(member.name, ModelGone.code, member.gone)
        if now.images and (member.sees is False or place in now.past.blind):
            reason = words.say("blind", locale, name=member.name)
            now.because(reason)
            return Attempt(member.name, ImageRefused.code, reason)
        if (failed := now.past.failed.get(place)) is not None:
            now.reasons.append(failed.reason)
            return failed
        if now.ends - self._monotonic() <= self._reserve(now):
            return Attempt(member.name, ModelTimeout.code, words.say("timeout", locale, name=member.name))
        if (rest := self._rest_of(member)) == 0:
            return None
        spent = self._spent.get(member.provider, 0.0) > self._monotonic()
        until = words.until(moment + timedelta(seconds=rest), moment, locale)
        key, code = ("spent", QuotaSpent.code) if spent else ("busy", ModelBusy.code)
        now.because(words.say(key, locale, name=member.name, until=until))
        if not spent:
            now.busy.append(place)
        return Attempt(member.name, code, words.say(key, locale, name=member.name, until=until))

    def _failed(self, place: int, now: _Round, wrong: ModelError) -> Attempt:
        """Remember why a model gave nothing, for how long it matters."""
        member, clock = self._members[place], self._monotonic()
        seconds = bounded_wait(wrong) if isinstance(wrong, ModelBusy) else None
        if isinstance(wrong, QuotaSpent):
            self._spent[member.provider] = clock + (seconds or _QUOTA_REST)
        elif isinstance(wrong, ModelBusy):
            member.rests_until = clock + (_BUSY_REST if seconds is None else seconds)
            now.busy.append(place)
        elif isinstance(wrong, ModelGone):
            member.gone = str(wrong)
        elif isinstance(wrong, ModelTimeout) and self._others(place, now):
            member.rests_until = clock + _HUNG_REST
        attempt = _attempt(member, wrong)
        if isinstance(wrong, ImageRefused):
            now.past.blind.add(place)  # it may answer well without the image
        elif not isinstance(wrong, ModelBusy):
            now.past.failed[place] = attempt
        now.error = wrong
        now.because(self._reason(member, wrong, now.request))
        return attempt

    def _reason(self, member: Member, wrong: ModelError, request: ModelRequest) -> str:
        """In a few words where the kind says enough; the error's own where they say what to do."""
        key = next((key for kind, key in _KEYS if isinstance(wrong, kind)), None)
        if key is None:
            return str(wrong).rstrip(".")
        until = ""
        if isinstance(wrong, QuotaSpent) and (seconds := bounded_wait(wrong)):
            until = words.until(request.now + timedelta(seconds=seconds), request.now, request.locale)
        return words.say(key, request.locale, name=member.name, until=until)

    def _announced(self, place: int, now: _Round, left: LeftOut) -> list[ModelEvent]:
        """What is told before a model is asked: that it answers, and what it does not get to read."""
        member, locale, told = self._members[place], now.request.locale, list[ModelEvent]()
        if now.untold:
            told.append(Notice(words.instead(now.untold, member.name, locale), model=member.name))
            now.untold.clear()
        elif not now.answering == now.past.answering == member.name:
            told.append(Notice("", model=member.name))
        now.answering = now.past.answering = member.name
        if left:
            what = words.left_out(left, locale)
            limit = words.say("limit", locale, tokens=f"{member.limit:,}") if member.limit else ""
            line = words.say("left", locale, name=member.name, limit=limit, what=what)
            told.append(Passed(Attempt(member.name, "left_out", line, left.facts, left.exchanges)))
            if line not in now.past.told:
                now.past.told.add(line)
                told.append(Notice(line))
        return told

    def _sheds(self, place: int, now: _Round, wrong: ModelError, sent: ModelRequest) -> bool:
        """Whether a request that was too large is worth asking again with less; once a model and exchange.

        Where our count finds nothing to leave out, the same request would only be refused again.
        """
        if not isinstance(wrong, ContextOverflow):
            return False
        member = self._members[place]
        member.overflowed(sent, wrong.limit, wrong.tokens)
        fitted = member.fitted(self._in_time(now))
        again = place not in now.past.shed and fitted is not None and size(fitted[0]) < size(sent)
        now.past.shed.add(place)
        return again

    def _waits(self, place: int, now: _Round, wrong: ModelError) -> bool:
        """Whether the same model is worth a short wait; once a model and exchange, and only where it fits."""
        seconds = bounded_wait(wrong) if isinstance(wrong, ModelBusy) and not isinstance(wrong, QuotaSpent) else None
        if not seconds or place in now.past.waited or seconds > min(_SHORT_WAIT, self._time_for_waiting(now)):
            return False
        now.past.waited.add(place)
        now.wait = seconds
        now.because(words.say("busy", now.request.locale, name=self._members[place].name))
        return True

    def _soonest(self, now: _Round) -> int | None:
        """The busy model that is free first, where nobody else is left and the time allows to wait for it."""
        waiting = [place for place in dict.fromkeys(now.busy) if place not in now.past.waited]
        place = min(waiting, key=lambda at: self._rest_of(self._members[at]), default=None)
        if place is None:
            return None
        now.past.waited.add(place)
        now.wait = self._rest_of(self._members[place])
        return place if 0 < now.wait <= min(_LONG_WAIT, self._time_for_waiting(now)) else None

    def _in_time(self, now: _Round) -> ModelRequest:
        left = now.ends - self._monotonic() - self._reserve(now)
        return replace(now.request, seconds_left=max(left, 0.1))

    def _patience(self, place: int, now: _Round) -> float:
        """Seconds until a model must have begun: all that is left only where no other could be asked."""
        left = self._in_time(now).seconds_left
        return left * _SHARE if self._others(place, now) else left

    def _others(self, place: int, now: _Round) -> bool:
        return any(
            not m.gone and at not in now.past.failed and self._rest_of(m) == 0
            for at, m in enumerate(self._members)
            if at > place
        )

    def _reserve(self, now: _Round) -> float:
        return min(_RESERVE, now.request.seconds_left / 20) if self._last else 0.0

    def _time_for_waiting(self, now: _Round) -> float:
        return (now.ends - self._monotonic()) / 2

    def _rest_of(self, member: Member) -> float:
        """Seconds until a model may be asked again."""
        until = max(member.rests_until, self._spent.get(member.provider, 0.0))
        return max(0.0, until - self._monotonic())

    def _past_of(self, request: ModelRequest) -> _Past:
        exchange = request.messages[-1].exchange_id if request.messages else ""
        if not exchange:
            return _Past()
        past = self._pasts.setdefault(exchange, _Past())
        self._pasts.move_to_end(exchange)
        if len(self._pasts) > _REMEMBERED:
            self._pasts.popitem(last=False)
        return past


_KEYS: tuple[tuple[type[ModelError], str], ...] = (
    (QuotaSpent, "spent"), (ModelBusy, "busy"), (ModelGone, "gone"), (ModelTimeout, "timeout"),
    (ContextOverflow, "overflow"), (BrokeOff, "cut"), (SaidNothing, "empty"),
    (ModelProtocolError, "garbage"), (ImageRefused, "blind"),
)  # fmt: skip


def _attempt(member: Member, wrong: ModelError) -> Attempt:
    return Attempt(member.name, wrong.code, str(wrong))


def _too_small(member: Member) -> str:
    return f"even the shortest form of this is longer than the {member.limit:,} tokens that {member.name} reads"
