"""An assistant over the built-in workspace: its tools, seeds and actions, the store and the gateway."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sayso.config import Config
from sayso.core.facts import Fact
from sayso.core.ports import Model
from sayso.core.progress import Limits
from sayso.core.proposals import Target
from sayso.core.tools import Actor, Registry
from sayso.core.verify.report import Profile
from sayso.gateway.actions import Action, ActionRequest, Done, OutFile
from sayso.gateway.gateway import Gateway
from sayso.inapp.assistant import Assistant
from sayso.inapp.surroundings import RandomIds, SystemClock
from sayso.store.proposals import Proposals
from sayso.store.threads import Threads
from sayso.workspace.actions import WORKSPACE_ACTIONS
from sayso.workspace.kinds import WORKSPACE_KINDS
from sayso.workspace.seeds import seeds
from sayso.workspace.tools import workspace_tools
from sayso.workspace.workspace import Workspace


def assemble(workspace: Workspace, model: Model, settings: Config, *, reason: str, limits: Limits) -> Assistant:
    """Put an assistant together. Opens nothing: the workspace's database is open already."""
    database, clock = workspace.database, SystemClock(settings.zone)
    proposals = Proposals(database)

    async def first_facts(
        actor: Actor, question: str, now: datetime, record: tuple[str, str] | None
    ) -> tuple[Fact, ...]:
        return await seeds(workspace, actor, question, now, record)

    return Assistant(
        registry=Registry(workspace_tools(workspace)),
        threads=Threads(database, WORKSPACE_KINDS),
        proposals=proposals,
        gateway=Gateway(database, proposals, workspace_actions(), clock),
        model=model,
        clock=clock,
        ids=RandomIds(),
        seeds=first_facts,
        limits=limits,
        locale=settings.locale,
        profile=Profile(settings.profile),
        model_reason=reason,
    )


def workspace_actions() -> dict[str, Action]:
    """The workspace's actions as the gateway declares them: internal, so each happens exactly once."""
    return {name: Action(name, f"do:{name}", _adapted(run)) for name, run in WORKSPACE_ACTIONS.items()}


def _adapted(run: Any) -> Any:
    def act(connection: Any, request: ActionRequest) -> Done:
        target: Target | None = request.target
        ended = run(connection, request.arguments, target, request.precondition, request.owner, request.now)
        return Done(ended.outcome, ended.details, tuple(OutFile(*file) for file in ended.files))

    return act
