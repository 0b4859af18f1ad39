# ruff: noqa: E501 (patterns and messages are easier to read on one line)
"""Reports of action and counts: they rest on receipts and look-ups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from sayso.core.verify import acts, lexicon
from sayso.core.verify.index import Entry, dates_of, option_words, wording_at
from sayso.core.verify.numerals import in_digits
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.rules_names import NOT_NAMES
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import ValueKind
from sayso.core.verify.words import fold, plain

K = ViolationKind


def check_actions(s: Sentence) -> Iterator[Checked]:
    """A report of action needs a receipt; a proposal is not one."""
    if s.suggestion or s.negated or lexicon.ACTION_WORDS.isdisjoint(s.said):
        return
    handled = lexicon.HANDLED.search(s.clean)
    match = handled or lexicon.ACTION.search(s.clean)
    if match is None:
        return
    told = match.groupdict()
    verb = next(told[g] for g in "abcdefg" if told.get(g))
    first_person = handled is None and bool(
        match["a"] or match["d"] or match["f"] or match["g"] or "ich" in fold(match.group())
    )
    if (
        (not first_person and not _passive(s, match) and _stands_in_facts(s, verb, told))
        or any(e.kind == "receipt" and _ok(e) and _fits(e, s, verb) for e in s.index.current)
        or (first_person and _is_filing(s, verb))
    ):
        yield Checked()
    elif first_person or handled or match["c"] or _passive(s, match) or _acted_on(s) or _still_to_do(s, verb):
        near = _still_to_do(s, verb) or next((e for e in s.index.current if e.kind in ("proposal", "receipt")), None)
        why = f'nothing shows that it was "{verb}": say what waits for approval'
        yield wrong(s, K.FALSE_ACTION, match.start(), match.end(), why, near)


def _acted_on(s: Sentence) -> bool:
    return any(e.kind in ("proposal", "receipt") for e in s.index.current)


def _is_filing(s: Sentence, verb: str) -> bool:
    """ "I've saved a draft for your approval": that a proposal waits is no more than is so."""
    waiting = any(e.kind == "proposal" for e in s.index.current)
    return waiting and verb.lower() in lexicon.FILING and bool(lexicon.PROPOSED.search(s.clean))


def _passive(s: Sentence, match: re.Match[str]) -> bool:
    """ "All contacts have been deleted": done to records, by nobody but us."""
    kinds = s.index.kind_words
    return "been" in fold(match.group()) and any(t.word in kinds for t in s.words)


def _ok(receipt: Entry) -> bool:
    outcome = " ".join(f.text for n, f in receipt.fields.items() if n in ("outcome", "state", "status"))
    return not lexicon.FAILED.search(outcome)


def _fits(receipt: Entry, s: Sentence, verb: str) -> bool:
    if not acts.of_one_sort(verb, receipt.words):
        return False
    if receipt.ref in {e.ref for e in s.bound.cited}:
        return True
    mine = {w for w in receipt.words if len(w) > 2} - {"done", "action"}
    short = len(s.said - NOT_NAMES) <= 2
    return short or bool({w[:4] for w in mine} & {w[:4] for w in s.said if len(w) > 3 and w not in NOT_NAMES})


def _stands_in_facts(s: Sentence, verb: str, told: Mapping[str, str | None]) -> bool:
    """Whether a record says so: in its words, or since the thing itself is one ("the appointment")."""
    head = _ENDING.sub("", fold(verb))[:5]
    records = [e for e in s.bound.allowed if e.kind not in ("proposal", "receipt")]
    things = {s.index.kind_words.get(plain(told.get(f"t{n}") or "")) for n in range(1, 6)}
    pool = records or [e for e in s.index.current if e.is_record and not s.bound.tight]
    return any(w.startswith(head) for e in pool for w in e.words) or any(e.kind in things for e in records)


def _still_to_do(s: Sentence, verb: str) -> Entry | None:
    """The record that is spoken of by which this very act is still to be done."""
    return next((e for e in s.bound.allowed if is_pending(e) and acts.tells(verb, set(e.subject))), None)


def is_pending(entry: Entry) -> bool:
    """Whether a record says of something that it is still to be done."""
    states = [
        f for f in entry.fields.values() if f.declared.options and f.declared.name != entry.numbered.fact.kind.subject
    ]
    return any(f.folded in lexicon.PENDING for f in states)


def check_waiting(s: Sentence) -> Iterator[Checked]:
    """ "Site meeting: booked for 9 December [a proposal]": told as done of what only waits, or of what failed."""
    cited = [e for e in s.bound.cited if e.kind in ("proposal", "receipt")]
    if not cited or s.negated or s.suggestion or lexicon.PROPOSED.search(s.clean) or lexicon.TO_COME.search(s.clean):
        return
    done = next((t for t in s.words if t.word in lexicon.DONE_WORDS), None)
    if (
        done is not None
        and not any(e.kind == "receipt" and _ok(e) for e in cited)
        and not lexicon.FAILED.search(s.clean)
    ):
        why = f'{cited[0].ref} does not show that it was "{done.text}": say what waits, or how it ended'
        yield wrong(s, K.FALSE_ACTION, done.start, done.end, why, cited[0])


_ENDING = re.compile(r"(?<=\w{3})e?d$")


def check_others_acts(s: Sentence) -> Iterator[Checked]:
    match = lexicon.OTHERS_ACT.search(s.clean)
    if match is None or s.advice or not s.bound.subjects or s.negated:
        return
    head = fold(match["v"])[:5]
    if not any(w.startswith(head) for e in s.index.current for w in e.words) and not any(
        w.startswith(head) for w in s.your_words
    ):
        near = s.bound.subjects[0]
        yield wrong(s, K.FALSE_ACTION, match.start(), match.end(), f'no record says "{match["v"]}"', near)


_COUNT = re.compile(
    r"(?<![\w.,:/-])(?P<n>0{0,40}\d{1,4})\s(?:(?P<a>[\w-]{2,14})\s)?(?P<k>[\w-]{3,20})",
    re.IGNORECASE,
)
_OF = re.compile(
    r"(?<![\w.,])(?P<a>0{0,40}\d{1,5})\s(?:out of|of|von|sur|su|de|di)\s"
    r"(?:(?:your|the|my|deinen|den|vos|tes|les|tuoi|tus|sus)\s)?(?P<b>0{0,40}\d{1,6})\b",
    re.IGNORECASE,
)


def check_counts(s: Sentence) -> Iterator[Checked]:
    digits = "" if s.advice else in_digits(s.clean)
    if not any(c.isdigit() for c in digits):
        return
    lookups = [e for e in s.index.current if e.kind == "lookup"]
    kinds = s.index.kind_words
    for match in _COUNT.finditer(digits):
        kind = kinds.get(plain(match["k"])) or kinds.get(plain(match["a"] or ""))
        number = float(match["n"])
        if kind is None or not (lookups or s.index.of_kind(kind)):
            continue
        whole = lexicon.OUT_OF.search(s.clean, 0, match.start())  # "one of your three goals is behind"
        in_state = None if whole else _in_state(s, kind)
        if in_state is not None:
            right = number == len(in_state) or number in _asked_by_state(s, kind, lookups)
        else:
            right = number in _counts(s, kind, lookups) or any(
                number in v.numbers for e in s.bound.allowed for v in e.values
            )
        if right:
            yield Checked()
        else:
            shown = len(s.index.of_kind(kind) if in_state is None else in_state)
            yield wrong(s, K.WRONG_COUNT, match.start(), match.end(), f"the records show {shown}")
    for match in _OF.finditer(digits):
        found = [e for e in lookups if e.number("searched") == float(match["b"])]
        if (
            found
            and all(e.number("matched") != float(match["a"]) for e in found)
            and float(match["a"]) > len(s.index.current)
        ):
            yield wrong(s, K.WRONG_COUNT, match.start(), match.end(), "the look-up found another number", found[0])


def _in_state(s: Sentence, kind: str) -> list[Entry] | None:
    """The records in the one state that the sentence speaks of ("3 tasks are overdue"); None when it names none or several."""
    pool = s.index.of_kind(kind)
    states = {
        (declared.name, meant)
        for declared in (pool[0].numbered.fact.kind.fields if pool else ())
        for wording, meant in option_words(declared).items()
        if wording_at(wording, s.folded) >= 0
    }
    if len(states) != 1 or any(v.kind is ValueKind.DATE for v in s.values) or s.negated:
        return None
    ((name, meant),) = states
    return [e for e in pool if name in e.fields and e.fields[name].folded in meant]


def _asked_by_state(s: Sentence, kind: str, lookups: Sequence[Entry]) -> set[float]:
    """What look-ups matched that asked for a state, or that found more than is shown: then nothing is known."""
    shown = len(s.index.of_kind(kind))
    found = {(e.number("matched") or 0.0, _text(e, "arguments")) for e in lookups if _text(e, "covers") == kind}
    return {n for n, asked in found if (asked and any(w in s.folded for w in asked.split('"'))) or n > shown}


def _text(entry: Entry, name: str) -> str:
    return fold(str(entry.numbered.fact.values.get(name, "")))


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
