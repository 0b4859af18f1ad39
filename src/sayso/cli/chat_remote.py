"""`sayso chat --url`: the same conversation with services elsewhere. Reads run without asking; each write asks."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, cast

import typer
from rich.text import Text

from sayso.caller import Approve, Caller, CallerError, Decision, Deny, Edit, Later, Refused, Told
from sayso.cli.terms import err, fail, out, safe, say
from sayso.cli.typed import has_terminal, typed
from sayso.errors import SaysoError


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where the services are: the gateway, and the two others where they have addresses of their own."""

    url: str
    inference: str | None = None
    workspace: str | None = None

    @property
    def unnamed(self) -> str:
        """The flags of the services that are looked for at the gateway's address."""
        named = {"--inference URL": self.inference, "--workspace URL": self.workspace}
        return " and ".join(flag for flag, url in named.items() if url is None)


def chat_remote(where: Elsewhere, token: str, *, from_pipe: bool) -> None:
    """Ends with 1 where an address is none. `SAYSO_INFERENCE_TOKEN` opens an inference service that asks for it."""
    try:
        asyncio.run(_chat(where, token, from_pipe=from_pipe))
    except SaysoError as wrong:
        fail(f"{wrong.code}: {wrong}")
        raise typer.Exit(1) from wrong


async def _chat(where: Elsewhere, token: str, *, from_pipe: bool) -> None:
    async def decide(card: Mapping[str, Any]) -> Decision:
        return await _decision(card, from_pipe=from_pipe)

    async with Caller(
        where.url, where.inference, token=token, workspace_url=where.workspace, decide=decide,
        inference_token=os.environ.get("SAYSO_INFERENCE_TOKEN", ""),
    ) as caller:  # fmt: skip
        said = f"{where.url} answers. /quit or an empty line ends; Ctrl-C stops an answer."
        err.print(Text(said, style="dim"), soft_wrap=True)
        while (question := await _question()) not in ("", "/quit"):
            await _exchange(caller, caller.ask(question), where)


async def _question() -> str:
    try:
        return (await typed("\n> ")).strip()
    except EOFError:
        return ""


async def _exchange(caller: Caller, events: AsyncGenerator[Told], where: Elsewhere) -> None:
    """One answer as it comes. Ctrl-C stops it, at the service too, and the conversation goes on."""
    loop, stopping = asyncio.get_running_loop(), set[asyncio.Task[None]]()

    def stop() -> None:
        stopping.add(asyncio.create_task(caller.stop()))

    loop.add_signal_handler(signal.SIGINT, stop)
    facts: dict[str, Mapping[str, Any]] = {}
    try:
        async with aclosing(events):
            async for told in events:
                _show(told, facts)
    except CallerError as wrong:
        fail(f"\n{wrong.code}: {wrong}")
        if isinstance(wrong, Refused) and wrong.status == 404 and where.unnamed:
            fail(f"A service that has an address of its own needs {where.unnamed}.")
        fail("Nothing is lost: the next question goes on from here.")
    finally:
        loop.remove_signal_handler(signal.SIGINT)
    out.print()


def _show(told: Told, facts: dict[str, Mapping[str, Any]]) -> None:
    data = told.data
    match told.name:
        case "facts":
            facts.update({str(fact["ref"]): fact for fact in data["facts"]})
        case "call":
            err.print(Text(safe(f"… {data['title']}"), style="dim"), soft_wrap=True)
        case "text-delta":
            out.print(Text(safe(data["text"])), end="", soft_wrap=True)
        case "answer":
            cited = [facts[ref] for ref in data["citations"] if ref in facts]
            if cited:
                out.print("\n\n[bold]Sources[/]")
            for fact in cited:
                say(f"  [{fact['ref']}] {fact['kind']}: {fact['subject']} ({fact['source']})")
        case "decided":
            say(f"{data['state']}: {data['card'].get('title', '')}", "green")
        case "unsaved":
            fail(f"The conversation could not be stored: {data['message']} It is tried again with the next answer.")
        case "stopped":
            err.print("Stopped.", style="dim")
        case _:
            pass


async def _decision(card: Mapping[str, Any], *, from_pipe: bool) -> Decision:
    _show_card(card)
    if not has_terminal() and not from_pipe:
        say("It waits: a say-so needs a terminal.")
        return Later()
    try:
        while True:
            answer = (await typed("Approve? [y]es / [n]o / [e]dit / [l]ater: ")).strip().lower()[:1]
            if answer == "y":
                return Approve()
            if answer == "n":
                return Deny(await typed("Why (optional): "))
            if answer == "e" and (changed := await _edited(card)):
                return Edit(changed)
            if answer in ("l", ""):
                return Later()
    except EOFError:
        return Later()


def _show_card(card: Mapping[str, Any]) -> None:
    """Everything that the gateway's card says, in full."""
    say(f"\n{card['title']}", "bold")
    if card.get("target"):
        say(f"  target: {card['target']} ({card.get('target_record', '')})")
    for argument in card.get("arguments", ()):
        if argument["value"]:
            say(f"  {argument['name']}: {argument['value']}")
        for warning in argument.get("warnings", ()):
            say(f"    ! {warning}", "yellow")
    for risk in card.get("risks", ()):
        words: Any = cast("Mapping[str, Any]", risk).get("words", "") if isinstance(risk, Mapping) else risk
        say(f"  ! {words}", "yellow")
    if unbacked := card.get("unbacked"):
        say(f"  neither in your records nor said by you: {' · '.join(unbacked)}", "yellow")
    for fault in card.get("errors", ()):
        fail(f"  {fault.get('field', '')}: {fault.get('message', '')}")
    say(f"  digest: {str(card['digest'])[:12]}", "dim")


async def _edited(card: Mapping[str, Any]) -> dict[str, Any]:
    """Change inputs one by one; Enter keeps a value, "-" empties it."""
    inputs: Mapping[str, Any] = card.get("inputs") or {}
    properties: Mapping[str, Any] = inputs.get("schema", {}).get("properties", {})
    changed: dict[str, Any] = {}
    for name, spec in properties.items():
        if spec.get("readOnly"):
            continue
        written = await typed(f"  {name} [{inputs['values'].get(name) or ''}]: ")
        if written:
            changed[name] = _value(written, spec)
    if not properties:
        say("Nothing of it can be edited.")
    return changed


def _value(written: str, spec: Mapping[str, Any]) -> Any:
    """What was typed, as JSON; what does not fit stays text, and the gateway says so."""
    kinds = {s.get("type") for s in spec.get("anyOf", [spec])}
    if "array" in kinds:
        return [] if written == "-" else [part.strip() for part in written.split(",") if part.strip()]
    if written == "-":
        return None
    if "integer" in kinds and written.lstrip("-").isdecimal():
        return int(written)
    return {"y": True, "n": False}.get(written.lower()[:1], written) if "boolean" in kinds else written
