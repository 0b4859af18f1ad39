# ruff: noqa: E501 (patterns and messages are easier to read on one line)
"""Values in text: numbers, money, percentages, durations, times, contacts, paths and quotations.

Compares what is meant, not the letters. Dates are in `dates`; nothing here knows a record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache

from sayso.core.verify.dates import DateSpan, find_dates
from sayso.core.verify.words import fold


class ValueKind(StrEnum):
    NUMBER = "number"
    PERCENT = "percent"
    MONEY = "money"
    DURATION = "duration"
    DATE = "date"
    TIME = "time"
    EMAIL = "email"
    PHONE = "phone"
    URL = "url"
    PATH = "path"
    QUOTE = "quote"


MIN_QUOTE = 3  # words: shorter quotation marks only lift a word out
CONTACTS = frozenset({ValueKind.EMAIL, ValueKind.PHONE, ValueKind.URL, ValueKind.PATH})


@dataclass(frozen=True, slots=True)
class Value:
    """One value. `numbers` are its possible readings ("1.350" is 1350 or 1.35); `key` the form that is
    compared for contacts, times and quotations; `unit` a currency or a unit of time."""

    kind: ValueKind
    start: int
    end: int
    text: str
    numbers: frozenset[float] = frozenset()
    unit: str = ""
    key: str = ""
    span: DateSpan | None = None
    approx: bool = False
    spelled: bool = False  # a number word


NUMBER_WORDS: dict[str, int] = {
    word: number
    for number, words in {
        0: "zero null zéro cero", 2: "two zwei deux dos", 3: "three drei trois tres",
        4: "four vier quatre cuatro", 5: "five fünf cinq cinco", 6: "six sechs seis", 7: "seven sieben sept siete",
        8: "eight acht huit ocho", 9: "nine neun neuf nueve", 10: "ten zehn dix diez", 11: "eleven elf onze once",
        12: "twelve zwölf douze doce", 13: "thirteen dreizehn", 14: "fourteen vierzehn", 15: "fifteen fünfzehn",
        16: "sixteen sechzehn", 17: "seventeen siebzehn", 18: "eighteen achtzehn", 19: "nineteen neunzehn",
        20: "twenty zwanzig vingt veinte", 30: "thirty dreissig dreißig trente treinta", 40: "forty vierzig",
        50: "fifty fünfzig", 60: "sixty sechzig", 70: "seventy", 80: "eighty", 90: "ninety", 100: "hundred",
    }.items()
    for word in words.split()
}  # fmt: skip
_CURRENCY = {"€": "EUR", "$": "USD", "£": "GBP", "fr": "CHF", "sfr": "CHF", "euro": "EUR", "euros": "EUR",
             "dollars": "USD", "franken": "CHF"}  # fmt: skip
_CURRENCY_WORDS = frozenset(
    ["chf", "eur", "usd", "gbp", "sek", "nok", "dkk", "jpy", "cad", "aud", "pln", "czk", "fr", "sfr", "euro", "euros",
     "dollars", "franken"]
)  # fmt: skip
_CUR = rf"(?:€|\$|£|\b(?:{'|'.join(sorted(_CURRENCY_WORDS))})\b\.?)"
_NUM = r"\d(?:[\d.,'’\u00a0\u202f]{0,30}\d)?"
_SCALE = r"(?:\s?(?:k|K|M|m|Mio|Mia|bn|million|millionen|thousand|tausend)(?![\w-]))?"
_UNITS = {
    "minute": "minute", "minuten": "minute", "min": "minute", "hour": "hour", "stunde": "hour", "stunden": "hour",
    "heure": "hour", "hora": "hour", "day": "day", "tag": "day", "tage": "day", "tagen": "day", "jour": "day",
    "dia": "day", "week": "week", "woche": "week", "wochen": "week", "semaine": "week", "semana": "week",
    "month": "month", "monat": "month", "monate": "month", "monaten": "month", "moi": "month", "mois": "month",
    "year": "year", "jahr": "year", "jahre": "year", "jahren": "year", "an": "year", "ans": "year", "ano": "year",
}  # fmt: skip
_SPELLED = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_UNIT_WORDS = frozenset(
    ["minute", "minutes", "minuten", "min", "mins", "hour", "hours", "stunde", "stunden", "heure", "heures", "hora",
     "horas", "day", "days", "tage", "tagen", "jour", "jours", "dia", "dias", "día", "días", "week", "weeks", "woche",
     "wochen", "semaine", "semaines", "semana", "semanas", "month", "months", "monat", "monate", "monaten", "mois",
     "year", "years", "jahre", "jahren", "ans", "año", "años"]
)  # fmt: skip
_UNIT = "|".join(sorted(_UNIT_WORDS, key=len, reverse=True))
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
_HANDLE = re.compile(r"(?<![\w@])@\w{2,40}")
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"')\]]{1,500}", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w/.])(?:~?/)?(?:[\w.-]{1,60}/){1,12}[\w.-]{1,80}\.[A-Za-z]{1,5}\b|(?<![\w/@.-])[\w-]{2,60}\.(?:md|pdf|html?|txt|docx?|csv|xlsx?|mdx|json|ics|vcf)\b")  # fmt: skip
_PHONE = re.compile(r"(?<![\w.,])(?:\+|\(\+?|00)?\d[\d \u00a0().\-/]{5,22}\d(?![\w%]|[.,]\d)")
_QUOTE_MARK = re.compile(r"[\"“„«»]")
_QUOTE = re.compile(r"[\"“„«»]([^\"“”„«»\n]{2,400})[\"”“«»]")
_TIME = re.compile(
    r"(?<![\d.:,])(?P<h>[01]?\d|2[0-4])(?:(?:[:.]|\s?h\s?)(?P<m>[0-5]\d)(?![\d%])|)"
    r"(?P<tail>\s?(?:[ap]\.?m\b\.?|uhr\b|h\b(?!\w)|o'clock))?(?![\d:]|[.,]\d|\s?%)",
    re.IGNORECASE,
)
_DURATION = re.compile(rf"(?<![\w.,])(?P<n>{_NUM}|(?:{_SPELLED}))(?:[ -]|\u00a0)?(?:straight |full |more |whole )?(?P<u>{_UNIT})\b", re.IGNORECASE)  # fmt: skip
_PERCENT = re.compile(rf"(?P<n>{_NUM})\s?(?:%|percent\b|per cent\b|prozent\b)", re.IGNORECASE)
_MONEY = re.compile(rf"(?P<c1>{_CUR})\s?(?P<n1>{_NUM}{_SCALE})|(?P<n2>{_NUM}{_SCALE})(?:\.[-–—])?\s?(?P<c2>{_CUR})", re.IGNORECASE)  # fmt: skip
_NUMBER = re.compile(rf"(?<![\w.])(?P<n>{_NUM})(?P<s>{_SCALE})(?P<ord>st|nd|rd|th)?(?P<unit>(?:km|kg|cm|mm|m|g|l|rps|x)(?!\w))?")  # fmt: skip
_WORDNUM = re.compile(rf"(?<![\w-])(?:{_SPELLED})(?![\w-])", re.IGNORECASE)
_ABOUT = (
    "about", "around", "roughly", "nearly", "almost", "over", "more than", "less than", "under", "at least", "at most",
    "up to", "approximately", "~", "≈", "c.", "ca", "ca.", "rund", "etwa", "fast", "knapp", "über", "environ", "presque",
    "plus de", "unos", "casi", "more",
)  # fmt: skip


@lru_cache(maxsize=4096)
def readings(written: str) -> frozenset[float]:
    """The numbers that digits with marks may mean, by any locale's marks."""
    scale = 1.0
    match = re.fullmatch(r"(.*?\d)\s?([A-Za-z]+)", written.strip())
    if match:
        scale = {"k": 1e3, "thousand": 1e3, "tausend": 1e3, "mia": 1e9, "bn": 1e9}.get(match[2].lower(), 1e6)
        written = match[1]
    body = re.sub(r"['’\u00a0\u202f\s]", "", written)
    found: set[float] = set()
    for thousands, decimal in ((",", "."), (".", ",")):
        whole, mark, rest = body.partition(decimal)
        groups = whole.split(thousands)
        if decimal in rest or thousands in rest or any(len(g) != 3 for g in groups[1:]):
            continue
        number = "".join(groups) + (f".{rest}" if mark else "")
        try:
            found.add(round(float(number) * scale, 6))
        except ValueError:
            continue
    return frozenset(found)


