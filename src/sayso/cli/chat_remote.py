"""`sayso chat --url`: the same conversation with services elsewhere. Reads run without asking; each write asks."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import typer
from rich.text import Text

from sayso.caller import Approve, Caller, CallerError, Decision, Deny, Edit, Later, Refused, Told
from sayso.cli.attached import attaching, with_image
from sayso.cli.cards import show_card, show_outcome
from sayso.cli.editing import edited_inputs
from sayso.cli.slash import is_command, tell_commands
from sayso.cli.terms import err, fail, out, safe, say
from sayso.cli.typed import has_terminal, typed
from sayso.core.images import Attachment
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


def chat_remote(where: Elsewhere, token: str, *, from_pipe: bool, thread: str | None = None) -> None:
    """Ends with 1 where an address is none, or there is no such conversation.

    `SAYSO_INFERENCE_TOKEN` opens an inference service that asks for it.
    """
    try:
        asyncio.run(_chat(where, token, thread, from_pipe=from_pipe))
    except SaysoError as wrong:
        fail(f"{wrong.code}: {wrong}")
        raise typer.Exit(1) from wrong


async def _chat(where: Elsewhere, token: str, thread: str | None, *, from_pipe: bool) -> None:
    async def decide(card: Mapping[str, Any]) -> Decision:
        return await _decision(card, from_pipe=from_pipe)

    async with Caller(
        where.url, where.inference, token=token, workspace_url=where.workspace, decide=decide,
        inference_token=os.environ.get("SAYSO_INFERENCE_TOKEN", ""),
    ) as caller:  # fmt: skip
        if thread is not None:
            await caller.open(thread)
        said = f"{where.url} answers. An empty line ends; Ctrl-C stops an answer; /help."
        err.print(Text(said, style="dim"), soft_wrap=True)
        images: tuple[Attachment, ...] = ()
        while question := await _question():
            if path := attaching(question):
                images = with_image(images, path)
            elif is_command(question):
                if question == "/quit":
                    break
                tell_commands(question)
            elif (attachments := await _uploaded(caller, images)) is not None:
                await _exchange(caller, caller.ask(question, attachments=attachments), where)
                images = ()
        if caller.thread_id:
            err.print(Text(f"To go on with it: --thread {caller.thread_id}", style="dim"), soft_wrap=True)


async def _uploaded(caller: Caller, images: Sequence[Attachment]) -> list[str] | None:
    """The images' ids; None, and a line, where one was not taken: then nothing is asked."""
    try:
        return [await caller.attach(image.data, image.name) for image in images]
    except CallerError as wrong:
        fail(f"{wrong.code}: {wrong} Nothing was asked; the images are still attached.")
        return None


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
            show_outcome(data["card"])
        case "unsaved":
            why = str(data["message"]).rstrip(".")
            fail(f"The conversation could not be stored: {why}. It is tried again with the next answer.")
        case "stopped":
            err.print("Stopped.", style="dim")
        case _:
            pass


async def _decision(card: Mapping[str, Any], *, from_pipe: bool) -> Decision:
    show_card(card)
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
            if answer == "e" and (changed := await edited_inputs(card)):
                return Edit(changed)
            if answer in ("l", ""):
                return Later()
    except EOFError:
        return Later()
