"""The services of one process put together: what each role serves, and by whose keys. It listens nowhere."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager

from starlette.applications import Starlette

from sayso.cli.desk import desk_of
from sayso.cli.sharing import log_of
from sayso.config import Config
from sayso.inapp.assistant import Assistant
from sayso.inapp.dispatching import dispatcher_of
from sayso.inapp.driving import driven_service
from sayso.server.app import create_app
from sayso.server.gateway_routes import GatewayRoutes
from sayso.server.local import LocalAssistant
from sayso.server.mcp_routes import McpRoutes
from sayso.server.signin import SignIn
from sayso.serving.endpoints import Role
from sayso.serving.runs import Runs
from sayso.signing.keys import OwnKeys
from sayso.store.audit import Audit
from sayso.store.users import Users
from sayso.workspace.workspace import Workspace


@asynccontextmanager
async def application(
    settings: Config, workspace: Workspace, assistant: Assistant, sign_in: SignIn, roles: Collection[Role],
    *, instance: str = "",
) -> AsyncGenerator[Starlette]:  # fmt: skip
    """The application of these roles over one database. Its keys are made at the first start, under the home."""
    seals, own = OwnKeys(settings.home / "keys" / "gateway"), OwnKeys(settings.home / "keys" / "inference")
    seals()  # says at once what is wrong with them
    dispatcher = dispatcher_of(assistant, seals)
    mcp = McpRoutes(dispatcher, settings.public_url or "")
    async with log_of(settings, workspace.database) as log:
        answers = Role.INFERENCE in roles
        driven = driven_service(assistant, seals, own, Runs(shared=log)) if answers else None
        try:
            yield create_app(
                LocalAssistant(assistant), settings, sign_in, instance=instance,
                users=Users(workspace.database, settings.roles), audit=Audit(workspace.database), roles=roles,
                more=[*GatewayRoutes(dispatcher).endpoints(), *mcp.endpoints()], driven=driven,
                desk=desk_of(assistant, settings),
            )  # fmt: skip
        finally:
            await mcp.aclose()
