"""Words and names: how they are folded, cut and compared. It knows no database.

Two names are the same when their folded words are: case, accents, "ö" or "oe", possessives and
hyphens make no difference, but a word never matches inside another word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sayso.workspace.commonwords import COMMON_WORDS, STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:['’ʼ´`][^\W_]+)*")
_HYPHENATED = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:[-‐‑][^\W\d_]+)+")  # tried once a word, not once a letter
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_APOSTROPHE = re.compile(r"['’ʼ´`]")
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})
PREFIX_LETTERS = 3


@lru_cache(maxsize=20_000)
def fold(text: str) -> str:
    """Lower case without accents: "Jörg" and "JÖRG" become "jorg", "Groß" "gross"."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold()).translate(_PLAIN)
    return "".join(c for c in plain if not unicodedata.combining(c))


@lru_cache(maxsize=20_000)
def word_forms(word: str) -> tuple[str, ...]:
    """A word as it may be spelt: "Jörg" is "jorg" and "joerg"; "O'Brien" is "obrien", "o" and "brien"."""
    pieces = [p for p in _APOSTROPHE.split(_without_possessive(word)) if p]
    forms: list[str] = []
    for piece in dict.fromkeys(["".join(pieces), *pieces]):
        forms.append(fold(piece))
        if not piece.isascii():
            forms.append(fold(unicodedata.normalize("NFC", piece).casefold().translate(_GERMAN)))
    return tuple(dict.fromkeys(forms))


def words_of(text: str) -> list[str]:
    """The words of a text as written; scripts without word breaks give pairs of characters."""
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFC", text)):
        run = _UNSPACED.search(word)
        found.extend(_pairs(word) if run else [word])
    return found


def index_words(text: str) -> str:
    """A text as its folded words, each in every form by which it may be asked for."""
    forms = [form for word in words_of(text) for form in word_forms(word)]
    joined = [fold(re.sub("[-‐‑]", "", name)) for name in _HYPHENATED.findall(text)]
    return " ".join([*forms, *joined])


@dataclass(frozen=True, slots=True)
class Term:
    """A word that is looked for: `exact` spellings, and `loose` ones that count for less ("Elenas")."""

    exact: tuple[str, ...]
    loose: tuple[str, ...] = ()


def terms_of(query: str, *, leave_out: frozenset[str] = frozenset()) -> tuple[Term, ...]:
    """The words of a query, in order, each once; `leave_out` are folded words that do not count."""
    found: dict[str, Term] = {}
    for word in words_of(query):
        term = term_of(word)
        if term.exact[0] not in leave_out:
            found.setdefault(term.exact[0], term)
    return tuple(found.values())


def term_of(word: str) -> Term:
    joined = "".join(p for p in _APOSTROPHE.split(_without_possessive(word)))
    exact = tuple(f for f in word_forms(joined))
    loose = tuple(f[:-1] for f in exact if len(f) > PREFIX_LETTERS and f.endswith("s"))
    return Term(exact, loose)


def match_level(terms: Iterable[Term], words: frozenset[str]) -> int | None:
    """How well every term is among the folded words of a name: 0 whole, 1 loose, 2 as prefixes; else None."""
    level = 0
    for term in terms:
        if any(form in words for form in term.exact):
            continue
        if any(form in words for form in term.loose):
            level = max(level, 1)
        elif any(w.startswith(f) for f in term.exact if len(f) >= PREFIX_LETTERS for w in words):
            level = 2
        else:
            return None
    return level


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a question that may be a name, and whether they can only be one by their place."""

    term: Term
    position: int
    doubtful: bool


def mentions(question: str) -> tuple[Mention, ...]:
    """The words of a question that may name somebody.

    A word that is also a common one ("May", "Will", "Mark") is doubtful: it counts beside another
    word of the same name only, or when it is capitalised in the middle of a sentence and nothing
    before it (an article, "in", a number) makes it an ordinary word.
    """
    found: list[Mention] = []
    previous, starts_sentence = "", True
    last_end = 0
    for position, match in enumerate(_WORD.finditer(unicodedata.normalize("NFC", question))):
        gap = question[last_end : match.start()]
        starts_sentence = position == 0 or any(mark in gap for mark in ".!?:\n")
        word, last_end = match.group(), match.end()
        term = term_of(word)
        common = any(form in COMMON_WORDS or form in STOP_WORDS for form in term.exact)
        if len(term.exact[0]) > 1:
            as_name = word[0].isupper() and not starts_sentence and previous not in _BEFORE_NOUNS
            as_name = as_name and not previous.isdigit() and term.exact[0] not in STOP_WORDS
            possessive = word[0].isupper() and bool(_APOSTROPHE.search(word[-2:]))
            found.append(Mention(term, position, doubtful=common and not as_name and not possessive))
        previous = fold(word)
    return tuple(found)


def named_in(question: str, candidates: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    """Who is named in a question: for each mention the keys that it may mean (namesakes together).

    `candidates`: key to the folded words of the name (`index_words`).
    """
    words = {key: frozenset(name.split()) for key, name in candidates.items()}
    found: list[tuple[str, ...]] = []
    for group in _groups(mentions(question), words):
        keys = _meant(group, words)
        if keys and keys not in found:
            found.append(keys)
    return tuple(found)


def _groups(all_mentions: tuple[Mention, ...], words: Mapping[str, frozenset[str]]) -> list[list[Mention]]:
    """Neighbouring words that occur in names, together as long as one name holds them all."""
    groups: list[list[Mention]] = []
    for mention in all_mentions:
        if not _holders([mention], words):
            continue
        last = groups[-1] if groups else []
        if last and last[-1].position == mention.position - 1 and _holders([*last, mention], words):
            last.append(mention)
        else:
            groups.append([mention])
    return groups


def _meant(group: list[Mention], words: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    if len(group) == 1 and group[0].doubtful:
        return ()
    return _holders(group, words)


def _holders(group: list[Mention], words: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """The names that hold every word; where some hold them exactly, only those."""
    levels = {key: match_level([m.term for m in group], name) for key, name in words.items()}
    for wanted in (0, 1):
        exact = tuple(key for key, level in levels.items() if level == wanted)
        if exact:
            return exact
    return ()


def _without_possessive(word: str) -> str:
    return re.sub(r"['’ʼ´`][sS]$", "", word)


def _pairs(word: str) -> list[str]:
    return [word[i : i + 2] for i in range(len(word) - 1)] or [word]


_NOUN_MARKS = """the a an this that these those my your his her our their in on by since until till next last every of
    der die das den dem des ein eine einen einem im am bis seit nachsten letzten ende anfang
    mein meine meinen kein keine"""
_BEFORE_NOUNS = frozenset(_NOUN_MARKS.split())
