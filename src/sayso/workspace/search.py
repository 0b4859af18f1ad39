"""Full text search over the workspace's records. A query is only ever words, never FTS5 syntax.

Words match whole; words of three letters or more also at the start of a word, ranked lower. A name
never matches inside another word.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import Connection

from sayso.workspace.codec import SearchText
from sayso.workspace.names import PREFIX_LETTERS, Term, match_level, words_of
from sayso.workspace.tables import search_rows

CANDIDATES = 2000
"""Rows that are ranked; more matches than these are not counted."""
EXCERPT = 600
_ENDINGS = ("ungen", "ions", "ing", "ion", "ung", "ed", "es", "en", "er", "e", "s", "n")


@dataclass(frozen=True, slots=True)
class Hit:
    """A found row: the record's id, the chunk's number, and how well its name matched (0 best)."""

    key: str
    part: int
    level: int
    held: int  # how many of the terms the row holds


def put(connection: Connection, owner: str, kind: str, texts: Sequence[tuple[str, Iterable[SearchText]]]) -> None:
    """Index records anew: (id, its texts)."""
    remove(connection, owner, kind, [key for key, _ in texts])
    rows = [
        {
            "owner": owner, "kind": kind, "key": key, "part": text.part, "scope": scope(owner, kind),
            "name": text.name, "body": text.body,
        }
        for key, parts in texts
        for text in parts
    ]  # fmt: skip
    if rows:
        connection.execute(search_rows.insert(), rows)


def remove(connection: Connection, owner: str, kind: str, keys: Sequence[str]) -> None:
    for start in range(0, len(keys), 500):
        connection.execute(
            search_rows.delete().where(
                search_rows.c.owner == owner,
                search_rows.c.kind == kind,
                search_rows.c.key.in_(keys[start : start + 500]),
            )
        )


def find(
    connection: Connection, owner: str, kind: str, terms: Sequence[Term], *,
    every: bool = True, names_only: bool = False, stems: bool = False,
) -> list[Hit]:  # fmt: skip
    """Rows that hold every term (or, with `every=False`, any), best first, at most `CANDIDATES`.

    Best: whole words in the name, then more terms held, then bm25.
    """
    if not terms:
        return []
    columns = "{name}" if names_only else "{name body}"
    groups = (" AND " if every else " OR ").join(_group(term, stems) for term in terms)
    matching = f'scope : "{scope(owner, kind)}" AND {columns} : ({groups})'
    rows = connection.execute(_QUERY, {"matching": matching, "owner": owner, "kind": kind, "limit": CANDIDATES})
    hits = [_hit(row.key, row.part, row.name, row.body, terms, stems) for row in rows]
    return sorted(hits, key=lambda hit: (-hit.held, hit.level))


def names_with(connection: Connection, owner: str, kind: str, terms: Sequence[Term]) -> dict[str, str]:
    """Records whose name holds any of the terms as a whole word: id to folded name."""
    if not terms:
        return {}
    forms = dict.fromkeys(form for term in terms for form in (*term.exact, *term.loose))
    matching = f'scope : "{scope(owner, kind)}" AND name : ({" OR ".join(map(_quoted, forms))})'
    rows = connection.execute(_QUERY, {"matching": matching, "owner": owner, "kind": kind, "limit": CANDIDATES})
    return {row.key: row.name for row in rows}


def scope(owner: str, kind: str) -> str:
    """One word that stands for an owner's records of a kind in the index."""
    return "s" + hashlib.sha256(f"{kind}\n{owner}".encode()).hexdigest()[:20]


def excerpt(text: str, terms: Sequence[Term], limit: int = EXCERPT) -> str:
    """The part of a text, at most `limit` characters at word boundaries, that holds most of the terms."""
    text = text.strip()
    if len(text) <= limit:
        return text
    places = _places(text, terms) or [0]
    best = max(places, key=lambda place: (sum(place <= p < place + limit - 80 for p in places), -place))
    start = max(0, min(best - 60, len(text) - limit + 2))
    end = min(len(text), start + limit - 2)
    if start:
        start = text.find(" ", start, best) + 1 or start
    if end < len(text):
        end = text.rfind(" ", start, end) if text.rfind(" ", start, end) > start else end
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")


_QUERY = sa.text(
    "SELECT r.key, r.part, r.name, r.body FROM search_index "
    "JOIN search_rows r ON r.id = search_index.rowid "
    "WHERE search_index MATCH :matching AND r.owner = :owner AND r.kind = :kind "
    "ORDER BY bm25(search_index, 0.0, 4.0, 1.0), r.id LIMIT :limit"
)


def _hit(key: str, part: int, name: str, body: str, terms: Sequence[Term], stems: bool) -> Hit:
    in_name, everywhere = frozenset(name.split()), frozenset(name.split()) | frozenset(body.split())
    level = match_level(terms, in_name)
    if level is None:
        whole = match_level(terms, everywhere)
        level = 3 + (whole if whole is not None else 3)
    held = sum(_holds(term, everywhere, stems) for term in terms)
    return Hit(key, part, level, held)


def _holds(term: Term, words: frozenset[str], stems: bool) -> bool:
    if match_level([term], words) is not None:
        return True
    return stems and any(word.startswith(stem) for form in term.exact if (stem := stem_of(form)) for word in words)


def _group(term: Term, stems: bool) -> str:
    starts = [form for form in term.exact if len(form) >= PREFIX_LETTERS]
    if stems:
        starts += [stem for form in term.exact if (stem := stem_of(form))]
    words = [_quoted(form) for form in dict.fromkeys((*term.exact, *term.loose))]
    return "(" + " OR ".join([*words, *(f"{_quoted(start)} *" for start in dict.fromkeys(starts))]) + ")"


def stem_of(word: str) -> str | None:
    """A word without its ending, for running text: "decided" is "decid"; at least four letters stay."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return None


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _places(text: str, terms: Sequence[Term]) -> list[int]:
    wanted = {form for term in terms for form in (*term.exact, *term.loose)}
    wanted |= {stem for form in list(wanted) if (stem := stem_of(form))}
    found: list[int] = []
    from_place = 0
    for word in words_of(text):
        place = text.find(word, from_place)
        if place < 0:
            continue
        from_place = place
        folded = re.sub(r"\W", "", word).casefold()
        if any(folded == w or (len(w) >= PREFIX_LETTERS and folded.startswith(w)) for w in wanted):
            found.append(place)
    return found
