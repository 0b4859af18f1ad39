"""`sayso proposals`: everything that the page's cards can do. The card shows the exact change before anyone decides.

It exits with 1 where something was not done; with --json the cards come as the HTTP routes give them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

import typer

from sayso.cli.cards import show_card, show_changes, show_line, show_outcome
from sayso.cli.compose import LOCAL_USER, opened
from sayso.cli.editing import edited_inputs, named_inputs
from sayso.cli.terms import HomeOption, SampleOption, err, fail, out, say
from sayso.cli.typed import has_terminal, typed
from sayso.core.proposals import ProposalState
from sayso.errors import NotFound, SaysoError
from sayso.gateway.inputs import WrongInputs
from sayso.inapp.assistant import Assistant
from sayso.server import wire
from sayso.server.local import LocalAssistant

app = typer.Typer(help="Changes that wait for your say-so.", no_args_is_help=True)

IdArgument = Annotated[str, typer.Argument(help="The proposal's id, or its first characters.")]
IdsArgument = Annotated[list[str], typer.Argument(help="Ids of proposals, or their first characters.")]
JsonOption = Annotated[bool, typer.Option("--json", help="As JSON, for scripts.")]
DigestOption = Annotated[
    str, typer.Option("--digest", help="Only if the card still has this digest, or its first 12 or more characters.")
]
Card = dict[str, Any]
_SHORTEST_DIGEST = 12


class Desk:
    """The cards of one open workspace, as their JSON documents."""

    def __init__(self, assistant: Assistant) -> None:
        self._on = LocalAssistant(assistant)

    async def every(self, state: str | None = None) -> list[Card]:
        return [wire.proposal_json(view) for view in await self._on.proposals(LOCAL_USER, state)]

    async def card(self, id: str) -> Card:
        return wire.proposal_json(await self._on.proposal(LOCAL_USER, id))

    async def found(self, prefix: str) -> Card:
        """The one whose id begins so. Raises NotFound, which says what to do."""
        every = await self.every()
        fitting = [c for c in every if c["id"] == prefix] or [c for c in every if c["id"].startswith(prefix)]
        if not fitting:
            raise NotFound(f"there is no proposal {prefix}; sayso proposals list --state all shows them")
        if len(fitting) > 1:
            raise NotFound(f"{prefix} fits {len(fitting)} proposals; give more of it")
        return fitting[0]

    async def approve(self, card: Card) -> Card:
        return wire.proposal_json(await self._on.approve(LOCAL_USER, card["id"], card["digest"]))

    async def deny(self, card: Card, words: str) -> Card:
        return wire.proposal_json(await self._on.deny(LOCAL_USER, card["id"], words))

    async def supersede(self, card: Card) -> Card:
        return wire.proposal_json(await self._on.supersede(LOCAL_USER, card["id"]))

    async def edit(self, card: Card, changes: Mapping[str, Any]) -> Card:
        return wire.proposal_json(await self._on.edit(LOCAL_USER, card["id"], card["digest"], changes))

    async def settle(self, card: Card, *, happened: bool) -> Card:
        return wire.proposal_json(await self._on.settle(LOCAL_USER, card["id"], happened=happened))

    async def check(self, card: Card) -> Card:
        return wire.proposal_json(await self._on.check(LOCAL_USER, card["id"]))

    async def changes(self, card: Card) -> list[Card]:
        return [wire.change_json(view) for view in await self._on.changes(LOCAL_USER, card["id"])]


@app.command("list")
def list_proposals(
    state: Annotated[str, typer.Option(help="pending, done, denied, failed, unknown ... or all.")] = "pending",
    as_json: JsonOption = False,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """List proposals, the newest first; "!" marks one that has a risk."""
    if state != "all" and state not in {s.value for s in ProposalState}:
        raise typer.BadParameter(f"{state!r} is no state; use {', '.join(ProposalState)} or all")

    async def listed(desk: Desk) -> None:
        found = await desk.every(None if state == "all" else state)
        if as_json:
            return _json({"proposals": found})
        if not found:
            out.print(f"No {'' if state == 'all' else state + ' '}proposals.")
        for card in found:
            show_line(card)
        return None

    _run(listed, home, sample)


@app.command()
def show(
    proposal: IdArgument, as_json: JsonOption = False, sample: SampleOption = False, home: HomeOption = None
) -> None:
    """Show the exact change: before and after, risks, reasons, and what became of it."""
    _run(lambda desk: _told(desk.found(proposal), as_json), home, sample)


@app.command()
def history(
    proposal: IdArgument, as_json: JsonOption = False, sample: SampleOption = False, home: HomeOption = None
) -> None:
    """Show who did what to a proposal, and when."""

    async def told(desk: Desk) -> None:
        card = await desk.found(proposal)
        changes = await desk.changes(card)
        if as_json:
            return _json({"changes": changes})
        say(f"{card['title']}", "bold")
        return show_changes(changes)

    _run(told, home, sample)


@app.command()
def approve(
    proposals: IdsArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask: the change was read elsewhere.")] = False,
    digest: DigestOption = "",
    as_json: JsonOption = False,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Show the exact change and run it once, if you say so. Of several, each is asked for by itself."""
    if digest and len(proposals) > 1:
        raise typer.BadParameter("a digest is of one proposal")

    async def one(desk: Desk, prefix: str) -> None:
        card = await desk.found(prefix)
        _seen(card, digest)
        if not as_json:
            show_card(card)
        if not (yes or digest) and not has_terminal():
            fail(f"{card['id'][:8]} waits: a say-so needs a terminal. What was read elsewhere: --digest or --yes.")
            raise typer.Exit(1)
        if not (yes or digest) and not await asyncio.to_thread(typer.confirm, "Approve exactly this?"):
            err.print("Nothing was changed.")
            return
        after = await desk.approve(card)
        _json(after) if as_json else show_outcome(after)
        if after["state"] != "done":
            raise typer.Exit(1)

    _run(lambda desk: _each(desk, proposals, one), home, sample)


