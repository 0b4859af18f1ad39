"""What a person may change in a proposal before they approve it: an action's inputs, and their check.

An action declares its inputs as a model; its JSON schema makes the form, and the model judges what
comes back. This module knows no store: it gives new bytes or says what is wrong with which input.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from sayso.core.proposals import Proposal, strict_json
from sayso.errors import Conflict, SaysoError
from sayso.gateway.actions import Action

Schema = Mapping[str, Any]


class Inputs(BaseModel):
    """Base of an action's inputs. Validators find the moment and zone of the edit as `info.context["now"]`."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class InputFault:
    """What is wrong with one input: a stable code, which a page may translate, and a line that says what to do."""

    field: str
    code: str
    message: str
    limit: int | None = None


class WrongInputs(SaysoError):
    """An edit does not fit the action's inputs; nothing was changed."""

    code = "wrong_inputs"

    def __init__(self, faults: tuple[InputFault, ...]) -> None:
        super().__init__("; ".join(f"{fault.field}: {fault.message}" for fault in faults))
        self.faults = faults

    @property
    def members(self) -> dict[str, Any]:
        return {"errors": [asdict(fault) for fault in self.faults]}


def schema_of(action: Action) -> Schema | None:
    """The JSON schema of an action's inputs, in the order to show them; None when it declares none."""
    return action.inputs.model_json_schema() if action.inputs else None


def edited_bytes(proposal: Proposal, action: Action | None, changes: Mapping[str, Any], now: datetime) -> bytes:
    """The same proposal with other arguments: new bytes, so a new digest. What is not in `changes` stays
    as it is, to the letter. Raises WrongInputs."""
    content = dict(proposal.content)
    old: dict[str, Any] = content["arguments"]
    arguments = {**old, **changes}
    if action is not None and action.inputs is not None:
        checked = _checked(action.inputs, old, arguments, now)
        arguments = {**old, **{name: checked[name] for name in changes}}
    else:
        _same_types(old, changes)
    if action is not None and action.title is not None:
        content["title"] = action.title(arguments)
    content["arguments"] = arguments
    told = " ".join(str(value) for value in arguments.values())
    content["unbacked"] = [words for words in content.get("unbacked", ()) if words in told]
    try:
        document = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        strict_json(document)
    except (ValueError, TypeError) as wrong:
        raise Conflict(f"this cannot be kept exactly: {wrong}") from wrong
    return document.encode("ascii")


def _checked(inputs: type[BaseModel], old: Schema, arguments: Schema, now: datetime) -> dict[str, Any]:
    properties = inputs.model_json_schema().get("properties", {})
    fixed = [n for n, spec in properties.items() if spec.get("readOnly") and arguments.get(n) != old.get(n)]
    if fixed:
        raise WrongInputs(tuple(InputFault(name, "read_only", _WORDS["read_only"]) for name in fixed))
    # What an action has got since and does not declare is neither judged nor lost.
    judged = {n: v for n, v in arguments.items() if n in properties or n not in old}
    try:
        # JSON in strict mode: a date is read from its ISO form only, and "1" is no number.
        parsed = inputs.model_validate_json(json.dumps(judged), strict=True, context={"now": now})
    except ValidationError as wrong:
        raise WrongInputs(tuple(_fault(detail) for detail in wrong.errors(include_url=False))) from wrong
    return parsed.model_dump(mode="json")


def _same_types(old: Mapping[str, Any], changes: Mapping[str, Any]) -> None:
    """An action that declares no inputs: values may change, names and types may not."""
    wrong = [n for n, v in changes.items() if n not in old or (old[n] is not None and type(v) is not type(old[n]))]
    if wrong:
        raise WrongInputs(tuple(InputFault(name, "other_type", _WORDS["other_type"]) for name in wrong))


_WORDS = {
    "required": "write something here",
    "date": "write a day, such as 2026-12-07",
    "moment": "write a day and a time, such as 2026-12-07T15:00",
    "number": "write a whole number",
    "yes_no": "answer yes or no",
    "choice": "choose one of those on offer",
    "list": "write one a line",
    "text": "write text",
    "too_long": "write at most {limit} characters",
    "too_small": "write {limit} or more",
    "too_large": "write {limit} or less",
    "unknown": "there is no such input",
    "read_only": "this cannot be changed; deny the proposal and ask for another one",
    "other_type": "change only the value of what is shown",
}
_CODES = {
    "missing": "required", "string_too_short": "required", "string_too_long": "too_long", "string_type": "text",
    "int_type": "number", "int_parsing": "number", "int_from_float": "number", "bool_type": "yes_no",
    "bool_parsing": "yes_no", "literal_error": "choice", "enum": "choice", "list_type": "list",
    "extra_forbidden": "unknown", "greater_than_equal": "too_small", "less_than_equal": "too_large",
    "timezone_aware": "moment",
}  # fmt: skip
_LIMITS = {"too_long": "max_length", "too_small": "ge", "too_large": "le"}


def _fault(detail: ErrorDetails) -> InputFault:
    """A fault in our words; one that a validator of the inputs raised keeps its own."""
    code = _code(detail["type"])
    limit = detail.get("ctx", {}).get(_LIMITS.get(code, ""))
    words = _WORDS.get(code, detail["msg"]).replace("{limit}", str(limit))
    return InputFault(str(detail["loc"][0]) if detail["loc"] else "", code, words, limit)


def _code(kind: str) -> str:
    if kind.startswith("datetime"):
        return "moment"
    return _CODES.get(kind) or ("date" if kind.startswith("date") else kind)
