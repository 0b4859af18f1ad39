"""The line protocol as a grammar (GBNF), made from a tool catalogue: either calls or a plain answer.

    TOOL: search_people
    ARGS: {"query": "Elena"}

A model that is held by it cannot name a tool that is not on offer, forget an argument or write one of
the wrong type; nor can its answer hold anything that would be read as a call. Knows no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from sayso.core.protocols.grammar_schema import MOST, TEXT, SchemaRules
from sayso.core.protocols.grammar_text import START, Phrases, prose_rules, without
from sayso.core.tools import Tool, ToolKind

CALLS = 4  # as many as the loop runs in one step

# Beginnings of calls in any family of models, with names that are on no list: an answer has no use for them.
_OPENERS = (
    "tool:", "tool :", "tool：", "tool*", "tool`", "tool_:", "\naction:", "action input:",
    "<|", "<｜", "<tool", "<function", "<invoke", "<param", "<arg_", "<call", "<start_", "<longcat", "<seed:",
    "<minimax:", "<dots_", "<atem:", "<ifm", "<antml", "<steptml", "<think", "<reasoning", "</think", "</reasoning",
    "]<]", "[tool_", "[tool ", "[calling", "[args]", "[call_", "functools[", "functions.", "default_api.", "✿",
    "to=", "tool_call", "function_call", "tool_name", "tool_code",
)  # fmt: skip
# After a tool's name that is an ordinary word, these make it look like a call.
_AFTER_WORD = ("(", "{", "[", '"', "'", "`", "*", ">", ":", "=", "\n", " (", " {", ' "', " =", " :")


class Look(StrEnum):
    """What a reply may be: calls or an answer, one call and nothing else, an answer alone."""

    OPEN = "open"
    FIRST = "first"
    CLOSED = "closed"


def call_grammar(tools: Sequence[Tool], look: Look = Look.OPEN) -> str:
    """The grammar of one reply. Without tools there is nothing to call."""
    if look is Look.CLOSED or not tools:
        return f"root ::= {START}\n{prose_rules(answer_phrases(tools))}"
    rules = SchemaRules()
    lines = [_call(rules, f"t{index}", tool) for index, tool in enumerate(tools)]
    names = " | ".join(f"t{index}" for index in range(len(tools)))
    root = f'call ("\\n" call){{0,{CALLS - 1}}}' if look is Look.OPEN else "call"
    if look is Look.OPEN:
        root = f"{root} | {START}"
        lines.append(prose_rules(answer_phrases(tools)))
    return "\n".join((f"root ::= {root}", f'call ::= "TOOL: " ({names})', *lines, rules.written()))


def answer_phrases(tools: Sequence[Tool]) -> Phrases:
    """What an answer may not hold: names of tools, and what begins a call elsewhere."""
    barred: list[str] = list(_OPENERS)
    for tool in tools:
        if "_" in tool.name:  # no word of any language
            barred.append(tool.name)
        else:
            barred += [tool.name + after for after in _AFTER_WORD]
            barred += [f"{tool.name} {key}{after}" for key in tool.schema.get("properties", {}) for after in "=:"]
    return without(barred)


def _call(rules: SchemaRules, rule: str, tool: Tool) -> str:
    # Free text may be long; a name or a query is not, and a weak model would go on for ever.
    texts = {tool.takes_text: MOST} if tool.takes_text and tool.kind is ToolKind.PROPOSE else {}
    arguments = rules.add(f"{rule}-a", tool.schema, text=TEXT, texts=texts)
    return f'{rule} ::= "{tool.name}\\nARGS: " {arguments}'
