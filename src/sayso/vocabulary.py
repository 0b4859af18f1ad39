"""The ordinary words of a language, folded: what is none of them and stands for a record is taken for a name.

The lists come with `pyspellchecker`: words of film subtitles that a dictionary knows too, so that names are rare in
them. A language is read when a word of it is first asked about, once in a process (up to 0.4 s, some 30 MB).
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from sayso.core.verify.setting import language_code
from sayso.core.verify.words import fold

LANGUAGES = frozenset({"en", "de", "fr", "it", "es"})
_LEAST = 3  # letters of a part of a compound
_ONE = 5  # and of one of them
_JOINTS = ("", "s", "n", "en", "es")


class Vocabulary:
    """Answers `word in vocabulary`; in German for what is put together of two such words as well."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str):
            return False
        folded = fold(word)
        return folded in self._words or (self._language == "de" and self._compound(folded))

    @cached_property
    def _words(self) -> frozenset[str]:
        from spellchecker import SpellChecker  # takes its time, and many exchanges never ask

        return frozenset(map(fold, SpellChecker(language=self._language).word_frequency.words()))

    def _compound(self, word: str) -> bool:
        places = range(_LEAST, len(word) - _LEAST + 1)
        long = (at for at in places if max(at, len(word) - at) >= _ONE)
        return any(word[at:] in self._words and self._joins(word[:at]) for at in long)

    def _joins(self, part: str) -> bool:
        return any(part.removesuffix(joint) in self._words for joint in _JOINTS if part.endswith(joint))


@lru_cache(maxsize=len(LANGUAGES))
def _vocabulary(language: str) -> Vocabulary:
    return Vocabulary(language)


def ordinary_words(locale: str) -> Vocabulary | frozenset[str]:
    """The vocabulary of a locale's language ("de-CH"); empty for a language without one."""
    language = language_code(locale)
    return _vocabulary(language) if language in LANGUAGES else frozenset()
