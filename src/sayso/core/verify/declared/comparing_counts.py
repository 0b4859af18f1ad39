# ruff: noqa: E501 (patterns are easier to read on one line)
"""Claims about how many and how much: items that a field lists, times that something happened, amounts with a unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sayso.core.verify.declared.reading import ReadField
from sayso.core.verify.declared.reading_amounts import Amount, Bound, bound_of
from sayso.core.verify.declared.reading_lexicon import Balance
from sayso.core.verify.declared.reading_told import Cue, Finding, Told, any_of
from sayso.core.verify.declared.reading_words import roots
from sayso.core.verify.language import either

_ENDLESS = float("inf")
_MANY = {
    "multiple": (2, _ENDLESS), "multi": (2, _ENDLESS), "more than one": (2, _ENDLESS), "several": (2, _ENDLESS),
    "various": (2, _ENDLESS), "a number of": (2, _ENDLESS), "a variety of": (2, _ENDLESS), "many": (3, _ENDLESS),
    "numerous": (3, _ENDLESS), "a lot of": (3, _ENDLESS), "dozens of": (24, _ENDLESS), "hundreds of": (200, _ENDLESS),
    "few": (1, 5), "a few": (2, 6), "a couple of": (2, 3), "a couple": (2, 3), "a pair of": (2, 2), "both": (2, 2),
    "half a dozen": (6, 6), "single": (1, 1), "a single": (1, 1), "only a": (1, 1), "just a": (1, 1), "only one": (1, 1),
    "just one": (1, 1), "sole": (1, 1), "the only": (1, 1), "no": (0, 0),
}  # fmt: skip
_QUANTIFIER = re.compile(rf"(?<![\w-])(?:(?:{either(_MANY)})(?![\w-])|multi(?=-))")
_TIMES = re.compile(
    r"\b(?:(?P<n>once|twice|thrice)|(?P<more>more than once|multiple times|several times|many times))\b|\s?times\b"
)
_ONCE = {"once": 1, "twice": 2, "thrice": 3}
_UNIT = re.compile(r"(?:second|minute|hour|day|week|month|year|decade)s?$")
_REACH = 4  # words between a number and the noun that it counts
_MULTIPLE = re.compile(r" (?:as|its|the|their|his|her|what)\b")
_FACTOR = re.compile(
    r"\b(?P<w>double|doubled|twice|triple|tripled|quadruple|(?P<n>\d{1,6}(?:\.\d{1,6})?|two|three|four|five|six|seven|eight|nine|ten) times)\b"
)
_FACTORS = {"double": 2, "doubled": 2, "twice": 2, "triple": 3, "tripled": 3, "quadruple": 4, "two": 2, "three": 3,
            "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}  # fmt: skip


def check_counts(told: Told) -> Iterator[Finding]:
    """ "Three occupations", "more than two genres", "a single producer": how many a field lists."""
    for m in _QUANTIFIER.finditer(told.text):
        low, high = _MANY[m.group()]
        yield from _counted(told, Amount(low, high, "", m.start(), m.end()), Bound("", m.start(), m.end()), many=True)
    for amount in told.amounts:
        if amount.dimension == "":
            yield from _counted(told, amount, bound_of(told.text, amount), many=False)


def _counted(told: Told, amount: Amount, bound: Bound, *, many: bool) -> Iterator[Finding]:
    cue = _noun_after(told, amount)
    if cue is None or not cue.fields or _UNIT.match(amount.word):
        return
    noun = told.text[cue.start : cue.end]
    counts = [f.count_of(noun) for f in cue.fields if _countable(f)]
    alike = [f for f in cue.fields if set(roots(noun)) <= set(f.names)]
    if len(alike) > 1:  # "two districts": a field for each
        counts += [len(alike), sum(f.count for f in alike)]
    verdicts = [bound.allows(amount, n, n) for n in counts]
    under = told.text.startswith("under ", bound.start) and amount.low in counts  # "under four labels": signed to them
    if under or True in verdicts or any(_number_in(f, amount) for f in cue.fields):
        yield Finding(bound.start, max(amount.end, bound.end), True)
    elif verdicts:
        f = next(iter(cue.fields))
        yield Finding(bound.start, amount.end, False, f"{f.label} is {f.text[:80]}")
    elif not many:
        yield Finding(bound.start, amount.end, None, "the record gives no such count")


def _countable(f: ReadField) -> bool:
    """Not a moment or a measure, unless it lists several."""
    return len(f.items) > 1 or not (f.whens or any(a.dimension for a in f.amounts))


def _number_in(f: ReadField, amount: Amount) -> bool:
    return any(amount.low in (a.low, a.high) and a.dimension == "" for a in f.amounts)


def _noun_after(told: Told, amount: Amount) -> Cue | None:
    """The words of a field within a few words after a number."""
    ahead = [t for t in told.words if t.start >= amount.end][:_REACH]
    limit = ahead[-1].end if ahead else amount.end
    stop = _CLAUSE.search(told.text, amount.end, limit)
    limit = stop.start() if stop else limit
    found = [c for c in told.cues if amount.end <= c.start and c.end <= limit and not c.along]
    return next((c for c in found if c.fields), found[0] if found else None)


_CLAUSE = re.compile(r"[,.;:]|\b(?:is|was|were|are|has|had|have|that|which|who|and|by|in|with|for|from|to|than)\b")


def check_times_happened(told: Told) -> Iterator[Finding]:
    """ "Married three times", "married more than once": as many as the field of the verb lists."""
    for said, start, end in _happenings(told):
        cues = [c for c in told.cues if abs(c.end - start) < 30 or abs(c.start - end) < 30]
        fields = tuple(f for c in cues if not c.along for f in c.fields if _countable(f) or f.periods)
        if fields:
            counts = {f.count for f in fields}
            holds = any(said[0] <= n <= said[1] for n in counts)
            yield Finding(start, end, holds, f"{fields[0].label} is {fields[0].text[:80]}")


def _happenings(told: Told) -> Iterator[tuple[tuple[float, float], int, int]]:
    for m in _TIMES.finditer(told.text):
        if m["more"]:
            yield (2, _ENDLESS), m.start(), m.end()
        elif m["n"] and not _MULTIPLE.match(told.text, m.end()):
            yield (_ONCE[m["n"]], _ONCE[m["n"]]), m.start(), m.end()
        else:
            for amount in told.amounts:
                if amount.dimension == "" and 0 <= m.end() - amount.end <= 6 and amount.word.startswith("time"):
                    bound = bound_of(told.text, amount)
                    low, high = (
                        amount.low + (bound.how == "more"),
                        _ENDLESS if bound.how in ("more", "least") else amount.high,
                    )
                    yield (low, high), bound.start, m.end()


def check_amounts(told: Told) -> Iterator[Finding]:
    """Amounts with a unit, and large plain numbers, against the fields that hold such amounts."""
    for amount in told.amounts:
        if amount.dimension in ("span", "") and not (amount.dimension == "" and amount.low >= 1000):
            continue
        bound = bound_of(told.text, amount)
        gain = _gained(told, amount, bound)
        if gain is not None:
            yield gain
            continue
        dimensions = ("money", "") if amount.low >= 1000 and amount.dimension in ("", "money") else (amount.dimension,)
        fields, _ = told.fields_near(
            amount.start, amount.end, lambda f, d=dimensions: any(a.dimension in d for a in f.amounts)
        )
        held = [a for f in fields for a in f.amounts if a.dimension in dimensions]
        said = amount if bound.how else _rounded(told, amount)
        verdicts = [bound.allows(said, a.low, a.high) for a in held]
        holds = any_of(verdicts)
        why = f"{fields[0].label} is {fields[0].text[:80]}" if fields else "the record holds no such amount"
        yield Finding(bound.start, amount.end, holds, why)


def _rounded(told: Told, amount: Amount) -> Amount:
    """ "2 hours" said of 118 minutes: within half a percent, or half of the last digit that was said."""
    written = told.text[amount.start : amount.end]
    slack = amount.low * (0.005 if re.search(r"\d", written) else 0.03)
    return replace(amount, low=amount.low - slack, high=amount.high + slack)


def _gained(told: Told, amount: Amount, bound: Bound) -> Finding | None:
    """ "Made 200 million over its budget": an amount told of a difference of two fields."""
    for balance in told.lexicon.balances:
        gain, cost = _amount_of(told, balance.gain), _amount_of(told, balance.cost)
        if gain is None or cost is None or amount.dimension not in ("money", ""):
            continue
        words = _OVER.match(told.text, amount.end)
        if (words and _cost_named(told, balance, words.end())) or told.find(balance.won) or told.find(balance.lost):
            difference = abs(gain - cost)
            return Finding(bound.start, amount.end, bound.allows(_rounded(told, amount), difference, difference), f"the difference is {difference:,.0f}")  # fmt: skip
    return None


_OVER = re.compile(
    r"(?: dollars| rupees| euros)?(?: in profit| profit)? (?:over|more than|above|beyond|in excess of|less than|under)\b(?: than)?"
)


def _cost_named(told: Told, balance: Balance, at: int) -> bool:
    return any(c.start >= at and any(f.names == balance.cost for f in c.fields) for c in told.cues)


def _amount_of(told: Told, names: tuple[str, ...]) -> float | None:
    found = next((f for f in told.record.fields if f.names == names), None)
    held = next((a for a in found.amounts if a.dimension in ("money", "")), None) if found else None
    return None if held is None else (held.low + held.high) / 2


def check_balances(told: Told) -> Iterator[Finding]:
    """Whether there was a gain or a loss, and how many times the cost came back."""
    for balance in told.lexicon.balances:
        gain, cost = _amount_of(told, balance.gain), _amount_of(told, balance.cost)
        if gain is None or not cost:
            continue
        for phrases, sign in ((balance.won, 1), (balance.lost, -1)):
            place = told.find(phrases)
            if place is not None:
                yield Finding(*place, (gain - cost) * sign > 0, f"{gain:,.0f} against {cost:,.0f}")
        yield from _times_over(told, balance, gain / cost)


def _times_over(told: Told, balance: Balance, actual: float) -> Iterator[Finding]:
    """ "Made three times its budget", to a tenth."""
    m = _FACTOR.search(told.text)
    if m is None or not _cost_named(told, balance, m.end()):
        return
    number = m["n"] or m["w"]
    factor = float(number) if number[0].isdigit() else _FACTORS[number]
    bound = bound_of(told.text, Amount(factor, factor, "", m.start(), m.end()))
    slack = 0.0 if bound.how else 0.1
    said = Amount(factor - slack, factor + slack, "", 0, 0)
    yield Finding(bound.start, m.end(), bound.allows(said, actual, actual), f"it is {actual:.2f} times")
