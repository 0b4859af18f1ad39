"""The model itself: decides for one request between talk, a request for a change, look-ups, and an answer."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sayso.core.evidence import Numbered
from sayso.core.facts import FieldType
from sayso.core.ports import FinishReason, ModelEvent, ModelRequest, NativeCall, ReplyEnd, TextChunk
from sayso.core.tools import Tool, ToolKind
from sayso.models.quote.answering import Teller
from sayso.models.quote.changes import read_change, read_statement
from sayso.models.quote.choosing import asks_for_more, chosen, more_of, person_meant, precise_name
from sayso.models.quote.focus import asked_fields, asks_for_open, named, state_of
from sayso.models.quote.following import Reader, follow_up
from sayso.models.quote.found import Exchange, read_exchange, spelling
from sayso.models.quote.phrases import joined, plural_of, text
from sayso.models.quote.picking import MAX_CALLS, going_on, more_reads, paged_kinds, pick_reads
from sayso.models.quote.question import Question
from sayso.models.quote.requests import TYPES, Request, kinds_of_change, propose_call, read_request
from sayso.models.quote.talk import needs_model, overview_tools, small_talk, suggestions

_SUGGESTING = frozenset({"hello", "thanks", "help"})
_HIDDEN = frozenset({"lookup", "proposal"})

_DELETING = frozenset(
    {"delete", "remove", "erase", "lösche", "löschen", "entferne", "entfernen", "lösch", "entfern", "streiche"}
)
_DELETE = re.compile(rf"^\W*(?:please |bitte |can you |could you )?(?:{'|'.join(sorted(_DELETING))})\b", re.IGNORECASE)

Calls = Sequence[tuple[Tool, Mapping[str, Any]]]


class Quote:
    """Answers from records by their declarations, without a language model."""

    name = "quote"
    sees = False

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
    pick: Numbered | None = None
    listed: Mapping[str, int] = field(default_factory=dict[str, int])
    changing: bool = False  # the question is what a change is asked of

    @property
    def tentative(self) -> bool:
        asked = _asked_for(self.exchange.question, self.question.language == "de")
        return asked is not None and asked.tentative

    @property
    def tools(self) -> tuple[Tool, ...]:
        return self.request.tools if self.request.tools_open else ()

    @property
    def known(self) -> tuple[Numbered, ...]:
        return _records((*self.exchange.seeds, *self.request.shown))

    @property
    def teller(self) -> Teller:
        return Teller(self.question, self.request.now, self.listed, paged_kinds(self.request.tools))

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
    case = _read(request, exchange, Reader(request.tools, known, request.locale, request.now))
    if talk := small_talk(case.exchange.question) or ("" if exchange.question else "help"):
        return _talk(case, talk)
    if asks_for_more(exchange) and not case.listed:
        return case.say("no_more")
    if exchange.outcomes:
        return _after_results(case)
    return _request(case) or _picked(case) or _look_up(case)


def _read(request: ModelRequest, exchange: Exchange, reader: Reader) -> _Case:
    """The message; or the question before it, where the message picks one of a list or asks for more of it."""
    if pick := chosen(exchange):
        question = reader.read(exchange.before, pick)
        return _Case(request, replace(exchange, question=exchange.before), question, pick=pick)
    if more := more_of(exchange):
        return _Case(request, replace(exchange, question=more.question), reader.read(more.question), listed=more.listed)
    asked = _asked_for(exchange.question, reader.read(exchange.question).language == "de")
    if asked and asked.tentative and _found_nothing(exchange):
        return _Case(
            request, exchange, reader.read(asked.habit or exchange.question), changing=_is_change(asked, exchange)
        )
    if asked is None and (what := read_change(exchange.question)):
        return _Case(request, exchange, reader.read(what), changing=True)
    return _Case(request, exchange, follow_up(exchange, reader))


def _asked_for(text: str, german: bool) -> Request | None:
    return read_request(text, german) or read_statement(text, german)


def _is_change(asked: Request, exchange: Exchange) -> bool:
    """Whether a record is to be marked, and not a deed told of."""
    return read_request(exchange.question, asked.german) is not None


def _found_nothing(exchange: Exchange) -> bool:
    """Whether the tool knew no record by which a tentative request could be meant."""
    proposed = [o for o in exchange.outcomes if o.proposes]
    return bool(proposed) and not any(o.proposal or o.records for o in proposed)


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
    if case.changing and not case.exchange.outcomes:
        return None
    request = _asked_for(case.exchange.question, case.question.language == "de")
    if request is None:
        return None
    if (word := request.of_pronoun) and (meant := person_meant(case.exchange, case.request.tools)):
        name = meant if isinstance(meant, str) else meant.fact.subject
        told = re.sub(rf"\b{word}\b", name, case.exchange.question, count=1)
        request = read_request(told, request.german) or request
    if request.to_pronoun or case.pick:
        meant = case.pick or person_meant(case.exchange, case.request.tools)
        if meant is None:
            return case.say("no_target")
        request = _to(request, meant, case)
    names = [n.fact.subject for n in case.known]
    if found := propose_call(request, case.tools, case.request.now, names):
        return case.new([found]) or None
    if any(t.kind is ToolKind.PROPOSE for t in case.request.tools):
        return case.say("cannot_propose") if case.tools else case.say("closed")
    return None


def _to(request: Request, meant: Numbered | str, case: _Case) -> Request:
    """The request, for the one who is meant."""
    if isinstance(meant, str):
        return replace(request, person=meant)
    if request.habit:
        return replace(request, habit=meant.fact.subject)
    return replace(
        request, person=meant.fact.subject, target=precise_name(meant, (*case.known, *case.exchange.earlier))
    )


def _picked(case: _Case) -> str | None:
    return case.teller.one(case.pick) if case.pick else None


def _deletes(tool: Tool) -> bool:
    return tool.kind is ToolKind.PROPOSE and not _DELETING.isdisjoint(tool.words)


def _look_up(case: _Case) -> str | Calls:
    question = case.question
    if needs_model(question.text) and not _may_be_noted(case):
        return case.say("needs_model")
    if question.has_pronoun and not question.rest and (answer := _from_open_record(case)):
        return answer
    picks = pick_reads(question, case.tools, case.known)
    calls = case.new([(pick.tool, going_on(pick, case.listed)) for pick in picks])
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
    if all(o.proposes for o in outcomes) and case.tentative and _found_nothing(case.exchange):
        picks = () if case.changing else pick_reads(case.question, case.tools, case.known)[:1]
        calls = [*_among_states(case), *((pick.tool, pick.arguments) for pick in picks)]
        return case.new(calls) or case.say("cannot_propose")
    if case.tentative:
        outcomes = [o for o in outcomes if not o.proposes] or outcomes
    found = any(case.teller.fruitful(o) or o.proposal or o.failed or o.proposes for o in outcomes)
    if (not found or case.teller.misses(outcomes)) and (more := _more_calls(case)):
        return more
    answer = case.teller.from_outcomes(outcomes)
    if case.changing:
        return f"{_cannot_change(case)}\n\n{answer}"
    explains = case.question.asks_what and not case.question.names and case.question.rest
    if explains and not any(o.proposes or o.failed or case.teller.fruitful(o) for o in outcomes):
        return f"{answer} {case.say('needs_model')}"
    return answer


def _falls_due(tool: Tool) -> bool:
    fields = tool.covers.fields if tool.covers else ()
    return any(field.type is FieldType.DATE and "due" in field.words for field in fields)


def _among_states(case: _Case) -> Calls:
    """Where a record may be that is to be marked: in each list whose records have a state, by its name."""
    lists = [t for t in case.tools if t.covers and state_of(t.covers) and t.takes_name and not t.required]
    return case.new([(tool, {tool.takes_name: case.question.about}) for tool in lists if tool.takes_name])


def _cannot_change(case: _Case) -> str:
    """That this is no change that can be prepared, and what is."""
    can = kinds_of_change(case.request.tools)
    language = case.question.language
    kinds = joined([case.say(kind) for kind in TYPES if kind in can], language, "or")
    return case.say("cannot_change", kinds=kinds) if kinds else case.say("cannot_propose")


def _more_calls(case: _Case) -> Calls:
    """Nothing was found: look once more, elsewhere. Beside a look-up that was called for, in texts only."""
    outcomes = case.exchange.outcomes
    picks = more_reads(case.question, case.tools, outcomes)
    if any(case.teller.called_for(o) for o in outcomes):
        due = case.question.asks_due
        picks = tuple(p for p in picks if p.tool.takes_text or (due and _falls_due(p.tool)))
        picks = () if asks_for_open(case.question) else picks
    return case.new([(pick.tool, pick.arguments) for pick in picks])
