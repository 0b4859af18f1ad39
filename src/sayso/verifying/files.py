"""Facts, texts, labelled sets and lexicons from files: read whole up to a size, and told in one line what is wrong."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from sayso.core.verify.declared.lexicon import Lexicon
from sayso.errors import DeclarationError, ImportFailed

STDIN = "-"
MAX_FACTS = 64_000_000
MAX_TEXT = 8_000_000


def read_text(place: str, *, limit: int = MAX_TEXT) -> str:
    """A file's text, or standard input's where the place is "-". Raises ImportFailed."""
    content = _bytes(place, limit)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise ImportFailed(f"{named(place)} is not UTF-8 text (byte {wrong.start}): save it as UTF-8") from wrong


def read_json(place: str) -> Any:
    """One JSON document. Raises ImportFailed."""
    text = read_text(place, limit=MAX_FACTS)
    if not text.strip():
        raise ImportFailed(f"{named(place)} is empty: give a JSON list of facts")
    return parsed(text, named(place))


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each line's number and its object; empty lines are passed over. Raises ImportFailed."""
    with path.open("rb") as lines:
        number = 0
        while line := lines.readline(MAX_FACTS + 1):
            number += 1
            where = f"{path}, line {number}"
            if len(line) > MAX_FACTS:
                raise ImportFailed(f"{where} is over {_size(MAX_FACTS)} long: give one record a line")
            if line.strip():
                yield number, _object(line, where)


def _object(line: bytes, where: str) -> dict[str, Any]:
    try:
        record = parsed(line.decode("utf-8-sig"), where)
    except UnicodeDecodeError as wrong:
        raise ImportFailed(f"{where} is not UTF-8 text (byte {wrong.start}): save it as UTF-8") from wrong
    if not isinstance(record, dict):
        raise ImportFailed(f"{where} is not a JSON object: give one record a line")
    return record  # pyright: ignore[reportUnknownVariableType]


def parsed(text: str, where: str) -> Any:
    """JSON, in which no name stands twice in one object. Raises ImportFailed."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as wrong:
        more = wrong.msg == "Extra data" and text[wrong.pos : wrong.pos + 1] in ("{", "[")
        said = "holds several JSON documents: give one" if more else f"is not JSON: {wrong.msg}: mend it"
        raise ImportFailed(f"{where} {said} (line {wrong.lineno}, column {wrong.colno})") from wrong
    except RecursionError as wrong:
        raise ImportFailed(f"{where} is nested too deeply to be facts") from wrong
    except ValueError as wrong:  # a number of thousands of digits, or a name that stands twice
        raise ImportFailed(f"{where}: {str(wrong).partition(';')[0]}") from wrong


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(n for n in names if names.count(n) > 1)
        raise ValueError(f"{twice[:60]!r} stands twice in one object: keep one")
    return found


def read_lexicon(path: Path) -> Lexicon:
    """Raises DeclarationError, which names the file."""
    try:
        return Lexicon.from_mapping(_toml(path), name=path.stem)
    except DeclarationError as wrong:
        raise DeclarationError(f"{path}: {wrong}") from wrong


def _toml(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(read_text(str(path)))
    except (tomllib.TOMLDecodeError, RecursionError) as wrong:
        raise DeclarationError(f"not TOML: {wrong}") from wrong
    except ImportFailed as wrong:
        raise DeclarationError(str(wrong)) from wrong


def _bytes(place: str, limit: int) -> bytes:
    if place == STDIN:
        return _limited(_stdin(), place, limit)
    try:
        with Path(place).open("rb") as file:
            return _limited(file, place, limit)
    except ValueError as wrong:  # a name that no file can have
        raise ImportFailed(f"{place[:80]!r} is no file's name") from wrong


def _limited(file: BinaryIO, place: str, limit: int) -> bytes:
    content = file.read(limit + 1)
    if len(content) > limit:
        raise ImportFailed(f"{named(place)} is over {_size(limit)}: give only what the text is about")
    return content


def _stdin() -> BinaryIO:
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]
        raise ImportFailed("standard input is closed: name a file")
    return sys.stdin.buffer


def named(place: str) -> str:
    return "standard input" if place == STDIN else place


def _size(count: int) -> str:
    return f"{count // 1_000_000} MB"
