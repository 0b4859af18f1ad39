"""Request bodies: bounded, strict JSON, and the models that they must fit."""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from sayso.core.facts import clean_text
from sayso.core.images import MAX_IMAGES
from sayso.core.proposals import unique_pairs
from sayso.inapp.assistant import PageContext
from sayso.server.problems import Problem

CHAT_LIMIT = 1 << 20
DECISION_LIMIT = 64 << 10
EDIT_LIMIT = 256 << 10
MAX_DEPTH = 32

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Record(_Strict):
    kind: Name
    key: Name


class Context(_Strict):
    route: Annotated[str, Field(max_length=2000)] = ""
    record: Record | None = None
    selection: Annotated[str, Field(max_length=8000)] = ""

    def page(self) -> PageContext:
        record = (self.record.kind, self.record.key) if self.record else None
        return PageContext(self.route, record, self.selection)


class Chat(_Strict):
    message: Annotated[str, Field(min_length=1, max_length=32_000)]
    thread_id: Name | None = None
    context: Context | None = None
    attachments: Annotated[list[Digest], Field(max_length=MAX_IMAGES)] = []


class Approval(_Strict):
    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Edit(_Strict):
    """The inputs that were changed, and the digest of the card on which they were."""

    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    arguments: Annotated[dict[str, Any], Field(min_length=1, max_length=100)]


class Denial(_Strict):
    words: Annotated[str, Field(max_length=2000)] = ""


class Nothing(_Strict):
    """The body of a request that needs none: `{}` or no byte."""


M = TypeVar("M", bound=_Strict)


async def read(request: Request, model: type[M], limit: int) -> M:
    """The body as `model`. Raises Problem 413, 415 or 422, which says what is wrong."""
    data = await read_bytes(request, limit)
    if data or model is not Nothing:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Problem(415, "not_json", "send the body as application/json")
    try:
        return model.model_validate(parse(data) if data else {})
    except ValidationError as wrong:
        raise Problem(422, "wrong_content", _told(wrong)) from wrong


def parse(data: bytes) -> Any:
    """Strict JSON: bounded depth, no double keys, no NaN, no lone surrogates or NUL in text."""
    if _depth(data) > MAX_DEPTH:
        raise Problem(422, "too_deep", f"the JSON is nested deeper than {MAX_DEPTH} levels")
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=unique_pairs, parse_constant=_no_constant)
    except (ValueError, RecursionError) as wrong:
        raise Problem(422, "wrong_content", f"the body is not valid JSON: {wrong}") from wrong
    return _clean(value)


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
