# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""Words of five languages that tell nothing of a record: small ones, of us, of advice. Data only."""

from __future__ import annotations

import re

from sayso.core.verify.words import plain

_SMALL = {
    "en": "same goes applies too likewise here before after who what where when how which",
    "de": "gleiche dasselbe gilt ebenso ebenfalls hier vor nach vorher nachher wer was wo wann wie welche welcher welches",
    "fr": "même idem vaut également voici voilà ici là bien avant après qui quoi où quand comment quel quelle été sera seront",
    "it": "stesso stessa vale ecco qui prima dopo chi cosa che dove quando come quale stato stata stati state ha sarà lo da tua",
    "es": "mismo misma vale también aquí antes después quién qué dónde cuándo cómo cuál lo tu",
}
LANGUAGES = frozenset(_SMALL)
SMALL = frozenset(plain(w) for words in _SMALL.values() for w in words.split())
"""Besides those that other rules pass over."""
OURS = re.compile(
    r"\b(?:i|i'm|i've|we|let me|ich|wir|je|j'ai|nous|ho|abbiamo|hemos)\b|\bhe \w{1,20}(?:ado|ido|cho|sto)\b"
)
"""What is said of us (folded)."""
ADVISING = re.compile(
    r"\b(?:besser|lohnt|empfiehlt|mieux vaut|vaudrait|vaut la peine|conviene|converrebbe|vale la pena|convendria)\b"
)
"""What is advised (folded)."""
DISTANCE = re.compile(
    r"\b(?:gap|difference|margin|lead|abstand|unterschied|differenz|vorsprung|ruckstand|ecart|avance|divario|"
    r"differenza|distacco|scarto|vantaggio|distancia|diferencia|ventaja|brecha)\b"
)
"""Nouns for how far two shares lie apart (folded)."""
