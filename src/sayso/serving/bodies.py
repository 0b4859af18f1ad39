"""Request bodies: bounded, strict JSON, read into the models that they must fit."""

from __future__ import annotations

import asyncio
import json
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request

from sayso.core.facts import clean_text
from sayso.core.proposals import unique_pairs
from sayso.serving.problems import Problem

MAX_DEPTH = 32
_LARGE = 64 << 10  # bytes


class Strict(BaseModel):
    """Base of every body: no unknown member, no guessing of types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Nothing(Strict):
    """The body of a request that needs none: `{}` or no byte."""


M = TypeVar("M", bound=Strict)


async def read(request: Request, model: type[M], limit: int, *, exact: bool = False) -> M:
    """The body as `model`. Raises Problem 413, 415 or 422, which says what is wrong.

    `exact`: text is left as it came, also with half a character or a NUL: the model, or who reads it, refuses it.
    """
    data = await read_bytes(request, limit)
    if data or model is not Nothing:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Problem(415, "not_json", "send the body as application/json")
    if len(data) > _LARGE:  # it takes a while: others have their turn
        value: Any = await asyncio.to_thread(parse, data, exact=exact)
    else:
        value = parse(data, exact=exact) if data else {}
    try:
        return model.model_validate(value)
    except ValidationError as wrong:
        raise Problem(422, "wrong_content", _told(wrong)) from wrong


def read_query(request: Request, model: type[M]) -> M:
    """The query's parameters as `model`. Raises Problem 422 for a wrong, unknown or repeated one: a misspelt
    filter would else silently show everything."""
    pairs = [(clean_text(name), clean_text(value)) for name, value in request.query_params.multi_items()]
    if len(dict(pairs)) != len(pairs):
        raise Problem(422, "wrong_content", "a parameter of the query occurs twice")
    try:
        return model.model_validate_strings(dict(pairs))
    except ValidationError as wrong:
        raise Problem(422, "wrong_content", _told(wrong)) from wrong


def parse(data: bytes, *, exact: bool = False) -> Any:
    """Strict JSON: bounded depth, no double keys, no NaN, no lone surrogates or NUL in text.

    Text that has some is read without them, or left as it came where it must be exact."""
    if _depth(data) > MAX_DEPTH:
        raise Problem(422, "too_deep", f"the JSON is nested deeper than {MAX_DEPTH} levels")
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=unique_pairs, parse_constant=_no_constant)
    except (ValueError, RecursionError) as wrong:
        raise Problem(422, "wrong_content", f"the body is not valid JSON: {wrong}") from wrong
    return value if exact else _clean(value)


async def read_bytes(request: Request, limit: int) -> bytes:
    """The raw body. Raises Problem 413 once it is larger than `limit` bytes."""
    too_large = Problem(413, "too_large", f"the body is larger than {limit >> 10} KiB")
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared[:12]) > limit:
        raise too_large
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            raise too_large
        parts.append(part)
    return b"".join(parts)


def _depth(data: bytes) -> int:
    """The deepest nesting, counted before anything is parsed: a parser could run out of stack."""
    depth = deepest = 0
    in_text = escaped = False
    for byte in data:
        if in_text:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                in_text = False
        elif byte == 0x22:
            in_text = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a JSON value")


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {clean_text(str(k)): _clean(v) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return value


def _told(wrong: ValidationError) -> str:
    """Where and why, without echoing what was sent."""
    faults = wrong.errors(include_input=False, include_url=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, f['loc'])) or 'body'}: {f['msg']}" for f in faults[:5])
