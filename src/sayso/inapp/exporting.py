"""A thread as a file to keep: JSON with everything, Markdown for people. Answers keep their citations and the facts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.encoding import message_document
from sayso.core.evidence import Numbered
from sayso.core.facts import value_text
from sayso.core.messages import Message
from sayso.core.verify import cited_refs
from sayso.serving.frames import fact_json, moment_text
from sayso.store.ports import Exchange, Feedback, Thread

FORMAT = "sayso-thread-1"
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#|!~])")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_LEADING = re.compile(r"^(\s*)([-+>]|\d+[.)])(?=\s)")


@dataclass(frozen=True, slots=True)
class Export:
    """All that is stored of a thread."""

    thread: Thread
    exchanges: Sequence[Exchange]
    messages: Sequence[Message]
    feedback: Sequence[Feedback] = ()

    def facts(self, exchange: Exchange | None = None) -> dict[str, Numbered]:
        """Those that an exchange found, or the whole thread, by their refs; the first meaning of each."""
        found: dict[str, Numbered] = {}
        for message in self.messages:
            if exchange is None or message.exchange_id == exchange.id:
                for numbered in message.numbered:
                    found.setdefault(numbered.ref, numbered)
        return found


def as_json(export: Export) -> dict[str, Any]:
    thread = export.thread
    return {
        "format": FORMAT,
        "id": thread.id,
        "title": thread.title,
        "created": moment_text(thread.created),
        "updated": moment_text(thread.updated),
        "transcript": thread.transcript,
        "exchanges": [_exchange(export, exchange) for exchange in export.exchanges],
        "facts": [fact_json(numbered) for numbered in export.facts().values()],
        "messages": [message_document(message) for message in export.messages],
    }


def as_markdown(export: Export) -> str:
    """Questions as quotations, answers as they were, and under each the facts that it cites."""
    lines = [f"# {_plain(export.thread.title) or 'Conversation'}", "", moment_text(export.thread.created), ""]
    known = export.facts()
    for exchange in export.exchanges:
        lines += _told(export, exchange, known)
    return "\n".join(lines).rstrip() + "\n"


def _exchange(export: Export, exchange: Exchange) -> dict[str, Any]:
    answer = exchange.answer
    return {
        "id": exchange.id,
        "question": exchange.question,
        "asked": moment_text(exchange.started),
        "answer": answer,
        "citations": list(cited_refs(answer or "")),
        "state": exchange.state.value,
        "outcome": exchange.outcome.value if exchange.outcome else None,
        "reason": exchange.reason.value if exchange.reason else None,
        "model": exchange.model,
        "steps": exchange.steps,
        "sentences": _sentences(exchange),
        "feedback": [
            {"by": f.by, "rating": f.rating.value, "words": f.words, "at": moment_text(f.at)}
            for f in _words_on(export, exchange)
        ],
    }


def _sentences(exchange: Exchange) -> list[Any]:
    """The verdicts as they are kept; none where they cannot be read."""
    try:
        kept: Any = json.loads(exchange.report_json or "[]")
    except (ValueError, RecursionError):
        return []
    return kept if isinstance(kept, list) else []  # pyright: ignore[reportUnknownVariableType]


def _words_on(export: Export, exchange: Exchange) -> list[Feedback]:
    return [word for word in export.feedback if word.exchange_id == exchange.id]


def _told(export: Export, exchange: Exchange, known: Mapping[str, Numbered]) -> list[str]:
    question = [f"> {_line(line)}".rstrip() for line in exchange.question.splitlines()] or ["> "]
    answer = exchange.answer or ""
    lines = [f"## {moment_text(exchange.started)}", "", *question, ""]
    lines += [_untagged(answer) if answer else f"*No answer: {exchange.reason or exchange.state}.*", ""]
    cited = [known[ref] for ref in cited_refs(answer) if ref in known]
    others = [n for n in export.facts(exchange).values() if n.fact.kind.name in ("proposal", "receipt")]
    sources = list({n.ref: n for n in (*cited, *others)}.values())
    if sources:
        lines += ["Sources:", "", *(line for numbered in sources for line in _source(numbered)), ""]
    for word in _words_on(export, exchange):
        said = f": {_line(' '.join(word.words.split()))}" if word.words else ""
        lines += [f"*Feedback ({word.rating}){said}*", ""]
    return lines


def _source(numbered: Numbered) -> Iterable[str]:
    fact = numbered.fact
    kind = fact.kind.title or fact.kind.name.replace("_", " ")
    origin = f"{_plain(fact.source)}, {moment_text(fact.as_of)}"
    yield f"- [{numbered.ref}] {_plain(kind)}: {_plain(fact.subject)} ({origin})"
    gaps: list[str] = []
    for declared in fact.kind.fields:
        value = fact.values.get(declared.name)
        if value is None:
            gaps.append(_plain(declared.title))
        else:
            yield f"  - {_plain(declared.title)}: {_plain(value_text(value))}"
    if gaps:
        yield f"  - *not recorded*: {', '.join(gaps)}"


def _plain(text: str) -> str:
    """A stored text on one line, without any sign that Markdown would read."""
    return _SPECIAL.sub(r"\\\1", _untagged(" ".join(text.split())))


def _line(text: str) -> str:
    """A line of a person's own words: no markup may begin with it."""
    return _LEADING.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", _untagged(text)))


def _untagged(text: str) -> str:
    return _TAG.sub("&lt;", text)
