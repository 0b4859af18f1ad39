"""Reports of action in a sentence: which words tell an act, of what sort, and whose it is said to be.

Reads words alone, and knows no record: whether it is so is for the rules to say.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from sayso.core.verify.language import acts as words
from sayso.core.verify.lexicon import DENYING_STARTS, DENYING_WORDS
from sayso.core.verify.words import Token, fold, plain

_BREAK = re.compile(r"[;:.!?](?=\s|$)|[|\n–—…✅✔☑]|\s-\s|,(?=\s)")
_MOST = 50
"""Words of one clause: what is longer is cut, so that no text takes more than linear time."""


class Voice(StrEnum):
    """By whom an act is said to be done."""

    FIRST = "first"  # by us
    PASSIVE = "passive"  # was done
    STATE = "state"  # is done
    THIRD = "third"  # by somebody else
    BARE = "bare"  # no helping verb at all
    GONE = "gone"  # a thing that left


@dataclass(frozen=True, slots=True)
class Act:
    """A word that tells an act. `clause` and `span`: the words of its clause, and of all up to the last full break;
    `at`: which of the clause it is; `language`: in which it tells it."""

    token: Token
    sorts: frozenset[str]
    voice: Voice
    clause: tuple[Token, ...]
    span: tuple[Token, ...]
    at: int
    language: str

    @property
    def is_plain(self) -> bool:
        """Whether it says no more than that something is done."""
        return self.sorts == frozenset({words.ANY})

    @property
    def is_fragment(self) -> bool:
        """Without a helping verb: "E-mail to Ann sent yesterday"; not "The message sent yesterday is ..."."""
        return len(self.clause) < 14 and not any(t.text.casefold() in _HELPING[self.language] for t in self.clause)


def told_acts(clean: str, tokens: list[Token]) -> list[Act]:
    """The acts that a sentence reports as done; not those denied, still to come, or done by the reader."""
    if _TELLING.isdisjoint([t.text.casefold() for t in tokens]):
        return []
    found: list[Act] = []
    for clause, span in _clauses(clean, tokens):
        found += [act for i, t in enumerate(clause) if (act := _act(i, t, clause, span))]
    return found


def denied(clause: Iterable[Token]) -> bool:
    """Whether a word among these denies."""
    return any(_denies(t.text) for t in clause)


@lru_cache(maxsize=16384)
def _denies(written: str) -> bool:
    word, said = plain(written), written.casefold()
    known = word in DENYING_WORDS or said in words.DENIALS
    return known or word.startswith(DENYING_STARTS) or said.endswith(("n't", "n’t"))


def failing(clause: Iterable[Token]) -> bool:
    return any(t.text.casefold() in words.FAILING for t in clause)


def waiting(clause: Iterable[Token]) -> bool:
    return any(t.text.casefold() in words.WAITING for t in clause)


_TELLING = frozenset((*words.PARTICIPLES, *words.FINITE, *words.BY_ITSELF, *words.WENT))


def _clauses(clean: str, tokens: list[Token]) -> Iterator[tuple[tuple[Token, ...], tuple[Token, ...]]]:
    """Each clause, beside the words from the last full break on to its end."""
    if fold(clean).lstrip(" *_-").startswith(words.OPENERS):
        tokens = tokens[2:]
    breaks = [(m.start(), m.group() != ",") for m in _BREAK.finditer(clean)]
    span: deque[Token] = deque(maxlen=_MOST)
    clause: list[Token] = []
    at = 0
    for token in tokens:
        full = token.text.casefold() in words.BREAKS
        comma = len(clause) == _MOST
        while at < len(breaks) and breaks[at][0] < token.start:
            full, comma = full or breaks[at][1], True
            at += 1
        if (full or comma) and clause:
            yield tuple(clause), tuple(span)
            clause = []
        if full:
            span.clear()
        clause.append(token)
        span.append(token)
    yield tuple(clause), tuple(span)


def _act(i: int, token: Token, clause: tuple[Token, ...], span: tuple[Token, ...]) -> Act | None:
    voice, sorts, language = _reading(i, token.text.casefold(), clause, span)
    if voice is None or _is_state(clause, i) or denied(clause if voice is Voice.FIRST else (*span, *clause)):
        return None
    return Act(token, sorts, voice, clause, span, i, language)


def _is_state(clause: tuple[Token, ...], i: int) -> bool:
    """ "Is marked as open", "lo stato registrato è": what it is in, whoever marked it; "gli invitati": a noun."""
    if i and clause[i - 1].text.casefold() in _BEFORE_NOUNS:
        return True
    if 0 < i < len(clause) - 1 and clause[i + 1].text in _COPULAS and clause[i - 1].text not in _IS:
        return True
    if not 0 < i < len(clause) - 2 or clause[i - 1].text not in _IS or clause[i + 1].text not in _AS:
        return False
    return all(words.ANY not in sorts for sorts in words.PARTICIPLES.get(clause[i + 2].text.casefold(), _NONE).values())


_BEFORE_NOUNS = frozenset(["gli", "agli", "degli", "dagli", "sugli", "negli", "les", "des", "aux", "los", "las"])
"""Articles of several things: what follows is a noun."""
_COPULAS = frozenset(["è", "est", "es"])
_IS = frozenset[str]().union(*words.STATE.values())
_AS = frozenset(["as", "als", "comme", "come", "como"])
_Reading = tuple[Voice | None, frozenset[str], str]


def _reading(i: int, word: str, clause: tuple[Token, ...], span: tuple[Token, ...]) -> _Reading:
    """The voice, sorts and language of a word that may tell an act."""
    if word in words.FINITE:
        return Voice.FIRST, words.FINITE[word], "es"
    if word in words.BY_ITSELF:
        return (Voice.PASSIVE if _after_se(clause, i) else Voice.THIRD), words.BY_ITSELF[word], "es"
    if word in words.WENT:
        language = words.WENT[word]
        return (Voice.GONE if _has_left(i, word, clause, language) else None), _GONE, language
    told = [(_voice(lang, i, clause, span), s, lang) for lang, s in words.PARTICIPLES.get(word, _NONE).items()]
    return min(told, key=lambda one: _ORDER.index(one[0]), default=(None, frozenset[str](), ""))


def _has_left(i: int, word: str, clause: tuple[Token, ...], language: str) -> bool:
    """ "Ist raus", "est parti", "salió"; not "fait partie"."""
    said = {t.text.casefold() for t in clause[max(0, i - 5) : i + 2]}
    helped = said & words.STATE[language] or said & words.THIRD[language]
    return not _is_to_come(clause[:i], language) and (bool(helped) or word in words.LEFT)


_GONE = frozenset({"send", words.ANY})
_NONE: dict[str, frozenset[str]] = {}
_ORDER = (Voice.FIRST, Voice.PASSIVE, Voice.STATE, Voice.THIRD, Voice.BARE, None)
_HELPING = {
    language: frozenset[str]().union(
        *(t[language] for t in (words.FIRST, words.SECOND, words.THIRD, words.PASSIVE, words.STATE, words.TO_COME))
    )
    for language in words.LANGUAGES
}


def _is_to_come(before: Iterable[Token], language: str) -> bool:
    return any(t.text.casefold() in words.TO_COME[language] for t in before)


def _voice(language: str, i: int, clause: tuple[Token, ...], span: tuple[Token, ...]) -> Voice | None:
    """Whose act a participle tells; None where it tells none of ours that is done."""
    if language == "en":
        return _english(i, clause)
    if language == "de":
        voice = _german(clause)
        return _german(span) if voice is Voice.BARE else voice
    for n, token in enumerate(reversed(clause[:i])):
        word = token.text.casefold()
        if word in words.TO_COME[language] or word in words.SECOND[language]:
            return None
        if language == "es" and word in words.THIRD[language] and _after_se(clause, i - n - 1):
            return Voice.PASSIVE
        found = _helping(word, language)
        if found:
            return found
    return Voice.BARE


def _helping(word: str, language: str) -> Voice | None:
    return next((voice for table, voice in _TABLES if word in table[language]), None)


_TABLES = (
    (words.FIRST, Voice.FIRST),
    (words.PASSIVE, Voice.PASSIVE),
    (words.STATE, Voice.STATE),
    (words.THIRD, Voice.THIRD),
)


def _after_se(clause: tuple[Token, ...], at: int) -> bool:
    return at > 0 and clause[at - 1].text.casefold() == "se"


def _german(clause: tuple[Token, ...]) -> Voice | None:
    """The helping verb stands anywhere in a German clause; None where it tells nothing of ours."""
    said = {t.text.casefold() for t in clause}
    ours = "haben" in said and "wir" in said
    if said & words.SECOND["de"] or (said & words.TO_COME["de"] and not said & words.PASSIVE["de"]):
        return None
    if said & words.FIRST["de"] or ours:
        return Voice.FIRST
    order = ((words.PASSIVE, Voice.PASSIVE), (words.THIRD, Voice.THIRD), (words.STATE, Voice.STATE))
    return next((voice for table, voice in order if said & table["de"]), Voice.BARE)


def _english(i: int, clause: tuple[Token, ...]) -> Voice | None:
    """Back over helping verbs and other acts to the subject."""
    passed: set[str] = set()
    for token in reversed(clause[:i]):
        word = token.text.casefold()
        if word in words.SECOND["en"]:
            return None
        if word in words.FIRST["en"]:
            return None if passed & words.PASSIVE["en"] else Voice.FIRST
        if word in words.TO_COME["en"]:
            return None
        if word not in words.SMALL and word not in words.PARTICIPLES and not word.endswith("ly"):
            break
        passed.add(word)
    for table, voice in _TABLES[1:]:
        if passed & table["en"]:
            return None if _is_to_come(clause[:i], "en") else voice
    base = clause[i].text.casefold() in words.BASES
    return None if base or _is_to_come(clause[:i], "en") else Voice.BARE


def sorts_of(said: Iterable[str]) -> frozenset[str]:
    """The sorts of act that words tell, plain forms."""
    known = _known()
    return frozenset[str]().union(*(known[w] for w in said if w in known))


def of_one_sort(sorts: Set[str], said: Set[str]) -> bool:
    """Whether words tell an act of one of these sorts; none among the words says nothing against it."""
    shown = sorts_of(said)
    return words.ANY in sorts or not shown or bool(shown & sorts)


def names(sorts: Set[str], said: Set[str]) -> bool:
    """Whether some of the words name an act of one of these sorts that is to be done: "send", not "sent"."""
    return any(w in _naming(sort) for sort in sorts for w in said)


@lru_cache(maxsize=32)
def _naming(sort: str) -> frozenset[str]:
    return frozenset(map(plain, words.NAMING.get(sort, "").split()))


def tells(sorts: Set[str], said: Set[str]) -> bool:
    """Whether some of the words tell an act of one of these sorts."""
    return bool(sorts_of(said) & sorts)


def participle_sorts(said: Iterable[str]) -> frozenset[str]:
    """The sorts of act that participles among plain words tell."""
    known = _plain_participles()
    return frozenset[str]().union(*(known[w] for w in said if w in known))


@lru_cache(maxsize=1)
def _known() -> dict[str, frozenset[str]]:
    found = dict(_plain_participles())
    for sort, listed in words.SORTS.items():
        for word in map(plain, listed):
            found[word] = found.get(word, frozenset()) | {sort}
    return found


@lru_cache(maxsize=1)
def _plain_participles() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for form, by_language in words.PARTICIPLES.items():
        sorts = frozenset[str]().union(*by_language.values()) - {words.ANY}
        if sorts and plain(form) not in words.NOUNS:
            found[plain(form)] = found.get(plain(form), frozenset()) | sorts
    return found
