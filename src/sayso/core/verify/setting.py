"""What the verifier is told beside the facts: the clock, the language, the user's words, the tools' words."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from datetime import datetime

from sayso.core.verify.declared.lexicon import NO_LEXICON, Lexicon
from sayso.core.verify.report import Profile

NO_WORDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Setting:
    """`known_words` are the words of the tool catalogue: they may be used, but they prove nothing.

    `lexicon` is what the host declares of its records beside the facts' kinds. `ordinary` are the words of the
    language that are no names; without them, words are taken for a name only where two stand side by side.
    `images` are the refs of those that the user's message is about.
    """

    now: datetime
    locale: str
    user_message: str
    known_words: frozenset[str] = frozenset()
    profile: Profile = Profile.DEFAULT
    lexicon: Lexicon = NO_LEXICON
    ordinary: Container[str] = NO_WORDS
    images: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        return language_code(self.locale)


def language_code(locale: str) -> str:
    """The language of a locale: "de" of "de-CH"."""
    return locale.replace("_", "-").split("-")[0].lower()
