"""`sayso proposals`: list, show, approve, deny. The card shows the exact change before anyone decides."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from sayso.cli.compose import LOCAL_USER, opened
from sayso.cli.terms import HomeOption, SampleOption, err, fail, out, say
from sayso.cli.typed import has_terminal, typed
from sayso.core.facts import value_text
from sayso.core.proposals import Proposal, ProposalState
from sayso.errors import SaysoError
from sayso.gateway.inputs import Schema, WrongInputs
from sayso.inapp.assistant import Assistant

app = typer.Typer(help="Changes that wait for your say-so.", no_args_is_help=True)

IdArgument = Annotated[str, typer.Argument(help="The proposal's id, or its first characters.")]


@app.command("list")
def list_proposals(
    state: Annotated[str, typer.Option(help="pending, done, denied, failed, expired ... or all.")] = "pending",
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """List proposals, newest last."""
    asyncio.run(_list(state, {"home": home, "sample": sample}))


@app.command()
def show(proposal: IdArgument, sample: SampleOption = False, home: HomeOption = None) -> None:
    """Show the exact change."""
    asyncio.run(_with(proposal, {"home": home, "sample": sample}, _show))


@app.command()
def approve(
    proposal: IdArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask: the change was read elsewhere.")] = False,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Show the exact change and run it once, if you say so."""

    async def decided(assistant: Assistant, found: Proposal) -> None:
        show_card(found)
        if not yes and not has_terminal():
            fail(f"{found.id[:8]} waits: a say-so needs a terminal. --yes approves what was read elsewhere.")
            raise typer.Exit(1)
        if not yes and not typer.confirm("Approve exactly this?"):
            err.print("Nothing was changed.")
            return
        await run_approved(assistant, found)

    asyncio.run(_with(proposal, {"home": home, "sample": sample}, decided))


