"""What a language file holds: turns of phrase, each as alternatives of a pattern without case, and small words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """Alternatives are joined over all languages by `lexicon`; word lists are separated by spaces.

    No alternative may hold a group of its own that captures, nor repeat without a bound.
    """

    gap: str  # not recorded, unknown
    negation: str
    denying: str  # words, one of which is in whatever denies
    no: str  # "no tasks": what comes before a thing that there is none of
    nobody: str  # "no one", "no contact"
    called: str  # "... by the name of"
    no_such: str  # "there is no"
    records: str  # "entry", "contact"
    about: str  # "entry for"
    among: str  # "in your contacts"
    is_not: str  # "X is not" in your contacts
    advice_first: str  # at the start of a sentence
    advice: str
    drafting: str
    all: str
    left: str  # what remains
    greeting: str
    attributed: str
    respectively: str
    pronoun: str
    goes_on: str  # words: verbs of the third person that open a sentence without a subject
    works: str
    born: str
    free: str
    of: str  # "3 of your"
    yours: str
    stop: str  # words
    generic: str  # words for anybody
    filler: str  # words that limit no absence
    joining: str  # small words within names
    titles: str  # before names
