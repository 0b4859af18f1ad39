"""Runs one call of a person to its result: judged, checked, run within its time, cut, and filed where it proposes.

It executes nothing: what a propose tool asks for is put before a person, and so is a read that would leave for a
place which nobody named. It knows no transport, no signature and no memory of calls.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, ValidationError

from sayso.core.evidence import Evidence
from sayso.core.facts import Fact, lookup_fact
from sayso.core.messages import CallStatus, ResultReason
from sayso.core.ports import Clock
from sayso.core.proposals import Change
from sayso.core.tools import Actor, ProposeResult, ReadResult, Registry, Tool, ToolContext, ToolKind
from sayso.core.verify import Setting, unbacked_words
from sayso.errors import ArgumentsUnfit, DeclarationError, FactError
from sayso.gateway import rules
from sayso.gateway.bounds import bounded, counted
from sayso.gateway.calls import Call, CallKind, Result, canonical_json, inexact
from sayso.gateway.filing import Asked, Filing
from sayso.gateway.grounds import Grounds, cited_as, grounds_of
from sayso.gateway.leaving import strange_places
from sayso.gateway.outside import OutsideReads
from sayso.gateway.pool import Pool, ToolBroke
from sayso.store.audit import Audit, Did

MAX_ARGUMENTS = 64_000
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CallRunner:
    """`outside` puts reads that leave on a card; without it they are refused. `may_leave_to` are listed places."""

    registry: Registry
    filing: Filing
    clock: Clock
    pool: Pool
    outside: OutsideReads | None = None
    may_leave_to: Sequence[str] = ()
    locale: str = "en"
    audit: Audit | None = None

    async def run(
        self, actor: Actor, call: Call, evidence: Evidence, *, within: ToolContext | None = None,
        words: tuple[str, ...] = (),
    ) -> Result:  # fmt: skip
        """The result of a call, never an exception for a fault of the tool's or the model's. `evidence` are the
        facts that the exchange has: by them the free text of a change is judged. `within` is the exchange of an
        assistant in this process, `words` the user's in its thread: nobody else reads its arguments, so they need not
        be exact."""
        tool = self.registry.get(call.name)
        if tool is None:
            near = " or ".join(self.registry.near(call.name))
            hint = f"; did you mean {near}?" if near else ""
            return _ended(call, CallStatus.FAILED, ResultReason.UNKNOWN_TOOL, f"there is no tool {call.name!r}{hint}")
        if not rules.may_list(actor, tool):
            ruled = rules.ruling(actor, tool, call.arguments)
            return _ended(call, CallStatus.DENIED, ResultReason.NOT_ALLOWED, ruled.rule, tool)
        arguments = _checked(tool, call, exact=within is None)
        if isinstance(arguments, str):
            return _ended(call, CallStatus.FAILED, ResultReason.BAD_ARGUMENTS, arguments, tool)
        # By what the tool will read, not by what was written: "people" may mean the kind "person".
        ruled = rules.ruling(actor, tool, arguments.model_dump())
        if not ruled.allowed:
            return _ended(call, CallStatus.DENIED, ResultReason.NOT_ALLOWED, ruled.rule, tool)
        context = within or ToolContext(actor, self.clock.now(), self.locale, call.question, call.record)
        result = await _Run(self, tool, call, arguments, context, evidence, words if within else None).result()
        if self.audit is not None and result.kind is CallKind.READ and result.status is CallStatus.SUCCESS:
            told = {"call": call.id, "arguments": result.arguments, "facts": len(result.facts) - 1}
            await self.audit.record(actor, Did.SAW, tool.name, told)
        return result


@dataclass(slots=True)
class _Run:
    """One call that may run."""

    on: CallRunner
    tool: Tool
    call: Call
    arguments: BaseModel
    context: ToolContext
    evidence: Evidence
    words: tuple[str, ...] | None

    async def result(self) -> Result:
        try:
            if change := self._card():
                return await self._filed(change, ())
            found = await self.on.pool.run(self.tool.name, self._start)
            return await self._judged(found)
        except TimeoutError:
            return self._failed(ResultReason.TOOL_TIMEOUT)
        except ToolBroke as fault:
            if isinstance(unfit := fault.__cause__, ArgumentsUnfit):
                return self._failed(ResultReason.BAD_ARGUMENTS, str(unfit))
            return self._failed(ResultReason.TOOL_FAILED)
        except (FactError, DeclarationError) as fault:
            # What the tool said stays in the log: its words never reach a model, nor do its secrets.
            _log.error("the result of %s cannot be used: %s", self.tool.name, fault)
            return self._failed(ResultReason.TOOL_FAILED)

    def _start(self) -> Awaitable[ReadResult | ProposeResult]:
        return self.tool.run(self.arguments, self.context)

    def _card(self) -> Change | None:
        """The card that a read becomes which would leave for a place that nobody named or listed."""
        if self.tool.kind is not ToolKind.READ or not self.tool.can_leave:
            return None
        values = self.arguments.model_dump(mode="json", exclude_none=True)
        places = strange_places(values, self.context.user_message, self.on.may_leave_to)
        if not places:
            return None
        if self.on.outside is None:
            raise FactError(f"{self.tool.name} would leave for {places[0]!r}, and no card can be made of it")
        return self.on.outside.card(self.tool, values, places)

    async def _judged(self, found: ReadResult | ProposeResult) -> Result:
        if self.tool.kind is ToolKind.READ and isinstance(found, ReadResult):
            facts = read_facts(self.tool, self.arguments, found, self.context)
            return _ended(self.call, CallStatus.SUCCESS, None, "", self.tool, facts)
        if self.tool.kind is ToolKind.PROPOSE and isinstance(found, ProposeResult):
            candidates = tuple(fact for fact in bounded(found.facts) if self._may_see(fact))
            if found.change is not None:
                return await self._filed(found.change, candidates)
            reason = ResultReason.NEEDS_CHOICE if candidates else ResultReason.NO_TARGET
            return _ended(self.call, CallStatus.FAILED, reason, "", self.tool, candidates)
        raise FactError(f"{self.tool.name} is a {self.tool.kind.value} tool and returned {type(found).__name__}")

    def _may_see(self, fact: Fact) -> bool:
        """Whether this person could have looked the record up that a change may mean."""
        return rules.may_read(self.context.actor, fact.kind.name, self.on.registry)

    async def _filed(self, change: Change, candidates: tuple[Fact, ...]) -> Result:
        setting = Setting(self.context.now, self.context.locale, self.context.user_message)
        marked = replace(change, unbacked=unbacked_words(change.arguments, self.evidence, setting))
        asked = Asked(self.call.id, self.call.thread_id, self.call.exchange_id)
        grounds = await self._grounds(marked, asked)
        fact, already = await self.on.filing.file(marked, self.tool, self.context, asked, grounds)
        reason = ResultReason.ALREADY_PENDING if already else None
        ended = _ended(self.call, CallStatus.SUCCESS, reason, "", self.tool, (fact, *candidates))
        return replace(ended, kind=CallKind.PROPOSE)

    async def _grounds(self, change: Change, asked: Asked) -> Grounds:
        if self.words is not None:
            return grounds_of(change, self.words, self.evidence, self.context.record)
        words = await self.on.filing.said(self.context, asked)
        told = await self.on.filing.told(self.context, asked)
        return grounds_of(change, words, cited_as(self.evidence, told), self.context.record)

    def _failed(self, reason: ResultReason, rule: str = "") -> Result:
        return _ended(self.call, CallStatus.FAILED, reason, rule, self.tool)


def read_facts(tool: Tool, arguments: BaseModel, found: ReadResult, context: ToolContext) -> tuple[Fact, ...]:
    """What a read found, cut, with the lookup that counts it. Raises FactError for a bug of the tool."""
    if tool.covers is None:
        raise FactError(f"{tool.name} does not say what it covers")
    matched, searched = counted(found)
    told = readable(arguments)
    kind = getattr(arguments, "kind", None) if tool.by_kind else None
    covers = _FACTS.get(kind, kind) if isinstance(kind, str) and tool.covers.name == "record" else tool.covers.name
    trace = lookup_fact(
        tool.name, told, covers=covers, matched=matched, searched=searched, as_of=context.now,
        key=f"{tool.name} {told}",
    )  # fmt: skip
    return (*bounded(found.facts), trace)


_FACTS = {"document": "passage"}
"""The fact kinds of records that are told by their parts."""


def readable(arguments: BaseModel) -> str:
    """The arguments that were given, as a person reads them: `"Elena"`, `days=7`."""
    given = arguments.model_dump(mode="json", exclude_none=True)
    values = list(given.values())
    if len(values) == 1 and isinstance(values[0], str):
        return json.dumps(values[0], ensure_ascii=False)
    return ", ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in given.items())


def _checked(tool: Tool, call: Call, *, exact: bool) -> BaseModel | str:
    """The arguments as the tool's own model reads them, or what is wrong with them."""
    if exact and (fault := inexact(dict(call.arguments), floats=tool.kind is ToolKind.READ)):
        return fault
    if exact and len(canonical_json(call.arguments)) > MAX_ARGUMENTS:
        return f"the arguments are longer than {MAX_ARGUMENTS} characters"
    try:
        return tool.arguments.model_validate(dict(call.arguments))
    except ValidationError as wrong:
        faults = wrong.errors(include_input=False, include_url=False, include_context=False)
        return "; ".join(f"{'.'.join(map(str, f['loc'])) or 'arguments'}: {f['msg']}" for f in faults[:5])


def refusal(actor: Actor, tool: Tool, call: Call) -> str:
    """The rule by which somebody may not make a call, or have its result again, as `run` judges it; "" where they may.
    Arguments that the tool cannot read are no matter of permission."""
    if not rules.may_list(actor, tool):
        return rules.ruling(actor, tool, call.arguments).rule
    arguments = _checked(tool, call, exact=False)
    if isinstance(arguments, str):
        return ""
    # By what the tool will read, not by what was written: "people" may mean the kind "person".
    ruled = rules.ruling(actor, tool, arguments.model_dump())
    return "" if ruled.allowed else ruled.rule


def _ended(
    call: Call, status: CallStatus, reason: ResultReason | None, rule: str, tool: Tool | None = None,
    facts: tuple[Fact, ...] = (),
) -> Result:  # fmt: skip
    kind = CallKind.PROPOSE if tool is not None and tool.kind is ToolKind.PROPOSE else CallKind.READ
    return Result(call.id, call.name, call.arguments_digest, kind, status, facts, reason, rule)
