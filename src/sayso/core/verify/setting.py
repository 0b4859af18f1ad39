"""What the verifier is told beside the facts: the clock, the language, the user's words, the tools' words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sayso.core.verify.declared.lexicon import NO_LEXICON, Lexicon
from sayso.core.verify.report import Profile


@dataclass(frozen=True, slots=True)
class Setting:
    """`known_words` are the words of the tool catalogue: they may be used, but they prove nothing.

    `lexicon` is what the host declares of its records beside the facts' kinds.
    """

    now: datetime
    locale: str
    user_message: str
    known_words: frozenset[str] = frozenset()
    profile: Profile = Profile.DEFAULT
    lexicon: Lexicon = NO_LEXICON

    @property
    def language(self) -> str:
        return self.locale.replace("_", "-").split("-")[0].lower()
