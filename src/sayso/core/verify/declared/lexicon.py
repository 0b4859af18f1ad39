"""A lexicon: what a host declares of its records beside the facts, read from a mapping (a TOML file).

It knows nothing of any domain and reads no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sayso.core.verify.declared.claims import Grammar
from sayso.core.verify.declared.grounding_lexicon import NO_GROUNDING, GroundingLexicon
from sayso.core.verify.declared.kinds import Declarations, declarations
from sayso.core.verify.declared.reading_lexicon import NO_READING, ReadingLexicon, reading_of
from sayso.errors import DeclarationError

_SECTIONS = frozenset(
    {"kinds", "statements", "scopes", "topics", "idioms", "others", "wordings", "grounding", "reading"}
)


@dataclass(frozen=True)
class Lexicon:
    """The declarations of one domain."""

    name: str = ""
    reading: ReadingLexicon = NO_READING
    declared: Declarations = field(default_factory=Declarations)
    grounding: GroundingLexicon = NO_GROUNDING

    @cached_property
    def grammar(self) -> Grammar:
        """The patterns of the statements, made ready once."""
        return Grammar(self.declared)

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any], *, name: str = "") -> Lexicon:
        """Raises DeclarationError for a section or an entry that is not known, and says which are."""
        extra = sorted(set(data) - _SECTIONS)
        if extra:
            raise DeclarationError(
                f"the lexicon has no section {', '.join(extra)}; known are {', '.join(sorted(_SECTIONS))}"
            )
        reading = reading_of(data["reading"]) if "reading" in data else NO_READING
        grounding = GroundingLexicon.from_mapping(data["grounding"]) if "grounding" in data else NO_GROUNDING
        return cls(name, reading, declarations(data), grounding)


NO_LEXICON = Lexicon()
