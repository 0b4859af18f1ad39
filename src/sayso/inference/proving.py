"""Whose request it is, and whether the history that comes with it is the one that was given out.

A history counts with its proof alone: a continuation of ours, or the gateway's seal of a stored thread. Nothing that
the caller says of itself is believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sayso.core.actors import Actor
from sayso.core.encoding import canonical_digest, read_document, read_outside, transcript_digest
from sayso.core.facts import FactKind
from sayso.core.messages import Message, Role
from sayso.core.ports import Clock
from sayso.errors import SaysoError
from sayso.inference.bodies import Chat, Document
from sayso.inference.continuing import Continuation, Continuations
from sayso.inference.ports import GatewayKeys
from sayso.serving.problems import Problem
from sayso.signing.tokens import BadToken, TokenKind, read

ANYONE = Actor("unsealed", "unsealed", frozenset())
"""Who asks where no gateway's keys are known, so that nobody can be told from anybody else."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A thread so far: its messages (those that were sent), and what their proof says. `waits` is the exchange whose
    calls are open, if one's are."""

    messages: tuple[Message, ...] = ()
    transcript: str = ""
    count: int = 0
    next_ref: int = 1
    thread: str | None = None
    continuation: Continuation | None = None
    waits: str = ""


@dataclass(frozen=True, slots=True)
class Proving:
    """Checks the gateway's signatures and our own."""

    keys: GatewayKeys | None
    continuations: Continuations
    clock: Clock

    @property
    def sealed(self) -> bool:
        """Whether what comes in can be checked."""
        return self.keys is not None

    async def who(self, catalogue: Mapping[str, Any]) -> Actor:
        """The person whose catalogue it is. Raises Problem 401."""
        if self.keys is None:
            return ANYONE
        claims = await self.holder(str(catalogue.get("seal") or ""), TokenKind.CATALOGUE)
        signed = {"kinds": catalogue.get("kinds"), "tools": catalogue.get("tools")}
        if claims.get("digest") != canonical_digest(signed):
            raise Problem(401, "catalogue_changed", "the catalogue is not the one that was sealed; send it as it came")
        return _actor(claims)

    async def bearer(self, token: str) -> Actor:
        """The person whose catalogue's seal a request carries. Raises Problem 401."""
        return ANYONE if self.keys is None else _actor(await self.holder(token, TokenKind.CATALOGUE))

    async def holder(self, token: str, kind: TokenKind) -> dict[str, Any]:
        """The claims of a token of the gateway that says who somebody is. Raises Problem 401."""
        if not token:
            raise Problem(401, "catalogue_unsealed", "send the gateway's catalogue (GET /api/v1/system/mcp/tools) "
                          "with its seal; who may ask (read:threads) is given one")  # fmt: skip
        try:
            return await self.claims(token, kind)
        except BadToken as wrong:
            old = wrong.reason == "expired"
            code = "catalogue_expired" if old else "catalogue_forged"
            raise Problem(401, code, f"{wrong}; fetch the catalogue from the gateway again") from wrong

    async def claims(self, token: str, kind: TokenKind) -> dict[str, Any]:
        """What the gateway signed. Raises BadToken."""
        if self.keys is None:
            raise BadToken("no gateway's keys are known here, so no seal can be checked", "signature")
        return read(await self.keys.for_token(token), kind, token, self.clock.now())

    async def thread(self, body: Chat, actor: Actor, kinds: Mapping[str, FactKind]) -> Proven:
        """The thread so far. Raises Problem 403, 409, 410 or 422 where it is not proven."""
        documents = [*body.history, *body.exchange]
        if body.continuation is not None:
            proof = self._continuation(body.continuation, actor)
        elif body.history_seal is not None:
            proof = await self._seal(body.history_seal, actor)
        elif documents or body.history_before is not None:
            raise Problem(409, "history_unproven", "send the continuation of the last run, or the history_seal of the "
                          "stored thread, with the history")  # fmt: skip
        else:
            return Proven(thread=body.thread_id)
        if body.thread_id not in (None, proof.thread):
            raise Problem(409, "other_thread", "the continuation or history_seal is of another thread")
        plain = _messages(documents)
        if transcript_digest(plain, body.history_before or "") != proof.transcript:
            raise Problem(409, "history_changed", "the history is not the one that was given out; send every message "
                          "as it came, in its order")  # fmt: skip
        _check_whole(plain, proof.waits, cut=body.history_before is not None)
        messages = tuple(_declared(m, d, kinds) for m, d in zip(plain, documents, strict=True))
        return replace(proof, messages=messages)

    def _continuation(self, token: str, actor: Actor) -> Proven:
        found = self.continuations.read(token)
        if not found.belongs_to(actor):
            raise Problem(403, "other_identity", "the continuation is another person's")
        waits = found.exchange if found.calls else ""
        return Proven((), found.transcript, found.messages, found.next_ref, found.thread, found, waits)

    async def _seal(self, token: str, actor: Actor) -> Proven:
        try:
            claims = await self.claims(token, TokenKind.HISTORY)
        except BadToken as wrong:
            if wrong.reason == "expired":
                raise Problem(410, "history_seal_expired", "load the thread again; its seal has expired") from wrong
            raise Problem(403, "history_seal_forged", f"history_seal: {wrong}") from wrong
        if (claims.get("sub"), claims.get("owner")) != (actor.id, actor.owner):
            raise Problem(403, "other_identity", "the history_seal is another person's")
        try:
            return Proven((), str(claims["transcript"]), int(claims["messages"]), int(claims["next_ref"]),
                          str(claims["thread"]), waits=str(claims.get("waits", "")))  # fmt: skip
        except (KeyError, TypeError, ValueError) as wrong:
            raise Problem(403, "history_seal_forged", "history_seal: it says too little") from wrong


def _check_whole(messages: Sequence[Message], waits: str, *, cut: bool) -> None:
    """Raises Problem 409 where a part of an exchange was left out, or the one whose calls are still open.

    A provider refuses a result without its call, and a call that is not sent could never be closed.
    """
    if cut and messages and messages[0].role is not Role.USER:
        raise Problem(409, "exchange_incomplete", "leave out whole exchanges only: begin with a message of the user")
    if waits and (not messages or messages[-1].exchange_id != waits):
        raise Problem(409, "exchange_incomplete", "send all messages of the exchange that waits, as the last ones")


def _messages(documents: Sequence[Document]) -> list[Message]:
    try:
        return [read_outside(document, {}) for document in documents]
    except ValueError as wrong:
        raise Problem(409, "history_changed", f"history: {wrong}") from wrong


def _declared(plain: Message, document: Document, kinds: Mapping[str, FactKind]) -> Message:
    """The message with its facts' kinds as they are declared now; as it is, where they no longer suit it."""
    try:
        return read_document(document, kinds)
    except (SaysoError, ValueError, KeyError, TypeError, ArithmeticError):
        return plain


def _actor(claims: Mapping[str, Any]) -> Actor:
    sub, owner = claims.get("sub"), claims.get("owner")
    if not (isinstance(sub, str) and isinstance(owner, str) and sub and owner):
        raise Problem(401, "catalogue_forged", "the catalogue's seal does not say whose it is")
    return Actor(sub, owner, frozenset())
