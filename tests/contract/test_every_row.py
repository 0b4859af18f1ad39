"""Every fault that users of other assistants have met, and every attack, has a test that names its number.

A test names a row in its name (`test_b17_...`) or in its docstring (B17). Two lists number their rows alike: the field
notes (what users met) and the fault matrix (what must hold). Where both have a number, the place tells which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Rows:
    """A section's rows. `only` and `never`: in which folders its tests are, where another list has the same letter."""

    letter: str
    numbers: tuple[int, ...]
    only: tuple[str, ...] = ("",)
    never: tuple[str, ...] = ()

    def has(self, place: str) -> bool:
        return place.startswith(self.only) and not (self.never and place.startswith(self.never))


GATEWAY = ("gateway/", "inapp/test_cards.py", "server/test_one_persons_only.py", "server/test_rows_of_decisions.py")
CONNECTIONS = ("serving/", "server/test_chat_stream.py", "inapp/test_ends_in_the_store.py")
ROWS = {
    "approve, deny, interrupt": Rows("B", (1, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 15, 17, 19, 20, 21, 23, 24)),
    "bypass, changed arguments, identity": Rows("C", (1, 2, 5, 6, 7, 8, 10, 11, 13), never=CONNECTIONS),
    "orphans, trimming, lost history": Rows("F", (1, 2, 4, 6)),
    "streaming, encoding, cancel, empty": Rows("G", (1, 3, 4, 6, 7), never=GATEWAY),
    "injection and navigation": Rows("I", (2, 3, 5)),
    "approvals and channels": Rows("S", (1, 2, 4, 5, 6, 8, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20, 22, 23)),
    "faults of the gateway": Rows("G", (1, 2, 3, 4, 5, 6, 7, 8), only=GATEWAY),
    "faults of callers": Rows("H", (1, 2, 3), never=("core/verify/", "gateway/")),
    "faults of connections": Rows("C", (1, 2, 3, 4, 5), only=CONNECTIONS),
}
"""Every row of these sections. The lists themselves have gaps: a number that is not here is not in them either."""


@dataclass(frozen=True, slots=True)
class Named:
    place: str
    test: str
    rows: frozenset[str]


def named_rows() -> Iterator[Named]:
    for path in sorted(TESTS.rglob("*")):
        place = path.relative_to(TESTS).as_posix()
        if path.suffix == ".py":
            yield from _of_python(path.read_text(encoding="utf-8"), place)
        elif path.suffix in (".mjs", ".js") and "node_modules" not in path.parts:
            yield from _of_javascript(path.read_text(encoding="utf-8"), place)


def _of_python(text: str, place: str) -> Iterator[Named]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            in_name = {word.upper() for word in node.name.split("_") if re.fullmatch(r"[a-z]\d{1,2}", word)}
            told = set(re.findall(r"\b[A-Z]\d{1,2}\b", ast.get_docstring(node) or ""))
            yield Named(place, node.name, frozenset(in_name | told))


def _of_javascript(text: str, place: str) -> Iterator[Named]:
    for match in re.finditer(r"\btest\(\s*([\"'`])(.*?)\1", text):
        rows = {row.upper() for row in re.findall(r"\b[A-Za-z]\d{1,2}\b", match[2])}
        yield Named(place, match[2], frozenset(rows))


def test_every_row_has_a_test_that_names_it() -> None:
    named = [one for one in named_rows() if one.rows]
    missing: list[str] = []
    for section, rows in ROWS.items():
        for number in rows.numbers:
            row = f"{rows.letter}{number}"
            if not any(row in one.rows and rows.has(one.place) for one in named):
                missing.append(f"{row} ({section})")
    assert missing == []


def test_no_test_counts_for_two_sections() -> None:
    for one in named_rows():
        for letter in {row[0] for row in one.rows}:
            counted = [name for name, rows in ROWS.items() if rows.letter == letter and rows.has(one.place)]
            assert len(counted) <= 1, f"{one.place}: {one.test} counts for {counted}"


def test_the_census_would_notice_a_row_without_a_test() -> None:
    found = next(_of_python('def test_b4_b17_both():\n    """And C13, but not c6."""', "x"))
    assert found.rows == {"B4", "B17", "C13"}
    assert next(_of_javascript("test('B23: nothing is not success', () => {})", "x")).rows == {"B23"}
    assert Rows("G", (1,), only=GATEWAY).has("gateway/test_a.py")
    assert not Rows("G", (1,), never=("gateway/",)).has("gateway/test_a.py")
