"""CSV text to rows of cells: which sign parts them, and quotes that do not end. It knows no field and no record."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SIGNS = ",;\t|"
_SAMPLE = 50
"""Lines by which the sign is chosen."""
_TRUSTED = 100
"""After so many quotes that do not end, a quote is believed within its line only; this bounds the work."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row; `number` counts from 1, the headings included. With a `problem`, `cells` is its line as it stands."""

    number: int
    cells: tuple[str, ...]
    problem: str | None = None


def rows_of(text: str) -> Iterator[Row]:
    """The rows that hold anything, the headings first."""
    lines = text.removeprefix("\ufeff").split("\n")
    return _rows(lines, _sign(lines))


def _sign(lines: Sequence[str]) -> str:
    """Of the signs that part the headings, the one by which most of the first rows have as many cells as these."""
    sample = [line for line in lines if line.strip()][:_SAMPLE]
    return max(SIGNS, key=lambda sign: _fit(sample, sign))


def _fit(sample: Sequence[str], sign: str) -> tuple[bool, int, int]:
    """How well a sign parts the lines. Where none parts the headings, the best is one that no row holds."""
    widths = [len(row.cells) for row in _rows(sample, sign) if not row.problem]
    return (widths[0] > 1, widths.count(widths[0]), widths[0]) if widths else (False, 0, 0)


class _Lines(Iterator[str]):
    """The lines from a place to another, and the place that reading has come to."""

    def __init__(self, lines: Sequence[str], at: int, end: int) -> None:
        self._lines, self.at, self._end = lines, at, end

    def __next__(self) -> str:
        if self.is_spent:
            raise StopIteration
        self.at += 1
        return self._lines[self.at - 1] + "\n"

    @property
    def is_spent(self) -> bool:
        return self.at >= self._end


def _rows(lines: Sequence[str], sign: str) -> Iterator[Row]:
    number = at = bad = 0
    while at < len(lines):
        number += 1
        source = _Lines(lines, at, at + 1 if bad >= _TRUSTED else len(lines))
        cells, problem = _row(source, lines, sign)
        if problem:
            bad += 1
            at += 1
            yield Row(number, (lines[at - 1].strip(),), problem)
            continue
        at = source.at
        if any(cells):
            yield Row(number, cells)


def _row(source: _Lines, lines: Sequence[str], sign: str) -> tuple[tuple[str, ...], str | None]:
    """The cells of the next row, or what is wrong with it.

    A quote that takes in other lines and is never closed, or is closed in the middle of a cell, was not meant
    for these lines: the row is its first line, and the next ones are rows again.
    """
    start = source.at
    try:
        found = next(csv.reader(source, delimiter=sign, skipinitialspace=True))
    except csv.Error as error:
        return (), f"the row cannot be read: {error}"
    taken = lines[start : source.at]
    may_be_open = len(taken) > 1 or source.is_spent  # a row that ends with its line, before the last, is closed
    if may_be_open and any('"' in line for line in taken) and not _is_closed(taken, sign):
        return (), "a quote is opened and not closed; close it, or write it twice"
    return tuple(cell.strip() for cell in found), None


def _is_closed(lines: Sequence[str], sign: str) -> bool:
    """Whether the quotes end with these lines, and at the end of a cell where there are several lines."""
    after = re.compile(rf'" +(?={re.escape(sign)}|$)')
    whole = [after.sub('"', line) + "\n" for line in lines]
    reader = csv.reader([*whole, "end\n"], delimiter=sign, skipinitialspace=True, strict=len(lines) > 1)
    try:
        return sum(1 for _ in reader) == 2
    except csv.Error:
        return False
