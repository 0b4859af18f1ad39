"""`ask_agent`: another agent behind an OpenAI-compatible address. Its words are second-hand facts.

Asking leaves the system, so it is a proposal unless the operator declares the agent read-only.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sayso.core.facts import SECOND_HAND, Fact, Provenance
from sayso.core.proposals import Change
from sayso.core.tools import ProposeResult, ReadResult, Tool, ToolContext, ToolKind, define_tool
from sayso.errors import ConfigError, SaysoError
from sayso.workspace.tools.arguments import MaybeText, ToolArguments

ANSWER_LIMIT = 8_000
BYTES_LIMIT = 2_000_000


class AgentFailed(SaysoError):
    """The other agent gave no usable answer."""

    code = "agent_failed"


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """Where the other agent is: `url` up to and with `/v1`, or the whole chat completions address."""

    url: str
    model: str = "default"
    token: str | None = field(default=None, repr=False)
    name: str = "agent"
    read_only: bool = False
    seconds: float = 60.0

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise ConfigError(f"agent_url {self.url!r} is no http(s) address")

    @property
    def endpoint(self) -> str:
        base = self.url.rstrip("/")
        return base if base.endswith("/chat/completions") else f"{base}/chat/completions"


class AgentArguments(ToolArguments):
    question: str
    agent: MaybeText = None


def ask_agent_tool(settings: AgentSettings | None) -> Tool:
    async def propose(arguments: AgentArguments, context: ToolContext) -> ProposeResult:
        if settings is None:
            return ProposeResult(None)
        change = Change(
            "agent.ask",
            f"Ask {settings.name}: {arguments.question[:80]}",
            {"agent": settings.name, "question": arguments.question},
        )
        return ProposeResult(change)

    async def read(arguments: AgentArguments, context: ToolContext) -> ReadResult:
        assert settings is not None
        answer = await ask(settings, arguments.question)
        return ReadResult((agent_fact(settings.name, arguments.question, answer, context.now),), 1, 1)

    reads = settings is not None and settings.read_only
    description = f"Ask another agent ({settings.name}) a question." if settings else "Not configured: no other agent."
    return define_tool(
        "ask_agent",
        kind=ToolKind.READ if reads else ToolKind.PROPOSE,
        description=description,
        arguments=AgentArguments,
        run=read if reads else propose,
        example={"question": "What is the status of the deployment?"},
        covers=SECOND_HAND if reads else None,
        words=("ask the agent", "other agent", "frag den agenten", "anderen agenten"),
        takes_text="question",
        can_leave=True,
        title="Asking another agent",
    )


def agent_fact(agent: str, question: str, answer: str, now: datetime) -> Fact:
    return SECOND_HAND.fact(
        {"agent": agent, "asked": question, "answer": answer[:ANSWER_LIMIT]},
        source=f"agent {agent}",
        key=f"{agent}: {question}",
        as_of=now,
        provenance=Provenance.SECOND_HAND,
    )


async def ask(settings: AgentSettings, question: str) -> str:
    """The agent's answer. Raises AgentFailed; follows no redirect, since they would carry the token away."""
    import aiohttp  # slow to import, seldom needed

    body = {"model": settings.model, "messages": [{"role": "user", "content": question}], "stream": False}
    headers = {"Authorization": f"Bearer {settings.token}"} if settings.token else {}
    timeout = aiohttp.ClientTimeout(total=settings.seconds)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.post(settings.endpoint, json=body, headers=headers, allow_redirects=False) as response,
        ):
            data = await response.content.read(BYTES_LIMIT)
            if response.status != 200:
                raise AgentFailed(f"{settings.name} answered with status {response.status}")
    except (aiohttp.ClientError, TimeoutError) as fault:
        raise AgentFailed(f"{settings.name} could not be reached: {type(fault).__name__}") from fault
    return _content(settings.name, data)


def _content(name: str, data: bytes) -> str:
    try:
        document: Any = json.loads(data)
        content = document["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError) as wrong:
        raise AgentFailed(f"{name} gave no chat completion") from wrong
    if not isinstance(content, str) or not content.strip():
        raise AgentFailed(f"{name} gave an empty answer")
    return content.strip()
