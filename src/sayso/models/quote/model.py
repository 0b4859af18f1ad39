"""The model itself: decides for one request between talk, a request for a change, look-ups, and an answer."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.evidence import Numbered
from sayso.core.ports import FinishReason, ModelEvent, ModelRequest, NativeCall, ReplyEnd, TextChunk
from sayso.core.tools import Tool, ToolKind
from sayso.models.quote.answering import Teller
from sayso.models.quote.focus import asked_fields, asks_for_open, named
from sayso.models.quote.following import Reader, follow_up
from sayso.models.quote.found import Exchange, read_exchange, spelling
from sayso.models.quote.phrases import plural_of, text
from sayso.models.quote.picking import MAX_CALLS, more_reads, pick_reads
from sayso.models.quote.question import Question
from sayso.models.quote.requests import propose_call, read_request
from sayso.models.quote.talk import needs_model, overview_tools, small_talk, suggestions

_SUGGESTING = frozenset({"hello", "thanks", "help"})
_HIDDEN = frozenset({"lookup", "proposal"})

_DELETING = frozenset({"delete", "remove", "erase", "lösche", "löschen", "entferne", "entfernen"})
_DELETE = re.compile(rf"^\W*(?:please |bitte |can you |could you )?(?:{'|'.join(sorted(_DELETING))})\b", re.IGNORECASE)

Calls = Sequence[tuple[Tool, Mapping[str, Any]]]


class Quote:
    """Answers from records by their declarations, without a language model."""

    name = "quote"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Calls, or the whole answer as one chunk; always ends with ReplyEnd. Never raises."""
        reply = reply_to(request)
        if isinstance(reply, str):
            yield TextChunk(reply)
            yield ReplyEnd(FinishReason.STOP)
            return
        for number, (tool, arguments) in enumerate(reply, 1):
            yield NativeCall(f"quote_{number}", tool.name, json.dumps(dict(arguments), ensure_ascii=False))
        yield ReplyEnd(FinishReason.TOOL_CALLS)


@dataclass(frozen=True, slots=True)
class _Case:
    """One request, read."""

    request: ModelRequest
    exchange: Exchange
    question: Question

    @property
    def tools(self) -> tuple[Tool, ...]:
        return self.request.tools if self.request.tools_open else ()

    @property
    def known(self) -> tuple[Numbered, ...]:
        return _records((*self.exchange.seeds, *self.request.shown))

    @property
    def teller(self) -> Teller:
        return Teller(self.question, self.request.now)

    def new(self, calls: Calls) -> Calls:
        """Those that were not asked before in this exchange, at most as many as a step may have."""
        unique = {spelling(tool.name, arguments): (tool, arguments) for tool, arguments in calls}
        return [call for key, call in unique.items() if key not in self.exchange.asked][:MAX_CALLS]

    def say(self, key: str, **values: object) -> str:
        return text(self.question.language, key, **values)


def reply_to(request: ModelRequest) -> str | Calls:
    """The answer, or the calls that must come first. Never empty."""
    exchange = read_exchange(request.messages, request.tools)
    known = _records((*exchange.seeds, *request.shown))
    question = follow_up(exchange, Reader(request.tools, known, request.locale, request.now))
    case = _Case(request, exchange, question)
    if talk := small_talk(exchange.question) or ("" if exchange.question else "help"):
        return _talk(case, talk)
    if exchange.outcomes:
        return _after_results(case)
    return _request(case) or _look_up(case)


def _records(facts: Iterable[Numbered]) -> tuple[Numbered, ...]:
    return tuple({n.ref: n for n in facts if n.fact.kind.name not in _HIDDEN}.values())


def _talk(case: _Case, talk: str) -> str | Calls:
    if talk not in _SUGGESTING:
        return case.say(talk)
    facts = _records(
        (*case.exchange.seeds, *(n for o in case.exchange.outcomes for n in o.records), *case.request.shown)
    )
    calls = case.new([(tool, {}) for tool in overview_tools(case.tools)])
    if not facts and calls and not case.exchange.outcomes:
        return calls
    asked = suggestions(facts, case.request.tools, case.question.language)
    lines = [case.say("try"), *(f"- {line}" for line in asked)] if asked else [case.say("no_data")]
    return "\n".join([case.say(talk), "", *lines])


