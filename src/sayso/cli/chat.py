"""`sayso chat`: a conversation in the terminal. Asks y/n/edit for each proposal."""

from __future__ import annotations

import asyncio
import sys
from contextlib import aclosing
from typing import Annotated, Any

import typer

from sayso.cli.ask import Screen, Sources, SourcesOption, Told, VerboseOption
from sayso.cli.attached import attaching, with_image
from sayso.cli.compose import LOCAL_USER, opened
from sayso.cli.proposals import decide
from sayso.cli.slash import is_command, tell_commands
from sayso.cli.terms import HomeOption, ModelOption, SampleOption, err, fail, out
from sayso.cli.typed import PipeOption, typed
from sayso.core.events import RunStarted
from sayso.core.images import Attachment
from sayso.inapp.assistant import Assistant


def chat(
    model: ModelOption = None,
    sources: SourcesOption = Sources.SHORT,
    verbose: VerboseOption = False,
    approve_from_pipe: PipeOption = False,
    sample: SampleOption = False,
    home: HomeOption = None,
    url: Annotated[
        str | None, typer.Option(help="Talk with the services at this address instead: the gateway's.")
    ] = None,
    inference: Annotated[str | None, typer.Option(help="With --url: where the inference service is.")] = None,
    workspace: Annotated[str | None, typer.Option(help="With --url: where the conversations are kept.")] = None,
    thread: Annotated[str | None, typer.Option(help="Go on with this stored conversation, by its id.")] = None,
    token: Annotated[str, typer.Option(envvar="SAYSO_TOKEN", help="With --url: an API token (sayso tokens add).")] = "",
) -> None:
    """Talk with your records. An empty line, /quit or Ctrl-D ends. `/image FILE` attaches one to the next question."""
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]
        fail("Standard input is closed: chat has nothing to read from. For one question: sayso ask")
        raise typer.Exit(1)
    if url is not None:
        from sayso.cli.chat_remote import Elsewhere, chat_remote

        chat_remote(Elsewhere(url, inference, workspace), token, from_pipe=approve_from_pipe, thread=thread)
        return
    flags = {"model": model, "home": home, "sample": sample}
    asyncio.run(_chat(Screen(sources, verbose), flags, thread, from_pipe=approve_from_pipe))


async def _chat(screen: Screen, flags: dict[str, Any], thread: str | None, *, from_pipe: bool) -> None:
    async with opened(flags) as assistant:
        err.print(f"[dim]{assistant.model_name}: {assistant.model_reason}. An empty line ends; /help.[/]")
        if thread is not None:
            await assistant.threads.get(LOCAL_USER.desk, thread)  # said now, not after the first question
        images: tuple[Attachment, ...] = ()
        while question := await _question():
            if path := attaching(question):
                images = with_image(images, path)
                continue
            if is_command(question):
                if question == "/quit":
                    break
                tell_commands(question)
                continue
            told, thread = await _exchange(assistant, screen, question, thread, images)
            images = ()
            for numbered in told.facts.values():
                if numbered.fact.kind.name == "proposal" and numbered.fact.values.get("state") == "pending":
                    await decide(assistant, str(numbered.fact.values["proposal_id"]), from_pipe=from_pipe)


async def _question() -> str:
    try:
        return (await typed("\n> ")).strip()
    except EOFError:
        return ""


async def _exchange(
    assistant: Assistant, screen: Screen, question: str, thread: str | None, images: tuple[Attachment, ...]
) -> tuple[Told, str | None]:
    told = Told()
    with screen:
        async with aclosing(assistant.ask(question, actor=LOCAL_USER, thread_id=thread, images=images)) as events:
            async for event in events:
                told.take(event)
                screen.show(event)
                if isinstance(event, RunStarted):
                    thread = event.thread_id
    out.print()
    if told.error is not None:
        fail(f"{told.error.code}: {told.error.message}")
    screen.show_withheld(told)
    screen.show_sources(told)
    return told, thread
