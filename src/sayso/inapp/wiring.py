"""An assistant over the built-in workspace: its tools, seeds and actions, the store and the gateway."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from sayso.config import Config
from sayso.core.facts import Fact
from sayso.core.pages import PAGE
from sayso.core.ports import Model
from sayso.core.progress import Limits
from sayso.core.proposals import Target
from sayso.core.tools import Actor
from sayso.core.verify.report import Profile
from sayso.core.verify.second_opinion import SecondOpinion
from sayso.errors import Conflict, NotFound
from sayso.gateway.actions import Action, ActionRefused, ActionRequest, After, Check, Done, NotRun, OutFile
from sayso.gateway.filing import Filing
from sayso.gateway.gateway import Gateway, People
from sayso.gateway.ledger import Ledger
from sayso.gateway.live import LiveKinds, LiveRegistry
from sayso.gateway.mcp.outside import TARGET, Outside
from sayso.gateway.outside import READ_OUTSIDE, OutsideReads
from sayso.gateway.pool import Pool
from sayso.gateway.running import CallRunner
from sayso.gateway.settings import ToolsTable
from sayso.gateway.stored import version_of
from sayso.inapp.assistant import Assistant
from sayso.inapp.inputs import EDITING
from sayso.inapp.surroundings import RandomIds, SystemClock, local_person
from sayso.store.audit import Audit
from sayso.store.database import Database
from sayso.store.images import Images
from sayso.store.proposals import Proposals
from sayso.store.threads import Threads
from sayso.store.users import Users
from sayso.tables import section
from sayso.workspace.actions import ActionImpossible, ActionOutcome, Approved, WorkspaceAction, workspace_actions
from sayso.workspace.checks import Found, check_of
from sayso.workspace.generic_actions import generic_actions
from sayso.workspace.kinds import WORKSPACE_KINDS
from sayso.workspace.mailing import MailRefused, SmtpSettings
from sayso.workspace.pages import WORKSPACE_PAGES
from sayso.workspace.seeds import seeds
from sayso.workspace.tools import AgentSettings, workspace_tools
from sayso.workspace.tools.agent import AgentFailed
from sayso.workspace.tools.generic import generic_tools
from sayso.workspace.workspace import Workspace


def assemble(
    workspace: Workspace, model: Model, settings: Config, *, reason: str, limits: Limits,
    second_opinion: SecondOpinion | None = None, mcp: Outside | None = None,
) -> Assistant:  # fmt: skip
    """Put an assistant together; `mcp` are the outside servers, if any. Opens nothing: the workspace's database is
    open already."""
    database, clock, ids = workspace.database, SystemClock(settings.zone), RandomIds()
    proposals, audit = Proposals(database), Audit(database)
    can_send = smtp_settings(settings) is not None
    agent = agent_settings(settings)
    own = workspace_tools(workspace, agent=agent, can_send=can_send, pages=WORKSPACE_PAGES)
    generic, listed = generic_tools(workspace), section(settings.tables, "tools", ToolsTable)
    mcp = mcp or Outside((), settings.home)
    tools = LiveRegistry(own, mcp.tools, generic)
    told = [tool for tool in generic if listed.offers(tool.name)]
    seconds = max(_SLOW_AGENT if agent else _CALL, mcp.seconds)
    outside = OutsideReads(tools, clock, seconds)
    threads = Threads(database, LiveKinds((*WORKSPACE_KINDS, PAGE), mcp.kinds))
    actions = {**mcp.actions(), **gateway_actions(settings, database), READ_OUTSIDE: outside.action()}
    calls = CallRunner(
        tools, Filing(proposals, ids, threads), clock, Pool(seconds), outside, tuple(listed.may_leave_to),
        settings.locale, audit,
    )  # fmt: skip

    def version(connection: Connection, owner: str, target: Target) -> str | None:
        return mcp.version(target) if target.kind == TARGET else version_of(connection, owner, target)

    async def first_facts(
        actor: Actor, question: str, now: datetime, record: tuple[str, str] | None
    ) -> tuple[Fact, ...]:
        return await seeds(workspace, actor, question, now, record)

    return Assistant(
        registry=LiveRegistry(own, mcp.tools, told, reserved=(tool.name for tool in generic)),
        threads=threads,
        proposals=proposals,
        gateway=Gateway(database, proposals, actions, clock, _people(database, settings), version=version),
        model=model,
        clock=clock,
        ids=ids,
        seeds=first_facts,
        limits=limits,
        calls=calls,
        ledger=Ledger(database, 2 * seconds + 10),
        locale=settings.locale,
        profile=Profile(settings.profile),
        second_opinion=second_opinion,
        model_reason=reason,
        images=Images(database),
    )


def _people(database: Database, settings: Config) -> People:
    """Who somebody is now, where nobody is signed in: the local person, and users with their present roles."""
    users = Users(database, settings.roles)
    return lambda owner, id: local_person(owner, id) or users.person(owner, id)


_CALL, _SLOW_AGENT = 20.0, 60.0  # seconds that a call may take; another agent thinks for longer


def gateway_actions(settings: Config, database: Database) -> dict[str, Action]:
    """The workspace's actions as the gateway declares them: internal ones happen exactly once."""
    declared = workspace_actions(smtp=smtp_settings(settings), agent=agent_settings(settings))
    generic = (
        Action(
            g.action.name,
            g.action.permission,
            _adapted(g.action),
            inputs=g.inputs,
            title=g.title,
            after=_ALTERS.get(g.action.name.rpartition(".")[0]),
            check=_check(g.action, database),
        )
        for g in generic_actions()
    )
    return {a.name: a for a in (*(_declared(action, database) for action in declared), *generic)}


