"""Risks of a change, as typed codes with words: what a person should know before they approve it.

Deterministic and pure: it looks at texts, addresses and amounts. A risk stops nothing; the card shows it plainly.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from sayso.serving.visible import hides, mixed_scripts


class RiskCode(StrEnum):
    RECIPIENT_UNKNOWN = "recipient_unknown"
    ADDRESS_OF_OTHER = "address_of_other"
    ADDRESS_DIFFERS = "address_differs"
    ADDRESS_NEW = "address_new"
    MONEY = "money"
    HIDDEN = "hidden"
    BIDI = "bidi"
    FILLER = "filler"
    VARIATION = "variation"
    LOOK_ALIKE = "look_alike"
    STACKED = "stacked"
    PADDING = "padding"
    LONG = "long"
    TALL = "tall"
    UNBACKED = "unbacked"
    NOT_ASKED = "not_asked"
    REPEATED = "repeated"
    MANY = "many"
    TARGET_CHANGED = "target_changed"
    TARGET_GONE = "target_gone"


_WORDS: Mapping[RiskCode, str] = {
    RiskCode.RECIPIENT_UNKNOWN: "not among your contacts: {}",
    RiskCode.ADDRESS_OF_OTHER: "this address is recorded for somebody else: {}",
    RiskCode.ADDRESS_DIFFERS: "another address than the recorded one: {}",
    RiskCode.ADDRESS_NEW: "a new address, none of this sort is recorded: {}",
    RiskCode.MONEY: "money: {}",
    RiskCode.HIDDEN: "holds hidden characters, shown as ⟨U+…⟩",
    RiskCode.BIDI: "holds characters that turn the direction of text, shown as ⟨U+…⟩",
    RiskCode.FILLER: "holds blanks that are no spaces, shown as ⟨U+…⟩",
    RiskCode.VARIATION: "holds variation selectors, shown as ⟨U+…⟩",
    RiskCode.LOOK_ALIKE: "letters that look like others: {}",
    RiskCode.STACKED: "marks piled on one letter",
    RiskCode.PADDING: "long runs of blanks or empty lines",
    RiskCode.LONG: "a long text: {} characters",
    RiskCode.TALL: "many lines: {}",
    RiskCode.UNBACKED: "neither in your records nor said by you: {}",
    RiskCode.NOT_ASKED: "not asked for by you: {}",
    RiskCode.REPEATED: "the same was approved already: {}",
    RiskCode.MANY: "more changes than you asked for: {}",
    RiskCode.TARGET_CHANGED: "the record has changed since this was proposed: {}",
    RiskCode.TARGET_GONE: "the record is no longer there: {}",
}


@dataclass(frozen=True, slots=True)
class Risk:
    """One thing to know; `values` are what it is about, for its words in any language."""

    code: RiskCode
    values: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        return _WORDS[self.code].replace("{}", " · ".join(self.values))


LONG_TEXT, TALL_TEXT = 2000, 40
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_VARIATION = re.compile("[\ufe00-\ufe0f\u180b-\u180f\U000e0100-\U000e01ef]")
_PADDING = re.compile(r"[ \t\u00a0]{8,}|(?:[ \t]*\n){5,}")
_STACKED = 4  # combining marks on one letter; Hebrew and Vietnamese need up to three
_STYLED = re.compile(
    "[\U0001d400-\U0001d7ff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9\U0001f130-\U0001f189]+"
)
_IN_WORD = re.compile("(?<=\\w)[\u2024\uff0e\u2044\u2215\u29f8\uff0f\ufe52](?=\\w)")
_TWINS = frozenset("аеорсухіјѕԁӏһԛԝьѵԍАВЕКМНОРСТУХІЈЅԌοαινρτυχκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
"""Cyrillic and Greek letters that look like Latin ones."""
_WORD = re.compile(r"[^\W\d_]+")
_MARKED_WORD = re.compile(r"\w+")
_LATIN = re.compile("[A-Za-zÀ-ɏ]")
_PHONETIC = re.compile("[\u0250-\u02af\u1d00-\u1d2b\ua730\ua731\ua7fa]")


def text_risks(text: str) -> tuple[Risk, ...]:
    """What a text hides, imitates or buries."""
    if text.isascii() and len(text) <= LONG_TEXT and not _PADDING.search(text) and text.count("\n") < TALL_TEXT:
        return (Risk(RiskCode.HIDDEN),) if any(hides(c) for c in text) else ()
    found = [Risk(code) for code in dict.fromkeys(_hidden(text))]
    if twins := tuple(dict.fromkeys(_look_alikes(text))):
        found.append(Risk(RiskCode.LOOK_ALIKE, twins[:5]))
    if _is_stacked(text):
        found.append(Risk(RiskCode.STACKED))
    if _PADDING.search(text):
        found.append(Risk(RiskCode.PADDING))
    if len(text) > LONG_TEXT:
        found.append(Risk(RiskCode.LONG, (str(len(text)),)))
    if (lines := text.count("\n") + 1) > TALL_TEXT:
        found.append(Risk(RiskCode.TALL, (str(lines),)))
    return tuple(found)


def _hidden(text: str) -> Iterable[RiskCode]:
    for char in text:
        if not hides(char):
            continue
        if char in _BIDI:
            yield RiskCode.BIDI
        elif _VARIATION.match(char):
            yield RiskCode.VARIATION
        elif unicodedata.category(char) in ("Zs", "Lo", "So", "Mn"):
            yield RiskCode.FILLER
        else:
            yield RiskCode.HIDDEN


def _look_alikes(text: str) -> Iterable[str]:
    yield from mixed_scripts(text)
    yield from _STYLED.findall(text)
    yield from (word for word in _MARKED_WORD.findall(text) if _imitates(word))
    yield from (match.group() for match in _IN_WORD.finditer(text))
    if _is_latin(text):
        yield from (w for w in _WORD.findall(text) if len(w) > 2 and all(c in _TWINS for c in w))


def _imitates(word: str) -> bool:
    """Whether a word of Latin letters holds others that pass for them: "ɡoogle", "paypaⅼ"."""
    return not word.isascii() and bool(_LATIN.search(word)) and any(_passes_for_latin(char) for char in word)


def _passes_for_latin(char: str) -> bool:
    if _PHONETIC.match(char):
        return True
    plain = unicodedata.normalize("NFKC", char)
    return plain != char and len(plain) == 1 and plain.isascii() and plain.isalpha() and char not in "ªºſ"


def _is_latin(text: str) -> bool:
    """Whether most letters are Latin: then a word of look-alikes alone is no word of its own language."""
    letters = [c for c in text if c.isalpha()]
    return sum(bool(_LATIN.match(c)) for c in letters) * 2 > len(letters)


def _is_stacked(text: str) -> bool:
    piled = 0
    for char in text:
        piled = piled + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if piled >= _STACKED:
            return True
    return False


_CURRENCY = r"(?:CHF|EUR|USD|GBP|JPY|SEK|NOK|DKK|PLN|CAD|AUD|INR|CNY|Fr\.|SFr\.?|US\$|[$€£¥₹₿])"
_COINS = r"(?:francs?|Franken|Rappen|dollars?|euros?|pounds?|BTC|bitcoins?)"
_FIGURE = r"\d[\d'’.,\u00a0\u202f ]*\d|\d"
_MONEY = re.compile(
    rf"(?:{_CURRENCY}\s?(?:{_FIGURE}))|(?:(?:{_FIGURE})\s?(?:{_CURRENCY}|{_COINS})(?![A-Za-z]))"
    r"|\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,7}(?:\s?[A-Z0-9]{1,4})?\b",  # the last is an account number
    re.IGNORECASE,
)
_AMOUNTS = frozenset({"amount", "price", "total", "sum", "fee", "budget", "cost", "betrag", "preis"})


def money_in(name: str, text: str) -> tuple[Risk, ...]:
    """Amounts of money and account numbers in a value."""
    found = [" ".join(match.group().split()) for match in _MONEY.finditer(text)]
    if not found and name.lower() in _AMOUNTS and any(c.isdigit() for c in text):
        found = [text]
    return (Risk(RiskCode.MONEY, tuple(dict.fromkeys(found))[:5]),) if found else ()


_MAIL = re.compile(r"[^\s@<>\"(),;:]+@[^\s@<>\"(),;:]+\.[^\s@<>\"(),;:.]+")
_PHONE = re.compile(r"\+?\(?\d[\d\s()./-]{5,}\d")
_TO = frozenset({"address", "addresses", "to", "cc", "bcc", "email", "phone", "recipient", "recipients", "attendees"})
Contacts = Sequence[tuple[str, str, str]]
"""(key, name, address) of every way to reach somebody."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Whom the records know: every contact, and the target's key where the target is a person."""

    contacts: Contacts
    target: str | None = None


