"""Templates and how a claim fills them: an answer in a language, and where each slot's text stands in it."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from functools import cache
from pathlib import Path

from gold import languages
from gold.claims import Claim, Slot, Words
from gold.people import MonthDay, name_parts

WORDINGS = Path(__file__).with_name("wordings")
_SLOT = re.compile(r"\{(\w+)\}")
_DAYS = ("D", "d", "iso", "num", "rel")
_NAMES = ("name", "first", "person", "a", "b")
_NUMBERS = ("percent", "left")
_PERCENT_FOLLOWS = re.compile(
    r"[  ]?(?:%|percent|Prozent|pour ?cent|per cento|por ciento|points?|Punkte?|puntos|punti)"
)
_HOUR_FOLLOWS = re.compile(r"[  ]?(?:h\b|Uhr|hs?\b|ore\b)")
_WITH_DAYS = re.compile(r"\b(?:days?|Tage?n?|jours?|giorn[oi]|días?)\b", re.IGNORECASE)
_WITH_WEEKS = re.compile(r"\b(?:weeks?|Wochen?|semaines?|settiman[ae]|semanas?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Template:
    """One wording. `origin` is "own", or "blind" or "unseen": by someone who had not seen the rules."""

    type: str
    language: str
    text: str
    origin: str

    @property
    def slots(self) -> frozenset[str]:
        return frozenset(_SLOT.findall(self.text))

    @property
    def cites(self) -> bool:
        return any(slot.startswith("ref") for slot in self.slots)


@dataclass(frozen=True, slots=True)
class Rendered:
    """`places`: slot to the spans at which its text stands."""

    text: str
    places: Mapping[str, tuple[tuple[int, int], ...]]


@cache
def templates() -> tuple[Template, ...]:
    """All wordings of both files, each once."""
    found: dict[tuple[str, str, str], Template] = {}
    for origin in ("blind", "unseen", "own"):
        path = WORDINGS / f"{origin}.toml"
        for type_, by_language in (tomllib.loads(path.read_text("utf-8")) if path.exists() else {}).items():
            for language in languages.LANGUAGES:
                for text in by_language.get(language, ()):
                    found.setdefault((type_, language, text), Template(type_, language, text.strip("\n"), origin))
    return tuple(found.values())


@cache
def templates_of(type: str, language: str) -> tuple[Template, ...]:
    return tuple(t for t in templates() if (t.type, t.language) == (type, language))


@cache
def wrong() -> Mapping[str, object]:
    """The wordings and words that only wrong answers use."""
    return tomllib.loads((WORDINGS / "wrong.toml").read_text("utf-8"))


def fits(template: Template, claim: Claim) -> bool:
    """Whether the claim can be said so, and is true when said so."""
    slots = template.slots
    days = set(slots & set(_DAYS))
    day = claim.slots.get("day")
    if days and (day is None or (isinstance(day, MonthDay) and days != {"d"})):
        return False
    if claim.units and (slots & {"n", "nw"}) and not _same_units(template.text, claim.units):
        return False
    others = {"first", "last", "n", "nw", "unit", "weekday", "a_role", "ref", "ref_a", "ref_b", *_DAYS}
    if not (slots - others) <= set(claim.slots) | set(claim.cites):
        return False
    if slots & {"n", "nw"} and not isinstance(claim.slots.get("n"), int):
        return False
    if "a_role" in slots and claim.slots.get("role") in ("facilities", None):
        return False
    if "unit" in slots and not claim.units:
        return False
    name = str(claim.slots.get("name", ""))
    if template.language == "de" and re.search(r"\{(?:name|first|last|person|title|a|b)\}s\b", template.text):
        return _takes_genitive(template.text, claim)
    return not slots & {"first", "last"} or _told_apart(slots, name)


def _same_units(text: str, units: str) -> bool:
    """A template that names days is no wording of a streak of weeks."""
    named = {"days"} if _WITH_DAYS.search(text) else set[str]()
    named |= {"weeks"} if _WITH_WEEKS.search(text) else set[str]()
    return named <= {units}


def _takes_genitive(text: str, claim: Claim) -> bool:
    """German adds an s to Latin names that do not end in one."""
    for slot in re.findall(r"\{(\w+)\}s\b", text):
        parts = name_parts(str(claim.slots.get("name", "")))
        told = parts[slot == "last"] if slot in ("first", "last") and parts else str(claim.slots.get(slot, "s"))
        if not re.search(r"[a-rt-wyà-öø-ÿ]$", told):
            return False
    slots = frozenset(_SLOT.findall(text))
    return not slots & {"first", "last"} or _told_apart(slots, str(claim.slots.get("name", "")))


AMBIGUOUS = frozenset({"Elena", "Claudia", "Jörg", "Weber", "Peña", "Claudia Schmid"})


def _told_apart(slots: frozenset[str], name: str) -> bool:
    parts = name_parts(name)
    if parts is None:
        return False
    if "name" in slots or {"first", "last"} <= slots:
        return True
    return parts[0 if "first" in slots else 1] not in AMBIGUOUS


def render(template: Template, claim: Claim, refs: Mapping[str, str], today: date, seed: int) -> Rendered:
    """The answer. The same seed makes the same choices, so that a changed slot changes nothing else."""
    text, places, at = "", dict[str, list[tuple[int, int]]](), 0
    for found in _SLOT.finditer(template.text):
        text += template.text[at : found.start()]
        told = _told(found[1], template, found.end(), claim, refs, today, seed)
        if not text.strip('*_-• \n"«„“') and found[1] in ("rel", "nw", "status", "frequency", "field", "weekday"):
            told = told[:1].upper() + told[1:]
        if template.language == "fr" and text.endswith(" de ") and told[0] in "AEIOUYÉÈaeiouyéè" and found[1] in _NAMES:
            text = text[:-2] + "'"
        places.setdefault(found[1], []).append((len(text), len(text) + len(told)))
        text, at = text + told, found.end()
    return Rendered(text + template.text[at:], {slot: tuple(spans) for slot, spans in places.items()})


def _told(
    slot: str, template: Template, end: int, claim: Claim, refs: Mapping[str, str], today: date, seed: int
) -> str:
    language, follows = template.language, template.text[end:]
    chance = random.Random(f"{seed} {slot}")
    if slot in refs:
        return refs[slot]
    if slot in _DAYS:
        return _day(slot, claim.slots["day"], today, language, chance)
    if slot in ("n", "nw"):
        n = claim.slots["n"]
        assert isinstance(n, int)
        return languages.number_word(n, language) if slot == "nw" else str(n)
    if slot == "weekday":
        return _weekday(claim, language)
    if slot == "a_role":
        role = str(claim.slots["role"])
        return f"{'an' if role[0] in 'aeiou' else 'a'} {role}"
    if slot == "unit":
        return languages.table(language)["plural"][claim.units]
    if slot in ("first", "last"):
        parts = name_parts(str(claim.slots["name"]))
        assert parts
        return parts[slot == "last"]
    return _value(slot, claim.slots[slot], language, chance, follows)


def _weekday(claim: Claim, language: str) -> str:
    """That of the day, or another one that the claim states beside it."""
    day, stated = claim.slots["day"], claim.slots.get("weekday")
    assert isinstance(day, date)
    return languages.table(language)["weekdays"][stated if isinstance(stated, int) else day.weekday()]


def _day(form: str, day: Slot, today: date, language: str, chance: random.Random) -> str:
    if isinstance(day, MonthDay):
        return languages.short_day(date(2024, day.month, day.day), language, chance)
    assert isinstance(day, date)
    match form:
        case "D":
            return languages.long_day(day, language, chance)
        case "d":
            return languages.short_day(day, language, chance)
        case "num":
            return languages.numeric_day(day, language, chance)
        case "rel":
            return languages.relative_day(day, today, language, chance)
        case _:
            return day.isoformat()


def _value(slot: str, value: Slot, language: str, chance: random.Random, follows: str) -> str:
    if isinstance(value, Words):
        return languages.worded(value.group, value.key, language, chance)
    if isinstance(value, time):
        return languages.clock_time(value, language, chance, plain=bool(_HOUR_FOLLOWS.match(follows)))
    if slot == "phone" and chance.random() < 0.2:
        return str(value).replace(" ", "")
    if slot in _NUMBERS and not _PERCENT_FOLLOWS.match(follows):
        assert isinstance(value, int)
        return languages.percent(value, language, chance)
    return str(value)
