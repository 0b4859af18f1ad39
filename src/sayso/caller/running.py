"""Runs what the model asked for: reads at once and together, writes behind a person's decision, client tools here.

Everything that a call says is untrusted. What the catalogue does not call a read is a write; arguments that do not
fit are never sent anywhere. Each call comes to exactly one result.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sayso.caller.client_tools import ClientTools, Done, facts_document
from sayso.caller.connection import Connection
from sayso.caller.deciding import Decide, decided
from sayso.caller.declared import Catalogue, read_arguments
from sayso.caller.errors import Broken, Refused
from sayso.caller.held import Call
from sayso.core.messages import CallStatus, ResultReason

Json = dict[str, Any]
Tell = Callable[[str, Json], None]
_NO_RESULT = {403: ("denied", "not_allowed"), 404: ("failed", "unknown_tool"), 422: ("failed", "bad_arguments")}
_ENDED = {"denied": "denied", "expired": "expired", "superseded": "superseded"}
_UNDER_WAY = frozenset({"approved", "executing", "done"})
_STATUSES = frozenset(status.value for status in CallStatus)
_REASONS = frozenset(reason.value for reason in ResultReason)


@dataclass(slots=True)
class Running:
    """`tell` hears of each call, card and result as it happens. `details` go with each call to the gateway."""

    gateway: Connection
    catalogue: Catalogue
    client_tools: ClientTools
    decide: Decide | None
    tell: Tell
    details: Json = field(default_factory=dict[str, Any])
    at_once: int = 4

    async def answer(self, calls: Sequence[Call], results: dict[str, Json]) -> None:
        """Put a result for each call into `results`; those that are there already stay.

        Raises CallerError where a service cannot be reached or breaks the contract. What has ended by then is kept.
        """
        open_calls = [call for call in calls if call.id not in results]
        reads = [call for call in open_calls if self._is_read(call)]
        others = [call for call in open_calls if not self._is_read(call)]
        room = asyncio.Semaphore(self.at_once)
        work = [self._kept(call, results, room) for call in reads]
        ended = await asyncio.gather(*work, self._in_order(others, results), return_exceptions=True)
        for wrong in ended:
            if isinstance(wrong, BaseException):
                raise wrong

    async def _in_order(self, calls: Sequence[Call], results: dict[str, Json]) -> None:
        """Client tools and writes one after the other: a person sees one thing at a time."""
        for call in sorted(calls, key=lambda call: call.name not in self.client_tools):
            await self._kept(call, results, None)

    async def _kept(self, call: Call, results: dict[str, Json], room: asyncio.Semaphore | None) -> None:
        if room is None:
            result = await self._result(call)
        else:
            async with room:
                result = await self._result(call)
        results[call.id] = result
        self.tell("result", result)

    def _is_read(self, call: Call) -> bool:
        declared = self.catalogue.tools.get(call.name)
        return declared is not None and declared.read_only and call.name not in self.client_tools

    async def _result(self, call: Call) -> Json:
        client, declared = self.client_tools.get(call.name), self.catalogue.tools.get(call.name)
        declaration = client.declaration if client else declared
        if declaration is None:
            return without(call, "failed", "unknown_tool")
        arguments = read_arguments(call.arguments)
        faults = ("arguments: they are no JSON object",) if arguments is None else declaration.faults(arguments)
        if arguments is None or faults:
            self.tell("refused", {"call_id": call.id, "name": call.name, "faults": list(faults)})
            return without(call, "failed", "bad_arguments")
        self.tell("call", {"call_id": call.id, "name": call.name, "title": declaration.title, "arguments": arguments})
        if client is not None:
            return await self._client(call, arguments)
        if declaration.read_only:
            return await self._called(call, arguments)
        return await self._written(call, arguments)

    async def _client(self, call: Call, arguments: Json) -> Json:
        ended = await self.client_tools.invoke(call.name, arguments)
        if isinstance(ended, Done):
            return {**without(call, "success", None), "facts": facts_document(ended.facts)}
        status = ended.status if ended.status in _STATUSES - {"success"} else "failed"
        return without(call, status, ended.reason if ended.reason in _REASONS else None)

    async def _called(self, call: Call, arguments: Json, proposal_id: str = "") -> Json:
        body = {"call_id": call.id, "name": call.name, "arguments": arguments, **self.details}
        if proposal_id:
            body["proposal_id"] = proposal_id
        try:
            result = await self.gateway.json("POST", "/api/v1/system/mcp/call", body)
        except Refused as wrong:
            if wrong.status not in _NO_RESULT:
                raise
            return without(call, *_NO_RESULT[wrong.status])
        if (result.get("call_id"), result.get("name")) != (call.id, call.name) or "status" not in result:
            raise Broken(f"the gateway answered the call {call.name} with another's result")
        return result

    async def _written(self, call: Call, arguments: Json) -> Json:
        filed = await self._called(call, arguments)
        proposal_id = pending_proposal(filed)
        if self.decide is None or not proposal_id:
            return filed
        card = await decided(self.gateway, proposal_id, self.decide, lambda card: self.tell("card", card))
        state = str(card.get("state"))
        self.tell("decided", {"call_id": call.id, "proposal_id": proposal_id, "state": state, "card": card})
        if state == "pending":
            return filed
        return await self._ended(call, arguments, proposal_id, state)

    async def _ended(self, call: Call, arguments: Json, proposal_id: str, state: str) -> Json:
        """What became of a decided proposal, from the gateway; one that still runs is asked after again."""
        for attempt in range(self.gateway.waits.tries):
            try:
                return await self._called(call, arguments, proposal_id)
            except Refused as wrong:
                if wrong.status != 409:
                    raise
                if state not in _UNDER_WAY:
                    break
                await asyncio.sleep(self.gateway.waits.before(attempt))
        # There is no receipt of what was not approved. Unsealed, and without a fact: it can prove nothing.
        return without(call, _ENDED.get(state, "failed"), None)


def without(call: Call, status: str, reason: str | None) -> Json:
    """A result that brings no fact and needs no seal."""
    return {"call_id": call.id, "name": call.name, "status": status, "reason": reason, "facts": []}


def pending_proposal(result: Json) -> str:
    """The id of the proposal that a result says is waiting; "" for none."""
    for fact in result.get("facts", []):
        values = fact.get("values", {}) if isinstance(fact, dict) else {}  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if isinstance(fact, dict) and fact.get("kind") == "proposal" and values.get("state") == "pending":  # pyright: ignore[reportUnknownMemberType]
            return str(values.get("proposal_id", ""))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    return ""