@app.command()
def deny(
    proposals: IdsArgument,
    words: Annotated[str, typer.Option("--because", help="Why; the conversation is told.")] = "",
    as_json: JsonOption = False,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Deny proposals; they will not run."""

    async def one(desk: Desk, prefix: str) -> None:
        after = await desk.deny(await desk.found(prefix), words)
        _json(after) if as_json else out.print("Denied. Nothing was changed.")

    _run(lambda desk: _each(desk, proposals, one), home, sample)


@app.command()
def supersede(
    proposals: IdsArgument, as_json: JsonOption = False, sample: SampleOption = False, home: HomeOption = None
) -> None:
    """Close proposals because something else took their place; they will not run."""

    async def one(desk: Desk, prefix: str) -> None:
        after = await desk.supersede(await desk.found(prefix))
        _json(after) if as_json else out.print("Closed. Nothing was changed.")

    _run(lambda desk: _each(desk, proposals, one), home, sample)


@app.command()
def edit(
    proposal: IdArgument,
    values: Annotated[
        list[str] | None, typer.Argument(help="NAME=VALUE; of lists, by commas. Without any you are asked.")
    ] = None,
    digest: DigestOption = "",
    as_json: JsonOption = False,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Change what a proposal would do. Its digest changes: whoever approves must see it again."""

    async def edited(desk: Desk) -> None:
        card = await desk.found(proposal)
        _seen(card, digest)
        if values:
            after = await desk.edit(card, named_inputs(card, values))
        else:
            if not has_terminal():
                raise typer.BadParameter("name what to change: sayso proposals edit ID NAME=VALUE")
            after = await _edit(desk, card)
        _json(after) if as_json else show_card(after)

    _run(edited, home, sample)


@app.command()
def settle(
    proposal: IdArgument,
    happened: Annotated[bool, typer.Option("--happened/--not-happened", help="What you found out.")],
    as_json: JsonOption = False,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Say what became of a proposal whose end is unknown, after you have looked."""

    async def settled(desk: Desk) -> None:
        after = await desk.settle(await desk.found(proposal), happened=happened)
        _json(after) if as_json else show_outcome(after)

    _run(settled, home, sample)


@app.command()
def check(
    proposal: IdArgument, as_json: JsonOption = False, sample: SampleOption = False, home: HomeOption = None
) -> None:
    """Have the action look whether an unknown one happened; exits with 1 where it cannot tell."""

    async def checked(desk: Desk) -> None:
        after = await desk.check(await desk.found(proposal))
        _json(after) if as_json else show_card(after) if after["state"] == "unknown" else show_outcome(after)
        if after["state"] == "unknown":
            raise typer.Exit(1)

    _run(checked, home, sample)


def _run(act: Callable[[Desk], Awaitable[None]], home: Any, sample: bool) -> None:
    async def over() -> None:
        async with opened({"home": home, "sample": sample}) as assistant:
            await act(Desk(assistant))

    asyncio.run(over())


async def _told(found: Awaitable[Card], as_json: bool) -> None:
    card = await found
    _json(card) if as_json else show_card(card)


async def _each(desk: Desk, prefixes: list[str], one: Callable[[Desk, str], Awaitable[None]]) -> None:
    """Each by itself: what goes wrong with one is said and stops no other. Exits with 1 then."""
    wrong = False
    for prefix in dict.fromkeys(prefixes):
        try:
            await one(desk, prefix)
        except SaysoError as fault:
            if len(prefixes) == 1:
                raise
            fail(f"{prefix}: {fault}")
            wrong = True
        except typer.Exit:
            if len(prefixes) == 1:
                raise
            wrong = True
    if wrong:
        raise typer.Exit(1)


def _seen(card: Card, digest: str) -> None:
    if not digest:
        return
    if len(digest) < _SHORTEST_DIGEST:
        raise typer.BadParameter(f"a digest needs its first {_SHORTEST_DIGEST} characters")
    if not str(card["digest"]).startswith(digest.lower()):
        fail(f"The card has changed since it was shown; look at it again: sayso proposals show {card['id'][:13]}")
        raise typer.Exit(1)


def _json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=True, indent=2))


async def decide(assistant: Assistant, proposal_id: str, *, from_pipe: bool = False) -> None:
    """Ask y/n/edit for one proposal, as `sayso chat` does: of a person, or of a pipe where it was said to."""
    desk = Desk(assistant)
    card = await desk.card(proposal_id)
    if not has_terminal() and not from_pipe:
        show_card(card)
        say(f"It waits: a say-so needs a terminal. sayso proposals approve {card['id'][:8]}")
        return
    try:
        await _decide(desk, card)
    except EOFError:
        out.print("\nIt waits: sayso proposals list")


async def _decide(desk: Desk, card: Card) -> None:
    while card["state"] == "pending":
        show_card(card)
        answer = (await typed("Approve? [y]es / [n]o / [e]dit / [l]ater: ")).strip().lower()[:1]
        try:
            if answer == "y":
                return show_outcome(await desk.approve(card))
            if answer == "n":
                await desk.deny(card, await typed("Why (optional): "))
                return out.print("Denied. Nothing was changed.")
            if answer == "e":
                card = await _edit(desk, card)
            elif answer in ("l", ""):
                return out.print("It waits: sayso proposals list")
        except SaysoError as wrong:
            fail(str(wrong))
            return None
    return None


async def _edit(desk: Desk, card: Card) -> Card:
    """Ask for the inputs until they fit, or nothing is changed."""
    changes: dict[str, Any] = {}
    while True:
        changes = await edited_inputs(card, changes)
        if not changes:
            return card
        try:
            return await desk.edit(card, changes)
        except WrongInputs as wrong:
            for fault in wrong.faults:
                fail(f"  {fault.field}: {fault.message}")
            changes = {n: v for n, v in changes.items() if n not in {f.field for f in wrong.faults}}
