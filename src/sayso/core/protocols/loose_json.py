"""Almost-JSON as models write it, read without guessing a value.

Cheapest first: strict JSON; then trailing commas, comments, single and smart quotes, Python
literals, raw line breaks in strings, missing last closers. A value that was cut off is no value.
"""

from __future__ import annotations

import json
from typing import Any, cast

_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_QUOTES = {'"': '"', "'": "'", "“": "”", "”": "”", "„": "“", "‘": "’", "`": "`"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_MAX_DEPTH = 32


class _Broken(ValueError):
    pass


def read_object(text: str, position: int) -> tuple[dict[str, Any], int] | None:
    """The object that starts at `position` and the offset after it, or None when it is not whole."""
    value: Any
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text, position)
        return (cast("dict[str, Any]", value), end) if isinstance(value, dict) else None
    except (ValueError, RecursionError):
        pass
    try:
        value, end = _Reader(text).value(position, 0)
    except (_Broken, IndexError):
        return None
    return (cast("dict[str, Any]", value), end) if isinstance(value, dict) else None


class _Reader:
    """A small recursive reader over one text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        if depth > _MAX_DEPTH:
            raise _Broken("too deep")
        at = self._space(at)
        char = self.text[at]
        if char == "{":
            return self._object(at + 1, depth)
        if char == "[":
            return self._list(at + 1, depth)
        if char in _QUOTES:
            return self._string(at)
        return self._word(at)

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        while True:
            at = self._space(at, over=",")
            if at >= len(self.text):  # only the closer is missing
                return found, at
            if self.text[at] == "}":
                return found, at + 1
            key, at = self._key(at)
            at = self._space(at)
            if self.text[at] not in ":=":
                raise _Broken("no colon")
            found[key], at = self.value(at + 1, depth + 1)
            self._need_end_of_value(at)

    def _list(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        while True:
            at = self._space(at, over=",")
            if at >= len(self.text):
                return found, at
            if self.text[at] == "]":
                return found, at + 1
            if self.text[at] == "}":  # the list's closer is missing
                return found, at
            item, at = self.value(at, depth + 1)
            found.append(item)
            self._need_end_of_value(at)

    def _need_end_of_value(self, at: int) -> None:
        at = self._space(at)
        if at < len(self.text) and self.text[at] not in ",}]":
            raise _Broken("text after a value")

    def _key(self, at: int) -> tuple[str, int]:
        if self.text[at] in _QUOTES:
            return self._string(at)
        end = at
        while end < len(self.text) and (self.text[end].isalnum() or self.text[end] in "_-"):
            end += 1
        if end == at:
            raise _Broken("no key")
        return self.text[at:end], end

    def _string(self, at: int) -> tuple[str, int]:
        closer = _QUOTES[self.text[at]]
        out: list[str] = []
        at += 1
        while True:
            char = self.text[at]
            if char == "\\":
                piece, at = self._escape(at + 1)
                out.append(piece)
            elif char == closer and self._closes(at):
                return "".join(out), at + 1
            else:
                out.append(char)
                at += 1

    def _closes(self, at: int) -> bool:
        """An apostrophe inside a single-quoted text does not close it."""
        if self.text[at] not in "'’":
            return True
        rest = self._space(at + 1)
        return rest >= len(self.text) or self.text[rest] in ",}]:="

    def _escape(self, at: int) -> tuple[str, int]:
        char = self.text[at]
        if char == "u":
            try:
                return chr(int(self.text[at + 1 : at + 5], 16)), at + 5
            except ValueError as wrong:
                raise _Broken("bad escape") from wrong
        return _ESCAPES.get(char, char), at + 1

    def _word(self, at: int) -> tuple[Any, int]:
        end = at
        while end < len(self.text) and (self.text[end].isalnum() or self.text[end] in "+-._"):
            end += 1
        word = self.text[at:end]
        if word in _WORDS:
            return _WORDS[word], end
        if end >= len(self.text):
            raise _Broken("cut off")
        try:
            return (int(word) if word.lstrip("+-").isdigit() else float(word)), end
        except ValueError as wrong:
            raise _Broken("not a value") from wrong

    def _space(self, at: int, over: str = "") -> int:
        text = self.text
        while at < len(text):
            if text[at].isspace() or text[at] in over:
                at += 1
            elif text.startswith("//", at) or text[at] == "#":
                at = _line_end(text, at)
            elif text.startswith("/*", at):
                end = text.find("*/", at)
                at = len(text) if end < 0 else end + 2
            else:
                return at
        return at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