def _declared(action: WorkspaceAction, database: Database) -> Action:
    editing = EDITING.get(action.name)
    return Action(
        action.name, action.permission, _adapted(action), external=action.external is not None,
        inputs=editing.inputs if editing else None, title=editing.title if editing else None,
        after=_ALTERS.get(action.name), check=_check(action, database), look=action.look,
    )  # fmt: skip


def _check(action: WorkspaceAction, database: Database) -> Check | None:
    """Finds out from the records whether an action has happened; None where they cannot tell."""
    check = check_of(action.name)
    if check is None:
        return None

    def found(request: ActionRequest) -> Done | NotRun | None:
        ended = database.read(lambda connection: check(connection, _approved(request)))
        if isinstance(ended, ActionOutcome):
            return _done(ended)
        return NotRun() if ended is Found.NOT_RUN else None

    return found


def _approved(r: ActionRequest) -> Approved:
    return Approved(r.arguments, r.target, r.precondition, r.owner, r.now, r.key)


def _checked_in(arguments: Mapping[str, Any], before: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"check_ins": sorted({*before.get("check_ins", ()), arguments["day"]})}


def _as_given(arguments: Mapping[str, Any], before: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in arguments.items() if name in before}


def _emptied(arguments: Mapping[str, Any], before: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: None for name, value in before.items() if value not in (None, "", [])}


_ALTERS: Mapping[str, After] = {
    "workspace.check_in": _checked_in,
    "workspace.update_record": _as_given,
    "workspace.restore_record": _as_given,
    "workspace.delete_record": _emptied,
}
"""What an action changes in the record that it is about; the others only add records or leave the system."""


def _adapted(action: WorkspaceAction) -> Callable[..., Done]:
    def internal(connection: Connection, request: ActionRequest) -> Done:
        assert action.internal is not None
        with _refusals():
            return _done(action.internal(connection, _approved(request)))

    def external(request: ActionRequest) -> Done:
        assert action.external is not None
        with _refusals():
            return _done(action.external(_approved(request)))

    return external if action.external else internal


def _done(ended: ActionOutcome) -> Done:
    return Done(ended.outcome, ended.details, tuple(OutFile(*file) for file in ended.files), ended.facts)


@contextmanager
def _refusals() -> Generator[None]:
    """What certainly did nothing is a refusal; anything else leaves an external action `unknown`."""
    try:
        yield
    except (ActionImpossible, MailRefused, AgentFailed, Conflict, NotFound) as refused:
        raise ActionRefused(str(refused)) from refused


def agent_settings(settings: Config) -> AgentSettings | None:
    if not settings.agent_url:
        return None
    return AgentSettings(
        settings.agent_url,
        settings.agent_model or "default",
        settings.agent_token,
        read_only=settings.agent_read_only or not settings.tool_loop,
    )


def smtp_settings(settings: Config) -> SmtpSettings | None:
    return SmtpSettings(settings.smtp_url, settings.sender) if settings.smtp_url and settings.sender else None