@app.command()
def deny(
    proposal: IdArgument,
    words: Annotated[str, typer.Option("--because", help="Why; kept with the proposal.")] = "",
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Deny a proposal; it will not run."""

    async def denied(assistant: Assistant, found: Proposal) -> None:
        await assistant.gateway.deny(found.id, LOCAL_USER, words)
        out.print("Denied. Nothing was changed.")

    asyncio.run(_with(proposal, {"home": home, "sample": sample}, denied))


async def _list(state: str, flags: dict[str, Any]) -> None:
    if state != "all" and state not in {s.value for s in ProposalState}:
        raise typer.BadParameter(f"{state!r} is no state; use {', '.join(ProposalState)} or all")
    states = None if state == "all" else [ProposalState(state)]
    async with opened(flags) as assistant:
        found = await assistant.proposals.list(LOCAL_USER.desk, states)
    if not found:
        out.print(f"No {'' if state == 'all' else state + ' '}proposals.")
    for proposal in found:
        say(f"{proposal.id}  {proposal.state.value:9}  {proposal.content['title']}")


async def _with(prefix: str, flags: dict[str, Any], act: Any) -> None:
    async with opened(flags) as assistant:
        every = await assistant.proposals.list(LOCAL_USER.desk)
        fitting = [p for p in every if p.id == prefix] or [p for p in every if p.id.startswith(prefix)]
        if len(fitting) != 1:
            fail(
                f"No proposal {prefix}." if not fitting else f"{prefix} fits {len(fitting)} proposals; give more of it."
            )
            raise typer.Exit(1)
        await act(assistant, fitting[0])


async def _show(assistant: Assistant, found: Proposal) -> None:
    show_card(found)


def show_card(proposal: Proposal) -> None:
    """Every argument in full, from the canonical bytes."""
    content = proposal.content
    say(f"\n{content['title']}", "bold")
    say(f"  action: {content['action']}   state: {proposal.state.value}")
    if content["target"]:
        say(f"  target: {content['target']['name']} ({content['target']['kind']} {content['target']['key']})")
    for name, value in content["arguments"].items():
        if value not in (None, "", []):
            say(f"  {name}: {_written(value)}")
    if unbacked := content.get("unbacked"):
        say(f"  neither in your records nor said by you: {' · '.join(unbacked)}", "yellow")
    say(f"  expires: {content['expires']}   digest: {proposal.digest[:12]}", "dim")


async def run_approved(assistant: Assistant, proposal: Proposal) -> None:
    receipt = await assistant.gateway.approve(proposal.id, proposal.digest, LOCAL_USER)
    say(f"{receipt.values.get('outcome', 'done')}: {receipt.subject}", "green")
    if details := receipt.values.get("details"):
        say(f"  {details}")
    for fact in await assistant.gateway.facts(LOCAL_USER.desk, proposal.id):
        say(f"  {fact.provenance.value.replace('_', '-')} words, {fact.source}:", "dim")
        for name, value in fact.values.items():
            say(f"  {name}: {value_text(value)}")


async def decide(assistant: Assistant, proposal_id: str, *, from_pipe: bool = False) -> None:
    """Ask y/n/edit for one proposal, as `sayso chat` does: of a person, or of a pipe where it was said to."""
    proposal = await assistant.proposals.get(LOCAL_USER.desk, proposal_id)
    if not has_terminal() and not from_pipe:
        show_card(proposal)
        say(f"It waits: a say-so needs a terminal. sayso proposals approve {proposal.id[:8]}")
        return
    try:
        await _decide(assistant, proposal)
    except EOFError:
        out.print("\nIt waits: sayso proposals list")


async def _decide(assistant: Assistant, proposal: Proposal) -> None:
    while proposal.state is ProposalState.PENDING:
        show_card(proposal)
        answer = (await typed("Approve? [y]es / [n]o / [e]dit / [l]ater: ")).strip().lower()[:1]
        try:
            if answer == "y":
                return await run_approved(assistant, proposal)
            if answer == "n":
                words = await typed("Why (optional): ")
                await assistant.gateway.deny(proposal.id, LOCAL_USER, words)
                return out.print("Denied. Nothing was changed.")
            if answer == "e":
                proposal = await _edit(assistant, proposal)
            elif answer in ("l", ""):
                return out.print("It waits: sayso proposals list")
        except SaysoError as wrong:
            fail(str(wrong))
            return None
    return None


async def _edit(assistant: Assistant, proposal: Proposal) -> Proposal:
    """Change inputs one by one; Enter keeps a value, "-" empties it. The edit is a new digest."""
    schema = assistant.gateway.inputs(proposal)
    old: dict[str, Any] = proposal.content["arguments"]
    changes: dict[str, Any] = {}
    while True:
        for name, kind in _editable(old, schema).items():
            value = changes.get(name, old.get(name))
            written = await typed(f"  {name} [{_written(value)}]: ")
            if written:
                changes[name] = _typed(written, kind)
        if not changes:
            return proposal
        try:
            return await assistant.edit(LOCAL_USER, proposal.id, changes, proposal.digest)
        except WrongInputs as wrong:
            for fault in wrong.faults:
                fail(f"  {fault.field}: {fault.message}")
            changes = {n: v for n, v in changes.items() if n not in {f.field for f in wrong.faults}}


def _editable(arguments: Mapping[str, Any], schema: Schema | None) -> dict[str, str]:
    """What may be edited, by name, with its JSON type; without a schema, the text."""
    if schema is None:
        return {name: "string" for name, value in arguments.items() if isinstance(value, str)}
    found: dict[str, str] = {}
    for name, spec in schema.get("properties", {}).items():
        if not spec.get("readOnly"):
            kinds = [s.get("type", "string") for s in spec.get("anyOf", [spec])]
            found[name] = next(kind for kind in kinds if kind != "null")
    return found


def _written(value: Any) -> str:
    return "" if value is None else ", ".join(value) if isinstance(value, list) else str(value)  # pyright: ignore[reportUnknownArgumentType]


def _typed(written: str, kind: str) -> Any:
    """What was typed, as JSON; what does not fit stays text, and the check says so."""
    if kind == "array":
        return [] if written == "-" else [part.strip() for part in written.split(",") if part.strip()]
    if written == "-":
        return None
    if kind == "integer" and written.lstrip("-").isdecimal():
        return int(written)
    if kind == "boolean":
        return {"y": True, "n": False}.get(written.lower()[:1], written)
    return written