def _request(case: _Case) -> str | Calls | None:
    """A plain request for a change becomes a proposal; None when it is none."""
    if needs_model(case.exchange.question) and not case.tools:
        return None
    if _DELETE.match(case.exchange.question) and not any(_deletes(tool) for tool in case.request.tools):
        return case.say("cannot_propose")
    request = read_request(case.exchange.question, case.question.language == "de")
    if request is None:
        return None
    if found := propose_call(request, case.tools, case.request.now):
        return case.new([found]) or None
    if any(t.kind is ToolKind.PROPOSE for t in case.request.tools):
        return case.say("cannot_propose") if case.tools else case.say("closed")
    return None


def _deletes(tool: Tool) -> bool:
    return tool.kind is ToolKind.PROPOSE and not _DELETING.isdisjoint(tool.words)


def _look_up(case: _Case) -> str | Calls:
    question = case.question
    if needs_model(question.text) and not _may_be_noted(case):
        return case.say("needs_model")
    if question.has_pronoun and not question.rest and (answer := _from_open_record(case)):
        return answer
    calls = case.new([(pick.tool, pick.arguments) for pick in pick_reads(question, case.tools, case.known)])
    return calls or _without_look_up(case)


def _may_be_noted(case: _Case) -> bool:
    """ "Explain X" may be answered from the user's own notes; a poem or a translation may not."""
    opens_with = case.question.keys[:1]
    return bool(case.question.rest) and opens_with[:1] in (("explain",), ("erklare",), ("erklar",))


def _from_open_record(case: _Case) -> str | None:
    """ "What is her phone?" on an open record: the first seed, else the record seen last, that has the field."""
    told = [n for n in (case.exchange.told_of,) if n]
    candidates = (*_records(case.exchange.seeds), *told, *reversed(_records(case.request.shown)))
    for numbered in candidates:
        if asked_fields(numbered.fact.kind, case.question):
            return case.teller.one(numbered)
    return None


def _without_look_up(case: _Case) -> str:
    """No tool fits or tools are closed: the facts in the window, else what can be asked."""
    if case.question.rest and (found := named(case.known, case.question)):
        return case.teller.records(found, None)
    if case.request.tools and not case.request.tools_open:
        return case.say("closed")
    if case.question.asks_what:
        return case.say("needs_model")
    kinds = [t.covers for t in case.request.tools if t.covers]
    if not kinds:
        return case.say("cannot_bare")
    told = dict.fromkeys(plural_of(kind, case.question.language) for kind in kinds)
    return case.say("cannot", kinds=", ".join(told))


def _after_results(case: _Case) -> str | Calls:
    outcomes = case.exchange.outcomes
    found = any(case.teller.fruitful(o) or o.proposal or o.failed or o.proposes for o in outcomes)
    if (not found or case.teller.misses(outcomes)) and (more := _more_calls(case)):
        return more
    answer = case.teller.from_outcomes(outcomes)
    explains = case.question.asks_what and not case.question.names and case.question.rest
    if explains and not any(o.proposes or o.failed or case.teller.fruitful(o) for o in outcomes):
        return f"{answer} {case.say('needs_model')}"
    return answer


def _more_calls(case: _Case) -> Calls:
    """Nothing was found: look once more, elsewhere. Beside a look-up that was called for, in texts only."""
    outcomes = case.exchange.outcomes
    asked = frozenset(o.call.name for o in outcomes)
    picks = more_reads(case.question, case.tools, asked)
    if any(case.teller.called_for(o) for o in outcomes):
        picks = () if asks_for_open(case.question) else tuple(p for p in picks if p.tool.takes_text)
    return case.new([(pick.tool, pick.arguments) for pick in picks])
