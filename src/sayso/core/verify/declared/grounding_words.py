"""Words of repute, praise, degree and chance: no record of figures and names can carry them.

English as people write it anywhere; the words of a domain are in its lexicon.
"""

from __future__ import annotations

from sayso.core.verify.declared.grounding_lexicon_phrases import Phrases

OPINIONS = Phrases((
    "known for", "famous for", "renowned", "prominent", "important", "committed to", "in need of",  # repute
    "intense", "closely", "contested", "determination", "skill*", "reliable", "stylish",  # praise
    "gradual*", "sharp*", "narrow", "evenly",  # degree
    "chance of", "possibility", "ensur*",  # chance
))  # fmt: skip
"""Told in the strict profile only: an answer may praise, but a report of records may not."""
