"""Small people, tools and a proposal filer that the core's tests share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel

from sayso.core.facts import PROPOSAL, Fact, FactKind, Field, FieldType
from sayso.core.messages import ToolCall
from sayso.core.proposals import Change
from sayso.core.tools import Actor, ProposeResult, ReadResult, Tool, ToolContext, define_tool

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)

PERSON = FactKind(
    "person",
    (
        Field("name"),
        Field("affiliation", words=("affiliation", "works at", "company")),
        Field("role", words=("role", "works as")),
        Field("channels", FieldType.LIST, words=("phone", "e-mail", "reach")),
        Field("birthday", words=("birthday", "born")),
    ),
    subject="name",
    words=("person", "people", "contact", "contacts"),
)


def person(name: str, key: str, **values: Any) -> Fact:
    return PERSON.fact({"name": name, **values}, source="people", key=key, as_of=NOW)


ELENA = person("Elena Weber", "p1", affiliation="SINGA Switzerland", channels=("whatsapp +41 77 473 00 93",))
ILYA = person("Ilya Druzhnikov", "p2", channels=("email ilya@druzhnikov.example",))
MARA = person("Mara Lindt", "p3", role="architect", channels=("phone +41 79 555 01 02",), birthday="1981-04-07")
PEOPLE = (ELENA, ILYA, MARA)


class Query(BaseModel):
    query: str


class Nothing(BaseModel):
    pass


class Message_(BaseModel):
    person: str
    text: str = ""


async def search_people(arguments: Query, context: ToolContext) -> ReadResult:
    words = arguments.query.lower().split()
    found = tuple(p for p in PEOPLE if set(words) & set(p.subject.lower().split()))
    return ReadResult(found, len(found), len(PEOPLE))


async def list_everyone(arguments: Nothing, context: ToolContext) -> ReadResult:
    return ReadResult(PEOPLE, len(PEOPLE), len(PEOPLE))


async def propose_message(arguments: Message_, context: ToolContext) -> ProposeResult:
    return ProposeResult(Change("message", f"Message to {arguments.person}", {"text": arguments.text}))


SEARCH = define_tool(
    "search_people", kind="read", description="Find people by name.", arguments=Query, run=search_people,
    example={"query": "Elena"}, covers=PERSON, words=("who",), takes_name="query",
)  # fmt: skip
EVERYONE = define_tool(
    "list_people", kind="read", description="List all people.", arguments=Nothing, run=list_everyone,
    example={}, covers=PERSON,
)  # fmt: skip
PROPOSE = define_tool(
    "propose_message", kind="propose", description="Propose a message.", arguments=Message_, run=propose_message,
    example={"person": "Elena", "text": "Hello"},
)  # fmt: skip


async def file_proposal(change: Change, tool: Tool, call: ToolCall, context: ToolContext) -> tuple[Fact, bool]:
    values = {"title": change.title, "state": "pending", "action": change.action, "proposal_id": "prop_1"}
    return PROPOSAL.fact(values, source="proposals", key="prop_1", as_of=NOW), False


ACTOR = Actor("user", "user")
