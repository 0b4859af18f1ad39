# ruff: noqa: E501, SIM102 (patterns and messages are easier to read on one line)
"""The rules: each looks at one sentence in its binding and yields what the evidence does not carry.

No rule knows a domain; fields are spoken of by the words that their kinds declare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sayso.core.facts import Field
from sayso.core.verify import lexicon
from sayso.core.verify.binding import Binding
from sayso.core.verify.holding import derives, holds, same
from sayso.core.verify.index import Entry, FactIndex, dates_of, essential, field_words
from sayso.core.verify.report import Violation, ViolationKind
from sayso.core.verify.setting import Setting
from sayso.core.verify.values import CONTACTS, NUMBER_WORDS, Value, ValueKind
from sayso.core.verify.words import Token, fold, phrase_in, plain

K = ViolationKind


@dataclass(frozen=True, slots=True)
class Sentence:
    """One piece as the rules see it: `clean` has its citations blanked; places are within the piece."""

    clean: str
    folded: str
    words: list[Token]
    values: list[Value]
    bound: Binding
    index: FactIndex
    setting: Setting
    yours: Sequence[Value]
    your_words: frozenset[str]
    advice: bool


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim: right (no violation), wrong, or right by the user's own words."""

    violation: Violation | None = None
    yours: bool = False


def _wrong(s: Sentence, kind: K, start: int, end: int, why: str, nearest: Entry | None = None) -> Checked:
    return Checked(Violation(kind, s.clean[start:end].strip(), start, end, why, nearest.ref if nearest else None))


def check_values(s: Sentence) -> Iterator[Checked]:
    today = s.setting.now.date()
    for v in s.values:
        if v.kind is ValueKind.QUOTE and (len(v.key.split()) < 3 or not s.bound.tight):
            continue
        if v.kind is ValueKind.DATE and _in_words(s, v):
            yield Checked()
            continue
        swapped = _field_clash(s, v)
        if swapped is not None:
            yield swapped
        elif any(holds(e, v) for e in _scope(s)) or _counted(s, v) or derives(_scope(s), v, today, s.yours):
            yield _everywhere(s, v)
        elif any(same(v, y) for y in s.yours) or (v.kind is ValueKind.QUOTE and v.key in fold(s.setting.user_message)):
            yield Checked(yours=True)
        elif not v.spelled:
            fault = _unheld(s, v)
            if fault is not None:
                yield fault


def _in_words(s: Sentence, v: Value) -> bool:
    """A weekday or a month that a record writes as a word ("Tuesday 8 km", "dinner on Friday")."""
    said = {t.word for t in s.words if v.start <= t.start < v.end and not t.text.isdigit()}
    named = v.span is not None and len(v.span.days) > 1 and not v.span.loose
    return bool(named and said and any(said - STOP <= e.words for e in _scope(s)))


def _scope(s: Sentence) -> Sequence[Entry]:
    return s.bound.allowed if s.bound.tight and s.bound.subjects else s.index.current


def _everywhere(s: Sentence, v: Value) -> Checked:
    """With "all" or "both", each record that is spoken of must hold the value."""
    subjects = s.bound.subjects
    if len(subjects) > 1 and lexicon.ALL.search(s.clean) and any(holds(e, v) for e in subjects):
        for entry in subjects:
            if not holds(entry, v):
                return _wrong(s, K.WRONG_VALUE, v.start, v.end, f"{entry.ref} does not say {v.text}", entry)
    return Checked()


