"""What of a caller's results is let in: each for a call that was issued, once, as what that call was.

The gateway's seal makes a result count; what a client tool says is merely reported, and is the receipt of that client
action. No result can bring a ref of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sayso.core.actors import Actor
from sayso.core.encoding import canonical_digest, decode_fact
from sayso.core.facts import RECEIPT, Fact, FactKind, Provenance
from sayso.core.messages import CallStatus, ResultReason
from sayso.errors import SaysoError
from sayso.inference.bodies import Document, Result
from sayso.inference.continuing import OpenCall
from sayso.inference.declared import CORE_KINDS, Declared
from sayso.inference.proving import Proving
from sayso.inference.reported import reported_fact
from sayso.serving.problems import Problem
from sayso.signing.tokens import BadToken, TokenKind

_KINDS = {"read": frozenset({"read"}), "propose": frozenset({"propose", "execute"})}
_ALLOWED = {"read": frozenset({"receipt", "proposal"}), "propose": frozenset({"receipt"}), "execute": frozenset[str]()}
"""Kinds of facts that a result of each kind may not hold: nothing but an execution leaves a receipt."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """One terminal result of an open call, with facts that have no refs yet."""

    call: OpenCall
    status: CallStatus
    reason: ResultReason | None
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Admitting:
    """Judges the results of one request."""

    proving: Proving
    declared: Declared
    actor: Actor
    now: datetime
    titles: Mapping[str, str]

    async def results(
        self, given: Sequence[Result], calls: Sequence[OpenCall], answered: frozenset[str], *, whole: bool
    ) -> tuple[Admitted, ...]:
        """The results in the order of their calls. `whole`: none may be missing. Raises Problem."""
        by_id = {call.id: call for call in calls}
        found: dict[str, Admitted] = {}
        for result in given:
            call = by_id.get(result.call_id)
            if call is None:
                raise _never_issued(result, answered)
            if call.id in found:
                raise Problem(409, "result_twice", f"two results are given for the call {call.id}; send one")
            found[call.id] = await self._result(result, call)
        missing = [call.id for call in calls if call.id not in found]
        if whole and missing:
            raise Problem(409, "results_missing", f"send the results of all open calls; missing: {', '.join(missing)}")
        return tuple(found[call.id] for call in calls if call.id in found)

    async def seeds(self, given: Result) -> tuple[Fact, ...]:
        """The facts that an exchange begins with, as the gateway gave them. Raises Problem."""
        if (given.name, given.call_id, given.kind) != ("context", "", "read"):
            raise Problem(409, "wrong_kind", "seeds: send the answer of POST /api/v1/system/context as it came")
        if self.proving.sealed:
            await self._sealed(given, "context", "", None)
        return tuple(self._fact(document, frozenset()) for document in given.facts)

    async def _result(self, given: Result, call: OpenCall) -> Admitted:
        if given.name != call.name:
            raise Problem(409, "wrong_call", f"the call {call.id} was {call.name}, not {given.name}")
        if call.kind == "client":
            return self._of_client(given, call)
        if given.seal is None and given.status is not CallStatus.SUCCESS and not given.facts:
            return Admitted(call, given.status, given.reason)  # that nothing came of it needs no proof
        if given.kind not in _KINDS[call.kind]:
            raise Problem(409, "wrong_kind", f"the call {call.id} can give a result of the kind "
                          f"{' or '.join(sorted(_KINDS[call.kind]))}, not {given.kind}")  # fmt: skip
        if self.proving.sealed:
            await self._sealed(given, call.name, call.id, call.arguments)
        refused = _ALLOWED[given.kind or "read"]
        return Admitted(call, given.status, given.reason, tuple(self._fact(f, refused) for f in given.facts))

    async def _sealed(self, given: Result, name: str, call_id: str, arguments: str | None) -> None:
        """Raises Problem where the gateway did not say exactly this, of this call, to this person."""
        if given.seal is None:
            raise Problem(403, "seal_missing", f"the result of {name} has no seal; send it as the gateway gave it")
        try:
            claims = await self.proving.claims(given.seal, TokenKind.RESULT)
        except BadToken as wrong:
            if wrong.reason == "expired":
                raise Problem(410, "seal_expired", f"the result of {name} is too old; call it again") from wrong
            raise Problem(403, "seal_forged", f"the result of {name}: {wrong}") from wrong
        if (claims.get("sub"), claims.get("owner")) != (self.actor.id, self.actor.owner):
            raise Problem(403, "other_identity", f"the result of {name} was given to another person")
        if (claims.get("call_id"), claims.get("name"), claims.get("kind")) != (call_id, name, given.kind):
            raise Problem(403, "seal_swapped", f"the seal of the result of {name} is that of another result")
        if arguments is not None and claims.get("arguments") != arguments:
            raise Problem(409, "arguments_changed", f"{name} was called with other arguments than those asked for")
        if claims.get("digest") != canonical_digest(
            {"facts": given.facts, "reason": given.reason, "status": given.status}
        ):
            raise Problem(403, "result_changed", f"the result of {name} is not the one that was sealed")

    def _fact(self, document: Document, refused: frozenset[str]) -> Fact:
        """A fact of the gateway's; where no seal can be checked, it is merely reported."""
        if document.get("ref") != "":
            raise Problem(409, "ref_forged", "a fact of a result has no ref: refs are given out here")
        if document.get("kind") in refused:
            raise Problem(409, "wrong_kind", f"a {document['kind']} cannot come of this call")
        try:
            fact = decode_fact(document, self.declared.kinds).fact
        except (SaysoError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as wrong:
            raise Problem(422, "fact_unfit", f"a fact of a result cannot be read: {wrong}") from wrong
        return fact if self.proving.sealed else replace(fact, provenance=Provenance.REPORTED)

    def _of_client(self, given: Result, call: OpenCall) -> Admitted:
        if given.kind is not None or given.seal is not None:
            raise Problem(409, "wrong_kind", f"{call.name} is a tool of the caller: its result has no kind and no seal")
        facts = tuple(
            reported_fact(document, call.name, self.now, _own_kinds(self.declared.kinds)) for document in given.facts
        )
        if given.status is CallStatus.SUCCESS:
            facts = (self._receipt(call), *facts)
        return Admitted(call, given.status, given.reason, facts)

    def _receipt(self, call: OpenCall) -> Fact:
        """That a client tool did what it does: our own record of it."""
        values = {
            "title": self.titles.get(call.name, call.name), "outcome": "done", "action": call.name,
            "done_at": self.now,
        }  # fmt: skip
        return RECEIPT.fact(values, source="client", key=call.id, as_of=self.now)


def _never_issued(result: Result, answered: frozenset[str]) -> Problem:
    if result.call_id in answered:
        return Problem(409, "already_answered", f"the call {result.call_id} has its result already")
    return Problem(409, "call_not_issued", f"the call {result.call_id} was never issued in this exchange")


def _own_kinds(kinds: Mapping[str, FactKind]) -> Mapping[str, FactKind]:
    return {name: kind for name, kind in kinds.items() if name not in CORE_KINDS}
