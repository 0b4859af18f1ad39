"""One record in sentences: a field that was asked for, or all that is recorded, then the gaps. Each is cited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from sayso.core.evidence import Numbered
from sayso.core.facts import Fact, FactKind, Field, FieldType, Provenance
from sayso.models.quote.moments import written_text
from sayso.models.quote.phrases import (
    capital,
    is_adjective,
    is_long,
    joined,
    label_of,
    quoted,
    refs_of,
    text,
    told_together,
    value_of,
)  # fmt: skip
from sayso.models.quote.words import keys

_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[.!?][\"”»])\s+|\n+|\s*⏎\s*")
_MARKUP = re.compile(r"^[\s#>*\-–•]*(?:\[[ xX]\]\s*)?")
_ARTICLES = frozenset({"a", "an", "the", "der", "die", "das", "ein", "eine"})
_IS = frozenset({"is", "are", "means", "ist", "sind", "bedeutet", "heisst"})
MAX_QUOTE = 300


def tell_fields(numbered: Numbered, fields: Sequence[Field], language: str, now: datetime) -> str:
    """A sentence for each asked field that is recorded, and one for those that are not."""
    fact, ref = numbered.fact, refs_of([numbered.ref])
    told = [_asked(fact, field, ref, language, now) for field in fields if field.name in fact.values]
    gaps = [field for field in fields if field.name not in fact.values]
    if gaps:
        told.append(_gaps(fact, gaps, ref, language))
    return " ".join(told)


def describe(numbered: Numbered, language: str, now: datetime, *, gaps: bool = True) -> str:
    """All that is recorded: short values together, lists and dates, prose quoted; then the gaps."""
    fact, ref = numbered.fact, refs_of([numbered.ref])
    stated = [f for f in fact.kind.fields if f.name in fact.values and f.name != fact.kind.subject]
    short = [f for f in stated if not is_long(f, fact.values[f.name]) and f.type is not FieldType.LIST]
    lists = [f for f in stated if f.type is FieldType.LIST]
    prose = [f for f in stated if is_long(f, fact.values[f.name])]
    values = ", ".join(told_together({f: fact.values[f.name] for f in short}, language, now))
    told = [text(language, "described", subject=fact.subject, values=values, ref=ref)] if values else []
    for field in (*lists, *prose):
        told.append(_asked(fact, field, ref, language, now, bare=bool(told)))
    missing = [f for f in fact.kind.fields if f.name not in fact.values and f.name != fact.kind.subject]
    if gaps and missing:
        told.append(_gaps(fact, missing, ref, language))
    return " ".join(told)


def list_line(
    numbered: Numbered, fields: Sequence[Field], language: str, now: datetime, *, gaps: Sequence[Field] = ()
) -> str:
    """A record as a list item: its name, the values that matter and which of `gaps` are, cited."""
    fact = numbered.fact
    name = written_text(fact.subject, language, now) or fact.subject
    values = {f: fact.values[f.name] for f in fields if f.name in fact.values and f.name != fact.kind.subject}
    brief = {f: v for f, v in values.items() if not is_long(f, v) and value_of(v, language, now) != name}
    told = told_together(brief, language, now)
    missing = [label_of(f, language) for f in gaps if f.name not in fact.values]
    unknown = f"{joined(missing, language)} {text(language, 'missing')}" if missing else ""
    stated = "; ".join(part for part in (", ".join(told), unknown) if part)
    return f"- {name}{': ' if stated else ''}{stated} {refs_of([numbered.ref])}"


def best_excerpt(prose: str, wanted: Sequence[str], roots: Sequence[str] = (), thing: Sequence[str] = ()) -> str:
    """The sentence that says what is asked for (`roots`) and has most of the wanted words; verbatim.

    A word that is wanted twice counts twice. What the `thing` is, a sentence says that opens with it.
    """
    pieces = [_MARKUP.sub("", piece).strip() for piece in _SENTENCE.split(prose)]
    pieces = [piece for piece in pieces if keys(piece)]
    if not pieces:
        return prose.strip()[:MAX_QUOTE]

    def worth(item: tuple[int, str]) -> tuple[int, int, int]:
        held = set(keys(item[1]))
        topic = sum(word in held for word in wanted)
        says = any(k.startswith(root) for k in held for root in roots)
        return 2 * defines(item[1], thing) + says, topic, -item[0]

    best = max(enumerate(pieces), key=worth)[1]
    return _cut(best.rstrip(".!"))


def defines(prose: str, thing: Sequence[str]) -> bool:
    """Whether a sentence says what a thing is: "pgvector is …", "Eine Hütte ist …"."""
    return bool(thing) and any(_opens_with(keys(piece), thing) for piece in _SENTENCE.split(prose))


def _opens_with(said: Sequence[str], thing: Sequence[str]) -> bool:
    said = said[1:] if said and said[0] in _ARTICLES else said
    size = len(thing)
    return tuple(said[:size]) == tuple(thing) and len(said) > size and said[size] in _IS


def attributed(fact: Fact) -> bool:
    return fact.provenance in (Provenance.SECOND_HAND, Provenance.REPORTED)


def _cut(piece: str) -> str:
    return piece if len(piece) <= MAX_QUOTE else piece[:MAX_QUOTE].rsplit(" ", 1)[0]


def _asked(fact: Fact, field: Field, ref: str, language: str, now: datetime, *, bare: bool = False) -> str:
    value = fact.values[field.name]
    label = label_of(field, language)
    if is_long(field, value):
        pieces = [p.strip().rstrip(".!") for p in _SENTENCE.split(str(value)) if keys(p)][:2]
        told = joined([quoted(_cut(p), language) for p in pieces], language)
    else:
        told = value_of(value, language, now)
    if bare:
        return text(language, "one", Label=capital(label), value=told, ref=ref)
    if not isinstance(value, bool) and _reads_alone(label, language):
        return text(language, "described", subject=fact.subject, values=f"{label} {told}", ref=ref)
    key = "list_field" if field.type is FieldType.LIST or is_long(field, value) else "field"
    if isinstance(value, bool):
        key = "bool_field" if not is_adjective(label, language) else "is" if value else "is_not"
    return text(language, key, label=label, Label=capital(label), subject=fact.subject, value=told, ref=ref)


def _reads_alone(label: str, language: str) -> bool:
    """Whether "the (label) of" would be no noun: "updated", "last watered", "zuletzt"."""
    if language == "de":
        return label[:1].islower()
    last = label.rsplit(" ", 1)[-1]
    return last.endswith("ed") or last in {"due", "met", "starts", "ends", "seen", "done"}


def _gaps(fact: Fact, gaps: Sequence[Field], ref: str, language: str) -> str:
    labels = joined([label_of(field, language) for field in gaps], language)
    labels = capital(labels) if language == "en" else labels
    several = len(gaps) > 1 or (labels.endswith("s") and not labels.endswith(("ss", "us")))
    return text(language, "gaps" if several else "gap", labels=labels, subject=fact.subject, ref=ref)


def telling_fields(kind: FactKind) -> tuple[Field, ...]:
    """The fields that tell records apart in a list: dates, measures, then short texts."""
    first = [f for f in kind.fields if f.type in (FieldType.DATETIME, FieldType.DATE, FieldType.QUANTITY)]
    then = [f for f in kind.fields if f.type is FieldType.TEXT and f.name != kind.subject]
    return (*first[:2], *then)
