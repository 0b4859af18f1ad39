"""What a status other than 200, or an error in a stream, means; in words that say what to do. Knows no network.

One table of wordings for all providers, not one a protocol: routers and proxies pass on the words of whatever stands
behind them. The order of the questions matters: a refusal of tools may come as 404, one of size as 429.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sayso.core.ports import FinishReason
from sayso.errors import (
    ContextOverflow,
    ImageRefused,
    ModelBusy,
    ModelError,
    ModelGone,
    ModelRefused,
    QuotaSpent,
    ToolsRejected,
)
from sayso.models.told import Told, told_in
from sayso.models.waits import LONGEST, bounded_wait, seconds_said, until_reset

_NO_TOOLS = (
    "does not support tools", "not support tool", "tools are not supported", "tools is not supported",
    "tool use is not supported", "support tool use", "enable-auto-tool-choice", "requires --jinja",
    "tools param requires", "function calling is not", "does not support function", "tool calling is not",
    "invalid_function_parameters", "invalid schema for function",
)  # fmt: skip
_TOOL_WORDS = re.compile(r"\btools?\b|\btool_choice\b|function_?declarations", re.IGNORECASE)
_LARGE = (
    "context length", "context_length", "context size", "context window", "maximum context", "exceed_context",
    "exceed context limit", "too many tokens", "prompt is too long", "prompt too long", "input is too long",
    "reduce the length", "maximum prompt length", "maximum number of tokens allowed", "maximum model length",
    "request too large", "request_too_large", "tokens must be reduced", "larger than the context",
    "exceeds the maximum size", "string_above_max_length",
)  # fmt: skip
# A provider's own words for how much a model reads; the first group is the number of tokens.
_LIMITS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"with (\d[\d,]*) maximum context length",
        r"(?:maximum|max) (?:context|prompt|model) length (?:is|of)\D{0,12}(\d[\d,]*)",
        r"context length of (?:only )?(\d[\d,]*)",
        r"context limit: [\d, +]+> ?(\d[\d,]*)",
        r"tokens > (\d[\d,]*) maximum",
        r"maximum number of tokens allowed \(?(\d[\d,]*)",
        r"available context size \((\d[\d,]*)",
        r"['\"]?n_ctx['\"]?: (\d+)",
        r"cannot exceed (\d[\d,]*)",
        r"must be <= (\d[\d,]*)",
        r"limit (\d[\d,]*), requested \d",
    )
)
_MINUTE = re.compile(r"per min|\(tpm\)", re.IGNORECASE)
_DAY = re.compile(
    r"per[ _-]?(?:day|month)|\((?:tpd|rpd)\)|\bdaily\b|\bmonthly\b|usage limits?\b.*regain access|limit: 0\b",
    re.IGNORECASE | re.DOTALL,
)
_UNPAID = (
    "insufficient_quota", "billing_hard_limit", "billing_not_active", "insufficient balance", "insufficient credits",
    "credit balance is too low", "requires more credits", "insufficient_balance",
)  # fmt: skip
_BUSY = re.compile(r"\b429\b|rate[ _-]?limit|too many requests|resource_exhausted|quota exceeded", re.IGNORECASE)
_LOADED = re.compile(r"overloaded|\b503\b|\bcapacity\b|unavailable|loading model", re.IGNORECASE)
_IMAGE = re.compile(r"image|\bvision\b|multi-?modal|mmproj|content must be a string|inline_?data", re.IGNORECASE)
_GONE = (
    "model_not_found", "model_decommissioned", "decommissioned", "does not exist", "not_found_error",
    "is not found for api version", "no endpoints found", "try pulling it", "no longer available", "model not found",
    "has been deprecated", "not a valid model", "unknown model", "invalid model:",
    "model_not_available", "has been retired",
)  # fmt: skip
_NOT_TAKEN = (
    "unsupported", "not support", "unknown", "unrecognized", "extra", "not allow", "deprecated", "not enabled",
    "invalid", "only works", "missing a", "must alternate", "too large", "supports at most", "not permitted",
)  # fmt: skip
_NO_KEY = ("api_key_invalid", "api key not valid", "invalid api key", "invalid_api_key", "authentication_error")
_REFUSED = {
    401: "the key was not accepted: check {key}",
    403: "this key may not use this model: pick another, or ask its owner",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request held, and where it went: refusals of what it did not hold are refusals of something else."""

    name: str
    tools: bool = False
    images: bool = False
    optional: Mapping[str, str] = field(default_factory=dict[str, str])
    address: str = ""
    key_variable: str = ""


