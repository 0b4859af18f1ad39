"""The caller's side: drives the loop over HTTP, runs what the model asks for, and resubmits."""

from sayso.caller.caller import Caller, Told
from sayso.caller.client_tools import ClientFact, ClientTools, Done, NotDone
from sayso.caller.connection import Waits
from sayso.caller.deciding import Approve, Decision, Deny, Edit, Later
from sayso.caller.errors import (
    Broken,
    Busy,
    CallerError,
    Refused,
    RunFailed,
    SignedOut,
    StaleCopy,
    StepLimit,
    Unreachable,
)

__all__ = [
    "Approve", "Broken", "Busy", "Caller", "CallerError", "ClientFact", "ClientTools", "Decision", "Deny", "Done",
    "Edit", "Later", "NotDone", "Refused", "RunFailed", "SignedOut", "StaleCopy", "StepLimit", "Told", "Unreachable",
    "Waits",
]  # fmt: skip