def address_risks(name: str, value: Any, recorded: Recorded) -> tuple[Risk, ...]:
    """Where something would go, against where the records say that its target is reached."""
    items = cast(list[Any], value) if isinstance(value, list) else [value]
    if name.lower() == "channels":  # how somebody is reached from then on
        ways = [cast(dict[str, Any], item).get("value") for item in items if isinstance(item, dict)]
        found = address_risks("to", [way for way in ways if isinstance(way, str)], recorded)
        # Whoever is new is among nobody's contacts yet: that is no risk.
        return tuple(risk for risk in found if risk.code is not RiskCode.RECIPIENT_UNKNOWN)
    if name.lower() not in _TO:
        return ()
    texts = [item for item in items if isinstance(item, str)]
    found = (_address_risk(address, recorded) for text in texts for address in addresses_in(text))
    return tuple(risk for risk in found if risk is not None)


def addresses_in(text: str) -> list[str]:
    """The e-mail addresses of a text, or the one phone number that it is."""
    return _MAIL.findall(text) or ([text.strip()] if _PHONE.fullmatch(text.strip()) else [])


def _address_risk(address: str, recorded: Recorded) -> Risk | None:
    known = {(key, _same(a)) for key, _, a in recorded.contacts}
    holders = [n for _, n, a in recorded.contacts if _same(a) == _same(address)]
    if recorded.target is None:
        return None if holders else Risk(RiskCode.RECIPIENT_UNKNOWN, (address,))
    if (recorded.target, _same(address)) in known:
        return None
    if holders:
        return Risk(RiskCode.ADDRESS_OF_OTHER, (address, *dict.fromkeys(holders)))
    theirs = [a for key, _, a in recorded.contacts if key == recorded.target and ("@" in a) == ("@" in address)]
    theirs = [a for a in theirs if addresses_in(a)]
    return Risk(RiskCode.ADDRESS_DIFFERS, (address, *theirs)) if theirs else Risk(RiskCode.ADDRESS_NEW, (address,))


def _same(address: str) -> str:
    """One spelling of an address: an e-mail's in small letters, a number's digits."""
    if "@" in address:
        return address.strip().casefold()
    digits = re.sub(r"\D", "", address)
    return re.sub(r"^00", "", digits) if digits else address.strip().casefold()
