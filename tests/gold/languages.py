"""Days, numbers, percentages and states as each of the five languages writes them. It knows no record and no template."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable
from datetime import date, time
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "de", "fr", "it", "es")
Table = dict[str, Any]


@cache
def table(language: str) -> Table:
    return tomllib.loads(Path(__file__).with_name("languages.toml").read_text("utf-8"))[language]


def long_day(day: date, language: str, chance: random.Random) -> str:
    return _day(chance.choice(table(language)["long"]), day, language)


def short_day(day: date, language: str, chance: random.Random) -> str:
    return _day(chance.choice(table(language)["short"]), day, language)


def numeric_day(day: date, language: str, chance: random.Random) -> str:
    return _day(chance.choice(table(language)["numeric"]), day, language)


def _day(form: str, day: date, language: str) -> str:
    words = table(language)
    return form.format(
        day=words.get("first", "1") if day.day == 1 else day.day, month=words["months"][day.month - 1], year=day.year,
        d=day.day, m=day.month, dd=f"{day.day:02}", mm=f"{day.month:02}",
    )  # fmt: skip


def relative_day(day: date, today: date, language: str, chance: random.Random) -> str:
    """ "tomorrow", "in 3 days", "last Friday": only wordings that mean exactly this day."""
    words, away = table(language), (day - today).days
    choice = chance.random()  # asked for in each case, so that a changed day leaves the other choices alone
    if near := {0: "today", 1: "tomorrow", -1: "yesterday"}.get(away):
        return words[near]
    weekday = words["weekdays"][day.weekday()]
    if 2 <= away <= 6 and choice < 0.4:
        return words["on_weekday"].format(weekday=weekday)
    if -6 <= away <= -2 and choice < 0.4:
        return words["last_weekday"].format(weekday=weekday)
    weeks = abs(away) % 7 == 0 and abs(away) >= 14 and choice < 0.5
    forms = words[("in_weeks" if away > 0 else "weeks_ago") if weeks else ("in_days" if away > 0 else "days_ago")]
    return forms[int(choice * 97) % len(forms)].format(n=abs(away) // 7 if weeks else abs(away))


def clock_time(at: time, language: str, chance: random.Random, *, plain: bool) -> str:
    """`plain` where the template itself goes on with "h" or "Uhr"."""
    form = chance.choice(table(language)["time"])
    return ("{HH}:{MM}" if plain else form).format(HH=at.hour, MM=f"{at.minute:02}")


def percent(number: int, language: str, chance: random.Random) -> str:
    return chance.choice(table(language)["percent"]).format(n=number)


def worded(group: str, key: str, language: str, chance: random.Random) -> str:
    """One of the language's wordings of a state, a frequency or a field's label."""
    choice = chance.random()
    forms = table(language)[group][key]
    return forms[int(choice * len(forms))]


def number_word(number: int, language: str) -> str:
    """0 to 99 in words. Raises ValueError for others."""
    if not 0 <= number <= 99:
        raise ValueError(f"no words for {number}")
    return _WORDS[language](number)


def _english(number: int) -> str:
    tens, ones = divmod(number, 10)
    small = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ]
    if number < 20:
        return small[number]
    told = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"][tens - 2]
    return f"{told}-{small[ones]}" if ones else told


def _german(number: int) -> str:
    tens, ones = divmod(number, 10)
    small = [
        "null",
        "ein",
        "zwei",
        "drei",
        "vier",
        "fünf",
        "sechs",
        "sieben",
        "acht",
        "neun",
        "zehn",
        "elf",
        "zwölf",
        "dreizehn",
        "vierzehn",
        "fünfzehn",
        "sechzehn",
        "siebzehn",
        "achtzehn",
        "neunzehn",
    ]
    if number < 20:
        return "eins" if number == 1 else small[number]
    told = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"][tens - 2]
    return f"{small[ones]}und{told}" if ones else told


def _french(number: int) -> str:
    small = [
        "zéro",
        "un",
        "deux",
        "trois",
        "quatre",
        "cinq",
        "six",
        "sept",
        "huit",
        "neuf",
        "dix",
        "onze",
        "douze",
        "treize",
        "quatorze",
        "quinze",
        "seize",
        "dix-sept",
        "dix-huit",
        "dix-neuf",
    ]
    if number < 20:
        return small[number]
    if number >= 80:
        return f"quatre-vingt-{small[number - 80]}" if number > 80 else "quatre-vingts"
    tens, rest = (60, number - 60) if number >= 60 else (number // 10 * 10, number % 10)
    told = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante", 60: "soixante"}[tens]
    if not rest:
        return told
    return f"{told} et {small[rest]}" if rest in (1, 11) else f"{told}-{small[rest]}"


def _italian(number: int) -> str:
    tens, ones = divmod(number, 10)
    small = [
        "zero",
        "uno",
        "due",
        "tre",
        "quattro",
        "cinque",
        "sei",
        "sette",
        "otto",
        "nove",
        "dieci",
        "undici",
        "dodici",
        "tredici",
        "quattordici",
        "quindici",
        "sedici",
        "diciassette",
        "diciotto",
        "diciannove",
    ]
    if number < 20:
        return small[number]
    told = ["venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta"][tens - 2]
    if ones in (1, 8):
        return told[:-1] + small[ones]
    return told + ("tré" if ones == 3 else small[ones] if ones else "")


def _spanish(number: int) -> str:
    tens, ones = divmod(number, 10)
    small = [
        "cero",
        "uno",
        "dos",
        "tres",
        "cuatro",
        "cinco",
        "seis",
        "siete",
        "ocho",
        "nueve",
        "diez",
        "once",
        "doce",
        "trece",
        "catorce",
        "quince",
        "dieciséis",
        "diecisiete",
        "dieciocho",
        "diecinueve",
        "veinte",
        "veintiuno",
        "veintidós",
        "veintitrés",
        "veinticuatro",
        "veinticinco",
        "veintiséis",
        "veintisiete",
        "veintiocho",
        "veintinueve",
    ]
    if number < 30:
        return small[number]
    told = ["treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"][tens - 3]
    return f"{told} y {small[ones]}" if ones else told


_WORDS: dict[str, Callable[[int], str]] = {
    "en": _english, "de": _german, "fr": _french, "it": _italian, "es": _spanish,
}  # fmt: skip
