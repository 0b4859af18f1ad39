"""Phrases of a lexicon, found at a place of a text's plain words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sayso.core.verify.words import fold, plain
from sayso.errors import DeclarationError


class Phrases:
    """Phrases by their first word; a word that ends in "*" stands for all that begin so."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._whole: dict[str, list[tuple[str, ...]]] = {}
        self._open: dict[str, list[tuple[str, ...]]] = {}
        for phrase in phrases:
            words = tuple(_form(w) for w in phrase.split())
            table, head = (self._open, words[0][:_HEAD]) if words[0].endswith("*") else (self._whole, words[0])
            table.setdefault(head, []).append(words)

    def length_at(self, words: Sequence[str], at: int) -> int:
        """How many words the longest phrase takes that begins at a place; 0 if none does."""
        heads = (*self._whole.get(words[at], ()), *self._open.get(words[at][:_HEAD], ()))
        return max((len(p) for p in heads if _matches(p, words, at)), default=0)

    def __contains__(self, word: str) -> bool:
        return self.length_at((word,), 0) == 1


_HEAD = 3  # letters that a word with an open end must have at least


def _form(word: str) -> str:
    if not word.endswith("*"):
        return plain(word)
    if len(word) <= _HEAD:
        raise DeclarationError(f"{word!r}: an open word needs at least {_HEAD} letters before its star")
    return fold(word)


def _matches(phrase: tuple[str, ...], words: Sequence[str], at: int) -> bool:
    if at + len(phrase) > len(words):
        return False
    return all(w.startswith(p[:-1]) if p.endswith("*") else w == p for p, w in zip(phrase, words[at:], strict=False))
