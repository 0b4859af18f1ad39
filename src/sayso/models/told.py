"""An error body as providers, servers and routers write it: its words, its status, and what it carries along.

Knows the shapes only; what the words mean is `refusals`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sayso.models.wires.reading import as_list, as_object, as_text, escaped

_LONGEST = 4_000  # characters of wording that are looked at
_FIELD = "failed_generation"
_DEEPEST, _BRACES = 8, 20  # how far that is looked for
_REGAINED = re.compile(r"regain access on (\d{4}-\d\d-\d\d)", re.IGNORECASE)
# Beside the message: the names of an error, its details, and what a router passes on.
_BESIDE = ("code", "type", "status", "param", "details", "metadata", "n_ctx", "n_prompt_tokens")
_STATUS = re.compile("[45][0-9][0-9]")
_PAGE = ("<!doctype", "<html", "<head", "<title", "<body")
_JSON = json.JSONDecoder()


@dataclass(frozen=True)
class Told:
    """`message` is for a person; `words` hold the names and details of the error too.

    A page of HTML (`is_page`) is no message: some proxy wrote it, for a browser.
    """

    message: str
    words: str
    status: int
    generation: str | None
    is_page: bool = False

    @cached_property
    def low(self) -> str:
        return self.words.lower()

    @property
    def said(self) -> str:
        """The provider's words in brackets, fit for a log and a terminal."""
        return f" ({escaped(self.message)})" if self.message.strip() else ""

    @property
    def regained(self) -> bool:
        """Whether the provider says on which day it will answer again."""
        return _REGAINED.search(self.words) is not None

    def has(self, *words: str) -> bool:
        return any(word in self.low for word in words)


def told_in(text: str) -> Told:
    """What a body tells. Any text is taken: one that is no JSON is its own message."""
    document = _document(text)
    if document is None:
        page = text.lstrip()[:200].lower().startswith(_PAGE)
        return Told("" if page else text[:_LONGEST], text[:_LONGEST], 0, _generation(text), page)
    error = document.get("error") if document.get("error") else document
    inner = as_object(error) or {}
    message = as_text(inner.get("message")) or str(inner.get("message") or inner.get("detail") or error)
    if isinstance(error, str) and error.strip():
        message = error
    beside = {key: inner[key] for key in _BESIDE if key in inner}
    words = f"{message[:_LONGEST]} {json.dumps(beside, ensure_ascii=False)[:_LONGEST]}"
    return Told(message, words, _status(inner), _generation(text))


def _document(text: str) -> dict[str, Any] | None:
    """The error's object; some send it in a list."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return as_object(as_list(value)[0] if isinstance(value, list) and value else value)


def _status(error: dict[str, Any]) -> int:
    """The status that an error names itself: one in a stream has no other."""
    for key in ("status_code", "code", "status"):
        value = error.get(key)
        if isinstance(value, str) and _STATUS.fullmatch(value):
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 400 <= value < 600:
            return value
    return 0


def _generation(text: str) -> str | None:
    """What the model wrote, where a provider hands it on; routers wrap it in a message of their own, escaped once more.

    "" where the field is there and empty; None where it is not there.
    """
    if _FIELD not in text:
        return None
    found = _found_in(text, 0)
    return as_text(found)


def _found_in(value: Any, depth: int) -> Any:
    """The field wherever it stands, also in JSON inside a text."""
    if depth > _DEEPEST:
        return None
    if isinstance(value, str):
        values = _objects_in(value) if _FIELD in value else []
    elif (document := as_object(value)) is not None:
        if _FIELD in document:
            return document[_FIELD]
        values = list(document.values())
    else:
        values = as_list(value)
    return next((found for inner in values if (found := _found_in(inner, depth + 1)) is not None), None)


def _objects_in(text: str) -> list[Any]:
    """The first JSON object in a text, or that of the first brace from which one can be read."""
    start = text.find("{")
    for _ in range(_BRACES):
        if start < 0:
            break
        try:
            return [_JSON.raw_decode(text, start)[0]]
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
    return []