def _unheld(s: Sentence, v: Value) -> Checked | None:
    subjects = s.bound.subjects
    contact = v.kind in CONTACTS
    if ((s.advice or _denied(s, v)) and not contact) or not s.index.current:
        return None
    if not s.bound.tight:
        if contact and v.kind is not ValueKind.URL:
            return _wrong(s, K.INVENTED_CONTACT, v.start, v.end, f"no record holds {v.text}: leave it out")
        return None
    others = [e for e in s.index.current if e.ref not in {x.ref for x in s.bound.allowed} and holds(e, v)]
    kinds = {e.kind for e in subjects}
    peer = next((e for e in others if e.kind in kinds), None)
    near = subjects[0] if subjects else None
    if peer is not None and near is not None:
        return _wrong(s, K.SWAPPED_RECORD, v.start, v.end, f"{v.text} belongs to {peer.ref}, not to {near.ref}", near)
    if others and not any(e.kind != "lookup" for e in s.bound.cited) and not contact:
        return Checked()
    gap = _gap_before(s, v.start)
    if gap is not None:
        return _wrong(
            s, K.STATED_GAP, v.start, v.end, f"{gap[1].title} is not recorded in {gap[0].ref}: say so", gap[0]
        )
    if contact:
        return _wrong(s, K.INVENTED_CONTACT, v.start, v.end, f"no record holds {v.text}: leave it out", near)
    if v.kind is ValueKind.QUOTE:
        return _wrong(s, K.INVENTED_QUOTE, v.start, v.end, "quote the record's exact words, or do not quote", near)
    where = near.ref if near else "the records"
    return _wrong(
        s, K.WRONG_VALUE, v.start, v.end, f"{where} does not say {v.text}: use its value or leave it out", near
    )


def _denied(s: Sentence, v: Value) -> bool:
    """ "No meetings today", "not due on 9 December": a negation in the clause before an unheld value."""
    clause = re.split(r"[,;:.–]\s", s.clean[: v.start])[-1]
    return bool(lexicon.NEGATION.search(clause) or lexicon.NOTHING.search(clause))


def _field_clash(s: Sentence, v: Value) -> Checked | None:
    """A value told of a field (its words stand right before) that holds another one, or none."""
    if v.spelled or v.kind is ValueKind.QUOTE or s.advice or len(s.bound.subjects) != 1:
        return None
    subject = s.bound.subjects[0]
    best: tuple[int, Field] | None = None
    for declared in subject.numbered.fact.kind.fields:
        for phrase in field_words(declared):
            at = phrase_in(phrase, s.folded[: v.start]) if len(phrase) >= 5 else -1
            if at >= 0 and v.start - at - len(phrase) < 14 and (best is None or len(phrase) > best[0]):
                best = (len(phrase), declared)
    if best is None:
        return None
    entry = subject.fields.get(best[1].name)
    if entry is None:
        if v.kind in CONTACTS or v.kind is ValueKind.DATE:
            why = f"{best[1].title} is not recorded in {subject.ref}: say so"
            return _wrong(s, K.STATED_GAP, v.start, v.end, why, subject)
        return None
    alike = [h for h in entry.values if h.kind is v.kind]
    if not alike or any(same(v, h) for h in entry.values) or v.kind is not ValueKind.DATE:
        return None
    why = f"{best[1].title} of {subject.ref} is {entry.text}"
    return _wrong(s, K.SWAPPED_FIELD if holds(subject, v) else K.WRONG_VALUE, v.start, v.end, why, subject)


def _gap_before(s: Sentence, at: int) -> tuple[Entry, Field] | None:
    head = s.folded[max(0, at - 60) : at]
    for entry in s.bound.subjects:
        for gap in entry.gaps:
            if any(len(p) >= 4 and phrase_in(p, head) >= 0 for p in field_words(gap)):
                return entry, gap
    return None


STOP = lexicon.STOP
_NOT_NAMES = lexicon.TEMPORAL | lexicon.STOP | frozenset(NUMBER_WORDS)


def check_names(s: Sentence) -> Iterator[Checked]:
    """Capitalised words and acronyms must be held; in German only acronyms and known names are read."""
    if s.advice or not s.bound.tight or not s.bound.subjects:
        return
    held = frozenset[str]().union(*(e.words for e in s.bound.allowed))
    denied = bool(lexicon.NEGATION.search(s.clean) or lexicon.GAP.search(s.clean))
    for token in s.words:
        if not token.capital or len(token.text) < 2 or not _is_name(s, token) or _in_value(s, token):
            continue
        word = token.word
        if word in held:
            yield Checked()
        elif word in s.your_words:
            yield Checked(yours=True)
        elif not (
            denied
            or word in _NOT_NAMES
            or fold(token.text) in _NOT_NAMES
            or word in s.setting.known_words
            or _is_field_word(s, word)
        ):
            yield _stray(s, token)


