"""The last step for a broken object inside a recognised call: json-repair, kept from guessing.

json-repair reads nearly anything, and invents what is missing: an empty text for a value that was cut, a text
for a word without marks. So what it gives counts only if it says what was written, no more and no less: the
same letters and digits in the same order, and each text of it stands between quotation marks in the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from json_repair import repair_json

from sayso.core.protocols.loose_json import Broken

_LONGEST = 20_000  # characters; its time is not linear
_MARKS = "\"'“”„‘’`"


def repaired(source: str) -> Any:
    """The object or list that `source` means. Raises Broken where something would have to be guessed."""
    if len(source) > _LONGEST or not source.rstrip().endswith(("}", "]")):
        raise Broken("cut off")
    try:
        value = repair_json(source, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError) as wrong:
        raise Broken("beyond repair") from wrong
    if not isinstance(value, dict | list) or not _says_the_same(cast("Any", value), source):
        raise Broken("something would have to be guessed")
    return cast("Any", value)


def _says_the_same(value: Any, source: str) -> bool:
    written = "".join(filter(str.isalnum, source))
    read = "".join(filter(str.isalnum, "".join(_words(value))))
    return written.lower() == read.lower() and all(_stands(text, source) for text in _texts(value))


def _stands(text: str, source: str) -> bool:
    if not text:
        return any(mark * 2 in source for mark in "\"'")
    return any(f"{mark}{text}" in source for mark in _MARKS) and any(f"{text}{mark}" in source for mark in _MARKS)


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, held in cast("dict[str, Any]", value).items():
            yield str(key)
            yield from _words(held)
    elif isinstance(value, list):
        for held in cast("list[Any]", value):
            yield from _words(held)
    else:
        yield "null" if value is None else str(value)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for held in cast("dict[str, Any]", value).values():
            yield from _texts(held)
    elif isinstance(value, list):
        for held in cast("list[Any]", value):
            yield from _texts(held)
    elif isinstance(value, str):
        yield value
