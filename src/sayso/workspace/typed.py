"""What people type into fields, as types that read it: lines, prose, days, moments, addresses. Pure.

A validator finds the moment and zone of the typing as `info.context["now"]`, where there is one.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo
from pydantic_core import PydanticCustomError

from sayso.workspace.dates import FIRST_DAY, LAST_DAY
from sayso.workspace.plain import plain

_ADDRESS = re.compile(r"[^\s@<>\"(),;:]+@[^\s@<>\"(),;:]+\.[^\s@<>\"(),;:.]+")


def _one_line(text: str) -> str:
    line = " ".join(plain(text).split())
    if not line:
        raise PydanticCustomError("required", "write something here")
    return line


def _written(text: str) -> str:
    text = plain(text)
    if not text.strip():
        raise PydanticCustomError("required", "write something here")
    return text


def _or_none(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _mail(text: str) -> str:
    if not _ADDRESS.fullmatch(text) or plain(text) != text:
        raise PydanticCustomError("email", "write one address, such as elena@example.org")
    return text


def _day(value: object) -> object:
    """A day in its ISO form; None and what is empty are left to whether it may be missing."""
    if _or_none(value) is None:
        return None
    try:
        day = datetime.strptime(str(value), "%Y-%m-%d").date()
    except ValueError:
        raise PydanticCustomError("date", "write a day, such as 2026-12-07") from None
    return _near(day)


def _near(day: date) -> date:
    if not FIRST_DAY <= day <= LAST_DAY:
        raise PydanticCustomError("far_off", "write a day of the years 1900 to 2200")
    return day


def _moment(value: object, info: ValidationInfo) -> object:
    """A day and a time; without an offset they are of the person's own zone."""
    if _or_none(value) is None:
        return None
    try:
        moment = datetime.fromisoformat(str(value).strip())
    except ValueError:
        raise PydanticCustomError("moment", "write a day and a time, such as 2026-12-07T15:00") from None
    _near(moment.date())
    zone = info.context["now"].tzinfo if info.context else None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


Line = Annotated[str, Field(min_length=1, max_length=300), AfterValidator(_one_line)]
Prose = Annotated[str, Field(min_length=1, max_length=20_000), AfterValidator(_written)]
MaybeLine = Annotated[Line | None, BeforeValidator(_or_none)]
MaybeProse = Annotated[Prose | None, BeforeValidator(_or_none)]
Day = Annotated[date, BeforeValidator(_day)]
MaybeDay = Annotated[date | None, BeforeValidator(_day)]
Mail = Annotated[str, Field(min_length=1, max_length=300, json_schema_extra={"format": "email"}), AfterValidator(_mail)]
MaybeMail = Annotated[Mail | None, BeforeValidator(_or_none)]
Moment = Annotated[datetime, BeforeValidator(_moment)]
MaybeMoment = Annotated[datetime | None, BeforeValidator(_moment)]
FIXED: dict[str, Any] = {"readOnly": True}
"""In a field's schema: it is shown, and stays as it is."""
