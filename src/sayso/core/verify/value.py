"""What a value is. How values are found in text is in `values`; when two are the same, in `holding`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sayso.core.verify.dates import DateSpan
from sayso.core.verify.language.bounds import Bound


class ValueKind(StrEnum):
    NUMBER = "number"
    PERCENT = "percent"
    MONEY = "money"
    DURATION = "duration"
    DATE = "date"
    TIME = "time"
    EMAIL = "email"
    PHONE = "phone"
    URL = "url"
    PATH = "path"
    QUOTE = "quote"


MIN_QUOTE = 3  # words: shorter quotation marks only lift a word out
CONTACTS = frozenset({ValueKind.EMAIL, ValueKind.PHONE, ValueKind.URL, ValueKind.PATH})


@dataclass(frozen=True, slots=True)
class Value:
    """One value. `numbers` are its possible readings ("1.350" is 1350 or 1.35); `key` the form that is
    compared for contacts, times and quotations; `unit` a currency or a unit of time or measure ("h": a time
    that may be a duration, "9h30"). `bound` says how the number is meant ("at least"), `within` the range
    that it is an end of; `approx` that it is not exact, for whatever reason."""

    kind: ValueKind
    start: int
    end: int
    text: str
    numbers: frozenset[float] = frozenset()
    unit: str = ""
    key: str = ""
    span: DateSpan | None = None
    approx: bool = False
    spelled: bool = False  # in words, without a unit: too often said by the way
    bound: Bound = Bound.NONE
    within: tuple[float, float] | None = None
