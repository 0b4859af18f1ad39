# ruff: noqa: E501 (patterns and tables are easier to read on one line)
"""Times of day in text, as minutes after midnight. A time on a dial of twelve hours is vague: morning or evening."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.verify.language.clock import AFTERNOON, MORNING, NAMED, SPOKEN, ZONES
from sayso.core.verify.value import Value, ValueKind

_I = re.IGNORECASE
_ZONE = rf"(?-i:\s?\(?(?:{ZONES})\b(?:\s?[+-]\s?\d{{1,2}}(?::?\d\d)?)?\)?|[+-]\d\d:\d\d\b|Z\b)?"
_PARTS = "|".join(
    rf"{lead}\s{word}"
    for lead, words in {
        "(?:in the|de l['’]|de la|por la|della|di|du|del|de)": (
            "morning afternoon evening après-midi matin soir mattina mattino sera pomeriggio mañana tarde noche madrugada"
        )
    }.items()
    for word in words.split()
)
_PART = rf"(?:\s(?:{_PARTS}|de l['’]après-midi|nachmittags|abends|nachts|morgens|vormittags|früh)\b)?"
_H = r"0{0,9}(?:[01]?\d|2[0-4])"
_M = r"0{0,9}[0-5]?\d"
_TIME = re.compile(
    r"(?<![\d.:,])(?P<h>[01]?\d|2[0-4])(?:(?:[:.]|\s?h\s?)(?P<m>[0-5]\d)(?![\d%])(?::[0-5]\d(?:\.\d{1,6})?)?|)"
    rf"(?P<tail>\s?(?:[ap]\.?m\b\.?|uhr\b|h\b(?!\w)|o['’]clock))?{_ZONE}(?![\d:]|[.,]\d|\s?%){_PART}",
    _I,
)
_DOTTED = re.compile(r"\b(?:ore|alle|dalle|las)\s(?P<h>[01]?\d|2[0-4])[.:](?P<m>[0-5]\d)(?![\d.])", _I)
_FROM = r"(?:\b(?P<at>à|dès|vers|avant|après|jusqu['’]à)\s)?"
_END = r"(?!\w|[.:]\d)"
_SPOKEN = (
    (re.compile(rf"\bhalf[ -]past\s(?P<h>{_H})\b{_PART}", _I), 0, 30),
    (re.compile(rf"\bquarter past\s(?P<h>{_H})\b{_PART}", _I), 0, 15),
    (re.compile(rf"\bquarter (?:to|before)\s(?P<h>{_H})\b{_PART}", _I), -1, 45),
    (re.compile(rf"\b(?P<m>{_M}) (?:minutes )?past\s(?P<h>{_H})\b{_PART}", _I), 0, 0),
    (re.compile(rf"\b(?:um|gegen|ab|bis|vor|nach)?\s?\bhalb\s(?P<h>{_H})\b(?! ?(?:so|wegs)){_PART}", _I), -1, 30),
    (re.compile(rf"\bviertel nach\s(?P<h>{_H})\b{_PART}", _I), 0, 15),
    (re.compile(rf"\b(?:viertel vor|dreiviertel)\s(?P<h>{_H})\b{_PART}", _I), -1, 45),
    (re.compile(rf"{_FROM}\b(?P<h>{_H}|une) heures?\s(?:et demie|0*30){_END}{_PART}", _I), 0, 30),
    (re.compile(rf"{_FROM}\b(?P<h>{_H}|une) heures?\s(?:et quart|0*15){_END}{_PART}", _I), 0, 15),
    (re.compile(rf"{_FROM}\b(?P<h>{_H}|une) heures?\smoins le quart\b{_PART}", _I), -1, 45),
    (re.compile(rf"{_FROM[:-1]}\b(?P<h>{_H}|une) heures?\b(?:\s(?P<m>{_M})\b)?{_PART}", _I), 0, 0),
    (re.compile(rf"\b(?:alle|le|dalle|ore)\s(?P<h>{_H})\se mezz[ao]\b{_PART}", _I), 0, 30),
    (re.compile(rf"\b(?:alle|le|dalle|ore)\s(?P<h>{_H})\se un quarto\b{_PART}", _I), 0, 15),
    (re.compile(rf"\b(?:alle|le|dalle|ore)\s(?P<h>{_H})\smeno un quarto\b{_PART}", _I), -1, 45),
    (re.compile(rf"\b(?:alle ore|ore)\s(?P<h>{_H})\b(?![.:]\d){_PART}", _I), 0, 0),
    (re.compile(rf"\blas?\s(?P<h>{_H}|una) y media\b{_PART}", _I), 0, 30),
    (re.compile(rf"\blas?\s(?P<h>{_H}|una) y cuarto\b{_PART}", _I), 0, 15),
    (re.compile(rf"\blas?\s(?P<h>{_H}|una) menos cuarto\b{_PART}", _I), -1, 45),
)  # fmt: skip
"""Patterns with the hours and minutes that they add to the hour named: "halb zehn" is 9:30."""
_NAMED = re.compile(rf"\b(?:12 uhr mittags|{'|'.join(NAMED)})\b", _I)
_LASTS = re.compile(r"(?:\bfor|\bwithin|\btakes?|\blasts?|\btook|\bwährend|\bdauert|\bpendant|\bdure|\bper|\bdurante|\bdura|~)\s$", _I)  # fmt: skip
_MINUTES = re.compile(r"\s?min", _I)  # "1 h 30 min" lasts


def spoken_times(text: str, shown: str, words: frozenset[str]) -> Iterator[Value]:
    """ "Half past nine", "halb zehn", "neuf heures et demie", "alle nove e mezza", "las nueve y cuarto"."""
    if not SPOKEN.isdisjoint(words):
        taken: set[int] = set()
        for pattern, hours, minutes in _SPOKEN:
            for m in pattern.finditer(text):
                if m.start("h") in taken:
                    continue
                taken.add(m.start("h"))
                told = m.groupdict()
                hour = 1 if m["h"][-1:].isalpha() else int(m["h"])
                lasting = "at" in told and not m["at"]
                yield _time(shown, m, hour + hours, minutes + int(told.get("m") or 0), lasting=lasting)
        for m in _DOTTED.finditer(text):
            yield _time(shown, m, int(m["h"]), int(m["m"]), start=m.start("h"))
    if not NAMED.keys().isdisjoint(words):
        for m in _NAMED.finditer(text):
            key = f"{NAMED.get(m.group().lower(), 720)}"
            yield Value(ValueKind.TIME, m.start(), m.end(), shown[m.start() : m.end()], key=key)


def times(text: str, shown: str) -> Iterator[Value]:
    """ "14:30", "2 pm", "14 Uhr", "9h30": digits with a mark or a word that makes them a time."""
    for m in _TIME.finditer(text):
        tail = (m["tail"] or "").strip().lower().replace(".", "")
        mark = text[m.start("m") - 1] if m["m"] else ""
        letter = tail == "h" or (bool(mark) and mark not in ":.")
        part = _half_of_day(m.group())
        if not tail and mark != ":" and not letter and not (part and not m["m"]):
            continue
        if letter and (_LASTS.search(text[max(0, m.start() - 20) : m.start()]) or _MINUTES.match(text, m.end())):
            continue
        yield _time(shown, m, int(m["h"]), int(m["m"] or 0), exact=letter or tail == "uhr", lasting=letter)


def _time(
    shown: str, m: re.Match[str], hour: int, minute: int, *, exact: bool = False, lasting: bool = False, start: int = -1
) -> Value:
    half = _half_of_day(m.group())
    if half == "pm" and hour < 12:
        hour += 12
    elif half == "am" and hour == 12:
        hour = 0
    vague = not half and not exact and hour < 12
    first = m.start() if start < 0 else start
    unit = "h" if lasting else ""
    key = f"{(hour * 60 + minute) % 1440}"
    return Value(ValueKind.TIME, first, m.end(), shown[first : m.end()], unit=unit, key=key, approx=vague)


def _half_of_day(written: str) -> str:
    tail = written.lower().replace(".", "").rstrip()
    if tail.endswith(AFTERNOON):
        return "pm"
    return "am" if tail.endswith(MORNING) else ""
