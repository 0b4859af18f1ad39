"""Words and their plain forms: folding, light stems, tokens. Knows no record and no language's grammar."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "þ": "th", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "ß": "ss"})
_TOKEN = re.compile(r"[^\W_]+(?:['’`´][^\W_]+)*", re.UNICODE)
_ELISION = re.compile(r"^(?:l|d|j|m|n|s|t|c|qu)['’]", re.IGNORECASE)


@lru_cache(maxsize=16384)
def fold(text: str) -> str:
    """Lower case, no diacritics, one kind of apostrophe."""
    if text.isascii():
        return text.lower()
    lowered = text.casefold().translate(_LETTERS).replace("’", "'").replace("`", "'").replace("´", "'")
    return "".join(c for c in unicodedata.normalize("NFKD", lowered) if not unicodedata.combining(c))


@lru_cache(maxsize=16384)
def plain(token: str) -> str:
    """A word without diacritics, possessive and plural ending; the same on both sides of a comparison."""
    word = _ELISION.sub("", fold(token))
    for ending in ("'s", "s'"):
        if word.endswith(ending):
            word = word[: -len(ending)]
    word = word.replace("'", "")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=16384)
def stem(token: str) -> str:
    """A crude stem for the overlap of content ("translation" and "translate"); never used for names."""
    return plain(token)[:6]


class Token(NamedTuple):
    """A word in its place. A tuple, since each sentence makes many."""

    start: int
    end: int
    text: str
    word: str  # its plain form

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()


def tokens(text: str) -> list[Token]:
    return [Token(m.start(), m.end(), m.group(), plain(m.group())) for m in _TOKEN.finditer(text)]


def word_set(text: str) -> frozenset[str]:
    return frozenset(map(plain, _TOKEN.findall(text)))


def phrase_in(phrase: str, folded: str) -> int:
    """Where a folded phrase occurs as whole words in folded text, or -1."""
    at = folded.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        before = at == 0 or not folded[at - 1].isalnum()
        if before and (end >= len(folded) or not folded[end].isalnum()):
            return at
        at = folded.find(phrase, at + 1)
    return -1
