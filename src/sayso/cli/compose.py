"""Putting the parts together: configuration in, a running assistant out."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sayso import config
from sayso.cli.answering import choose_model as choose_model
from sayso.cli.answering import model_of
from sayso.cli.stored import Proven, read_stored, suited
from sayso.cli.terms import err
from sayso.config import Config
from sayso.core.progress import Limits
from sayso.core.tools import Actor
from sayso.gateway.mcp.outside import Outside
from sayso.gateway.mcp.settings import read_servers
from sayso.inapp.assistant import Assistant
from sayso.inapp.wiring import assemble
from sayso.models.choice import QUOTE, Choice
from sayso.models.order import read_order
from sayso.models.quote import Quote
from sayso.models.second_opinion import build_opinion
from sayso.store.database import open_database
from sayso.workspace.workspace import Settings, Workspace

LOCAL_USER = Actor("local", "local")
"""The one user of a workspace on this machine."""
EMPTY = "Your workspace is empty: `sayso import PATH...` brings your files in; --sample uses the made-up sample."


def open_workspace(settings: Config) -> Workspace:
    """The workspace's database, made and brought up to date where needed."""
    defaults = Settings(settings.time_zone, settings.locale, settings.week_start)
    return Workspace(open_database(settings.database), defaults=defaults)


def is_empty(workspace: Workspace) -> bool:
    kinds = ("person", "project", "goal", "habit", "commitment", "event", "document")
    return not any(workspace.count(LOCAL_USER.owner, kind) for kind in kinds)


def prepare(settings: Config) -> None:
    """Make the sample, or move its days to today; say so where a person's own workspace holds nothing yet."""
    workspace = open_workspace(settings)
    try:
        if settings.is_sample:
            fill_sample(workspace, settings)
        elif is_empty(workspace):
            err.print(EMPTY, style="yellow", soft_wrap=True)
    finally:
        workspace.database.close()


def fill_sample(workspace: Workspace, settings: Config) -> None:
    from sayso.workspace.sample import sample_records

    now = datetime.now(UTC)
    workspace.upsert(LOCAL_USER.owner, sample_records(now.astimezone(settings.zone).date(), settings.zone), now)


def _steps(settings: Config) -> int:
    """Two at least where an agent is asked: one to ask, one to tell."""
    return settings.steps if settings.tool_loop else max(settings.steps, 2)


@asynccontextmanager
async def opened(flags: Mapping[str, Any]) -> AsyncGenerator[Assistant]:
    """The assistant of this machine's workspace, from flags, environment and file."""
    settings = config.load(flags, os.environ, Path.cwd())
    prepare(settings)
    async with running(settings) as assistant:
        yield assistant


@asynccontextmanager
async def running(settings: Config) -> AsyncGenerator[Assistant]:
    """An assistant over an open database; both end with the block."""
    async with running_over(settings) as (_, assistant):
        yield assistant


@asynccontextmanager
async def running_over(settings: Config, *, answers: bool = True) -> AsyncGenerator[tuple[Workspace, Assistant]]:
    """The open workspace as well, for a server. `answers` False: no question comes here, so no model is looked for."""
    workspace = open_workspace(settings)
    proven = read_stored(settings.home).proven
    chosen = await choose_model(settings) if answers else Choice(QUOTE, "questions are answered by another process")
    first = next((proven[one.spec] for one in read_order(chosen.spec)[:1] if one.spec in proven), None)
    settings = suited(settings, first)
    model = model_of(settings, chosen, proven) if answers else Quote()
    opinion = build_opinion(settings.second_opinion) if settings.second_opinion and answers else None
    mcp = Outside(read_servers(settings.tables, os.environ), settings.home)
    try:
        await mcp.prepare()
        yield workspace, assemble(
            workspace, model, settings, reason=chosen.reason, second_opinion=opinion, mcp=mcp,
            limits=Limits(steps=_steps(settings), output_tokens=(first or Proven()).max_output_tokens),
        )  # fmt: skip
    finally:
        for used in (model, opinion, mcp):
            close = getattr(used, "aclose", None)
            if close is not None:
                await close()
        workspace.database.close()
