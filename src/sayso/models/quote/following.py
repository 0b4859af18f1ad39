"""Follow-ups: "and her e-mail?", "what do I owe him?", "and Zoë?" are read by the exchange before them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sayso.core.evidence import Numbered
from sayso.core.tools import Tool
from sayso.models.quote.focus import asked_fields
from sayso.models.quote.found import Exchange
from sayso.models.quote.phrases import plural_of
from sayso.models.quote.question import Question, read_question
from sayso.models.quote.typed import plainly
from sayso.models.quote.words import PRONOUNS, tokens

_AND = re.compile(
    r"^\W*(?:and|und|what about|how about|was ist mit|wie sieht es (?:aus )?mit|wie steht es um)\s+"
    r"(?P<name>[^?!.,]{2,60})\W*$",
    re.IGNORECASE,
)
_THEM = frozenset({"them", "those", "these", "davon", "ihnen"})
_IT = frozenset({"it", "its", "es", "this", "that"})


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads questions by one catalogue and the records that are known."""

    tools: Sequence[Tool]
    known: Sequence[Numbered]
    locale: str
    now: datetime

    def read(self, text: str, *known: Numbered, language: str = "") -> Question:
        return read_question(text, self.tools, (*self.known, *known), language or self.locale, self.now)


def follow_up(exchange: Exchange, reader: Reader) -> Question:
    """The question, with what it leaves to the exchange before it put in its place."""
    question = reader.read(exchange.question)
    if not exchange.before and exchange.told_of is None:
        return question
    if (named := _same_of_another(exchange, question, reader)) is not None:
        return named
    told = exchange.told_of
    several = next((t for t in question.tokens if t.key in _THEM), None)
    if told is not None and several and not question.rest:
        noun = plural_of(told.fact.kind, question.language)
        text = f"{question.text[: several.start]}{noun}{question.text[several.end :]}"
        return reader.read(text, language=question.language)
    if told is None or question.rest or not question.has_pronoun or asked_fields(told.fact.kind, question):
        return question
    at = next((t for t in question.tokens if t.key in PRONOUNS and t.key not in _IT), None)
    if at is None:
        return question
    text = f"{question.text[: at.start]}{told.fact.subject}{question.text[at.end :]}"
    return reader.read(text, told, language=question.language)


def _same_of_another(exchange: Exchange, question: Question, reader: Reader) -> Question | None:
    """ "And Zoë?": the question before, about Zoë; None when the words ask for something themselves."""
    match = _AND.match(question.text)
    if match is None or not exchange.before or question.has_pronoun:
        return None
    name = match.group("name").strip()
    before = reader.read(exchange.before)
    text = unicodedata.normalize("NFC", plainly(exchange.before))
    if question.on and len(question.on.place) >= len(name) and before.on:  # "and next week?"
        replaced = f"{text[: before.on.place.start]} {name}{text[before.on.place.stop :]}"
        return reader.read(replaced, language=before.language)
    if len(question.rest) != len(tokens(name)) or not before.rest:
        return None
    replaced = f"{text[: before.rest[0].start]}{name}{text[before.rest[-1].end :]}"
    return reader.read(replaced, language=before.language)