def _in_value(s: Sentence, token: Token) -> bool:
    return any(v.start <= token.start < v.end for v in s.values if v.kind is not ValueKind.QUOTE)


def _is_name(s: Sentence, token: Token) -> bool:
    acronym = token.text.isupper() and token.text.isalpha() and not s.clean.isupper()
    if acronym and len(token.text) > 1:
        return True
    if s.setting.language == "de":
        return any(token.word in e.words for e in s.index.current if e.kind == "person")
    before = s.clean[: token.start].rstrip(" *_\"'“„(")
    opens = s.clean[: token.start].rstrip(" *_").endswith("(")
    return opens or (bool(before) and before[-1] not in ".!?:|–—-•\n;")


def _is_field_word(s: Sentence, word: str) -> bool:
    return any(
        word in e.numbered.fact.kind.words
        or any(word == plain(p) for f in e.numbered.fact.kind.fields for p in field_words(f))
        for e in s.bound.subjects
    )


def _stray(s: Sentence, token: Token) -> Checked:
    near = s.bound.subjects[0]
    other = next((e for e in s.index.current if e.kind == near.kind and token.word in e.words), None)
    gap = _gap_before(s, token.start)
    if other is not None:
        return _wrong(
            s, K.SWAPPED_RECORD, token.start, token.end, f'"{token.text}" is of {other.ref}, not {near.ref}', near
        )
    if any(token.word in e.words for e in s.index.current) and not s.bound.cited:
        return Checked()
    if gap is not None:
        return _wrong(
            s, K.STATED_GAP, token.start, token.end, f"{gap[1].title} is not recorded in {gap[0].ref}: say so", gap[0]
        )
    return _wrong(
        s, K.INVENTED_NAME, token.start, token.end, f'{near.ref} does not mention "{token.text}": leave it out', near
    )


def check_workplace(s: Sentence) -> Iterator[Checked]:
    """ "works at X": X is the whole name in the field that declares such words, not a part of it."""
    match = lexicon.WORKS.search(s.clean)
    if match is None or s.advice or len(s.bound.subjects) == 0:
        return
    subject = next((e for e in s.bound.named if e.kind == s.bound.subjects[0].kind), s.bound.subjects[0])
    kind = subject.numbered.fact.kind
    field = next((f for f in kind.fields if {"works at", "employer", "affiliation"} & field_words(f)), None)
    if field is None or lexicon.NEGATION.search(s.clean) or lexicon.GAP.search(s.clean):
        return
    run = _run_after(s, match.end())
    if not run:
        return
    start, end = run[0].start, run[-1].end
    entry = subject.fields.get(field.name)
    if entry is None:
        yield _wrong(s, K.STATED_GAP, start, end, f"{field.title} is not recorded in {subject.ref}: say so", subject)
        return
    said, whole = essential(frozenset(t.word for t in run)), essential(entry.words)
    if said < whole and not said <= s.your_words:
        yield _wrong(s, K.WRONG_VALUE, start, end, f"{field.title} of {subject.ref} is {entry.text}", subject)


def _run_after(s: Sentence, at: int) -> list[Token]:
    run: list[Token] = []
    for token in s.words:
        if token.start < at:
            continue
        between = s.clean[run[-1].end if run else at : token.start]
        joined = not run or re.fullmatch(r"[ \-&.+]{1,3}|", between) is not None
        if not joined or not (
            token.capital or (run and fold(token.text) in ("de", "of", "la", "and", "spin", "free", "off"))
        ):
            break
        run.append(token)
    return run


