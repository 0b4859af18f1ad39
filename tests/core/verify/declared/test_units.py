from __future__ import annotations

import pytest

from sayso.core.verify.declared.units import Unit, units_of


def words(text: str) -> list[str]:
    return [u.word for u in units_of(text)]


def test_hyphens_between_words_and_apostrophes_are_left_out():
    assert (
        words("a double-double, Anna's")
        == words("a double - double , Anna 's")
        == ["a", "double", "double", ",", "anna", "s"]
    )
    assert words("3-of-5 and 12 - 7; - 4 -") == ["3", "of", "5", "and", "12", "-", "7", ";", "4"]


def test_initials_are_one_word():
    assert words("J.J. Moser") == words("JJ Moser") == ["jj", "moser"]


@pytest.mark.parametrize(
    ("text", "number", "ordinal"),
    [
        ("12", 12, False), ("1,250", 1250, False), ("7.5", 7.5, False), ("one", 1, False), ("twelve", 12, False),
        ("second", 2, True), ("17th", 17, True), ("pair", 2, False), ("an", 1, False), ("3pt", None, False),
        ("²", 2, False), ("9" * 400, None, False), ("\u0345", None, False), ("twenty - one", 21, False), ("forty-third", 43, True), ("bread", None, False),
    ],
)  # fmt: skip
def test_a_number_is_read(text: str, number: float | None, ordinal: bool):
    (unit,) = units_of(text)
    assert (unit.number, unit.ordinal) == (number, ordinal)


def test_figures_are_not_put_together_with_words():
    assert [u.number for u in units_of("20 one twenty 1")] == [20, 1, 20, 1]


def test_a_unit_knows_its_place():
    assert units_of("The Café")[1] == Unit(4, 8, "cafe", "Café")
    assert units_of("The Café")[1].capital
    assert not units_of("x , y")[1].capital
    assert [u.soft for u in units_of("x , y")] == [False, True, False]
