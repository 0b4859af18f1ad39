"""Calls without any mark: an object or a call as code that is a paragraph or a fence of its own.

Nothing but the name tells them from data, so each must name a tool on offer, have arguments that fit, and be
the last thing that is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sayso.core.protocols.bodies import CLOSER, json_at, skip_closers
from sayso.core.protocols.codelike import read_calls, signature_end
from sayso.core.protocols.loose_json import Broken
from sayso.core.protocols.markup import read_element_call
from sayso.core.protocols.objects import Found, calls_in
from sayso.core.protocols.offer import Offer, suits
from sayso.core.protocols.places import Places, has_words

Alone = tuple[list[tuple[str, dict[str, Any]]], int, int]

_JOINED = re.compile(r"[\s;,]*(?=[\[{])")
_REST_OF_LINE = re.compile(r"[`;. \t)]*(?=\n|\Z|<)")
_GOES_ON = re.compile(r"\s*(?:[\[{]|`{0,3}[A-Za-z_][\w.]*[ \t]*\(|```|<\||</?\w|TOOL|Action|Observation|\Z)")


def bare_openers(names: Iterable[str], begin: str = "^") -> str:
    """The openers without marks, for these tools. `begin`: what stands before one."""
    alternatives = "|".join(map(re.escape, sorted(names, key=len, reverse=True))) or r"(?!)"
    return (
        rf"{begin}(?P<alone>(?P<quiet>[ \t]*(?=[\[{{])|[ \t]*<(?P<element>{alternatives})>"
        rf"|[ \t]*(?:functions\.)?(?P<named>{alternatives})[ \t]*(?::\d+)?[ \t]*(?:<\|tool_call_argument_begin\|>)?"
        rf"[ \t]*\n?[ \t]*(?=\{{))"
        rf"|[ \t]*`?(?P<code>(?P<assigned>\w+[ \t]*=[ \t]*)?(?=(?:[A-Za-z_][\w.]*)[ \t]*\()))"
    )


def read_alone(text: str, opener: re.Match[str], offer: Offer, places: Places) -> Alone | None:
    """The calls that begin at an opener without a mark, with the span that they take; None when there are none."""
    try:
        body = _body(text, opener, offer)
    except Broken:
        return None
    if body is None:
        return None
    found, end = body
    calls = _fitting(found, offer)
    if calls is None:
        return None
    closed = skip_closers(text, end)
    marked = CLOSER.search(text, end, closed) is not None
    start = opener.start()
    fence = places.fence(opener.end())
    if opener["assigned"] and not (fence and fence.meant):
        return None
    if fence is not None:
        if places.is_example(fence, lead_in=True) or (
            text[fence.inside : start].strip() and not _only_calls(text[fence.inside : start])
        ):
            return None
        rest = text[end : fence.inside_end].strip()
        if rest and not _GOES_ON.match(rest):
            return None
        if not rest and not text[fence.inside : start].strip():
            return calls, fence.start, max(fence.end, closed)
        return calls, start, end
    rest = _REST_OF_LINE.match(text, end)
    if rest is None and not marked:
        return None
    end = closed if marked else max(end, rest.end() if rest else 0)
    if not marked and not _GOES_ON.match(text, end) and has_words(text[end:]):
        return None
    if places.is_explained(start, end, marked=marked) or places.is_quoted(start, end):
        return None
    return calls, start, end


def _only_calls(text: str) -> bool:
    return bool(_GOES_ON.match(text))


def _body(text: str, opener: re.Match[str], offer: Offer) -> tuple[list[Found], int] | None:
    at = opener.end()
    if opener["element"] is not None:
        name = opener["element"]
        one = read_element_call(text, opener.end() - len(name) - 2, name, offer.keys(name))
        return ([one[0]], one[1]) if one else None
    if opener["named"] is not None:
        arguments, end = json_at(text, at)
        return [Found(opener["named"], arguments)], end
    if opener["code"] is not None:
        try:
            return read_calls(text, at)
        except Broken:
            return _signature(text, at, offer)
    if re.compile(r"\[\s*[A-Za-z_][\w.]*\s*\(").match(text, at):
        return read_calls(text, at)
    return _values(text, at, offer)


def _signature(text: str, at: int, offer: Offer) -> tuple[list[Found], int] | None:
    """Parentheses that only repeat parameter names, as small models copy them from the catalogue."""
    name = re.compile(r"[A-Za-z_][\w.]*[ \t]*\(").match(text, at)
    end = signature_end(text, name.end(), offer.keys(name.group().rstrip(" \t("))) if name else None
    if (
        name is None
        or end is None
        or re.search(r"(?<![\w.])\d|\b(?:true|false|null|none)\b", text[name.end() : end], re.IGNORECASE)
    ):
        return None
    return [Found(name.group().rstrip(" \t("), {})], end


def _values(text: str, at: int, offer: Offer) -> tuple[list[Found], int] | None:
    """An object or a list of calls, or several that follow each other."""
    found: list[Found] = []
    end = at
    while True:
        try:
            value, after = json_at(text, at)
        except Broken:
            if not found:
                raise
            return found, end
        calls = calls_in(value, offer.names)
        if not calls:
            return (found, end) if found else None
        found += calls
        end = after
        joined = _JOINED.match(text, end)
        if joined is None:
            return found, end
        at = joined.end()


def _fitting(found: list[Found], offer: Offer) -> list[tuple[str, dict[str, Any]]] | None:
    calls: list[tuple[str, dict[str, Any]]] = []
    for one in found:
        tool = offer.find(one.name)
        if tool is None or not _has_arguments(one, offer):
            return None
        try:
            arguments = offer.arguments(one, tool)
        except Broken:
            return None
        if not suits(arguments, tool):
            return None
        calls.append((tool.name, arguments))
    return calls


def _has_arguments(one: Found, offer: Offer) -> bool:
    """A name without arguments, or beside other things, is data."""
    if one.arguments is not None or one.positional:
        return True
    return bool(one.beside) and one.beside.keys() <= set(offer.keys(one.name))
