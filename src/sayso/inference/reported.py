"""Facts as a client tool says them: of a declared kind or of their own, always merely reported, and bounded.

Their source is the client tool, so that none of them can pass for a record of the application, or replace one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, cast

from sayso.core.encoding import canonical_digest, decode_fact
from sayso.core.facts import Fact, FactKind, Provenance, Quantity, Value
from sayso.errors import SaysoError
from sayso.inference.bodies import Document
from sayso.inference.declared import CORE_KINDS
from sayso.serving.problems import Problem

MAX_FIELDS = 60
MAX_TEXT = 20_000
_DIGITS = 30
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_MEMBERS = frozenset(
    {"kind", "subject", "values", "key", "ref", "source", "as_of", "provenance", "similarity", "dropped"}
)


def reported_fact(document: Document, tool: str, now: datetime, kinds: Mapping[str, FactKind]) -> Fact:
    """The fact, with what its kind declares. Raises Problem 409 or 422."""
    kind, values = document.get("kind"), document.get("values", {})
    if not isinstance(kind, str) or not _NAME.fullmatch(kind) or not isinstance(values, dict):
        raise _unfit("give it `kind`, `subject` and `values`")
    if kind in CORE_KINDS:
        raise Problem(409, "kind_reserved", f"a client tool cannot give a {kind}; name the kind otherwise")
    if document.get("ref", "") != "":
        raise Problem(409, "ref_forged", "a fact of a result has no ref: refs are given out here")
    if not document.keys() <= _MEMBERS:
        raise _unfit("it has members that a fact does not have")
    stated = cast(dict[str, Any], values)
    _check(stated)
    subject = str(document.get("subject", ""))[:500]
    key = str(document.get("key") or canonical_digest([subject, stated])[:24])[:200]
    plain = {
        "ref": "", "kind": kind, "subject": subject, "values": stated, "source": f"client: {tool}", "key": key,
        "as_of": now.isoformat(), "provenance": Provenance.REPORTED.value, "similarity": None, "dropped": 0,
    }  # fmt: skip
    try:
        found = decode_fact(plain, {}).fact
        if not all(map(_sized, found.values.values())):
            raise _unfit("a number is too large")
        declared = kinds.get(kind)
        return found if declared is None else _declared(found, declared)
    except (SaysoError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as wrong:
        raise _unfit(str(wrong)) from wrong


def _declared(found: Fact, kind: FactKind) -> Fact:
    """The same of a declared kind: what that kind does not have is left out and counted."""
    values = dict(found.values)
    if found.subject:
        values.setdefault(kind.subject, found.subject)
    return kind.fact(
        values, source=found.source, key=found.key, as_of=found.as_of, provenance=Provenance.REPORTED
    )  # fmt: skip


def _sized(value: Value) -> bool:
    """Whether a number is of a size that can be reckoned with."""
    amount = value.amount if isinstance(value, Quantity) else value
    if isinstance(amount, Decimal):
        return abs(amount.adjusted()) <= _DIGITS
    return not isinstance(amount, int | float) or abs(amount) < 10**_DIGITS


def _check(values: Mapping[str, Any]) -> None:
    if len(values) > MAX_FIELDS or not all(_NAME.fullmatch(name) for name in values):
        raise _unfit(f"it has at most {MAX_FIELDS} fields, each named in letters, digits and underscores")
    for value in values.values():
        texts = cast(list[Any], value) if isinstance(value, list) else [value]
        if any(isinstance(text, str) and len(text) > MAX_TEXT for text in texts) or len(texts) > 500:
            raise _unfit(f"a text has at most {MAX_TEXT} characters")
        if isinstance(value, dict) and len(str(cast(object, value))) > 200:
            raise _unfit("a value is too long")


def _unfit(why: str) -> Problem:
    return Problem(422, "fact_unfit", f"a fact of a client tool cannot be read: {why}")
