"""`sayso openapi`: the OpenAPI document of the services, printed without starting one."""

from __future__ import annotations

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
    endpoints = inference_endpoints() if role == Role.INFERENCE.value else server_endpoints(role)
    typer.echo(json.dumps(document(endpoints, "" if role == ALL else role), indent=2, ensure_ascii=True))


def server_endpoints(role: str) -> list[Endpoint]:
    """Those of the application that serves this role, or all: it is put together over nothing, and thrown away."""
    from sayso.cli.application import application

    with tempfile.TemporaryDirectory() as folder:
        settings = config.load({"home": folder, "database": "sqlite://"}, {}, Path(folder))
        with application(settings, frozenset(Role) if role == ALL else frozenset({Role(role)})) as app:
            return list(app.state.endpoints)
