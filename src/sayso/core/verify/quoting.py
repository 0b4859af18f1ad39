"""Facts quoted as plain sentences, gaps stated, each cited. Adds nothing that a fact does not hold."""

from __future__ import annotations

from collections.abc import Sequence

from sayso.core.evidence import Numbered
from sayso.core.facts import Fact, Provenance, value_text


def quote_facts(facts: Sequence[Numbered], locale: str, limit: int = 5) -> str:
    """One bullet a fact, at most `limit`, then how many more there are."""
    german = locale.lower().startswith("de")
    records = [n for n in facts if n.fact.kind.name != "lookup"] or list(facts)
    lines = [f"- {quote_fact(n, german=german)}" for n in records[:limit]]
    if len(records) > limit:
        more = len(records) - limit
        lines.append(f"- … und {more} weitere." if german else f"- … and {more} more.")
    return "\n".join(lines)


def quote_fact(numbered: Numbered, *, german: bool = False) -> str:
    fact = numbered.fact
    if fact.kind.name == "lookup":
        return f"{_lookup(fact, german)} [{numbered.ref}]"
    parts = [f"{_title(fact, n)}: {_line(value_text(v))}" for n, v in fact.values.items() if n != fact.kind.subject]
    gaps = ", ".join(_title(fact, name) for name in fact.gaps)
    text = f"{_line(fact.subject)}" + (f" – {'; '.join(parts)}" if parts else "")
    if gaps:
        text += f" ({'nicht erfasst' if german else 'not recorded'}: {gaps})"
    if fact.provenance is Provenance.SECOND_HAND:
        text = f"{'Laut' if german else 'According to'} {_line(fact.source)}: {text}"
    return f"{text} [{numbered.ref}]"


def _lookup(fact: Fact, german: bool) -> str:
    query = _line(value_text(fact.values.get("query", fact.subject)))
    matched, searched = fact.values.get("matched", 0), fact.values.get("searched", 0)
    if german:
        return f"{query}: {matched or 'nichts'} von {searched} Einträgen gefunden"
    return f"{query}: {matched or 'nothing'} found in {searched} records"


def _title(fact: Fact, name: str) -> str:
    declared = fact.kind.field(name)
    return declared.title if declared else name


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 300 else line[:299] + "…"
