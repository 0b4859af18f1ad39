"""The one tree of exceptions that a host may catch.

Errors to a model are tool results, errors to a browser are one `error` event or one problem
document; only a host's own code sees these.

    SaysoError
    ├── DeclarationError      a tool or fact kind is declared wrongly (a bug of ours or the host's)
    ├── FactError             a tool returned what its kind does not declare
    ├── ArgumentsUnfit        a call's arguments do not fit what they are about; the message says how
    ├── ConfigError           a setting is wrong; the message says what to do
    ├── ImportFailed          a file cannot be read as what it says it is
    ├── ImageUnfit            an attached image is of no known format, damaged or out of bounds
    ├── NotFound              no such record, thread or proposal for this actor
    │   └── NoRun             no such run (any more)
    ├── Conflict              the thing has moved on (decided, edited, running)
    │   ├── Expired           a proposal whose time is over
    │   ├── StaleCopy         a thread has more, or others, messages than the caller's copy
    │   ├── ContinuationUsed  a continuation was used for another request
    │   └── RunForgotten      a continuation was used so long ago that its answer is not kept any more
    ├── Forbidden             a role does not allow it; the message names the rule
    ├── StoreBusy             the database is locked or unreachable; try again
    └── ModelError            the model gave no whole reply
        ├── ModelBusy             429, and the wait was too long
        │   └── QuotaSpent        the day's (or month's) allowance is used up until `seconds` from now
        ├── ModelTimeout          no byte, or no end, in time
        ├── ModelRefused          401, 403: asking again cannot help
        │   └── ModelGone         404, decommissioned: no such model any more
        ├── ContextOverflow       the request is larger than the model reads (`limit` tokens, where it was said)
        ├── ImageRefused          this model reads no images, or not this one
        ├── ToolsRejected         this model takes no native tools
        ├── ModelProtocolError    the reply is not of the protocol
        └── ModelUnreachable      no connection
"""

from __future__ import annotations

from typing import Any


class SaysoError(Exception):
    """Base of everything Sayso raises on purpose. `code` is stable and fit for a wire."""

    code = "error"
    retryable = False

    @property
    def members(self) -> dict[str, Any]:
        """Further members of the problem document that tells of it."""
        return {}


class DeclarationError(SaysoError):
    code = "declaration_error"


class FactError(SaysoError):
    code = "fact_error"


class ArgumentsUnfit(SaysoError):
    """Raised by a tool whose arguments can be judged only beside what they are about."""

    code = "arguments_unfit"


class ConfigError(SaysoError):
    code = "config_error"


class ImportFailed(SaysoError):
    code = "import_failed"


class ImageUnfit(SaysoError):
    """`reason` is stable: empty, too_large, too_many, format, damaged, pixels; of a file missing, unnamed."""

    code = "image_unfit"

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class NotFound(SaysoError):
    code = "not_found"


class NoRun(NotFound):
    def __init__(self) -> None:
        super().__init__("no such run, or its hour is over; the conversation keeps its answer")


class Conflict(SaysoError):
    code = "conflict"


class StaleCopy(Conflict):
    """`transcript` is the digest of what is stored, `messages` how many these are."""

    code = "stale_copy"

    def __init__(self, transcript: str, messages: int) -> None:
        super().__init__("the conversation has moved on since this copy was loaded; load its history and send again")
        self.transcript, self.messages = transcript, messages

    @property
    def members(self) -> dict[str, Any]:
        return {"transcript": self.transcript, "messages": self.messages}


class ContinuationUsed(Conflict):
    code = "continuation_used"

    def __init__(self) -> None:
        super().__init__("this continuation was used for another request; send the newest one, or begin a new exchange")


class RunForgotten(Conflict):
    code = "run_forgotten"

    def __init__(self) -> None:
        super().__init__(
            "this request was answered before, and its answer is not kept here any more; load the thread again where "
            "it is stored, or begin a new one"
        )


class Expired(Conflict):
    code = "expired"


class Forbidden(SaysoError):
    code = "forbidden"


class StoreBusy(SaysoError):
    code = "busy"
    retryable = True


class ModelError(SaysoError):
    """The model gave no whole reply. `retryable`: whether the person may simply ask again."""

    code = "model_error"
    retryable = True


class ModelBusy(ModelError):
    """`seconds`: how long the provider asks to wait; None where it does not say."""

    code = "model_busy"

    def __init__(self, message: str, seconds: float | None = None) -> None:
        super().__init__(message)
        self.seconds = seconds


class QuotaSpent(ModelBusy):
    """An allowance of a day or more is used up: waiting within an exchange cannot help."""

    code = "model_quota"


class ModelTimeout(ModelError):
    code = "model_timeout"


class ModelRefused(ModelError):
    code = "model_refused"
    retryable = False


class ModelGone(ModelRefused):
    code = "model_gone"


class ContextOverflow(ModelError):
    """`limit`: the tokens that the model reads, `tokens`: those of the request; None where nobody says."""

    code = "context_overflow"
    retryable = False

    def __init__(self, message: str, limit: int | None = None, tokens: int | None = None) -> None:
        super().__init__(message)
        self.limit, self.tokens = limit, tokens


class ImageRefused(ModelError):
    code = "image_refused"
    retryable = False


class ToolsRejected(ModelError):
    code = "tools_rejected"


class ModelProtocolError(ModelError):
    code = "model_protocol_error"


class ModelUnreachable(ModelError):
    code = "model_unreachable"