def check_states(s: Sentence) -> Iterator[Checked]:
    """A field of few words ("open", "daily"): another record's word is wrong for this one."""
    everyone = bool(lexicon.ALL.search(s.clean))
    pool = _spoken_of(s, everyone)
    if s.advice or len({e.kind for e in pool}) != 1:
        return
    for name, known in _vocabulary(s.index, pool[0].kind).items():
        for word in known:
            at = phrase_in(word, s.folded)
            if at < 0 or lexicon.NEGATION.search(s.clean[max(0, at - 24) : at]):
                continue
            have = [e for e in pool if name in e.fields and e.fields[name].folded == word]
            lack = [e for e in pool if name in e.fields and e.fields[name].folded != word]
            own = any(phrase_in(e.fields[name].folded, s.folded) >= 0 for e in lack)
            if have and not (everyone and lack):
                yield Checked()
            elif lack and not own and (everyone or not have):
                why = f"{name.replace('_', ' ')} of {lack[0].ref} is {lack[0].fields[name].text}"
                yield _wrong(s, K.WRONG_VALUE, at, at + len(word), why, lack[0])


def _spoken_of(s: Sentence, everyone: bool) -> list[Entry]:
    """The records of the sentence's first kind; with "both habits" and none named, all of that kind."""
    subjects = [e for e in s.bound.subjects if e.kind == s.bound.subjects[0].kind]
    if everyone and not s.bound.cited and not s.bound.named:
        kinds = _kind_words(s.index)
        kind = next((kinds[t.word] for t in s.words if t.word in kinds), None)
        return s.index.of_kind(kind) if kind else subjects
    return subjects


