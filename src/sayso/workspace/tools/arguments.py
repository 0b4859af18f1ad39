"""Argument types that take what models write: "7" for 7, null or "" for nothing, one word for a list."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict


class ToolArguments(BaseModel):
    """Unknown arguments are ignored: a weak model's extra key is no reason to refuse a read."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True, coerce_numbers_to_str=True)


def _number(value: Any) -> Any:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, str) and (found := re.search(r"-?\d+", value)):
        return int(found.group())
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _text(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value) or None  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, str) and value.strip().lower() in ("", "null", "none", "any", "all", "*"):
        return None
    return value


MaybeNumber = Annotated[int | None, BeforeValidator(_number)]
MaybeText = Annotated[str | None, BeforeValidator(_text)]
