"""One chat request to one run: who asks, what is proven, what is let in, and the loop over it.

The service holds no record, calls no tool of the application, and starts nothing before all of a request is judged.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sayso.core.actors import Actor
from sayso.core.encoding import canonical_digest
from sayso.core.events import Event, Failed
from sayso.core.facts import PROVIDED, Fact, Provenance
from sayso.core.images import Attachment
from sayso.core.loop import run_exchange
from sayso.core.run_log import Claim
from sayso.core.sight import images_meant
from sayso.core.tools import Registry
from sayso.core.verify import Setting, Verifier
from sayso.errors import NotFound
from sayso.inference.admitting import Admitting
from sayso.inference.bodies import Chat
from sayso.inference.continuing import Continuation, Continuations, State, expired
from sayso.inference.declared import CallerRunner, Offered, declare, read_catalogue
from sayso.inference.planning import Asked, Plan, Planning
from sayso.inference.ports import Parts
from sayso.inference.proving import Proving
from sayso.inference.telling import Telling
from sayso.serving.problems import Problem
from sayso.serving.runs import Run, Runs
from sayso.signing.tokens import SKEW
from sayso.vocabulary import ordinary_words

_CATALOGUES = 32  # that are kept as they were read, by their digest


@dataclass(slots=True)
class ChatService:
    """Answers chat requests. A run is its person's: of who is in the catalogue's seal."""

    parts: Parts
    runs: Runs
    _offered: OrderedDict[str, Offered] = field(default_factory=OrderedDict[str, Offered])

    @property
    def proving(self) -> Proving:
        return Proving(self.parts.gateway_keys, self._continuations, self.parts.clock)

    @property
    def _continuations(self) -> Continuations:
        parts = self.parts
        return Continuations(parts.keyring, parts.clock, parts.seconds, parts.proof_seconds)

    async def chat(self, body: Chat, asker: Actor | None = None) -> Run:
        """The run of a request; the same one for the same request again.

        `asker` is who signed in, where this process knows; the catalogue must be theirs. Raises Problem.
        """
        if body.catalogue is None:
            raise Problem(422, "catalogue_missing", "send the gateway's catalogue: GET /api/v1/system/mcp/tools")
        self._check_shape(body)
        actor = await self.proving.who(body.catalogue)
        if asker is not None and self.proving.sealed and (asker.id, asker.owner) != (actor.id, actor.owner):
            raise Problem(403, "other_identity", "the catalogue is another person's")
        asked = await self._judged(body, body.catalogue, actor)
        run_id = self.parts.ids.new("run")
        at = asked.proven.continuation
        plan = self._plan(body, asked, at, run_id)
        return await self._start(plan, actor.desk, self._claim(body, at) if at is not None else None)

    def _claim(self, body: Chat, at: Continuation) -> Claim:
        """The use of a continuation, which is remembered for longer than any may be taken."""
        held = self.parts.proof_seconds + 2 * SKEW
        return Claim(at.id, canonical_digest(body.model_dump(mode="json")), held)

    def _check_shape(self, body: Chat) -> None:
        """Raises Problem 409 or 422 for members that do not go together."""
        if body.message is None and body.continuation is None:
            raise Problem(422, "wrong_content", "send a message, or a continuation with its tool_results")
        if body.message is None and (body.seeds is not None or body.context is not None):
            raise Problem(422, "wrong_content", "seeds and context belong to a message")
        if body.proposals != "keep":
            raise Problem(
                422, "wrong_content", "proposals: this service holds none; POST /api/v1/proposals/{id}/supersede"
            )
        if body.model not in (None, self.parts.model.name):
            raise Problem(422, "unknown_model", f"{self.parts.model.name} answers here; leave out `model`")

    async def _judged(self, body: Chat, catalogue: Mapping[str, Any], actor: Actor) -> Asked:
        declared = declare(self._read(catalogue), body.client_tools)
        proven = await self.proving.thread(body, actor, declared.kinds)
        at, now = proven.continuation, self.parts.clock.now()
        if body.message is None and at is not None:
            _check_open(at, at.open_at(now))
        titles = {tool.name: tool.title for tool in declared.tools}
        admitting = Admitting(self.proving, declared, actor, now, titles)
        answered = frozenset(r.call_id for m in proven.messages for r in m.results)
        calls = at.calls if at is not None and at.open_at(now) else ()
        results = await admitting.results(body.tool_results, calls, answered, whole=body.message is None)
        seeds = await admitting.seeds(body.seeds) if body.seeds is not None else ()
        images = await self._images(body, actor)
        locale = body.locale or self.parts.locale
        return Asked(actor, declared, proven, results, seeds, self._page(body), images, locale)

    def _read(self, catalogue: Mapping[str, Any]) -> Offered:
        """A catalogue as it is read; the last ones are kept, since each request brings its own again."""
        digest = canonical_digest({"kinds": catalogue.get("kinds"), "tools": catalogue.get("tools")})
        if digest not in self._offered:
            self._offered[digest] = read_catalogue(catalogue)
            while len(self._offered) > _CATALOGUES:
                self._offered.popitem(last=False)
        self._offered.move_to_end(digest)
        return self._offered[digest]

    def _page(self, body: Chat) -> tuple[Fact, ...]:
        """What the person selected, as their own words."""
        context = body.context
        if context is None or not context.selection.strip():
            return ()
        values = {"title": "Selected text", "text": context.selection}
        return (PROVIDED.fact(
            values, source=context.route or "page", key=canonical_digest(context.selection)[:24],
            as_of=self.parts.clock.now(), provenance=Provenance.PROVIDED,
        ),)  # fmt: skip

    async def _images(self, body: Chat, actor: Actor) -> Mapping[str, tuple[Attachment, Fact]]:
        if not body.attachments:
            return {}
        if self.parts.images is None:
            raise Problem(422, "attachments_unknown", "this service keeps no uploads; ask without the attachments")
        now, wanted = self.parts.clock.now(), list(dict.fromkeys(body.attachments))
        found = await self.parts.images(actor, wanted)
        missing = [digest for digest in wanted if digest not in found]
        if missing:
            raise NotFound(f"there is no upload {missing[0]}; attach it again")
        return {digest: (found[digest], found[digest].fact(now)) for digest in wanted}

    def _plan(self, body: Chat, asked: Asked, at: Continuation | None, run_id: str) -> Plan:
        planning = Planning(self.parts.ids, self.parts.limits.history, self.parts.instructions)
        if body.message is not None:
            late = at is not None and not at.open_at(self.parts.clock.now())
            return planning.begin(body.message, asked, run_id, expired=late)
        assert at is not None
        return planning.go_on(at, asked, run_id)

    async def _start(self, plan: Plan, desk: str, claim: Claim | None) -> Run:
        telling = Telling(plan, self._continuations, self.parts.ids)
        events = self._mended(telling.events(self._loop(plan)), plan)
        return await self.runs.start(plan.task.run_id, desk, events, telling.stopped, claim)

    async def _mended(self, events: AsyncIterator[Event], plan: Plan) -> AsyncIterator[Event]:
        """A run that failed leaves the thread as it was: its continuation may be used again."""
        async for event in events:
            if isinstance(event, Failed):
                await self.runs.release(plan.task.run_id)
            yield event

    def _loop(self, plan: Plan) -> AsyncIterator[Event]:
        parts, task, declared = self.parts, plan.task, plan.asked.declared
        setting = Setting(
            parts.clock.now(), task.locale, task.question, _known_words(declared.tools), parts.profile,
            ordinary=ordinary_words(task.locale), images=tuple(n.ref for n in images_meant(task)),
        )  # fmt: skip
        return run_exchange(
            task, model=parts.model, tools=declared.tools, evidence=plan.evidence,
            verifier=Verifier(plan.evidence, setting), runner=CallerRunner(declared), clock=parts.clock,
            ids=parts.ids, limits=parts.limits, second_opinion=parts.second_opinion,
        )  # fmt: skip


def _check_open(at: Continuation, still: bool) -> None:
    """Raises Problem for results of an exchange that takes none any more."""
    if at.state is not State.WAITING:
        raise Problem(409, "exchange_finished", "this exchange has its answer already; send a message to ask anew")
    if not still:
        raise expired()


def _known_words(tools: Registry) -> frozenset[str]:
    """The words of the catalogue: known to the verifier, but no evidence."""
    words: set[str] = set()
    for tool in tools:
        words.update(tool.name.split("_"), tool.title.lower().split())
        words.update(word for phrase in tool.words for word in phrase.split())
    return frozenset(words)
