"""Messages that are no questions about records, and requests that need a language model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sayso.core.evidence import Numbered
from sayso.core.facts import FieldType
from sayso.core.tools import Tool, ToolKind
from sayso.models.quote.phrases import label_of, plural_of, text

_ANY = re.IGNORECASE | re.DOTALL
_END = r"(?:[\s,!.]+(?:there|sayso|all|everyone|again|you|zusammen|nochmal))*[\s!.?,:;)(👋🙏🙂😊]*$"
_TALK: tuple[tuple[str, str], ...] = (
    (
        "hello",
        r"(?:hello|hi+|hey|hiya|good (?:morning|afternoon|evening)|howdy|hallo|hoi|grüezi|gruezi|servus|moin|"
        r"guten (?:tag|morgen|abend)|grüss dich|salut)",
    ),
    (
        "thanks",
        r"(?:(?:many |ok(?:ay)?,? |great,? |perfect,? )?thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|cheers|"
        r"(?:vielen |besten |herzlichen )?danke?(?: (?:schön|dir|sehr|vielmals|ihnen))?|merci)",
    ),
    (
        "bye",
        r"(?:bye+|goodbye|good night|see you(?: later| soon)?|ciao|tschüss|tschüs|auf wiedersehen|"
        r"bis (?:bald|später|dann))",
    ),
    (
        "ok",
        r"(?:ok(?:ay)?|alright|all right|fine|good|great|cool|nice|yes|no|yep|nope|sure|ja|nein|gut|super|klar|"
        r"prima|genau|alles klar)",
    ),
    (
        "help",
        r"(?:help(?: me)?|hilfe|what can (?:you|i) (?:do|ask)(?: .{0,30})?|who are you|what are you|what do you do|"
        r"how does this work|what is this|was kannst du(?: .{0,30})?|wer bist du|was bist du|"
        r"was kann ich (?:dich )?fragen|wie funktioniert das|kannst du mir helfen|can you help(?: me)?)",
    ),
)
_COMPILED = tuple((name, re.compile(rf"^\W*{shape}{_END}", _ANY)) for name, shape in _TALK)
_CREATIVE = re.compile(
    r"\b(haiku|poem|poetry|limerick|sonnet|story|essay|joke|lyrics|song|translate|translation|paraphrase|rephrase|"
    r"rewrite|proofread|brainstorm|summari[sz]e|gedicht|"
    r"geschichte schreib\w*|aufsatz|witz|liedtext|übersetze?n?|übersetzung|"
    r"umformulier\w*|formuliere?|korrigiere?|fasse? .{0,60}zusammen|explain|erkläre?n?)\b"
    r"|^\W*(?:please |bitte )?(?:write|compose|schreibe?|verfasse|code|program) ",
    _ANY,
)


def small_talk(message: str) -> str | None:
    """Which kind of talk the message is, or None."""
    if len(message) > 120:
        return None
    return next((name for name, shape in _COMPILED if shape.match(message)), None)


def needs_model(message: str) -> bool:
    """Whether it asks for writing, translating or explaining."""
    return bool(_CREATIVE.search(message[:500]))


def overview_tools(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """Up to two reads that need no arguments: the user's own data, for questions to suggest."""
    return tuple(t for t in tools if t.kind is ToolKind.READ and not t.required and not t.can_leave)[:2]


def suggestions(facts: Sequence[Numbered], tools: Sequence[Tool], language: str) -> tuple[str, ...]:
    """Three questions that the user's own records answer: one each of different kinds where possible."""
    hidden = {"lookup", "proposal", "receipt", "provided", "agent_answer"}
    by_kind: dict[str, Numbered] = {}
    for numbered in facts:
        if numbered.fact.kind.name not in hidden:
            by_kind.setdefault(numbered.fact.kind.name, numbered)
    firsts = list(by_kind.values())
    rest = [n for n in facts if n not in firsts and n.fact.kind.name not in hidden]
    kinds = [t.covers for t in tools if t.kind is ToolKind.READ and t.covers and not t.required]
    asked = [_question_on(n, language) for n in firsts[:3]]
    asked += [text(language, "q_list", kinds=plural_of(k, language)) for k in kinds if k.name not in by_kind]
    asked += [_question_on(n, language) for n in rest]
    return tuple(dict.fromkeys(asked))[:3]


def _question_on(numbered: Numbered, language: str) -> str:
    fact = numbered.fact
    for wanted in (FieldType.QUANTITY, FieldType.TEXT):
        for field in fact.kind.fields:
            if field.type is wanted and field.name in fact.values and field.name != fact.kind.subject and field.words:
                return text(language, "q_field", label=label_of(field, language), subject=fact.subject)
    return text(language, "q_about", subject=fact.subject)
