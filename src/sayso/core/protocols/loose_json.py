"""Almost-JSON as models write it, read without guessing a value.

Cheapest first: strict JSON; then trailing and missing commas, comments, single and smart quotes, Python
literals, raw line breaks and unescaped quotation marks in strings, missing last closers. A value that was
cut off is no value. The same reader takes the arguments of a call written as code, and the braces of the
Gemma models with their own string marks. It knows nothing of tools.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, cast

_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_QUOTES = {'"': '"', "'": "'", "“": "”", "”": "”", "„": "“", "‘": "’", "`": "`"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_MAX_DEPTH = 32
_LONGEST = 64_000  # characters; a longer text is read as strict JSON or not at all
_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?(?:\*/|\Z)|#[^\n]*)*", re.DOTALL)
_COMMAS = re.compile(r"(?:[\s,]|//[^\n]*|/\*.*?(?:\*/|\Z)|#[^\n]*)*", re.DOTALL)
_KEY = re.compile(r"[^\W\d][\w.$-]*|\d[\w-]*")
_WORD = re.compile(r"[\w+.-]+")
_ZEROS = re.compile(r"-?0\d")
_MOST_DIGITS = 4_000
_NUMBER = re.compile(r"[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_AFTER_STRING = re.compile(r"""\s*(?:[,}\])]|\Z|</|<\||```|//|/\*|\#|["'“„]?[\w-]+["'”“]?\s*[:=])""")
_SET = re.compile(r"\{\s*(?:\"[^\"\n]*\"|'[^'\n]*'|[\w.+-]+)\s*[,}]")
_AFTER_KEY = re.compile(r"\s*[:=]")
_PYTHON_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_BAD_ESCAPE = re.compile(r"""\\(?:u(?![0-9a-fA-F]{4})|[^"'\\/bfnrtu\n`”“’])""")


class Broken(ValueError):
    """What stands here is no whole value."""


class Repeated(Broken):
    """A key stands twice with two values: which one was meant is not ours to say."""


def read_value(text: str, at: int, *, closed: bool = False) -> tuple[Any, int]:
    """The object, list or text that starts at `at`, and the offset after it. Raises Broken when it is not whole.

    `closed`: a mark after the text shows that nothing was cut, so that a number may be its last word.
    """
    try:
        return _STRICT.raw_decode(text, at)
    except Repeated:
        raise
    except (ValueError, RecursionError):
        pass
    if len(text) - at > _LONGEST:
        text = text[: at + _LONGEST]
    try:
        return Reader(text, closed=closed).value(at, 0)
    except IndexError:
        raise Broken("cut off") from None


def read_object(text: str, position: int) -> tuple[dict[str, Any], int] | None:
    """The object that starts at `position` and the offset after it, or None when it is not whole."""
    try:
        value, end = read_value(text, position)
    except Broken:
        return None
    return (cast("dict[str, Any]", value), end) if isinstance(value, dict) else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        _put(found, key, value)
    return found


def _put(found: dict[str, Any], key: str, value: Any) -> None:
    if key in found and found[key] != value:
        raise Repeated(f"two values for {key!r}")
    found[key] = value


def finite(digits: str) -> float:
    """Raises Broken for what JSON has no number for."""
    number = float(digits)
    if not math.isfinite(number):
        raise Broken("no number")
    return number


def _number(digits: str) -> Any:
    """A number; but a text where its zeros or its plus would be lost (a phone number), for the schema to decide."""
    if digits.startswith("+") or _ZEROS.match(digits):
        return digits
    if not digits.lstrip("-").isdigit():
        return finite(digits)
    if len(digits) > _MOST_DIGITS:
        raise Broken("no number")
    return int(digits)


_STRICT = json.JSONDecoder(strict=False, object_pairs_hook=_once, parse_float=finite, parse_constant=finite)


class Reader:
    """A small recursive reader over one text. `marks` are strings' own marks, as Gemma writes them.

    `bare`: a text without marks is a text, up to the next comma or closer. `code`: texts are Python's.
    """

    def __init__(
        self,
        text: str,
        *,
        closed: bool = False,
        marks: Mapping[str, str] | None = None,
        bare: bool = False,
        code: bool = False,
    ) -> None:
        self.text, self.closed, self.marks, self.bare, self.code = text, closed, marks or {}, bare, code

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        if depth > _MAX_DEPTH:
            raise Broken("too deep")
        at = self.space(at)
        char = self.text[at]
        for mark, closer in self.marks.items():
            if self.text.startswith(mark, at):
                return self._marked(at + len(mark), closer)
        if char == "{" and self.code and _SET.match(self.text, at):
            return self.items(at + 1, depth, "}")
        if char == "{":
            return self.pairs(at + 1, depth, "}")
        if char in "[(":
            return self.items(at + 1, depth, "]" if char == "[" else ")")
        if char in _QUOTES and not (self.bare and char == "`"):
            return self._string(at, key=False)
        return self._unquoted(at) if self.bare else self._word(at)

    def pairs(self, at: int, depth: int, closer: str) -> tuple[dict[str, Any], int]:
        """Keys and values up to the closer; at the text's very end the closer may be missing."""
        found: dict[str, Any] = {}
        after = -1
        while True:
            at = self.commas(at)
            if at >= len(self.text):
                self._need_whole(after)
                return found, at
            if self.text[at] == closer:
                return found, at + 1
            if self.text[at] in "])}" and self.text[at] != closer:
                raise Broken("another closer")
            key, at = self._key(at)
            at = self.space(at)
            if self.text[at] not in ":=":
                raise Broken("no colon")
            value, at = self.value(at + 1, depth + 1)
            _put(found, key, value)
            self._need_end_of_value(at)
            after = at

    def items(self, at: int, depth: int, closer: str) -> tuple[list[Any], int]:
        found: list[Any] = []
        after = -1
        while True:
            at = self.commas(at)
            if at >= len(self.text):
                self._need_whole(after)
                return found, at
            if self.text[at] == closer:
                return found, at + 1
            if self.text[at] == "}":  # the list's closer is missing
                return found, at
            item, at = self.value(at, depth + 1)
            found.append(item)
            self._need_end_of_value(at)
            after = at

    def space(self, at: int) -> int:
        return _SPACE.match(self.text, at).end()  # pyright: ignore[reportOptionalMemberAccess]

    def commas(self, at: int) -> int:
        return _COMMAS.match(self.text, at).end()  # pyright: ignore[reportOptionalMemberAccess]

    def _need_whole(self, after: int) -> None:
        """Only the last closers may be missing: a comma says that more was coming, and so does a bare opener."""
        if not self.closed and (after < 0 or "," in self.text[after:]):
            raise Broken("cut off")

    def _need_end_of_value(self, at: int) -> None:
        """After a value comes a comma or a closer; a comma that is missing before a key is no harm."""
        if not _AFTER_STRING.match(self.text, self.space(at)) and self.text[at - 1] not in "}]":
            raise Broken("text after a value")

    def _key(self, at: int) -> tuple[str, int]:
        for mark, closer in self.marks.items():
            if self.text.startswith(mark, at):
                return self._marked(at + len(mark), closer)
        if self.text[at] in _QUOTES:
            return self._string(at, key=True)
        if self.bare:  # such a key may hold spaces
            end = self.text.find(":", at)
            if end < 0:
                raise Broken("no key")
            return self.text[at:end].strip(), end
        key = _KEY.match(self.text, at)
        if key is None:
            raise Broken("no key")
        return key.group(), key.end()

    def _marked(self, at: int, closer: str) -> tuple[str, int]:
        end = self.text.find(closer, at)
        if end < 0:
            raise Broken("cut off")
        return self.text[at:end], end + len(closer)

    def _string(self, at: int, *, key: bool) -> tuple[str, int]:
        opener = self.text[at]
        if not key and self.text.startswith(opener * 3, at) and opener in "\"'":
            return self._marked(at + 3, opener * 3)
        if self.code and (found := self._python_string(at)):
            return found
        end = self._end_of_string(at + 1, _QUOTES[opener], _AFTER_KEY if key else _AFTER_STRING)
        return _unescaped(self.text[at + 1 : end]), end + 1

    def _python_string(self, at: int) -> tuple[str, int] | None:
        found = _PYTHON_STRING.match(self.text, at)
        if found is None or not _AFTER_STRING.match(self.text, found.end()):
            return None
        return _PYTHON_ESCAPE.sub(_python_escape, found.group()[1:-1]), found.end()

    def _end_of_string(self, at: int, closer: str, after: re.Pattern[str]) -> int:
        """A quotation mark closes a text only where something may follow the text."""
        while True:
            end = self.text.find(closer, at)
            if end < 0:
                raise Broken("cut off")
            slashes = end
            while slashes > at and self.text[slashes - 1] == "\\":
                slashes -= 1
            if (end - slashes) % 2 == 0 and after.match(self.text, end + 1):
                return end
            at = end + 1

    def _word(self, at: int) -> tuple[Any, int]:
        word = _WORD.match(self.text, at)
        if word is None:
            raise Broken("not a value")
        given, end = word.group(), word.end()
        if given in _WORDS:
            return _WORDS[given], end
        if end >= len(self.text) and not self.closed:
            raise Broken("cut off")
        if not _NUMBER.fullmatch(given):
            raise Broken("not a value")
        digits = given.replace("_", "")
        return _number(digits), end

    def _unquoted(self, at: int) -> tuple[Any, int]:
        end = at
        while self.text[end] not in ",}]":
            end += 1
        given = self.text[at:end].strip()
        if given in _WORDS:
            return _WORDS[given], end
        if _NUMBER.fullmatch(given):
            return _number(given.replace("_", "")), end
        return given, end


def _unescaped(inside: str) -> str:
    """A text with an escape that JSON does not have (a Windows path) is taken letter for letter."""
    if "\\" not in inside:
        return inside
    if _BAD_ESCAPE.search(inside):
        return inside.replace('\\"', '"')
    return _ESCAPE.sub(_escape, inside)


_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL
)


_PYTHON_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)


def _python_escape(found: re.Match[str]) -> str:
    """As Python reads it: an escape that it does not know stays."""
    code = found[1] or found[2]
    if code:
        return chr(int(code, 16))
    char = found[3]
    if char == "\n":
        return ""
    return _ESCAPES.get(char, char if char in "\\'\"" else f"\\{char}")


def _escape(found: re.Match[str]) -> str:
    high, low, code, char = found.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
    if code:
        return chr(int(code, 16))
    return _ESCAPES.get(char, "" if char == "\n" else char)
