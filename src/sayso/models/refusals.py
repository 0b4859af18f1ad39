"""What a status other than 200 means, in words that say what to do. Knows no network."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from sayso.errors import ContextOverflow, ModelBusy, ModelError, ModelRefused, ToolsRejected
from sayso.models.chat_stream import as_object, escaped, message_of, names_overflow

_NO_TOOLS = (
    "does not support tools", "not support tool", "tools are not supported", "tool use is not supported",
    "support tool use", "tool_use_failed", "enable-auto-tool-choice", "requires --jinja", "tools param requires",
    "function calling is not", "does not support function", "tool calling is not",
)  # fmt: skip
_OPTIONAL = ("max_completion_tokens", "max_tokens", "temperature", "stream_options")
_REFUSED = {
    401: "the key was not accepted: check it, then store it again",
    403: "this key may not use this model: pick another, or ask its owner",
    404: "no such model or address: check its name (`sayso models` lists what is found)",
    413: "the request is too large for this server: start a new conversation",
}


class Unsupported(ModelRefused):
    """The server refuses one optional field of the request."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


def refusal(status: int, text: str, name: str, with_tools: bool) -> ModelError:
    """The error of a response; `text` is the start of its body, without the key."""
    told = _message(text)
    low = f"{told} {text}".lower()
    said = f" ({escaped(told)})" if told.strip() else ""
    if with_tools and any(words in low for words in _NO_TOOLS):
        return ToolsRejected(f"{name} takes no native tools{said}")
    if status == 429:
        return ModelBusy(f"{name} is busy or its quota is used up{said}: ask again in a minute, or pick another model")
    if status >= 500 or status == 408:
        return ModelError(f"{name}: the model server failed with {status}{said}; ask again")
    if status in (400, 413, 422) and names_overflow(low):
        return ContextOverflow(f"the conversation is longer than {name} reads{said}: start a new one")
    if status in (400, 422) and (field := _unsupported(low)):
        return Unsupported(f"{name} does not take {field}{said}", field)
    if 300 <= status < 400:
        return ModelRefused(f"{name}: the address redirects elsewhere, which is not followed: give the final address")
    return ModelRefused(f"{name}: {_REFUSED.get(status, f'the request was refused with {status}')}{said}")


def _unsupported(low: str) -> str:
    if not any(
        words in low for words in ("unsupported", "not support", "unknown", "unrecognized", "extra", "not allow")
    ):
        return ""
    # "max_tokens is not supported, use max_completion_tokens" names both: the first one is meant.
    found = [(low.find(name), name) for name in _OPTIONAL if name in low]
    return min(found)[1] if found else ""


def _message(text: str) -> str:
    try:
        document = as_object(json.loads(text))
    except (ValueError, RecursionError):
        return text
    return message_of(document.get("error") or document) if document else text


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds of a Retry-After header; None where it is absent, unparsable or absurd."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value) - (now or datetime.now(UTC))).total_seconds()
        except (ValueError, TypeError):
            return None
        seconds = max(seconds, 0.0) if seconds > -60 else -1.0
    return seconds if 0 <= seconds <= 3600 else None
