"""What a question takes for given: that somebody works at a place, that a way to reach them is recorded.

It compares words only; what is recorded it leaves to the records.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sayso.core.evidence import Numbered
from sayso.core.facts import Field, FieldType, value_text
from sayso.models.quote.phrases import capital, refs_of, text
from sayso.models.quote.words import fold, keys, said

_WORKS = re.compile(
    r"^\W*(?:(?P<asks>(?:does|did) .{2,40}? work) (?:at|for)|arbeitet (?!bei\b)(?P<who>.{2,40}?) bei)"
    r"(?: (?:the|der|dem|den))? "
    r"(?P<place>[^?]{2,60}?)\W*$",
    re.IGNORECASE,
)
_NO_PLACE = re.compile(r"\b(home|night|nights|weekends?|present|moment|living|projects?|projekte?n?|hause?)\b", re.I)
_WAYS = (
    ("email", re.compile(r"\be-?mails?\b|\bmail\b", re.IGNORECASE)),
    ("phone", re.compile(r"\b(?:tele)?phone\b|\bmobile\b|\btelefon\w*|\bhandy\w*", re.IGNORECASE)),
    ("whatsapp", re.compile(r"\bwhatsapp\b", re.IGNORECASE)),
    ("signal", re.compile(r"\bsignal\b", re.IGNORECASE)),
)
_BY_NUMBER = ("phone", "mobile", "whatsapp", "signal")  # a number to write to is one to call
_TOLD = {
    "en": {"email": "E-mail", "phone": "Phone", "whatsapp": "WhatsApp", "signal": "Signal"},
    "de": {"email": "E-Mail", "phone": "Telefon", "whatsapp": "WhatsApp", "signal": "Signal"},
}


def without_claim(question: str) -> tuple[str, str]:
    """The question where somebody works without the place that it names, and that place; else as it is, and ""."""
    match = _WORKS.match(question)
    if match is None or _NO_PLACE.search(match.group("place")):
        return question, ""
    asks = match.group("asks")
    plain = f"{asks} at?" if asks else f"Arbeitet bei {match.group('who')}?"
    return plain, match.group("place").strip()


def agrees(claimed: str, recorded: str) -> bool | None:
    """Whether a place is the recorded one; None where it may be, in other words or by its initials."""
    wanted, held = keys(claimed), keys(recorded)
    shared = said(wanted, held)
    if wanted and shared == len(set(wanted)):
        return True
    short, long = sorted((fold(claimed), fold(recorded)), key=len)
    return None if shared or _is_short_for(short, long) else False


def way_not_recorded(numbered: Numbered, fields: Sequence[Field], asked: str, language: str) -> str:
    """That the one way that is asked for is not among those that are recorded; else ""."""
    ways = [name for name, shape in _WAYS if shape.search(asked)]
    lists = [f for f in fields if f.type is FieldType.LIST and f.name in numbered.fact.values]
    if len(ways) != 1 or len(lists) != 1 or not {"email", "phone"} <= set(lists[0].words):
        return ""
    recorded = value_text(numbered.fact.values[lists[0].name]).lower()
    if any(way in recorded for way in (_BY_NUMBER if ways[0] == "phone" else ways)):
        return ""
    label = _TOLD[language][ways[0]]
    return text(language, "gap", labels=label, subject=numbered.fact.subject, ref=refs_of([numbered.ref])) + " "


def _is_short_for(short: str, long: str) -> bool:
    """Whether its letters stand in the longer one in their order, from the first on."""
    rest = iter(letter for letter in long if letter.isalnum())
    return short[:1] == long[:1] and all(letter in rest for letter in short if letter.isalnum())


def before_value(numbered: Numbered, fields: Sequence[Field], question_text: str, claimed: str, language: str) -> str:
    """What goes before a recorded value: yes or no to what is claimed of it, or that a way is not recorded."""
    value = numbered.fact.values.get(fields[0].name)
    if claimed and isinstance(value, str):
        agreed = agrees(claimed, value)
        return "" if agreed is None else f"{capital(text(language, 'yes' if agreed else 'no'))}: "
    return way_not_recorded(numbered, fields, question_text, language)
