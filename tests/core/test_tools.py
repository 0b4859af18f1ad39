"""Declaring tools: two kinds exist, and nothing that executes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from pydantic import BaseModel

import sayso.core
from sayso.core.facts import LOOKUP
from sayso.core.tools import Actor, ReadResult, Registry, ToolContext, ToolKind, define_tool
from sayso.errors import DeclarationError


class Query(BaseModel):
    query: str


async def run(arguments: Query, context: ToolContext) -> ReadResult:
    return ReadResult((), 0, 0)


def declare(name: str = "find", **changes: object):
    given = {
        "kind": "read",
        "description": "d",
        "arguments": Query,
        "run": run,
        "example": {"query": "x"},
        "covers": LOOKUP,
    }
    return define_tool(name, **{**given, **changes})  # pyright: ignore


def test_only_two_tool_kinds_exist() -> None:
    assert {kind.value for kind in ToolKind} == {"read", "propose"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"kind": "execute"}, "nothing executes"),
        ({"kind": "write"}, "read or propose"),
        ({"pure": False}, "changes nothing"),
        ({"covers": None}, "fact kind"),
        ({"example": {"q": 1}}, "example"),
        ({"name": "no good"}, "letters"),
    ],
)
def test_a_wrong_declaration_says_what_to_do(changes: dict[str, object], words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        declare(**changes)


def test_a_tool_knows_its_own_form() -> None:
    tool = declare()
    assert tool.example_line == 'TOOL: find\nARGS: {"query": "x"}'
    assert tool.required == ("query",)
    assert tool.permission == "read:find"
    assert tool.schema["properties"] == {"query": {"type": "string"}}


def test_a_registry_offers_what_a_person_may_use() -> None:
    registry = Registry([declare("find_people"), declare("find_goals", permission="goals")])
    mine = registry.for_actor(Actor("a", "a", frozenset({"goals"})))
    assert [tool.name for tool in mine] == ["find_goals"]
    assert len(registry.for_actor(Actor("a", "a"))) == 2
    assert registry.get("find_people") is not None
    assert registry.get("nobody") is None
    assert registry.near("find_peple")[0] == "find_people"
    assert registry.kinds == (LOOKUP,)


def test_the_core_holds_no_executing_path() -> None:
    """The loop can neither approve nor execute: no such call, and no import of what could."""
    for path in Path(sayso.core.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text())
        called = {
            node.func.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        }
        assert not called & {"execute", "approve", "commit", "send"}, path
        imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert all(
            module.startswith(("sayso.core", "sayso.errors")) for module in imported if module.startswith("sayso")
        )
