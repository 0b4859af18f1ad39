"""`sayso serve --role inference`: the inference service in a process of its own.

It opens no database and holds no credential of the application: only a key of its own, with which it signs
continuations, and the gateway's public keys. Nothing that stores records is loaded here.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from sayso import config
from sayso.cli.answering import choose_model, model_of
from sayso.cli.sharing import own_log
from sayso.cli.stored import Proven, read_stored, suited
from sayso.cli.terms import HomeOption, ModelOption, fail, out, say
from sayso.config import Config
from sayso.core.progress import Limits
from sayso.core.verify.report import Profile
from sayso.errors import ConfigError
from sayso.inference.keys import WatchedKeys, keys_at
from sayso.inference.ports import CALLER_STEPS, Parts
from sayso.inference.service import ChatService
from sayso.models.order import read_order
from sayso.models.second_opinion import build_opinion
from sayso.serving.listening import bound
from sayso.serving.runs import Runs
from sayso.serving.surroundings import RandomIds, SystemClock
from sayso.signing.keys import OwnKeys

app = typer.Typer(name="sayso", add_completion=False, pretty_exceptions_enable=False)
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class Terms:
    """What the operator says of those who may ask."""

    gateway_keys: str | None
    unsealed: bool
    origin: str
    secret: str
    folder: Path | None


@app.callback()
def root() -> None:
    """The inference service of Sayso."""


@app.command("serve")
def serve(
    role: Annotated[str, typer.Option(help="inference: this service alone.")] = "inference",
    host: Annotated[str | None, typer.Option(help="Where to listen; this machine only by default.")] = None,
    port: Annotated[int | None, typer.Option(help="The port; 8787 by default (SAYSO_PORT).")] = None,
    model: ModelOption = None,
    home: HomeOption = None,
    gateway_keys: Annotated[
        str | None,
        typer.Option(
            envvar="SAYSO_GATEWAY_KEYS",
            help="The gateway's public keys: a file, or their address (https://app.example/api/v1/system/keys).",
        ),
    ] = None,
    allow_unsealed: Annotated[
        bool,
        typer.Option(
            envvar="SAYSO_ALLOW_UNSEALED",
            help="Without a gateway's keys: take catalogues and results unchecked; all facts are then merely reported.",
        ),
    ] = False,
    origin: Annotated[
        str, typer.Option(envvar="SAYSO_ALLOWED_ORIGIN", help="The one site whose pages may ask from a browser.")
    ] = "",
    keys: Annotated[
        Path | None, typer.Option(help="The folder of this service's own signing keys; under the home by default.")
    ] = None,
    run_log: Annotated[
        str | None,
        typer.Option(
            help="A database (sqlite:///path) by which several of these services act as one; it holds their runs only."
        ),
    ] = None,
) -> None:
    """Serve inference: models answer, and every tool is left to the caller."""
    flags = {"home": home, "host": host, "port": port, "model": model, "run_log": run_log}
    settings = config.load(flags, os.environ, Path.cwd())
    terms = Terms(gateway_keys, allow_unsealed, origin, os.environ.get("SAYSO_INFERENCE_TOKEN", ""), keys)
    _check(settings, terms)
    with bound(settings.host, settings.port) as listener:
        asyncio.run(_serve(settings, terms, listener))


def _check(settings: Config, terms: Terms) -> None:
    """Raises ConfigError for what would leave the service open."""
    if terms.gateway_keys is None and not terms.unsealed:
        raise ConfigError(
            "say whose tools are called: --gateway-keys FILE|URL (of `sayso serve --role gateway`); or "
            "--allow-unsealed, and every fact is then merely reported"
        )
    if terms.gateway_keys is None and settings.host not in _LOOPBACK and not terms.secret:
        raise ConfigError(
            f"on {settings.host} anyone could use the model: set SAYSO_INFERENCE_TOKEN, which callers then bear, or "
            "give --gateway-keys"
        )


async def _serve(settings: Config, terms: Terms, listener: socket.socket) -> None:
    import uvicorn

    from sayso.inference.app import create_inference_app
    from sayso.serving.sockets import BoundedProtocol

    async with own_log(settings) as log, _parts(settings, terms) as (parts, reason):
        application = create_inference_app(
            ChatService(parts, Runs(shared=log)), allowed_hosts=_hosts(settings), origin=terms.origin,
            secret=terms.secret,
        )  # fmt: skip
        server = uvicorn.Server(
            uvicorn.Config(application, http=BoundedProtocol, log_level="warning", server_header=False,
                           timeout_keep_alive=30, h11_max_incomplete_event_size=65536)
        )  # fmt: skip
        say(f"{parts.model.name} answers: {reason}")
        out.print(f"The inference service listens on {_address(settings.host, listener)}", soft_wrap=True)
        out.print("Ctrl-C stops.")
        await server.serve(sockets=[listener])
    if not server.started:
        fail("The server did not start; what went wrong is said above.")
        raise typer.Exit(1)


@asynccontextmanager
async def _parts(settings: Config, terms: Terms) -> AsyncGenerator[tuple[Parts, str]]:
    """What the service is made of, and why this model answers."""
    watched = keys_at(terms.gateway_keys) if terms.gateway_keys is not None else None
    own = OwnKeys(terms.folder or settings.home / "keys" / "inference")
    own()  # says at once what is wrong with them
    if watched is not None:
        await _look(watched)
    chosen = await choose_model(settings)
    proven = read_stored(settings.home).proven
    first = next((proven[one.spec] for one in read_order(chosen.spec)[:1] if one.spec in proven), None)
    steps = settings.steps if settings.origins.get("steps") != "default" else CALLER_STEPS
    settings = suited(settings, first)
    model = model_of(settings, chosen, proven)
    opinion = build_opinion(settings.second_opinion) if settings.second_opinion else None
    limits = Limits(steps=steps, output_tokens=(first or Proven()).max_output_tokens)
    try:
        yield Parts(
            model, SystemClock(settings.zone), RandomIds(), own, watched, limits, settings.locale,
            Profile(settings.profile), second_opinion=opinion,
        ), chosen.reason  # fmt: skip
    finally:
        for used in (model, opinion):
            close = getattr(used, "aclose", None)
            if close is not None:
                await close()


async def _look(watched: WatchedKeys) -> None:
    """Say at once what is wrong with a file; a gateway at an address may still be starting."""
    try:
        await watched.load()
    except ConfigError as wrong:
        if not watched.where.startswith("http"):
            raise
        say(f"{wrong} Its keys are looked for again when somebody asks.", "yellow")


def _hosts(settings: Config) -> tuple[str, ...]:
    own = () if settings.host in ("0.0.0.0", "::", "") else (settings.host,)
    return (*settings.allowed_hosts, *own)


def _address(host: str, listener: socket.socket) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listener.getsockname()[1]}"
