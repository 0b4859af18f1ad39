"""Reads that leave: which places a call names, and which of them nobody has allowed.

A place is a host, an address or a path in any text of a call's arguments. It is allowed when the user named it in
their own words, or the operator listed it. Everything else becomes a card.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast
from urllib.parse import unquote, urlsplit

_URL = re.compile(r"[a-z][a-z0-9+.\-]{1,20}:/*[\\/]{2}[^\s<>\"'`]+", re.IGNORECASE)
_MAIL = re.compile(r"[^\s@<>\"(),;:/]+@([^\s@<>\"(),;:/?#]+)")
_HOST = re.compile(r"(?<![\w.@])(?:[^\W_](?:[\w\-]{0,61}[^\W_])?\.)+[^\W\d_]{2,24}(?![\w])")
_NUMERIC = re.compile(r"(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}|0x[0-9a-f]{8})(?![\w.])|\[[0-9a-f:.]*:[0-9a-f:.]*\]", re.I)
_LOCAL = re.compile(r"(?<![\w.])localhost(?![\w])", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w:/.])(?:~|\.{1,2})?[\\/][^\s<>\"'`]+|(?<!\w)[a-z]:[\\/][^\s<>\"'`]*|\\\\[^\s]+", re.I)


def strange_places(arguments: Mapping[str, Any], question: str, listed: Iterable[str]) -> tuple[str, ...]:
    """The places that a call would leave for although neither the user named nor the operator listed them."""
    named, said = frozenset(places_in(question)), _plain(question)
    allowed = tuple(entry.casefold() for entry in listed)
    found = (place for name, text in _texts(arguments) for place in (*places_in(text), *_named_place(name, text)))
    return tuple(
        dict.fromkeys(
            p for p in found if p not in named and not _says(said, p) and not any(_fits(p, entry) for entry in allowed)
        )
    )


def places_in(text: str) -> tuple[str, ...]:
    """Hosts, addresses and paths of a text, each in one spelling."""
    return tuple(dict.fromkeys(_places(_plain(text))))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", unquote(text)).casefold()


def _named_place(name: str, text: str) -> tuple[str, ...]:
    """The whole of a text that is given as a place, such as `host`, where it looks like none by itself."""
    plain = _plain(text).strip()
    return (plain,) if plain and name.casefold() in _NAMING and not places_in(text) else ()


def _says(said: str, place: str) -> bool:
    """Whether the user's words hold a place as a word of its own."""
    return re.search(rf"(?<![\w.@/-]){re.escape(place)}(?![\w@/-]|\.\w)", said) is not None


def _places(text: str) -> Iterator[str]:
    rest = text
    for url in _URL.findall(text):
        yield _host_of(url)
        rest = rest.replace(url, " ")
    for mail in _MAIL.finditer(rest):
        yield mail.group().rstrip(".")
    rest = _MAIL.sub(" ", rest)
    for pattern in (_NUMERIC, _LOCAL, _PATH, _HOST):
        for found in pattern.findall(rest):
            yield found.rstrip(".,;:!?)")
        rest = pattern.sub(" ", rest)


def _host_of(url: str) -> str:
    """The host that a program would ask, whatever stands before an "@"; the whole text where there is none."""
    try:
        return urlsplit(url.replace("\\", "/")).hostname or url
    except ValueError:
        return url


def _fits(place: str, entry: str) -> bool:
    """A listed host stands for itself and its addresses; `*.example.org` for the hosts below it."""
    host = place.rpartition("@")[2]
    return place == entry or host == entry or (entry.startswith("*.") and host.endswith(entry[1:]))


def _texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a value, with the name under which it stands; names inside are texts as well."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, item in cast("Mapping[Any, Any]", value).items():
            yield "", str(key)
            yield from _texts(item, str(key))
    elif isinstance(value, list | tuple):
        for item in cast("list[Any]", value):
            yield from _texts(item, name)


_NAMING = frozenset(
    (
        "host", "hostname", "server", "domain", "url", "uri", "link", "address", "email", "to", "recipient", "path",
        "file", "filename", "folder", "directory", "tenant", "account", "bucket", "endpoint",
    )
)  # fmt: skip
"""Names of arguments that hold a place whatever their text looks like."""
