"""Tables with quotes that do not end, another sign between cells, ragged rows and days that never were."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.errors import ImportFailed
from sayso.workspace.importers import BadValue, Rejected, plan, read
from sayso.workspace.importers.grids import rows_of
from sayso.workspace.importers.tables import load
from sayso.workspace.records import PersonRecord

People = Callable[[str], tuple[list[tuple[str, str | None]], list[tuple[str, str]]]]
Grows = Callable[[Callable[[int], object], int], None]


@pytest.fixture
def people(tmp_path: Path) -> People:
    """The people of a table, and its rejects by place with their reasons."""

    def run(text: str) -> tuple[list[tuple[str, str | None]], list[tuple[str, str]]]:
        (tmp_path / "people.csv").write_text(text)
        items = list(read(plan([tmp_path / "people.csv"])))
        found = [(i.name, i.affiliation) for i in items if isinstance(i, PersonRecord)]
        return found, [(i.place, i.reason) for i in items if isinstance(i, Rejected)]

    return run


@pytest.mark.parametrize("end", ["", "\n", "\n\n"], ids=repr)
def test_a_quote_that_is_not_closed_costs_its_own_row(people: People, end: str) -> None:
    found, rejected = people('Name,Company\nFirst,A\n"Unclosed quote,X\nNext Person,Y\nThird,Z' + end)
    assert found == [("First", "A"), ("Next Person", "Y"), ("Third", "Z")]
    assert [(place, "quote" in reason) for place, reason in rejected] == [("row 3", True)]


def test_a_quote_that_the_last_line_opens_costs_that_row(people: People) -> None:
    found, rejected = people('Name,Company\nFirst,A\nLast,"B')
    assert (found, [place for place, _ in rejected]) == ([("First", "A")], ["row 3"])


def test_a_quote_that_a_later_quoted_cell_would_end_costs_its_own_row(people: People) -> None:
    found, rejected = people('Name,Company\n"Open,X\nNext,Y\n"Weber, Elena","A, B"\nThird,Z\n')
    assert found == [("Next", "Y"), ("Weber, Elena", "A, B"), ("Third", "Z")]
    assert [place for place, _ in rejected] == ["row 2"]


def test_cells_may_hold_line_breaks_quotes_and_the_sign(people: People) -> None:
    text = 'Name,Company\n"Ann ""Nan"" Lee","One,\nTwo" \nBob "Bo" Ray,Three\nLast,"Four\n"\n'
    assert people(text) == (
        [('Ann "Nan" Lee', "One,\nTwo"), ('Bob "Bo" Ray', "Three"), ("Last", "Four")],
        [],
    )


def test_headings_with_a_quote_that_is_not_closed_are_no_headings() -> None:
    with pytest.raises(ImportFailed, match=r"headings.*quote"):
        load('"Name,Company\nAnn,A\n', "people.csv")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Name;Tags (a,b,c);Company\nAnn;x;A\nBob;y;B\n", [("Ann", "x", "A"), ("Bob", "y", "B")]),
        ('Name;"Notes, long, or, short"\nAnn;x\n', [("Ann", "x")]),
        ("Name\tCompany\nLee, Ann\tA, B\n", [("Lee, Ann", "A, B")]),
        ("Name|Company\nAnn|A\n", [("Ann", "A")]),
        ("Name\nLee, Ann\nRay; Bob\n", [("Lee, Ann",), ("Ray; Bob",)]),
        ('Name,Company\nAnn,"A;B;C;D"\nBob,"B;C;D;E"\n', [("Ann", "A;B;C;D"), ("Bob", "B;C;D;E")]),
    ],
)
def test_the_sign_between_cells_is_the_one_by_which_the_rows_fit_the_headings(text: str, rows: list[object]) -> None:
    assert [row.cells for row in load(text, "x.csv").rows] == rows


def test_rows_of_another_width_are_rejected_one_by_one(people: People) -> None:
    found, rejected = people("Name;Company\nAnn,A\nBob,B\nCarl;C\nDora;D;E\nEva;F;\n")
    assert found == [("Carl", "C"), ("Eva", "F")]
    assert [place for place, _ in rejected] == ["row 2", "row 3", "row 5"]
    assert rejected[0][1].startswith("1 cell under 2 headings")


def test_empty_cells_at_the_end_may_be_left_out(people: People) -> None:
    assert people("Name,Company,Notes\nAnn,A\nBob\nCarl,C,x\n") == ([("Ann", "A"), ("Bob", None), ("Carl", "C")], [])


def test_a_column_without_a_heading_may_be_left_out_at_the_end(people: People) -> None:
    assert people("Name,Company,,\nAnn,A\nBob,B,,x\n") == ([("Ann", "A"), ("Bob", "B")], [])


@pytest.mark.parametrize("line", ['a","b', '"a', 'a,"""b', '"' + "x" * 50], ids=repr)
def test_quotes_that_never_end_are_read_in_one_pass(line: str, grows_linearly: Grows) -> None:
    grows_linearly(lambda size: list(rows_of("A,B\n" + f"{line}\n" * (size // len(line)) + "last,row")), 50_000)


@given(st.text(alphabet='ab,;"\n\t ', max_size=80))
def test_every_row_has_its_number_and_no_line_is_read_twice(text: str) -> None:
    rows = list(rows_of(text))
    numbers = [row.number for row in rows]
    assert numbers == sorted(set(numbers))
    assert sum(cell.count("a") for row in rows for cell in row.cells) == text.count("a")


def test_a_birthday_that_never_was_is_named_and_its_row_is_kept(tmp_path: Path) -> None:
    table, cards = tmp_path / "people.csv", tmp_path / "people.vcf"
    table.write_text("Name,Birthday\nAnn,1990-02-30\nBob,1990-02-28\nEva,--02-29\nIda,1991-02-29\n")
    cards.write_text("BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nBDAY:1990-02-30\nEND:VCARD\n")
    items = list(read(plan([table, cards])))
    births = [(i.name, i.birthday) for i in items if isinstance(i, PersonRecord)]
    assert births == [("Ann", None), ("Bob", "1990-02-28"), ("Eva", "--02-29"), ("Ida", None), ("Ann", None)]
    faults = [(i.place, i.column) for i in items if isinstance(i, BadValue)]
    assert faults == [("row 2", "Birthday"), ("row 5", "Birthday"), ("card 1, line 1", "BDAY")]
    assert all("1990-02-30" in i.reason or "1991-02-29" in i.reason for i in items if isinstance(i, BadValue))