class Unsupported(ModelRefused):
    """The server refuses one optional field of the request."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


class CallUnread(ToolsRejected):
    """A native call that its own server could not read, and did not hand on: this once, ask as text."""


class ServerFailed(ModelError):
    """The server's own fault: it may be gone a moment later."""


class Spoken(ModelError):
    """No refusal: what the model wrote, where its own server could not read it; or why it wrote nothing."""

    def __init__(self, text: str, reason: FinishReason) -> None:
        super().__init__("the reply came in place of an error")
        self.text, self.reason = text, reason


def refusal(
    status: int, text: str, asked: Asked, *, after: float | None = None, now: datetime | None = None
) -> ModelError:
    """The error of a response; `text` is its body, or the error of a stream, without the key.

    `status` is 0 where there was none; `after` the seconds of its Retry-After header.
    """
    told = told_in(text)
    status = told.status or status
    for question in (
        _generated,
        _of_tools,
        _of_images,
        _of_size,
        _of_allowance,
        _of_fields,
        _of_model,
        _of_these_tools,
    ):
        if (found := question(status, told, asked)) is not None:
            return _with_wait(found, told, after, now or datetime.now(UTC))
    return _otherwise(status, told, asked)


def _generated(status: int, told: Told, asked: Asked) -> ModelError | None:
    """A call that the provider could not read; and a prompt that it filtered."""
    if told.has("tool_use_failed") or told.generation is not None:
        if told.generation:
            return Spoken(told.generation, FinishReason.STOP)
        return CallUnread(f"{asked.name}: its provider could not read its tool call{told.said}")
    if status in (0, 400) and told.has("content_filter", "responsibleaipolicyviolation"):
        return Spoken("", FinishReason.CONTENT_FILTER)
    return None


def _of_tools(status: int, told: Told, asked: Asked) -> ModelError | None:
    if asked.tools and told.has(*_NO_TOOLS):
        return ToolsRejected(f"{asked.name} takes no native tools{told.said}")
    return None


def _of_images(status: int, told: Told, asked: Asked) -> ModelError | None:
    passing = status in (401, 402, 403, 408, 429) or status > 500
    if asked.images and not passing and _IMAGE.search(told.words):
        return ImageRefused(f"{asked.name} does not take this image{told.said}: ask a model that can see")
    return None


def _of_size(status: int, told: Told, asked: Asked) -> ModelError | None:
    """Longer than the model reads; or than a minute's allowance, which waiting does not change."""
    if status in (401, 403) or status > 500 or not (status == 413 or told.has(*_LARGE)):
        return None
    if status == 429 and not told.has("request too large", "tokens must be reduced"):
        return None
    found = next((match[1] for limit in _LIMITS if (match := limit.search(told.words))), None)
    limit = _tokens(found) if found else None
    what = "allowance of a minute" if _MINUTE.search(told.words) else "reading"
    message = f"the conversation is longer than {asked.name}'s {what}{told.said}: start a new one"
    return ContextOverflow(message, limit, _tokens_over(limit, told.words))


_COUNT = re.compile(r"\d[\d,]*")
_MOST_DIGITS = 9


def _tokens_over(limit: int | None, words: str) -> int | None:
    """The tokens that a refused request has, where its text tells them: the largest number beyond the limit."""
    if limit is None:
        return None
    numbers = [_tokens(found) for found in _COUNT.findall(words)]
    return max((n for n in numbers if n and limit < n < 1000 * limit), default=None)


def _tokens(digits: str) -> int | None:
    """A number of tokens; None for one that no model reads."""
    digits = digits.replace(",", "")
    return int(digits) if len(digits) <= _MOST_DIGITS else None


