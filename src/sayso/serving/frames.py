"""Events and facts as JSON, and their frames as an event stream. It decides nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sayso.core.encoding import message_document
from sayso.core.events import (
    Answer,
    ClientToolCall,
    Event,
    FactsFound,
    Failed,
    Finish,
    Recorded,
    RunStarted,
    Status,
    TextDelta,
    UsageReport,
    Verified,
)  # fmt: skip
from sayso.core.evidence import Numbered
from sayso.core.facts import Fact, value_text
from sayso.core.verify.report import Report

KEEP_ALIVE = b": keep-alive\n\n"
Json = dict[str, Any]


def frame(number: int, name: str, data: Mapping[str, Any]) -> bytes:
    """One event. ASCII JSON escapes every line end, U+2028 and lone surrogate: no text can end a frame."""
    return f"id: {number}\nevent: {name}\ndata: {json.dumps(data, ensure_ascii=True)}\n\n".encode("ascii")


def event_json(event: Event) -> Json | None:
    """An event's data; None for what is not for the wire."""
    match event:
        case RunStarted(run_id, thread_id, exchange_id, model):
            return {"run_id": run_id, "thread_id": thread_id, "exchange_id": exchange_id, "model": model}
        case Status(text, tool, call_id, state):
            return {"text": text, "tool": tool, "call_id": call_id, "state": state}
        case TextDelta(text):
            return {"text": text}
        case ClientToolCall(call):
            return {"call_id": call.id, "name": call.name, "arguments": call.arguments}
        case FactsFound(facts):
            return {"facts": [fact_json(n) for n in facts]}
        case Verified(report, repaired):
            return {"repaired": repaired, "profile": report.profile, "sentences": _report(report)}
        case Answer(text, outcome, citations, cut):
            return {"text": text, "outcome": outcome, "citations": list(citations), "cut": cut}
        case UsageReport(usage, steps, model, attempts):
            tokens = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
            return {**tokens, "steps": steps, "model": model, "attempts": [asdict(a) for a in attempts]}
        case Finish():
            return _finish(event)
        case Failed(code, message, retryable, reason):
            return {"code": code, "message": message, "retryable": retryable, "reason": reason}
        case Recorded():
            return None


def _finish(event: Finish) -> Json:
    """A run in process keeps its own transcript; one that a caller drives hands it out."""
    end: Json = {"outcome": event.outcome, "reason": event.reason}
    if not event.continuation:
        return end
    added = [message_document(message) for message in event.messages]
    return {
        **end, "continuation": event.continuation, "messages": added, "next_ref": event.next_ref,
        "transcript": event.transcript,
    }  # fmt: skip


def fact_json(numbered: Numbered) -> Json:
    """A fact with every declared field; a gap is null."""
    return {"ref": numbered.ref, **unnumbered_json(numbered.fact)}


def unnumbered_json(fact: Fact) -> Json:
    return {
        "kind": fact.kind.name,
        "title": fact.kind.title or fact.kind.name.replace("_", " "),
        "subject": fact.subject,
        "source": fact.source,
        "key": fact.key,
        "provenance": fact.provenance,
        "as_of": moment_text(fact.as_of),
        "fields": {f.name: _field(fact, f.name) for f in fact.kind.fields},
        "labels": {f.name: f.title for f in fact.kind.fields},
    }


def _report(report: Report) -> list[Json]:
    return [
        {
            "text": s.text,
            "verdict": s.verdict,
            "withheld": report.withheld(s),
            "refs": list(s.refs),
            "added": list(s.added),
            "idle": list(s.idle),
            "second_opinion": s.second_opinion,
            "violations": [
                {"kind": v.kind, "words": v.words, "instruction": v.instruction, "nearest": v.nearest}
                for v in s.violations
            ],
        }
        for s in report.sentences
    ]


def _field(fact: Fact, name: str) -> str | None:
    value = fact.values.get(name)
    return None if value is None else value_text(value)


def moment_text(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
