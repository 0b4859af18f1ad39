"""Pages of an application: where each kind of record is listed, shown and made, so that nobody guesses an address.

A page registers its route; a census holds them all and says which page a path is. It opens nothing and does not
know whether a record exists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sayso.core.facts import FactKind, Field
from sayso.errors import DeclarationError

PAGE = FactKind(
    "page",
    (
        Field("title"),
        Field("route", words=("route", "address", "path", "link", "url", "adresse", "pfad")),
        Field("page_kind", label="kind of page", words=("kind of page", "art der seite")),
        Field("record_kind", label="kind of record", words=("kind of record", "art der einträge")),
    ),
    subject="title",
    words=("page", "pages", "screen", "screens", "seite", "seiten"),
)
"""A place in the application. `route` is as it is registered: `{...}` stands for a record's key."""


class PageKind(StrEnum):
    LIST = "list"
    DETAIL = "detail"
    CREATE = "create"


_PARAMETER = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
_LITERAL = re.compile(r"[a-z0-9][a-z0-9_-]*")
_VALUE = r"[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,199}"


@dataclass(frozen=True, slots=True)
class Page:
    """One page. `route` is such as `/t/{thread_id}`; `patterns` say what a parameter may be, where it is not just any
    key; `words` are by which people ask for the page. Raises DeclarationError."""

    route: str
    title: str
    kind: PageKind
    record_kind: str
    words: tuple[str, ...] = ()
    patterns: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        names = self.parameters
        if not self.title.strip():
            raise DeclarationError(f"page {self.route!r} has no title")
        if any(not _LITERAL.fullmatch(s) and not _PARAMETER.fullmatch(s) for s in _segments(self.route)):
            raise DeclarationError(f"page route {self.route!r}: write it such as /people or /people/{{person_id}}")
        if not self.route.startswith("/") or len(set(names)) != len(names):
            raise DeclarationError(f"page route {self.route!r} starts with / and names each parameter once")
        if bool(names) is not (self.kind is PageKind.DETAIL):
            raise DeclarationError(f"page {self.route!r}: a detail page has a parameter, a {self.kind} page has none")
        if unknown := set(self.patterns) - set(names):
            raise DeclarationError(f"page {self.route!r} has no parameter {sorted(unknown)[0]!r}")

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(found.group(1) for s in _segments(self.route) if (found := _PARAMETER.fullmatch(s)))

    def match(self, path: str) -> Mapping[str, str] | None:
        """The parameters of a path that is this page; None for any other."""
        values: dict[str, str] = {}
        own, given = _segments(self.route), _segments(path)
        if len(own) != len(given) or not path.startswith("/"):
            return None
        for declared, value in zip(own, given, strict=True):
            found = _PARAMETER.fullmatch(declared)
            if found is None and declared != value:
                return None
            if found is not None:
                if not re.fullmatch(self.patterns.get(found.group(1), _VALUE), value) or len(value) > 200:
                    return None
                values[found.group(1)] = value
        return values

    @property
    def document(self) -> dict[str, Any]:
        """As the census is sent and read."""
        return {
            "route": self.route, "title": self.title, "kind": self.kind.value, "record_kind": self.record_kind,
            "words": list(self.words),
            "parameters": [{"name": n, "pattern": self.patterns.get(n, _VALUE)} for n in self.parameters],
        }  # fmt: skip


class Census:
    """Every page of an application. Two that one path could mean are refused, unless one has fewer parameters."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._pages = tuple(sorted(pages, key=lambda page: (len(page.parameters), page.route)))
        shapes = [_PARAMETER.sub("{}", page.route) for page in self._pages]
        if len(set(shapes)) != len(shapes):
            raise DeclarationError(f"two pages have the same route: {', '.join(sorted(shapes))}")

    def __iter__(self) -> Iterator[Page]:
        return iter(self._pages)

    def __len__(self) -> int:
        return len(self._pages)

    def find(self, path: str) -> tuple[Page, Mapping[str, str]] | None:
        """The page that a path is, with its parameters. A path is no address: no host, no scheme, no query."""
        for page in self._pages:
            values = page.match(path)
            if values is not None:
                return page, values
        return None

    @property
    def document(self) -> dict[str, Any]:
        return {"pages": [page.document for page in self._pages]}


def read_census(document: Mapping[str, Any]) -> Census:
    """From `Census.document`'s values. Raises DeclarationError, ValueError, KeyError or TypeError."""
    return Census(
        Page(
            str(entry["route"]), str(entry["title"]), PageKind(entry["kind"]), str(entry["record_kind"]),
            tuple(str(word) for word in entry["words"]),
            {str(p["name"]): str(p["pattern"]) for p in entry["parameters"]},
        )
        for entry in document["pages"]
    )  # fmt: skip


def _segments(path: str) -> list[str]:
    rest = path.removeprefix("/")
    return rest.split("/") if rest else []
