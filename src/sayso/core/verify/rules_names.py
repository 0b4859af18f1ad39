"""Names: held by the record that is spoken of, or another's."""

from __future__ import annotations

from collections.abc import Iterator

from sayso.core.verify import lexicon
from sayso.core.verify.language.apart import ZONE_NAME
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.rules_values import gap_before
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.strangers import is_strange
from sayso.core.verify.values import NUMBER_WORDS, ValueKind
from sayso.core.verify.words import Token, fold

K = ViolationKind


STOP = lexicon.STOP
NOT_NAMES = lexicon.TEMPORAL | lexicon.STOP | frozenset(NUMBER_WORDS)


def check_names(s: Sentence) -> Iterator[Checked]:
    """Capitalised words and acronyms must be held; in German only acronyms and known names are read."""
    if s.advice or not s.bound.tight or not s.bound.subjects:
        return
    denied = s.denies
    for token in s.words:
        if (
            not token.capital
            or len(token.text) < 2
            or token.text[1:2] in "'’"
            or not _is_name(s, token)
            or s.in_value(token.start)
            or _names_a_clock(s, token)
        ):
            continue
        word = token.word
        if word in s.held:
            yield Checked(slight=True)
        elif word in s.your_words:
            yield Checked(yours=True)
        elif not (
            denied
            or word in NOT_NAMES
            or fold(token.text) in NOT_NAMES
            or word in s.setting.known_words
            or is_field_word(s, word)
        ):
            yield _stray(s, token)


def _is_name(s: Sentence, token: Token) -> bool:
    acronym = token.text.isupper() and token.text.isalpha() and not s.clean.isupper()
    if acronym and len(token.text) > 1:
        return True
    if s.setting.language == "de":
        return is_strange(s, token) or any(token.word in e.words for e in s.index.current if e.is_someone)
    before = s.clean[: token.start].rstrip(" *_\"'“„(«¿¡")
    opens = s.clean[: token.start].rstrip(" *_").endswith("(")
    return opens or (bool(before) and before[-1] not in ".!?:|–—-•\n;¡¿«")


def _names_a_clock(s: Sentence, token: Token) -> bool:
    """ "17:20 London time", "16:00 in London is 00:00 in Tokyo": by which clock, and nothing of the record."""
    if ZONE_NAME.match(s.clean, token.end):
        return True
    hours = [v.end for v in s.values if v.kind is ValueKind.TIME]
    return len(hours) > 1 and any(s.clean[at : token.start].strip() in ("in", "à", "en", "a") for at in hours)


def is_field_word(s: Sentence, word: str) -> bool:
    return any(word in s.index.words_of(e).nouns for e in s.bound.subjects)


def _stray(s: Sentence, token: Token) -> Checked:
    near = s.bound.subjects[0]
    other = next((e for e in s.index.current if e.kind == near.kind and token.word in e.words), None)
    gap = gap_before(s, token.start)
    if other is not None:
        return wrong(
            s, K.SWAPPED_RECORD, token.start, token.end, f'"{token.text}" is of {other.ref}, not {near.ref}', near
        )
    if any(token.word in e.words for e in s.index.current) and not s.bound.cited:
        return Checked()
    if gap is not None:
        return wrong(
            s, K.STATED_GAP, token.start, token.end, f"{gap[1].title} is not recorded in {gap[0].ref}: say so", gap[0]
        )
    return wrong(
        s, K.INVENTED_NAME, token.start, token.end, f'{near.ref} does not mention "{token.text}": leave it out', near
    )
