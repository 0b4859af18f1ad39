"""One model of a chain while it is heard: what it says within its time, and how it may fail.

A model that fails in a way that nobody foresaw is a failed model like any other: its exception is logged, and told
without the exception's words, which are no provider's. Knows no order of models.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator
from math import inf

from sayso.core.deadline import Deadline
from sayso.core.ports import Model, ModelEvent, ModelRequest, NativeCall, ReplyEnd, TextChunk
from sayso.errors import ModelError, ModelTimeout, SaysoError

_log = logging.getLogger(__name__)


class BrokeOff(ModelError):
    """A reply that ended without an end before anything was said."""

    code = "cut"


class SaidNothing(ModelError):
    """A whole reply without a word or a call, where another model can be asked."""

    code = "empty"


def is_said(event: ModelEvent) -> bool:
    """Whether an event is a part of a reply, after which no other model can answer."""
    return isinstance(event, NativeCall | ReplyEnd) or (isinstance(event, TextChunk) and bool(event.text))


async def heard(model: Model, request: ModelRequest, *, patience: float, within: float) -> AsyncGenerator[ModelEvent]:
    """The events of one model, of which the first comes within `patience` seconds, something said within the request's
    `seconds_left`, and all within `within`. Raises ModelError before something was said; what breaks later ends."""
    said, until, name = False, patience, model.name
    deadline, source = Deadline(within), None
    reserve = max(within - request.seconds_left, 0.0)
    try:
        source = model.stream(request)
        while (event := await deadline.keep(anext(source, None), inf if said else until)) is not None:
            said = said or is_said(event)
            yield event
            until = max(deadline.seconds_left - reserve, 0.0)  # it has begun: from here on it has all the time
    except TimeoutError:
        if not said:
            raise ModelTimeout(f"{name} did not begin to answer in time") from None
    except SaysoError:
        raise
    except Exception as wrong:
        _log.exception("%s failed unexpectedly", name)
        if not said:
            raise ModelError(f"{name} failed unexpectedly ({type(wrong).__name__})") from wrong
    finally:
        deadline.close()
        await _close(source, name)
    if not said:
        raise BrokeOff(f"{name} broke off before it said anything")


async def _close(source: AsyncIterator[ModelEvent] | None, name: str) -> None:
    if not isinstance(source, AsyncGenerator):
        return
    try:
        await source.aclose()
    except Exception:  # it has said what it had to say
        _log.exception("%s failed unexpectedly when it was stopped", name)
