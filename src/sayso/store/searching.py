"""Texts as they are searched: lower case, without accents, and patterns that match a part of them."""

from __future__ import annotations

from sayso.core.verify.words import fold

MAX_WORDS = 8


def searchable(text: str) -> str:
    """One line, folded word by word."""
    return " ".join(fold(word) for word in text.split())


def patterns(asked: str) -> tuple[str, ...]:
    """For each word a pattern for LIKE (escaped by a backslash); a person rarely types more than a few."""
    words = [word for word in searchable(asked).split(" ") if word]
    return tuple(f"%{_literal(word)}%" for word in words[:MAX_WORDS])


def _literal(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
