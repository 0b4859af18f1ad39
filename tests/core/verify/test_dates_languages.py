"""Dates as people write them in five languages, and which days each may mean on Monday 30 November 2026."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.verify.dates import DateSpan, find_dates
from sayso.core.verify.dayspan import iso_week, quarter, week
from sayso.core.verify.holding import same
from sayso.core.verify.values import find_values

TODAY = date(2026, 11, 30)


def read(text: str, today: date | None = TODAY) -> list[tuple[str, DateSpan]]:
    return [(text[a:b], span) for a, b, span in sorted(find_dates(text, today))]


def one(text: str) -> DateSpan:
    ((_, span),) = read(text)
    return span


def near(*offsets: int) -> DateSpan:
    return DateSpan(days=frozenset(TODAY + timedelta(days=o) for o in offsets))


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("le 3 mars", (None, 3, 3)), ("le 1er mai 2026", (2026, 5, 1)), ("il 12 settembre", (None, 9, 12)),
        ("el 5 de junio de 2026", (2026, 6, 5)), ("5 de junio del 2026", (2026, 6, 5)), ("primo maggio", (None, 5, 1)),
        ("1º de mayo", (None, 5, 1)), ("den 3. März 2026", (2026, 3, 3)), ("the first of May", (None, 5, 1)),
        ("7th of December", (None, 12, 7)), ("March the 3rd", (None, 3, 3)), ("marzo de 2026", (2026, 3, None)),
        ("mars 2026", (2026, 3, None)), ("in March 1815", (1815, 3, None)), ("in December", (None, 12, None)), ("im Mai", (None, 5, None)), ("en août", (None, 8, None)),
        ("a maggio", (None, 5, None)), ("desde marzo", (None, 3, None)), ("Ende Dezember", (None, 12, None)),
        ("5 ago. 2026", (2026, 8, 5)), ("3 set 2026", (2026, 9, 3)), ("5 de dic. 2026", (2026, 12, 5)),
        ("2026/12/07", (2026, 12, 7)),  ("le 03/12", (None, 12, 3)), ("3 May", (None, 5, 3)), ("1 march on", None), ("3 may be", None),
        ("31 aprile", None), ("won 3 set matches", None), ("5 ago", None), ("on 45/12", None), ("9-7-1999-3", None),
    ],
)  # fmt: skip
def test_a_date_is_this_day_in_each_language(text: str, span: tuple[int | None, int, int | None] | None) -> None:
    assert [s for _, s in read(text, None)] == ([DateSpan(*span)] if span else [])


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("12-14 September 2026", [(2026, 9, 12), (2026, 9, 14)]), ("from 3 to 5 May", [(None, 5, 3), (None, 5, 5)]),
        ("3.-5. Dezember", [(None, 12, 3), (None, 12, 5)]), ("vom 3. bis 5. Mai", [(None, 5, 3), (None, 5, 5)]),
        ("du 3 au 5 mai", [(None, 5, 3), (None, 5, 5)]), ("dal 3 al 5 maggio", [(None, 5, 3), (None, 5, 5)]),
        ("del 3 al 5 de mayo", [(None, 5, 3), (None, 5, 5)]), ("May 3-5, 2026", [(2026, 5, 3), (2026, 5, 5)]),
        ("12.-14.9.2026", [(2026, 9, 12), (2026, 9, 14)]), ("32.-14.9.2026", [(2026, 9, 14)]), ("45-14 May", [(None, 5, 14)]), ("30 - 2 May", [(None, 5, 2)]),
        ("May 1 - 5 May", [(None, 5, 1), (None, 5, 5)]),
    ],
)  # fmt: skip
def test_a_range_of_days_has_two_ends(text: str, days: list[tuple[int | None, int, int]]) -> None:
    assert [s for _, s in read(text)] == [DateSpan(*day) for day in days]


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("übermorgen", 2), ("après-demain", 2), ("dopodomani", 2), ("pasado mañana", 2), ("the day before yesterday", -2),
        ("l'altro ieri", -2), ("avant-hier", -2), ("anteayer", -2), ("domani", 1), ("mañana", 1), ("demain", 1), ("ieri", -1),
        ("il est venu hier", -1), ("aujourd’hui", 0), ("oggi", 0), ("hoy", 0), ("stasera", 0), ("esta noche", 0), ("last night", -1),
        ("dans trois jours", 3), ("tra tre giorni", 3), ("dentro de 3 días", 3), ("en 3 días", 3), ("in drei Tagen", 3),
        ("il y a 3 jours", -3), ("3 giorni fa", -3), ("hace tres días", -3), ("vor einem Tag", -1), ("twenty days ago", -20),
    ],
)  # fmt: skip
def test_a_day_near_today_is_read_in_each_language(text: str, offset: int) -> None:
    assert one(text) == near(offset)


@pytest.mark.parametrize(
    "text",
    [
        "hier ist es", "Hier le voilà", "am Morgen", "guten Morgen", "por la mañana", "de la mañana", "en 3 jours", "Mon projet",
        "Sat down", "the sun", "this day", "T3-40", "Q7 2026", "week 2 of the plan", "Q3", "the last days", "45th quarter", "KW 60",
    ],
)  # fmt: skip
def test_what_looks_like_a_date_is_none(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("next week", near(*range(7, 14))), ("nächste Woche", near(*range(7, 14))), ("la semaine prochaine", near(*range(7, 14))),
        ("la prossima settimana", near(*range(7, 14))), ("la semana que viene", near(*range(7, 14))),
        ("last week", near(*range(-7, 0))), ("letzte Woche", near(*range(-7, 0))), ("la settimana scorsa", near(*range(-7, 0))),
        ("next month", DateSpan(2026, 12)), ("le mois dernier", DateSpan(2026, 10)), ("il mese scorso", DateSpan(2026, 10)),
        ("el mes pasado", DateSpan(2026, 10)), ("letzten Monat", DateSpan(2026, 10)), ("nächstes Jahr", DateSpan(2027)),
        ("l'année dernière", DateSpan(2025)), ("l'anno prossimo", DateSpan(2027)), ("el año que viene", DateSpan(2027)),
        ("this weekend", near(5, 6)), ("next quarter", quarter(2027, 1)), ("Q3 2026", quarter(2026, 3)), ("2026-Q3", quarter(2026, 3)),
        ("3. Quartal 2026", quarter(2026, 3)), ("T3 2026", quarter(2026, 3)), ("the third quarter of 2026", quarter(2026, 3)),
        ("primer trimestre de 2026", quarter(2026, 1)), ("KW 49", near(*range(7))), ("week 49", near(*range(7))),
        ("semaine 49", near(*range(7))), ("2026-W49", near(*range(7))), ("week 2 of 2026", week(date(2026, 1, 5))),
        ("lundi prochain", near(7)), ("lunedì scorso", near(-7, -14)), ("el lunes que viene", near(7)), ("el próximo lunes", near(7)),
        ("kommenden Montag", near(7)), ("mardi", near(1, -6, 8)), ("Mon", near(0, -7, 7)),
    ],
)  # fmt: skip
def test_a_period_is_these_days_in_each_language(text: str, span: DateSpan) -> None:
    assert one(text) == span


@pytest.mark.parametrize("text", ["this week", "diese Woche", "ce mois", "quest'anno", "este año"])
def test_the_period_of_today_is_said_by_the_way(text: str) -> None:
    (value,) = find_values(text, TODAY)
    assert (one(text).passing, value.spelled) == (True, True)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("by the end of the month", date(2026, 11, 20), date(2026, 11, 30)), ("Ende des Monats", date(2026, 11, 20), date(2026, 11, 30)),
        ("fin du mois", date(2026, 11, 20), date(2026, 11, 30)), ("fine mese", date(2026, 11, 20), date(2026, 11, 30)),
        ("a finales de mes", date(2026, 11, 20), date(2026, 11, 30)), ("start of the week", date(2026, 11, 30), date(2026, 12, 2)),
        ("Mitte der Woche", date(2026, 12, 1), date(2026, 12, 3)), ("end of the week", date(2026, 12, 3), date(2026, 12, 6)),
        ("fine anno", date(2026, 10, 1), date(2026, 12, 31)), ("a week ago", date(2026, 11, 20), date(2026, 11, 26)),
        ("vor einer Woche", date(2026, 11, 20), date(2026, 11, 26)), ("il y a une semaine", date(2026, 11, 20), date(2026, 11, 26)),
        ("una settimana fa", date(2026, 11, 20), date(2026, 11, 26)), ("hace una semana", date(2026, 11, 20), date(2026, 11, 26)),
    ],
)  # fmt: skip
def test_a_vague_date_is_give_or_take(text: str, first: date, last: date) -> None:
    span = one(text)
    assert (min(span.days), max(span.days), span.loose) == (first, last, True)


@pytest.mark.parametrize(
    "text",
    [
        "Monday, 7 December", "Montag, den 7. Dezember", "lundi 7 décembre 2026", "lunedì 7 dicembre", "lunes, 7 de diciembre",
        "Monday the 7th of December",
    ],
)  # fmt: skip
def test_a_weekday_belongs_to_its_date(text: str) -> None:
    assert len(read(text)) == 1
    assert len(read(text.replace("7", "8"))) == 2


def test_a_weekday_before_a_month_or_a_day_that_never_was_stands_alone() -> None:
    assert [len(read(t)) for t in ("Monday, May 2026", "Monday, 31.12.9999")] == [2, 2]
    assert len(read("Monday, 29 February", date(2026, 5, 1))) == 1 + len(read("29 February"))


@pytest.mark.parametrize(
    ("claim", "held", "alike"),
    [
        ("in December", "2026-12-07", True), ("7 December", "in December", False), ("tomorrow", "December 2026", False),
        ("December 2026", "in December", True), ("Q4 2026", "2026-12-07", True), ("7 December 2026", "Q4 2026", False),
        ("this week", "2026-12-03", True), ("next week", "2026-12-03", False), ("12-14 September", "12 September", True),
    ],
)  # fmt: skip
def test_a_record_of_a_month_holds_no_day_of_it(claim: str, held: str, alike: bool) -> None:
    first, second = find_values(claim, TODAY), find_values(held, None)
    assert any(same(a, b) for a in first for b in second) is alike


def test_dates_do_not_overlap() -> None:
    assert read("Q3 2026/12/07") == [("Q3 2026", quarter(2026, 3))]
    assert [words for words, _ in read("questo fine settimana")] == ["fine settimana"]


def test_day_and_month_may_come_in_either_order() -> None:
    assert one("7-12-2026") == one("7/12/2026") == DateSpan(days=frozenset({date(2026, 12, 7), date(2026, 7, 12)}))


def test_years_beyond_the_calendar_have_no_weeks_or_quarters() -> None:
    assert (quarter(0, 1), iso_week(2026, 60)) == (None, None)


PARTS = ["3", ".", " ", "5.", "December", "-", "mai", "2026", "next", "lundi", "prochain", "week", "fa", "in", "days", "de", "le", "Q3", "KW", "tomorrow",
         "/", "12", "end of the", "month", "hier", "vor", "einem", "Monat", "two", "year", "--04-07", "T14:30"]  # fmt: skip


@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PARTS), max_size=25).map(" ".join), st.lists(st.sampled_from(PARTS), max_size=25).map("".join)), st.dates())  # fmt: skip
def test_any_text_has_dates_in_their_places(text: str, today: date) -> None:
    found = sorted(find_dates(text, today))
    assert all(0 <= a < b <= len(text) for a, b, _ in found)
    assert all(one[1] <= other[0] for one, other in pairwise(found))


@pytest.mark.parametrize(
    "part", ["3 ", "12.", "in 3 ", "next ", "Monday ", "5 May ", "week ", "le 3/", "end of the ", "3-", "Q3 "]
)
def test_reading_dates_grows_with_the_text(part: str, grows_linearly) -> None:  # type: ignore[no-untyped-def]
    grows_linearly(lambda size: list(find_dates(part * (size // len(part)), TODAY)), 8_000)
