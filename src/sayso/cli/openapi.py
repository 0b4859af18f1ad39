"""`sayso openapi`: the OpenAPI document of the services, printed without starting one."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from sayso import config
from sayso.errors import ConfigError
from sayso.serving.endpoints import Endpoint, Role

ALL = "all"


def openapi(
    role: Annotated[str, typer.Option(help="One service alone: inference, gateway or workspace.")] = ALL,
) -> None:
    """Print the OpenAPI 3.1 document: every route, body, answer, problem and event."""
    from sayso.serving.openapi import document

    known = (ALL, *(service.value for service in Role))
    if role not in known:
        raise ConfigError(f"there is no role {role!r}; --role is {', '.join(known)}")
    endpoints = inference_endpoints() if role == Role.INFERENCE.value else asyncio.run(server_endpoints(role))
    typer.echo(json.dumps(document(endpoints, "" if role == ALL else role), indent=2, ensure_ascii=True))


async def server_endpoints(role: str) -> list[Endpoint]:
    """Those of the application that serves this role, or all: it is put together over nothing, and thrown away."""
    from sayso.cli.application import application
    from sayso.cli.compose import open_workspace
    from sayso.core.progress import Limits
    from sayso.inapp.wiring import assemble
    from sayso.models.quote import Quote
    from sayso.server.signin import SignIn

    with tempfile.TemporaryDirectory() as folder:
        settings = config.load({"home": folder, "database": "sqlite://"}, {}, Path(folder))
        workspace = open_workspace(settings)
        try:
            assistant = assemble(workspace, Quote(), settings, reason="", limits=Limits())
            roles = frozenset(Role) if role == ALL else frozenset({Role(role)})
            async with application(settings, workspace, assistant, SignIn(settings.home), roles) as app:
                return list(app.state.endpoints)
        finally:
            workspace.database.close()


def inference_endpoints() -> list[Endpoint]:
    """Those of the inference service where it runs alone."""
    from sayso.inference.app import create_inference_app
    from sayso.inference.ports import Parts
    from sayso.inference.service import ChatService
    from sayso.models.quote import Quote
    from sayso.serving.runs import Runs
    from sayso.serving.surroundings import RandomIds, SystemClock
    from sayso.signing.keys import new_keyring

    parts = Parts(Quote(), SystemClock(None), RandomIds(), new_keyring, None)
    return list(create_inference_app(ChatService(parts, Runs())).state.endpoints)
