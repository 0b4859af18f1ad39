"""Makes visible what a card's text would hide, so that a person approves what they see.

Control, format, private and unassigned characters, fillers and variation selectors are written as
their code point; words that mix scripts are named. It changes no data, only how it is shown.
"""

from __future__ import annotations

import re
import unicodedata

_HIDING = frozenset({"Cf", "Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
_KEPT = frozenset("\n\t")
# Letters and spaces by category, but blank on screen: Hangul fillers, the Braille blank, odd spaces.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u00a0\u2007\u202f\u3000\u1680")
_BLANK_RANGE = ("\u2000", "\u200a")
_VARIATIONS = (("\ufe00", "\ufe0f"), ("\u180b", "\u180f"), ("\U000e0100", "\U000e01ef"))
_CONFUSED = (
    "LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "NKO", "TIFINAGH", "DESERET", "OSAGE",
    "GEORGIAN",
)  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:[.'\-_@][^\W\d_]+)*")


def hides(char: str) -> bool:
    """Whether a reader would not see this character, or see others moved by it."""
    if char in _KEPT:
        return False
    if char in _BLANK or _BLANK_RANGE[0] <= char <= _BLANK_RANGE[1]:
        return True
    if any(low <= char <= high for low, high in _VARIATIONS):
        return True
    return unicodedata.category(char) in _HIDING


def visible(text: str) -> str:
    """The text with each hidden character written as `⟨U+202E⟩`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"⟨U+{ord(c):04X}⟩" if hides(c) else c for c in text)


def mixed_scripts(text: str) -> tuple[str, ...]:
    """Words whose letters come from several look-alike scripts, each told once."""
    found = (word for word in _WORD.findall(text) if not word.isascii() and len(_scripts(word)) > 1)
    return tuple(dict.fromkeys(found))


def warnings(text: str) -> tuple[str, ...]:
    """What to tell beside a value: codes `hidden` and `mixed:WORD`."""
    hidden = ("hidden",) if any(hides(c) for c in text) else ()
    return hidden + tuple(f"mixed:{visible(word)}" for word in mixed_scripts(text))


def _scripts(word: str) -> set[str]:
    names = (unicodedata.name(c, "").split(" ")[0] for c in word if c.isalpha())
    return {name for name in names if name in _CONFUSED}
