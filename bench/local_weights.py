"""Local weights: the right tool of 16 questions, free and held by the grammar, and tokens a second of one core.

    python -m bench.local_weights [PATH.gguf]

The first eight questions were looked at while the prompt was written; the other eight were not.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from sayso.core.messages import Message, Role, TextPart
from sayso.core.ports import ModelRequest, ReplyEnd, TextChunk
from sayso.core.prompts import system_prompt
from sayso.core.protocols.reading import read_text
from sayso.core.runner import parse_arguments
from sayso.core.tools import Tool
from sayso.errors import SaysoError
from sayso.models.local import carried_weights, local_model
from sayso.store.database import open_database
from sayso.workspace.tools import workspace_tools
from sayso.workspace.workspace import Settings, Workspace

SEEN = (
    ("Who is Elena?", "search_people"),
    ("What habits do I have?", "list_habits"),
    ("Which projects are active?", "list_projects"),
    ("What is due in the next 7 days?", "list_commitments"),
    ("How far are my goals?", "list_goals"),
    ("What did we decide about the database?", "search_knowledge"),
    ("Remind me to call Elena on Friday.", "propose_action"),
    ("How do I reach Ilya?", "search_people"),
)
UNSEEN = (
    ("Which people work at SINGA?", "search_people"),
    ("Show my streaks.", "list_habits"),
    ("Is any project paused?", "list_projects"),
    ("What tasks are overdue?", "list_commitments"),
    ("Which goals are behind?", "list_goals"),
    ("Find the meeting notes about hosting.", "search_knowledge"),
    ("Draft an e-mail to Elena about the lease.", "propose_action"),
    ("What is Mara's phone number?", "search_people"),
)
WAYS = {"free": (False, False), "held": (True, False), "held, looks up first": (True, True)}


async def measure(path: str) -> dict[str, object]:
    tools = workspace_tools(Workspace(open_database("sqlite://"), defaults=Settings("Europe/Zurich")))
    found: dict[str, object] = {"model": path}
    for name, (held, first) in WAYS.items():
        model = local_model(path, {"SAYSO_MODEL_THREADS": "1"}, held=held)
        model.looks_up_first = first
        try:
            found[name] = {
                "seen": await _asked(model, tools, SEEN), "unseen": await _asked(model, tools, UNSEEN),
            }  # fmt: skip
        finally:
            await model.aclose()
    return found


async def _asked(model, tools: Sequence[Tool], questions: Sequence[tuple[str, str]]) -> dict[str, object]:
    by_name = {tool.name: tool for tool in tools}
    right = calls = valid = written = 0
    seconds = 0.0
    for question, wanted in questions:
        text, begun = "", 0.0
        async for event in model.stream(_request(question, tools)):
            if isinstance(event, TextChunk):
                text, begun = text + event.text, begun or time.process_time()
            elif isinstance(event, ReplyEnd):
                written += event.usage.output_tokens
                seconds += time.process_time() - (begun or time.process_time())
        reading = read_text(text, by_name)
        calls += len(reading.calls)
        valid += sum(parse_arguments(by_name[call.name], call.arguments) is not None for call in reading.calls)
        right += bool(reading.calls) and reading.calls[0].name == wanted
    told = {"questions": len(questions), "right": right, "calls": calls, "valid": valid}
    return told if calls else {**told, "tokens_per_cpu_second": round(written / max(seconds, 0.001), 1)}


def _request(question: str, tools: Sequence[Tool]) -> ModelRequest:
    now = datetime.now(ZoneInfo("Europe/Zurich"))
    return ModelRequest(
        system=system_prompt(now), messages=(Message("m", Role.USER, (TextPart(question),), "e"),), tools=tuple(tools),
        tools_open=True, shown=(), hint="", now=now, locale="en", seconds_left=120.0, max_output_tokens=80,
    )  # fmt: skip


if __name__ == "__main__":
    given = (
        sys.argv[1] if len(sys.argv) > 1 else str(carried_weights() or sys.exit("no weights: make test brings them"))
    )
    try:
        print(json.dumps(asyncio.run(measure(given)), indent=1))
    except SaysoError as wrong:
        sys.exit(str(wrong))
