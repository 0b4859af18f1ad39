"""Numbers and what they count, as people write them in English, German, French, Italian and Spanish."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.verify.holding import same
from sayso.core.verify.numerals import in_digits, spelled
from sayso.core.verify.values import Value, ValueKind, find_values

TODAY = date(2026, 11, 30)


def read(text: str) -> list[Value]:
    return find_values(text, TODAY, quotes=False)


def told(text: str) -> list[tuple[object, ...]]:
    """Kind, number and unit of each value of one reading."""
    return [(v.kind.value, *v.numbers, v.unit) for v in read(text)]


NUMBERS = {
    "en": {"seven": 7, "twenty-three": 23, "twenty three": 23, "one hundred": 100, "two hundred and fifty-three": 253,
           "five thousand": 5000, "three hundred thousand": 300_000, "two million": 2_000_000, "nineteen hundred": 1900,
           "two dozen": 24, "one thousand two hundred": 1200},
    "de": {"sieben": 7, "dreiundzwanzig": 23, "hundert": 100, "zweihundertdreiundfünfzig": 253, "einundzwanzig": 21,
           "fuenfundfuenfzig": 55, "dreißig": 30, "dreissig": 30, "zweitausendfünfhundert": 2500, "zwölfhundert": 1200,
           "viertausend": 4000, "tausendzweihundert": 1200, "hundertundeins": 101, "zwei Dutzend": 24},
    "fr": {"vingt-trois": 23, "vingt et un": 21, "soixante et onze": 71, "soixante-dix-sept": 77, "quatre-vingts": 80,
           "quatre-vingt-dix-sept": 97, "deux cent cinquante-trois": 253, "mille deux cents": 1200, "septante": 70,
           "nonante-neuf": 99, "trois millions": 3_000_000},
    "it": {"ventitré": 23, "ventuno": 21, "ventotto": 28, "duecentocinquantatré": 253, "tremilacinquecento": 3500,
           "mille": 1000, "duemila": 2000, "cento": 100, "diciassette": 17},
    "es": {"veintitrés": 23, "treinta y tres": 33, "doscientos cincuenta y tres": 253, "cien": 100, "quince": 15,
           "veintiún": 21, "ciento uno": 101, "tres mil millones": 3_000_000_000, "dieciséis": 16, "dieciseis": 16},
}  # fmt: skip


@pytest.mark.parametrize(("words", "number"), [(w, n) for table in NUMBERS.values() for w, n in table.items()])
def test_number_words_are_read_whole(words: str, number: float) -> None:
    assert spelled(words) == number
    (value,) = read(f"({words})")
    assert (value.numbers, value.text, value.spelled) == ({number}, words, True)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Ha due obiettivi e sei contatti.", [2, 6]), ("Hai quattordici attività.", [14]),
        ("Il y a neuf projets et cent personnes.", [9, 100]), ("Tiene dos hijos y once libros.", [2, 11]),
        ("two or three", [2, 3]), ("two thousand thousand", [2000, 1000]), ("Es sind acht und neun.", [8, 9]), ("seven eight", [7, 8]), ("zero", [0]),
    ],
)  # fmt: skip
def test_words_of_several_numbers_stay_apart(text: str, numbers: list[float]) -> None:
    assert [n for v in read(text) for n in v.numbers] == numbers


@pytest.mark.parametrize(
    "text",
    [
        "The rent is due", "Once more", "Otto is here", "Sei a casa", "one of them", "un amico", "eine Frau", "Ein Ziel",
        "une amie", "a million thanks", "due", "on the dos and don'ts", "du bist sei da",
    ],
)  # fmt: skip
def test_articles_and_words_of_another_sense_are_no_numbers(text: str) -> None:
    assert read(text) == []


def test_numbers_in_words_are_no_telephone_number() -> None:
    assert {v.kind for v in read("1234567 are seven eight nine ten")} == {ValueKind.NUMBER}


def test_a_number_in_words_is_no_longer_than_its_digits_allow() -> None:
    assert in_digits("cuesta mil pesos de plata") == "cuesta mil pesos de plata"
    assert in_digits("a billion") == "a billion"
    assert in_digits("3 thousand, 5 dozen") == "3 thousand, 5 dozen"
    assert in_digits("two three-pointers") == "002 00003-pointers"


@pytest.mark.parametrize("word", ["tausendfach", "millefeuille", "zweitausendhundertfach", "Dreitausender", "two cats"])
def test_what_only_begins_like_a_number_is_none(word: str) -> None:
    assert spelled(word) is None


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("75 percent", [("percent", 75, "%")]), ("75 Prozent", [("percent", 75, "%")]), ("75 %", [("percent", 75, "%")]),
        ("75 pour cent", [("percent", 75, "%")]), ("il 75 per cento", [("percent", 75, "%")]),
        ("el 75 por ciento", [("percent", 75, "%")]), ("seventy-five percent", [("percent", 75, "%")]),
        ("fünfundsiebzig Prozent", [("percent", 75, "%")]), ("three quarters", [("percent", 75, "%")]),
        ("die Hälfte", [("percent", 50, "%")]), ("un tiers", [("percent", 33.3333, "%")]),
        ("la metà", [("percent", 50, "%")]), ("una cuarta parte", [("percent", 25, "%")]),
        ("84.10 CHF", [("money", 84.1, "CHF")]), ("CHF 84.-", [("money", 84, "CHF")]), ("Fr. 20.–", [("money", 20, "CHF")]),
        ("1'200 Fr.", [("money", 1200, "CHF")]), ("chf 20", [("money", 20, "CHF")]), ("€1.2bn", [("money", 1.2e9, "EUR")]),
        ("12 mila euro", [("money", 12_000, "EUR")]), ("5 mil euros", [("money", 5000, "EUR")]),
        ("3 millones de euros", [("money", 3e6, "EUR")]), ("un million d'euros", [("money", 1e6, "EUR")]),
        ("2 Mio. Franken", [("money", 2e6, "CHF")]), ("1,5 Mrd. Euro", [("money", 1.5e9, "EUR")]), ("$5m", [("money", 5e6, "USD")]),
        ("US$ 20", [("money", 20, "USD")]), ("20 yen", [("money", 20, "JPY")]), ("12 000 €", [("money", 12_000, "EUR")]),
        ("two hundred francs", [("money", 200, "CHF")]), ("5'000.-", [("number", 5000, "")]), ("USD 3 billion", [("money", 3e9, "USD")]),
    ],
)  # fmt: skip
def test_shares_and_money_are_read_in_each_language(text: str, values: list[tuple[str, float, str]]) -> None:
    assert told(text) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("90 minutes", [("duration", 90, "minute")]), ("1 h 30 min", [("duration", 90, "minute")]),
        ("2 hours and 15 minutes", [("duration", 135, "minute")]), ("1.5 hours", [("duration", 1.5, "hour")]),
        ("eineinhalb Stunden", [("duration", 1.5, "hour")]), ("two and a half hours", [("duration", 2.5, "hour")]),
        ("un'ora e mezza", [("duration", 1.5, "hour")]), ("dos horas y media", [("duration", 2.5, "hour")]),
        ("2½ Stunden", [("duration", 2.5, "hour")]), ("2 1/2 hours", [("duration", 2.5, "hour")]),
        ("half an hour", [("duration", 30, "minute")]), ("eine halbe Stunde", [("duration", 30, "minute")]),
        ("une demi-heure", [("duration", 30, "minute")]), ("mezz'ora", [("duration", 30, "minute")]),
        ("media hora", [("duration", 30, "minute")]), ("Dreiviertelstunde", [("duration", 45, "minute")]),
        ("un quart d'heure", [("duration", 15, "minute")]), ("half a year", [("duration", 6, "month")]),
        ("vierzehn Tage", [("duration", 14, "day")]), ("quatorze jours", [("duration", 14, "day")]),
        ("quattordici giorni", [("duration", 14, "day")]), ("catorce días", [("duration", 14, "day")]),
        ("5 straight days", [("duration", 5, "day")]), ("one week", [("duration", 1, "week")]),
        ("34 years old", [("duration", 34, "year")]), ("a 34-year-old", [("duration", 34, "year")]),
        ("34-jährige", [("duration", 34, "year")]), ("34 ans", [("duration", 34, "year")]),
        ("34 anni", [("duration", 34, "year")]), ("34 años", [("duration", 34, "year")]),
        ("2 weeks 30 minutes", [("duration", 20190, "minute")]), ("3 months, 2 days", [("duration", 3, "month"), ("duration", 2, "day")]),
        ("20 °C", [("number", 20, "°C")]), ("-5 °C", [("number", -5, "°C")]), ("minus 5 Celsius", [("number", -5, "°C")]),
        ("80 km/h", [("number", 80, "km/h")]), ("fünf Kilometer", [("number", 5, "km")]), ("5 chilometri", [("number", 5, "km")]),
        ("3.5 kg", [("number", 3.5, "kg")]), ("5 m", [("number", 5, "m")]), ("3x", [("number", 3, "x")]),
        ("5 in stock", [("number", 5, "")]), ("30 second-half points", [("number", 30, "")]), ("3 an hour", [("number", 3, "")]),
        ("3rd", [("number", 3, "")]), ("le 2e", [("number", 2, "")]), ("1er", [("number", 1, "")]), ("2º", [("number", 2, "")]),
        ("30 other things", [("number", 30, "")]), ("try 5 times", [("number", 5, "")]), ("4 K", [("number", 4000, "")]),
        ("5 m-wide", [("number", 5, "m")]), ("5 k", [("number", 5, "")]), ("5 million-dollar deals", [("number", 5, "")]),
    ],
)  # fmt: skip
def test_durations_and_measures_are_read_in_each_language(text: str, values: list[tuple[str, float, str]]) -> None:
    assert told(text) == values


@pytest.mark.parametrize("text", ["t2-4", "ABC-123", "5G", "2FA", "COVID-19", "v1.2", "F16-4", "H2O", "A4"])
def test_an_identifier_is_no_number(text: str) -> None:
    assert read(f"The {text} thing") == []


@pytest.mark.parametrize(
    ("text", "key", "vague"),
    [
        ("half past nine", 570, True), ("quarter past nine", 555, True), ("quarter to nine", 525, True),
        ("ten past nine", 550, True), ("halb zehn", 570, True), ("Viertel nach neun", 555, True),
        ("dreiviertel zehn", 585, True), ("halb zehn abends", 1290, False), ("9h30", 570, False), ("à 9 h", 540, False),
        ("à neuf heures et demie", 570, True), ("à neuf heures", 540, True), ("à 9 heures 30", 570, True),
        ("à dix heures moins le quart", 585, True), ("à une heure du matin", 60, False), ("alle 9:30", 570, True),
        ("alle 14.30", 870, False), ("alle nove e mezza", 570, True), ("ore 14", 840, False), ("alle dieci meno un quarto", 585, True),
        ("a las 9:30", 570, True), ("las nueve y media", 570, True), ("las diez menos cuarto", 585, True),
        ("las nueve y media de la noche", 1290, False), ("noon", 720, False), ("Mitternacht", 0, False), ("24:00", 0, False),
        ("14:30 CET", 870, False), ("14:30 UTC+2", 870, False), ("14:30:05", 870, False), ("3 in the afternoon", 900, False),
        ("um 14 Uhr", 840, False), ("12 o'clock", 720, False), ("12:15 am", 15, False), ("la una y cuarto", 75, True),
    ],
)  # fmt: skip
def test_times_are_read_in_each_language(text: str, key: int, vague: bool) -> None:
    (value,) = read(text)
    assert (value.kind, int(value.key), value.approx) == (ValueKind.TIME, key, vague)


@pytest.mark.parametrize("text", ["for 2 h", "pendant 2 h", "dauert 2 h"])
def test_a_time_that_lasts_is_a_duration(text: str) -> None:
    assert told(text) == [("duration", 2, "hour")]


@pytest.mark.parametrize(
    ("claim", "held", "alike"),
    [
        ("at least 100", "120", True), ("at least 100", "95", False), ("at least 100", "2026", False),
        ("mindestens 100", "100", True), ("au moins 100", "99", False), ("almeno 100", "150", True), ("al menos 100", "90", False),
        ("more than 100", "100", False), ("more than 100", "101", True), ("mehr als 3 Tage", "4 days", True),
        ("plus de 100", "100", False), ("più di 100", "105", True), ("más de 100", "105", True), ("over 100", "100", True),
        ("über 100", "99", False), ("oltre 100", "110", True),
        ("at most 100", "100", True), ("at most 100", "101", False), ("bis zu 100", "80", True), ("au plus 100", "110", False),
        ("fewer than 100", "100", False), ("weniger als 100", "90", True), ("moins de 100", "100", False), ("meno di 100", "80", True),
        ("rund 100", "95", True), ("environ 100", "95", True), ("circa 100", "95", True), ("unos 100", "95", True), ("about 100", "80", False),
        ("100+", "120", True), ("100 or more", "120", True), ("100 oder weniger", "120", False), ("100 or so", "95", True),
        ("about 5, 10", "9.5", False), ("not more than 3 days ahead", "4 days", False),
        ("between 5 and 7 days", "6 days", True), ("5-7 days", "6 days", True), ("5-7 days", "8 days", False),
        ("von 5 bis 7 km", "6 km", True), ("de 5 à 7 km", "6 km", True), ("rose from 40 to 60 %", "50 %", False),
        ("5-7", "6", False), ("between 5 and 7", "6", True), ("5 and 7 days", "6 days", False), ("7-5 km", "6 km", False),
        ("from 5 km to 7 %", "6 km", False), ("CHF 50-70", "CHF 60", True),
        ("90 minutes", "1.5 hours", True), ("eineinhalb Stunden", "90 min", True), ("2 weeks", "14 days", True),
        ("1 year", "12 months", True), ("1 month", "30 days", False), ("8 km", "5 miles", True), ("8.05 km", "5 miles", True),
        ("9 km", "5 miles", False), ("20 °C", "68 °F", True), ("68 °F", "20 °C", True), ("21 °C", "68 °F", False),
        ("5 kg", "5 km", False), ("5 km", "CHF 5", False), ("5 km", "5", True), ("500 g", "0.5 kg", True), ("40 %", "CHF 40", False),
        ("-5 °C", "5 °C", False), ("fell 3 %", "-3 %", True), ("une heure et demie", "90 min", True), ("90 min", "1h30", True),
        ("dreiundzwanzig", "23", True), ("2 million", "2,000,000", True), ("0.350", "350", False), ("12345.678", "12345678", False),
    ],
)  # fmt: skip
def test_amounts_are_compared_by_what_they_mean(claim: str, held: str, alike: bool) -> None:
    first, second = read(claim), find_values(held, None, quotes=False)
    assert any(same(a, b) for a in first for b in second) is alike


ANY = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(
            ["twenty", "-", " ", "three", "5", "h", "30", "min", "half", "past", "CHF", ".-", "½", "km", "to", "and", "hundred", "%",
             "à", "heures", "et", "demie", "quart", "Viertel", "von", "bis", "mila", "°C", "zweitausend", "\u00a0", "'", "alle", "e mezza"]
        ),
        max_size=25,
    ).map(" ".join),
)  # fmt: skip


@given(ANY)
def test_any_text_has_values_in_their_places(text: str) -> None:
    values = read(text)
    assert all(text[v.start : v.end] == v.text for v in values)
    assert all(a.end <= b.start for a, b in pairwise(values))
    assert len(in_digits(text)) == len(text)


@pytest.mark.parametrize(
    "part", ["twenty ", "5 h ", "1 ", "5-", "hundred", "half ", "CHF ", "0", "zweitausend", "de 5 à 7 ", "9 heures "]
)
def test_reading_values_grows_with_the_text(part: str, grows_linearly) -> None:  # type: ignore[no-untyped-def]
    grows_linearly(lambda size: read(part * (size // len(part))), 8_000)
