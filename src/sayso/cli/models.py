"""`sayso models`: what is configured, found and offered; and the choice."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from sayso import config
from sayso.cli.compose import choose_model
from sayso.cli.reachable import sent_to, trouble_with
from sayso.cli.stored import Stored, read_stored, write_stored
from sayso.cli.terms import HomeOption, err, out, say
from sayso.cli.weights import recommended, weights_here, weights_lines
from sayso.models.choice import QUOTE, Choice
from sayso.models.local_servers import find_local
from sayso.models.order import build_order, read_order, split
from sayso.models.profiles import PROFILES, profile_named
from sayso.models.quote import Quote

app = typer.Typer(help="Which models there are, and which one answers.", invoke_without_command=True)


@app.callback()
def models(context: typer.Context, home: HomeOption = None) -> None:
    """Show which model answers and why, and what else was found."""
    if context.invoked_subcommand is None:
        asyncio.run(_show(home))


async def _show(home: Path | None) -> None:
    settings = config.load({"home": home}, os.environ, Path.cwd())
    found = await find_local()
    chosen = await choose_model(settings, found)
    _say_order(chosen)
    for server in found:
        say(f"found on this machine: {', '.join(f'{server.server}:{name}' for name in server.models)}")
    weights = weights_here(os.environ)
    for line in (*weights_lines(weights), *recommended(weights, read_stored(settings.home).proven)):
        say(line)
    for offer in chosen.offers:
        provider = offer.partition(":")[0]
        if _same_key(provider, split(chosen.spec)):
            continue  # whoever named it has said yes
        say(f"a key for {provider} is set: `sayso models allow {provider}` lets it be used ({offer}).")
        say(f"  Your records are then sent to {provider} with each question.", "yellow")
    out.print("quote needs no model and is always there. Choose with: sayso models use SPEC", style="dim")


def _say_order(chosen: Choice) -> None:
    """One model on one line; several with their numbers, as they are asked one after the other."""
    order = split(chosen.spec)
    say(f"answers: {' then '.join(order)}  ({chosen.reason})", "bold")
    if len(order) > 1:
        for number, spec in enumerate(order, 1):
            say(f"  {number}. {spec}")
        if order[-1] != QUOTE:
            say(f"  {len(order) + 1}. quote, where none of them can answer")


def _same_key(provider: str, specs: Sequence[str]) -> bool:
    """Whether one of the models is asked with a provider's key."""
    profiles = [profile_named(spec.partition(":")[0]) for spec in (provider, *specs)]
    variables = [profile.key_variable if profile else "" for profile in profiles]
    return variables[0] in variables[1:]


@app.command()
def use(
    specs: Annotated[
        list[str],
        typer.Argument(
            metavar="SPEC...",
            help="quote, ollama:NAME, openai:NAME, gguf:FILE, http://host:port/v1#NAME. Several are asked in their "
            "order; #ctx=8192 after one tells how many tokens it reads.",
        ),
    ],
    home: HomeOption = None,
) -> None:
    """Store which models answer, and in which order."""
    settings = config.load({"home": home}, os.environ, Path.cwd())
    wanted = ", ".join(spec for given in specs for spec in split(given))
    build_order(wanted, quote=Quote(), environ=os.environ)  # says at once what is wrong with it
    write_stored(settings.home, replace(read_stored(settings.home), model=wanted))
    say(f"{' then '.join(split(wanted))} answers from now on. `sayso models` shows it.")
    say("A `sayso serve` that runs keeps the model that it began with until it is started again.", "dim")
    for where in sent_to([one.spec for one in read_order(wanted)]):
        say(f"Your records are sent to {where} with each question.", "yellow")
    troubles = [trouble for one in read_order(wanted) if (trouble := asyncio.run(trouble_with(one.spec)))]
    for trouble in troubles:
        err.print(Text(trouble, style="yellow"), soft_wrap=True)
    if troubles:
        others = len(troubles) < len(read_order(wanted))
        err.print(Text(f"Until then {'the others answer' if others else 'quote answers'}.", style="yellow"))


@app.command()
def allow(
    provider: Annotated[str, typer.Argument(help="The provider whose key may be used.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    home: HomeOption = None,
) -> None:
    """Let the key in the environment be used. Your records are then sent to that provider."""
    settings = config.load({"home": home}, os.environ, Path.cwd())
    known = [p.name for p in PROFILES if p.key_variable]
    if provider not in known:
        raise typer.BadParameter(f"unknown provider {provider!r}; known are {', '.join(known)}")
    if not yes and not typer.confirm(f"Send your records to {provider} with each question?"):
        raise typer.Exit(1)
    stored = read_stored(settings.home)
    write_stored(settings.home, replace(stored, consented=tuple(sorted({*stored.consented, provider}))))
    say(f"{provider} may be used.")


_CHOICE, _RESULTS = "choice", "results"


@app.command()
def forget(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[choice|results|PROVIDER]...",
            help="The stored choice, the settings that probes stored, or the yes to a provider. Without it: all three.",
        ),
    ] = None,
    home: HomeOption = None,
) -> None:
    """Take back what `use`, `allow` and `probe --apply` stored. The model is then chosen as if nothing was said."""
    settings = config.load({"home": home}, os.environ, Path.cwd())
    stored = read_stored(settings.home)
    names = tuple(what or (_CHOICE, _RESULTS, *stored.consented))
    known = (_CHOICE, _RESULTS, *stored.consented)
    if wrong := next((name for name in names if name not in known), ""):
        raise typer.BadParameter(f"nothing is stored of {wrong!r}; what can be forgotten: {', '.join(known)}")
    write_stored(settings.home, _without(stored, names))
    say(f"Forgotten: {', '.join(names)}. `sayso models` shows which model answers now.")


def _without(stored: Stored, names: Sequence[str]) -> Stored:
    return Stored(
        None if _CHOICE in names else stored.model,
        tuple(provider for provider in stored.consented if provider not in names),
        {} if _RESULTS in names else stored.proven,
    )
