"""Which model answers: from settings, environment and what was chosen by command. It opens no database."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sayso.cli.stored import Proven, read_stored
from sayso.config import Config
from sayso.core.ports import Model
from sayso.errors import ConfigError
from sayso.models.choice import QUOTE, Choice, choose
from sayso.models.local_servers import Found, find_local
from sayso.models.order import build_order
from sayso.models.quote import Quote
from sayso.models.second_hand import SecondHand


async def choose_model(settings: Config, servers: Sequence[Found] | None = None) -> Choice:
    """Which model answers, and why. Local servers are looked for only where nothing names one, or `servers` tells."""
    if not settings.tool_loop:
        return Choice(f"agent, {QUOTE}", "tool_loop is off: the agent at agent_url is asked, and no model")
    stored = read_stored(settings.home)
    named = settings.model or stored.model
    found = () if named else await find_local() if servers is None else servers
    origin = settings.origins.get("model", "")
    flag = settings.model if origin.startswith("flag") else None
    environ = dict(os.environ) | ({"SAYSO_MODEL": settings.model} if settings.model and not flag else {})
    choice = choose(flag=flag, environ=environ, stored=stored.model, found=found, consented=stored.consented)
    return replace(choice, reason=f"{origin} names it") if settings.model and not flag else choice


def model_of(settings: Config, chosen: Choice, proven: Mapping[str, Proven]) -> Model:
    """The models of the choice in their order; behind them the agent that may be asked, and quote.

    Raises ConfigError where the loop is off and no agent is set up.
    """
    quote = Quote()
    agent = SecondHand(quote) if settings.agent_url and (settings.agent_read_only or not settings.tool_loop) else None
    if settings.tool_loop:
        return build_order(
            chosen.spec, quote=quote, environ=os.environ, last=agent,
            native_tools=lambda spec: proven[spec].native_tools if spec in proven else None,
        )  # fmt: skip
    if agent is None:
        raise ConfigError("tool_loop is off, so another agent must answer: set SAYSO_AGENT_URL, or SAYSO_TOOL_LOOP=1")
    return agent
