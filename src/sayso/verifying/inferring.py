"""What type a plain JSON value has: days, numbers, amounts with a unit and lists are read as such.

A text is read as another type only where that type writes it the same way again, so that nothing of it is lost.
It knows no field and no domain.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, cast

from sayso.core.facts import NOT_RECORDED, FieldType, Quantity, Value, clean_text
from sayso.errors import FactError

Typed = tuple[FieldType, Value]

_CURRENCIES = "CHF EUR USD GBP JPY CNY INR CAD AUD NZD SEK NOK DKK PLN CZK HUF BRL MXN ZAR KRW SGD HKD"
_UNITS = "% ‰ km m cm mm mi ft in kg g mg t lb oz l ml h min s ms days hours minutes weeks months years °C °F K"
_KNOWN_UNITS = frozenset([*_CURRENCIES.split(), *_UNITS.split()])
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MOMENT = re.compile(
    r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::00)?(?:Z|[+]00:00)?", re.ASCII
)  # of another zone it stays a text
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d{1,12})?", re.ASCII)
_AMOUNT = re.compile(r"(-?(?:0|[1-9]\d{0,17})(?:\.\d{1,12})?) ?([%‰°A-Za-z]{1,7})", re.ASCII)
_LARGEST = 10**300  # what a float holds; a longer number is no value of a record


def typed(value: object, wanted: FieldType | None = None) -> Typed | None:
    """A value with its type: the wanted one where the value is of it, else its own. None where nothing is recorded.

    Raises FactError for what no field can hold.
    """
    if isinstance(value, str):
        return _of_text(value, wanted)
    if value is None or isinstance(value, bool | int | float | Decimal | Quantity | date):
        return _of_scalar(value)
    if isinstance(value, Mapping):
        return _of_object(cast(Mapping[str, Any], value))
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return _of_list(cast(Sequence[object], value))
    raise FactError(f"a value is {type(value).__name__}: write a text, a number, true or false, a list or null")


def _of_text(text: str, wanted: FieldType | None) -> Typed | None:
    stripped = text.strip()
    if stripped in ("", NOT_RECORDED):
        return None
    if wanted is FieldType.LIST:
        return FieldType.LIST, tuple(clean_text(p.strip()) for p in stripped.split(";") if p.strip()) or (stripped,)
    if wanted is FieldType.TEXT or len(stripped) > 40:
        return FieldType.TEXT, clean_text(text)
    return _read(stripped) or (FieldType.TEXT, clean_text(text))


def _read(text: str) -> Typed | None:
    if _DAY.fullmatch(text) or _MOMENT.fullmatch(text):
        return _moment(text)
    if _NUMBER.fullmatch(text):
        return FieldType.NUMBER, _number(text)
    amount = _AMOUNT.fullmatch(text)
    if amount and amount[2] in _KNOWN_UNITS:
        return FieldType.QUANTITY, Quantity(_number(amount[1]), amount[2])
    return None


def _moment(text: str) -> Typed | None:
    try:
        if len(text) == 10:
            return FieldType.DATE, date.fromisoformat(text)
        return FieldType.DATETIME, datetime.fromisoformat(text)
    except ValueError:  # such as the 31st of February: a text
        return None


def _number(text: str) -> int | Decimal:
    return Decimal(text) if "." in text or text.startswith("-0") else int(text)


def _of_scalar(value: bool | int | float | Decimal | Quantity | date | None) -> Typed | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return FieldType.BOOLEAN, value
    if isinstance(value, datetime):
        return FieldType.DATETIME, value
    if isinstance(value, date):
        return FieldType.DATE, value
    number = value.amount if isinstance(value, Quantity) else value
    if abs(number) >= _LARGEST if isinstance(number, int) else not math.isfinite(number):
        raise FactError("a number is not finite or has over 300 digits: write it as a text, or null")
    return (FieldType.QUANTITY if isinstance(value, Quantity) else FieldType.NUMBER), value


def _of_object(value: Mapping[str, Any]) -> Typed | None:
    """`{"amount": 40, "unit": "km"}` is an amount; any other object is told as it is written."""
    if not value:
        return None
    amount, unit = value.get("amount"), value.get("unit")
    number = amount if isinstance(amount, int | float | Decimal) and not isinstance(amount, bool) else None
    if set(value) == {"amount", "unit"} and isinstance(unit, str) and number is not None:
        return _of_scalar(Quantity(number, unit.strip()))
    return FieldType.TEXT, clean_text(_written(value))


def _of_list(items: Sequence[object]) -> Typed | None:
    kept = tuple(clean_text(i if isinstance(i, str) else _written(i)) for i in items if i not in (None, ""))
    return (FieldType.LIST, kept) if kept else None


def _written(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError) as wrong:
        raise FactError("a value is nested too deeply or holds itself: write it as a text") from wrong
