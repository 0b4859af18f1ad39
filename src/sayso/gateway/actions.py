"""Actions: what may be done to the world, declared. This module runs none of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Connection

from sayso.core.facts import Fact
from sayso.core.proposals import Target
from sayso.errors import SaysoError


class ActionRefused(SaysoError):
    """An action will not run as asked (the record has changed, a value is wrong): it did nothing."""

    code = "action_refused"


@dataclass(frozen=True, slots=True)
class OutFile:
    """A file that an action made for the person: a calendar entry, an e-mail."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Done:
    """How an action ended: a word or two for `outcome` ("created", "sent"), details, files.

    `facts` are what the action learned, for the thread: another agent's answer is one, with the
    provenance `second_hand`. Such words never go into `details`, which the receipt vouches for.
    """

    outcome: str
    details: str = ""
    files: tuple[OutFile, ...] = ()
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """The approved bytes, read. `actor` is the id of the person who approved; `key` is the same for
    every attempt at this approval: pass it on to whatever can recognise a repetition."""

    arguments: Mapping[str, Any]
    target: Target | None
    precondition: str | None
    owner: str
    actor: str
    key: str
    now: datetime


@dataclass(frozen=True, slots=True)
class NotRun:
    """What a check found: the action has certainly not happened."""


Check = Callable[[ActionRequest], "Done | NotRun | None"]
"""Looks by `key` whether an action has happened: how it ended, `NotRun`, or None where it cannot tell."""
After = Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]]
"""(arguments, the target's fields before) -> the altered fields after."""
InternalRun = Callable[[Connection, ActionRequest], Done]
ExternalRun = Callable[[ActionRequest], Done]


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the gateway can do after an approval.

    An internal action changes our own database, in the same transaction as the proposal's state:
    it happens exactly once. An external one (`external=True`) leaves the process: it is claimed
    first, and after a crash its proposal is `unknown` until a person has looked, except where `check` can
    look by the request's key, or the action is `repeatable`: whatever it calls does the same key once only.

    `inputs` are what a person may edit before approving; a field that says `readOnly` in its schema is
    only shown. `after` gives the target's fields that the change alters, by name, with their new values, so that a
    card can show them beside those before; an argument of the same name is told by these.
    `look` says where a person finds out whether an unknown one happened, where its own `check` cannot.
    `title` makes a card's title from edited arguments; without it the title stays.
    """

    name: str
    permission: str
    run: InternalRun | ExternalRun
    external: bool = False
    inputs: type[BaseModel] | None = None
    title: Callable[[Mapping[str, Any]], str] | None = None
    check: Check | None = None
    repeatable: bool = False
    after: After | None = None
    look: str = ""