def _of_allowance(status: int, told: Told, asked: Asked) -> ModelError | None:
    busy = status == 429 or (status in (0, 400, 403) and _BUSY.search(told.words))
    spent = status == 402 or told.has(*_UNPAID) or told.regained
    if spent or (busy and _DAY.search(told.words)):
        return QuotaSpent(f"{asked.name}: its allowance is used up{told.said}: pick another model, or add to it")
    if busy:
        return ModelBusy(f"{asked.name} is asked too often{told.said}: ask again in a minute, or pick another model")
    if status in (503, 529) or (status in (0, 500) and _LOADED.search(told.words)):
        return ModelBusy(f"{asked.name} is busy{told.said}: ask again in a minute, or pick another model")
    return None


def _with_wait(wrong: ModelError, told: Told, after: float | None, now: datetime) -> ModelError:
    """How long to wait, where the refusal is one of time."""
    if isinstance(wrong, QuotaSpent):
        wrong.seconds = until_reset(told.words, after, now)
        wrong.seconds = bounded_wait(wrong)
    elif isinstance(wrong, ModelBusy):
        said = after if after is not None else seconds_said(told.words)
        wrong.seconds = said if said is not None and said <= LONGEST else None
    return wrong


def _of_model(status: int, told: Told, asked: Asked) -> ModelError | None:
    if status == 404 and not _names_model(told, asked):
        return _nobody_there(asked, told)
    if status in (404, 410) or (status in (0, 400, 403, 422) and told.has(*_GONE)):
        return ModelGone(f"{asked.name}: no such model{told.said}: check its name (`sayso models`)")
    return None


def _names_model(told: Told, asked: Asked) -> bool:
    """Whether a 404 speaks of a model, and not of a path that nothing answers."""
    words = told.message.lower()
    of_model = re.search(r"\bmodels?\b", words) or re.search(rf"(?<!\w){re.escape(asked.name.lower())}(?!\w)", words)
    of_path = told.is_page or re.search(r"\b(?:cannot post|invalid url|page not found)\b", words)
    return not of_path and bool(of_model or told.has(*(gone for gone in _GONE if gone != "not_found_error")))


def _nobody_there(asked: Asked, told: Told) -> ModelRefused:
    """A wrong address is no matter of the model: it stays on the list."""
    where = f" at {asked.address}" if asked.address else " at its address"
    missing = "is /v1 missing?" if not re.search(r"/v\d", asked.address) else "check the address."
    return ModelRefused(f"{asked.name}: nothing answers{where} (404){told.said}: {missing}")


def _of_fields(status: int, told: Told, asked: Asked) -> ModelError | None:
    """A field, or a form, that the server does not take and that we can do without."""
    if not _takes_not(status, told):
        return None
    # "max_tokens is not supported, use max_completion_tokens" names both: the first one is meant.
    found = [(told.low.find(words), name) for words, name in asked.optional.items() if words in told.low]
    return Unsupported(f"{asked.name} does not take {min(found)[1]}{told.said}", min(found)[1]) if found else None


def _of_these_tools(status: int, told: Told, asked: Asked) -> ModelError | None:
    if asked.tools and _takes_not(status, told) and _TOOL_WORDS.search(told.words):
        return ToolsRejected(f"{asked.name} does not take these tools{told.said}")
    return None


def _takes_not(status: int, told: Told) -> bool:
    return status in (0, 400, 422, 500) and told.has(*_NOT_TAKEN) and not told.has(*_NO_KEY)


def _otherwise(status: int, told: Told, asked: Asked) -> ModelError:
    if status >= 500 or status in (0, 408):
        failed = f"failed with {status}" if status else "reported an error"
        return ServerFailed(f"{asked.name}: the model server {failed}{told.said}; ask again")
    if 300 <= status < 400:
        return ModelRefused(
            f"{asked.name}: the address redirects elsewhere, which is not followed: give the final address"
        )
    known = 401 if told.has(*_NO_KEY) else status
    why = _REFUSED.get(known, f"the request was refused with {status}").format(key=asked.key_variable or "it")
    return ModelRefused(f"{asked.name}: {why}{told.said}")