def spelled(word: str) -> float | None:
    number = NUMBER_WORDS.get(word.lower())
    return None if number is None else float(number)


def find_values(text: str, today: date | None, *, quotes: bool = True) -> list[Value]:
    """Every value of a text, in order. Without `today` only absolute dates are read (stored text)."""
    found: list[Value] = []
    rest = text
    seen = _Seen.of(text)
    for finder, needed in _FINDERS:
        if not needed(seen) or (finder is _quotes and not quotes):
            continue
        new = list(finder(rest, seen, today))
        found += new
        for value in new:
            if value.kind is not ValueKind.QUOTE:
                blank = "\x00" if value.kind in CONTACTS else " "
                rest = rest[: value.start] + blank * (value.end - value.start) + rest[value.end :]
    return sorted(found, key=lambda v: v.start)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a text holds at all: enough to know which finders, whose patterns cost more, can find nothing."""

    text: str
    lower: str
    words: frozenset[str]
    digits: int

    @classmethod
    def of(cls, text: str) -> _Seen:
        lower = text.lower()
        return cls(text, lower, frozenset(_LETTERS.findall(lower)), len(_DIGIT.findall(text)))


def _contacts(rest: str, seen: _Seen, today: date | None) -> Iterator[Value]:
    for pattern, kind in ((_URL, ValueKind.URL), (_EMAIL, ValueKind.EMAIL), (_HANDLE, ValueKind.EMAIL)):
        for m in pattern.finditer(rest):
            shown = m.group().rstrip(".,;:!?*_")
            yield Value(kind, m.start(), m.start() + len(shown), shown, key=contact_key(shown))


def _paths(rest: str, seen: _Seen, today: date | None) -> Iterator[Value]:
    for m in _PATH.finditer(rest):
        yield Value(ValueKind.PATH, m.start(), m.end(), m.group(), key=fold(m.group()).rsplit("/", 1)[-1])


def _quotes(rest: str, seen: _Seen, today: date | None) -> Iterator[Value]:
    for m in _QUOTE.finditer(seen.text):
        yield Value(ValueKind.QUOTE, m.start(), m.end(), m.group(1), key=quote_key(m.group(1)))


def _phones(rest: str, seen: _Seen, today: date | None) -> Iterator[Value]:
    for m in _PHONE.finditer(rest):
        digits = re.sub(r"\D", "", m.group())
        plus = m.group().lstrip("(")[:1] in "+" or digits.startswith("0")
        if 7 <= len(digits) <= 15 and (plus or m.group().count(" ") >= 2) and not _ISO_LIKE.search(m.group()):
            yield Value(ValueKind.PHONE, m.start(), m.end(), m.group(), key=phone_key(digits))


_ISO_LIKE = re.compile(r"\d{4}-\d\d|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}/\d{1,2}/\d{2,4}")


def _dates(rest: str, seen: _Seen, today: date | None) -> Iterator[Value]:
    for start, end, span in find_dates(rest, today):
        yield Value(ValueKind.DATE, start, end, seen.text[start:end], span=span, approx=span.loose)


def _percents(rest: str, seen: _Seen, today: date | None) -> Iterator[Value]:
    for m in _PERCENT.finditer(rest):
        yield Value(ValueKind.PERCENT, m.start(), m.end(), m.group(), readings(m["n"]), "%", approx=_about(rest, m))


def _money(rest: str, seen: _Seen, today: date | None) -> Iterator[Value]:
    for m in _MONEY.finditer(rest):
        written = (m["c1"] or m["c2"]).rstrip(".")
        unit = _CURRENCY.get(written.lower(), written.upper())
        yield Value(
            ValueKind.MONEY, m.start(), m.end(), m.group(), readings(m["n1"] or m["n2"]), unit, approx=_about(rest, m)
        )


def _durations(rest: str, seen: _Seen, today: date | None) -> Iterator[Value]:
    for m in _DURATION.finditer(rest):
        word = spelled(m["n"])
        numbers = readings(m["n"]) if word is None else frozenset({word})
        written = fold(m["u"])
        unit = _UNITS.get(written) or _UNITS.get(written.rstrip("s"), "day")
        yield Value(ValueKind.DURATION, m.start(), m.end(), m.group(), numbers, unit, approx=_about(rest, m))


def _times(rest: str, seen: _Seen, today: date | None) -> Iterator[Value]:
    for m in _TIME.finditer(rest):
        tail = (m["tail"] or "").strip().lower().replace(".", "")
        mark = rest[m.start("m") - 1] if m["m"] else ""
        if not tail and (mark != ":" and "h" not in m.group().lower()):
            continue
        hour, minute = int(m["h"]), int(m["m"] or 0)
        if tail == "pm" and hour < 12:
            hour += 12
        elif tail == "am" and hour == 12:
            hour = 0
        vague = tail in ("", "o'clock") and hour < 12
        yield Value(ValueKind.TIME, m.start(), m.end(), m.group(), key=f"{hour * 60 + minute}", approx=vague)


def _numbers(rest: str, seen: _Seen, today: date | None) -> Iterator[Value]:
    for m in _NUMBER.finditer(rest) if seen.digits else ():
        numbers = readings(m["n"] + m["s"])
        if numbers:
            yield Value(
                ValueKind.NUMBER, m.start(), m.end(), m.group(), numbers, m["unit"] or "", approx=_about(rest, m)
            )
    for m in _WORDNUM.finditer(rest) if not _NUMBER_WORDS.isdisjoint(seen.words) else ():
        number = float(NUMBER_WORDS[m.group().lower()])
        yield Value(ValueKind.NUMBER, m.start(), m.end(), m.group(), frozenset({number}), spelled=True)


_LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_EXTENSION = re.compile(r"\.[A-Za-z]")
_PATH_HINT = re.compile(r"[/\\]|\w\.\w")
_CLOCK = re.compile(r"\d\s?[:haupo]", re.IGNORECASE)
_SIGNS = re.compile(r"[€$£]")
_NUMBER_WORDS = frozenset(NUMBER_WORDS)

# Each finder with what must occur at all before its pattern is tried.
_FINDERS: tuple[tuple[Callable[[str, _Seen, date | None], Iterator[Value]], Callable[[_Seen], object]], ...] = (
    (_quotes, lambda s: _QUOTE_MARK.search(s.text)),
    (_contacts, lambda s: "@" in s.text or "://" in s.text or "www." in s.lower),
    (_paths, lambda s: _EXTENSION.search(s.text) and _PATH_HINT.search(s.text)),
    (_dates, lambda s: True),
    (_phones, lambda s: s.digits >= 7),
    (_percents, lambda s: s.digits and ("%" in s.text or "cent" in s.lower or "zent" in s.lower)),
    (_money, lambda s: s.digits and (not _CURRENCY_WORDS.isdisjoint(s.words) or _SIGNS.search(s.text))),
    (_durations, lambda s: not _UNIT_WORDS.isdisjoint(s.words)),
    (_times, lambda s: s.digits and _CLOCK.search(s.text)),
    (_numbers, lambda s: True),
)


def _about(text: str, match: re.Match[str]) -> bool:
    return text[max(0, match.start() - 16) : match.start()].rstrip().lower().endswith(_ABOUT)


def contact_key(written: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", fold(written)).rstrip("/")


def phone_key(digits: str) -> str:
    """The last nine digits: country code and trunk zero do not matter."""
    return digits.removeprefix("00").lstrip("0")[-9:]


def quote_key(text: str) -> str:
    return " ".join(re.findall(r"\w+", fold(text)))