def _vocabulary(index: FactIndex, kind: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for entry in index.of_kind(kind):
        for name, f in entry.fields.items():
            if (
                len(f.words) == 1
                and f.folded.isalpha()
                and len(f.folded) >= 4
                and name != entry.numbered.fact.kind.subject
            ):
                if not f.text[0].isupper():
                    found.setdefault(name, set()).add(f.folded)
    return found


def check_gaps(s: Sentence) -> Iterator[Checked]:
    """ "No X recorded" of a field that is; a right "not recorded" counts as a claim that follows."""
    subjects = s.bound.subjects
    if not subjects or not (lexicon.GAP.search(s.clean) or lexicon.NEGATION.search(s.clean)):
        return
    for entry in subjects[:4]:
        for declared in entry.numbered.fact.kind.fields:
            for phrase in field_words(declared):
                if len(phrase) < 4 or phrase not in s.folded:
                    continue
                match = _absence_of(phrase).search(s.folded)
                if match is None:
                    continue
                if not _recorded(entry, declared, phrase):
                    yield Checked()
                elif len(subjects) == 1:
                    why = f"{declared.title} of {entry.ref} is {entry.fields[declared.name].text[:80]}"
                    yield _wrong(s, K.FALSE_ABSENCE, match.start(), match.end(), why, entry)


@lru_cache(maxsize=512)
def _absence_of(phrase: str) -> re.Pattern[str]:
    p = re.escape(phrase)
    return re.compile(
        rf"\b(?:no|kein\w*|without) (?:recorded |known |stored )?{p}\b(?=[^,;]{{0,20}}(?:record|stored|file|known|noted|$|\.|,))"
        rf"|\b{p} (?:is|are|ist|sind|:)? ?(?:not|nicht|un)\s?(?:recorded|known|stored|erfasst|bekannt|hinterlegt)"
    )


def _recorded(entry: Entry, declared: Field, phrase: str) -> bool:
    held = entry.fields.get(declared.name)
    if held is None:
        return False
    if "mail" in phrase:
        return any(v.kind is ValueKind.EMAIL for v in held.values)
    if any(w in phrase for w in ("phone", "number", "telefon", "nummer", "mobile", "handy")):
        return any(v.kind is ValueKind.PHONE for v in held.values)
    if phrase in ("whatsapp", "signal", "address", "adresse"):
        return phrase in held.folded
    return True


def check_actions(s: Sentence) -> Iterator[Checked]:
    """A report of action needs a receipt; a proposal is not one."""
    match = lexicon.ACTION.search(s.clean)
    if match is None or s.advice or lexicon.NEGATION.search(s.clean):
        return
    verb = next(g for g in match.groups() if g)
    first_person = match["a"] or match["d"] or match["f"] or match["g"] or "ich" in fold(match.group())
    if not first_person and not _passive(s, match) and _stands_in_facts(s, verb):
        yield Checked()
        return
    receipts = [e for e in s.index.current if e.kind == "receipt" and _ok(e)]
    about = [e for e in receipts if _fits(e, s)]
    if about:
        yield Checked()
    elif (
        first_person
        or any(e.kind in ("proposal", "receipt") for e in s.index.current)
        or match["c"]
        or _passive(s, match)
    ):
        if first_person and lexicon.PROPOSED.search(s.clean) and any(e.kind == "proposal" for e in s.index.current):
            yield Checked()
            return
        near = next((e for e in s.index.current if e.kind in ("proposal", "receipt")), None)
        yield _wrong(s, K.FALSE_ACTION, match.start(), match.end(), f'nothing shows that it was "{verb}": say what waits for approval', near)  # fmt: skip


def _passive(s: Sentence, match: re.Match[str]) -> bool:
    """ "All contacts have been deleted": done to records, by nobody but us."""
    kinds = _kind_words(s.index)
    return "been" in fold(match.group()) and any(t.word in kinds for t in s.words)


def _ok(receipt: Entry) -> bool:
    outcome = " ".join(f.text for n, f in receipt.fields.items() if n in ("outcome", "state", "status"))
    return not lexicon.FAILED.search(outcome)


def _fits(receipt: Entry, s: Sentence) -> bool:
    if receipt.ref in {e.ref for e in s.bound.cited}:
        return True
    mine = {w for w in receipt.words if len(w) > 2} - {"done", "action"}
    said = {t.word for t in s.words}
    short = len(said - _NOT_NAMES) <= 2
    return short or bool({w[:4] for w in mine} & {w[:4] for w in said if len(w) > 3 and w not in _NOT_NAMES})


def _stands_in_facts(s: Sentence, verb: str) -> bool:
    head = fold(verb)[:5]
    pool = [e for e in s.bound.allowed if e.kind not in ("proposal", "receipt")] or [
        e for e in s.index.current if e.is_record and not s.bound.tight
    ]
    return any(w.startswith(head) for e in pool for w in e.words)


def check_others_acts(s: Sentence) -> Iterator[Checked]:
    match = lexicon.OTHERS_ACT.search(s.clean)
    if match is None or s.advice or not s.bound.subjects or lexicon.NEGATION.search(s.clean):
        return
    head = fold(match["v"])[:5]
    if not any(w.startswith(head) for e in s.index.current for w in e.words) and not any(
        w.startswith(head) for w in s.your_words
    ):
        near = s.bound.subjects[0]
        yield _wrong(s, K.FALSE_ACTION, match.start(), match.end(), f'no record says "{match["v"]}"', near)


_COUNT = re.compile(
    r"(?<![\w.,:/-])(?P<n>\d{1,4}|" + "|".join(NUMBER_WORDS) + r")\s(?:(?P<a>[\w-]{2,14})\s)?(?P<k>[\w-]{3,20})",
    re.IGNORECASE,
)
_OF = re.compile(r"(?<![\w.,])(?P<a>\d{1,5})\s(?:out )?of (?:your |the |my )?(?P<b>\d{1,6})\b", re.IGNORECASE)


def check_counts(s: Sentence) -> Iterator[Checked]:
    if s.advice:
        return
    lookups = [e for e in s.index.current if e.kind == "lookup"]
    kinds = _kind_words(s.index)
    for match in _COUNT.finditer(s.clean):
        kind = kinds.get(plain(match["k"])) or kinds.get(plain(match["a"] or ""))
        written = match["n"].lower()
        number = float(written) if written.isdigit() else float(NUMBER_WORDS[written])
        if kind is None or not (lookups or s.index.of_kind(kind)):
            continue
        if number in _counts(s, kind, lookups) or any(number in v.numbers for e in s.bound.allowed for v in e.values):
            yield Checked()
        else:
            yield _wrong(s, K.WRONG_COUNT, match.start(), match.end(), f"the records show {len(s.index.of_kind(kind))}")
    for match in _OF.finditer(s.clean):
        found = [e for e in lookups if e.number("searched") == float(match["b"])]
        if (
            found
            and all(e.number("matched") != float(match["a"]) for e in found)
            and float(match["a"]) > len(s.index.current)
        ):
            yield _wrong(s, K.WRONG_COUNT, match.start(), match.end(), "the look-up found another number", found[0])


def _counts(s: Sentence, kind: str, lookups: Sequence[Entry]) -> set[float]:
    entries = s.index.of_kind(kind)
    found = {float(len(entries)), float(len([e for e in s.bound.subjects if e.kind == kind]))}
    for lookup in lookups:
        found |= {n for n in (lookup.number("matched"), lookup.number("searched")) if n is not None}
    groups: dict[object, int] = {}
    today = s.setting.now.date()
    for e in entries:
        keys: list[object] = [(n, f.folded) for n, f in e.fields.items()]
        days = dates_of(e)
        keys += [*days, *(("gap", g.name) for g in e.gaps), *(("past", d < today) for d in days)]
        keys += [("week", d.isocalendar()[:2]) for d in days]
        for key in dict.fromkeys(keys):
            groups[key] = groups.get(key, 0) + 1
    return found | {float(n) for n in groups.values()}


def _kind_words(index: FactIndex) -> dict[str, str]:
    return index.kind_words


def _counted(s: Sentence, v: Value) -> bool:
    """A number that a look-up states, or that is the number of records spoken of."""
    if v.kind is not ValueKind.NUMBER:
        return False
    stated = {e.number(n) for e in s.index.current if e.kind == "lookup" for n in ("matched", "searched")}
    return bool(v.numbers & (stated | {float(len(s.bound.subjects))}) - {None})  # pyright: ignore


def check_absences(s: Sentence) -> Iterator[Checked]:
    """ "Nothing due", "no meetings", "no one called X" rest on look-ups, and fall with a record."""
    if s.advice:
        return
    lookups = [e for e in s.index.current if e.kind == "lookup"]
    match = lexicon.ABSENT_ONE.search(s.clean)
    if match is not None:
        people = [e for e in s.bound.named if e.is_record and match.end() <= s.clean.lower().find(s_first(e, s))]
        if people:
            yield _wrong(s, K.FALSE_ABSENCE, match.start(), match.end(), f"{people[0].ref} is such a record", people[0])
        elif lookups:
            yield Checked()
        return
    kinds = _kind_words(s.index)
    for match in lexicon.NOTHING.finditer(s.clean):
        noun = match["n"] or match["m"] or ""
        kind = kinds.get(plain(noun))
        if kind is None:
            continue
        days = [v for v in s.values if v.kind is ValueKind.DATE]
        plain_claim = len([t for t in s.words if t.word not in lexicon.STOP]) <= 4
        hits = [e for e in s.index.of_kind(kind) if all(holds(e, d) for d in days)]
        if hits and (days or plain_claim) and not s.bound.cited and all(e.kind == kind for e in s.bound.subjects):
            yield _wrong(s, K.FALSE_ABSENCE, match.start(), match.end(), f"{hits[0].ref} is one", hits[0])


def s_first(entry: Entry, s: Sentence) -> str:
    """The first word of the sentence that belongs to the record's name, as written there."""
    return next((t.text.lower() for t in s.words if t.word in entry.subject), "\x00")


RULES = (
    check_values, check_names, check_workplace, check_states, check_gaps, check_actions, check_others_acts,
    check_counts, check_absences,
)  # fmt: skip
