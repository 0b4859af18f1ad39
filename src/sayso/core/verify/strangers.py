"""Names that no record has: words set off, or side by side, that neither the facts nor the language know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sayso.core.verify import lexicon
from sayso.core.verify.sentence import Sentence
from sayso.core.verify.values import NUMBER_WORDS
from sayso.core.verify.words import Token, fold, plain

Place = tuple[int, int]

_SET_OFF = re.compile(
    r"\*\*(?P<bold>[^*\n]{3,80})\*\*|[\"“„«](?P<quoted>[^\"“”„«»\n]{3,80})[\"”“»]|^\W{0,4}\|(?P<cell>[^|\n]{3,80})\|"
    r"|^\W{0,4}(?P<head>[^:?–(\n]{3,60}?)\s?(?:[:?(]| –)"
)
_LISTED = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s")
_NO_NAMES = lexicon.TEMPORAL | lexicon.STOP | frozenset(NUMBER_WORDS)
_OPENING = ".!?:|–—-•\n;¡¿«]"
_WITHOUT_PRONOUNS = ("it", "es")  # a verb may open a sentence
_FEW = 6  # words of a sentence that goes on about what was named before it
_NEAR = 24  # letters before a word that are looked at
_MARKS = " *_-–•>#|\"'“”„()«»¿¡"
_AFTER = tuple("–—(?=,|'’")


def set_off(s: Sentence, *, ordinary: bool) -> Place | None:
    """In bold, in quotation marks, at the head of a line or in the first cell of a row.

    `ordinary`: two and more words that no record holds are enough, though the language knows them.
    """
    for match in _SET_OFF.finditer(s.clean, 0, 400):
        kind = match.lastgroup or "head"
        start, end = match.span(kind)
        words = [t for t in s.words if start <= t.start < end and may_name(s, t)]
        unknown = [t for t in words if not is_known(s, t)]
        if not unknown or (kind == "head" and _is_ours(s, end)) or (kind == "quoted" and s.clean[end - 1] in "?!."):
            continue
        listed = kind == "cell" and _lists_records(s)
        if len(unknown) == len(words) and (listed or _all_strange(s, unknown, kind, end)):
            return start, end
        ordinary_enough = ordinary or s.clean[end : end + 2].lstrip()[:1] == "?"
        if (
            ordinary_enough
            and _are_few(words, unknown)
            and not _speaks(s, start, end)
            and (kind != "head" or _heads(s, end))
        ):
            return start, end
    return None


def _is_ours(s: Sentence, end: int) -> bool:
    """Whether a head before a colon is a heading of our own: "The meeting point: ...", "Here is what I found: ..."."""
    own = lexicon.PRESENTING.match(s.clean) is not None or s.words[0].word in lexicon.ARTICLES
    return own and s.clean[end : end + 2].lstrip()[:1] == ":"


def _lists_records(s: Sentence) -> bool:
    """Whether the first cell of a row names a record: the heading over it is the word for a kind."""
    return bool(s.bound.columns) and plain(s.bound.columns[0].strip(" *_")) in s.index.kind_words


def _all_strange(s: Sentence, unknown: Sequence[Token], kind: str, end: int) -> bool:
    """Whether a place of unknown words is a name: at the head of a line all of them are strange, else one is."""
    opening = kind == "head" and s.clean[end] == ":" and s.setting.language in _WITHOUT_PRONOUNS
    if not unknown[0].capital or (opening and len(unknown) == 1):  # "Resumiendo: ..."
        return False
    strange = sum(is_strange(s, t) for t in unknown)
    clause = _speaks(s, unknown[0].start, end)  # "Nice to meet you, Carla."
    return not clause and strange >= (len(unknown) if kind == "head" else 1)


def _are_few(words: Sequence[Token], unknown: Sequence[Token]) -> bool:
    """Two and more words, of which at most one in three is known."""
    known = len(words) - len(unknown)
    return len(unknown) >= 2 and known <= 1 and 3 * known <= len(words) and unknown[0].capital


def _heads(s: Sentence, end: int) -> bool:
    """Whether a head is one of a list, or what follows it is said of it: "... (open)", "...? Behind."."""
    said = s.clean[end : end + 4].lstrip(" *")[:1] in "(?–"
    return said or _LISTED.match(s.clean) is not None or value_follows(s, end)


def value_follows(s: Sentence, end: int) -> bool:
    """ "Cold shower: 40 %"."""
    return s.clean[end : end + 6].lstrip(" *:")[:1].isdigit()


def _speaks(s: Sentence, start: int, end: int) -> bool:
    """Whether a head is a clause of its own: "There is an entry called: ..."."""
    return any(start <= t.start < end and t.word in lexicon.SPEAKING for t in s.words)


def side_by_side(s: Sentence, least: int) -> Place | None:
    """Words that are no words of the language, the first in capitals, with small words between them.

    Of a language whose words are not known, two words in capitals are asked for.
    """
    for run in _runs(s):
        full = _in_capitals(s, run)
        names = [t for t in run if may_name(s, t)]
        strange = [is_strange(s, t) for t in names]
        surely = any(strange) and (strange[0] or sum(strange) > 1 or len(full) > 1)
        enough = surely if s.setting.ordinary else len(full) > 1
        if enough and len(full) >= least and not _opens(s, names):
            return run[0].start, (full if len(full) > 1 else names)[-1].end
    return None


def _in_capitals(s: Sentence, run: Sequence[Token]) -> list[Token]:
    """The words in capitals that a run begins with: "Banking-App" is one."""
    found = [run[0]]
    for token in run[1:]:
        if not token.capital or not may_name(s, token) or s.clean[found[-1].end : token.start] != " ":
            break
        found.append(token)
    return found


def _runs(s: Sentence) -> Iterator[Sequence[Token]]:
    run: list[Token] = []
    for token in s.words:
        beside = bool(run) and s.clean[run[-1].end : token.start] in (" ", "-")
        unknown = token.capital and may_name(s, token) and not is_known(s, token)
        if beside and (unknown or not may_name(s, token) or is_strange(s, token)):
            run.append(token)
            continue
        if run:
            yield run
        run = [token] if unknown else []
    if run:
        yield run


def _opens(s: Sentence, names: Sequence[Token]) -> bool:
    """Whether one word begins the sentence and nothing says that it is a name: "Hablaste con ...", a rare verb."""
    first = names[0]
    if len(names) > 1 or s.setting.language not in _WITHOUT_PRONOUNS or s.clean[: first.start].strip(_MARKS):
        return False
    after = next((t for t in s.words if t.start > first.start), None)
    heads = s.clean[first.end : first.end + 4].lstrip(_MARKS)[:1] in _AFTER
    return not heads and (after is None or after.word not in lexicon.SPEAKING)


def may_name(s: Sentence, token: Token) -> bool:
    """Whether a word may be a part of a name at all: no small word, no number, no day, within no value."""
    return (
        len(token.text) > 1
        and token.word not in _NO_NAMES
        and fold(token.text).partition("'")[0] not in _NO_NAMES
        and not s.in_value(token.start)
    )


def is_strange(s: Sentence, token: Token) -> bool:
    """Whether it can only be a name: no word of the records or of the user, and none of the language, or in
    capitals within a sentence of a language that writes only names so, or behind the word for a kind."""
    if not may_name(s, token) or is_known(s, token) or _is_joined(s, token):
        return False
    ordinary = s.setting.ordinary
    if ordinary and fold(token.text) not in ordinary and token.word not in ordinary:
        return True
    before = s.clean[max(0, token.start - _NEAR) : token.start].rstrip(" *_\"'“„(«¿¡")
    if token.capital and plain(before.rpartition(" ")[2]) in s.index.kind_words:
        return True  # "Projekt Windrose"
    return token.capital and s.setting.language != "de" and bool(before) and before[-1] not in _OPENING


def _is_joined(s: Sentence, token: Token) -> bool:
    """ "Tech-Stack": a part of a word whose end is known, or is one of the language."""
    if s.clean[token.end : token.end + 1] != "-":
        return False
    end = next((t for t in s.words if t.start == token.end + 1), None)
    return end is not None and (
        is_known(s, end) or (s.setting.language == "de" and fold(end.text) in s.setting.ordinary)
    )


def is_known(s: Sentence, token: Token) -> bool:
    """Whether a record, a kind, a field, the user or the tools know the word."""
    word = token.word
    return (
        word in s.your_words
        or word in s.setting.known_words
        or word in s.index.kind_words
        or word in s.index.gathered.words
        or word in s.index.gathered.asked
        or word[:5] in s.index.gathered.starts
        or word[:6] in s.index.kind_stems
    )


def goes_on_about(s: Sentence) -> bool:
    """Whether a sentence leaves out what it is about: a label, a pronoun, a few words."""
    label = 0 < s.clean.find(":") < 30
    return label or len(s.words) <= _FEW or s.find(lexicon.PRONOUN) is not None


def stranger_after(s: Sentence, *, goes_on: bool) -> str:
    """The name of no record that the next sentence may be about: a heading, a question, an introduction."""
    if not s.index.kinds or s.bound.named or any(e.is_record for e in s.bound.cited):
        return s.stranger if goes_on and not s.bound.named else ""
    place = set_off(s, ordinary=True) or side_by_side(s, least=1)
    if place is not None:
        return s.clean[slice(*place)].strip(" *_?\n")
    return s.stranger if goes_on else ""
