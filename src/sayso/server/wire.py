"""Events and views as JSON, and their frames as an event stream. It decides nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

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
from sayso.core.images import Attachment
from sayso.core.verify.report import Report
from sayso.server.ports import ExchangeView, ProposalView, SentenceView, ThreadDetail, ThreadView
from sayso.server.visible import visible, warnings

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
        case Finish(outcome, reason, continuation):
            return {"outcome": outcome, "reason": reason, "continuation": continuation}
        case Failed(code, message, retryable, reason):
            return {"code": code, "message": message, "retryable": retryable, "reason": reason}
        case Recorded():
            return None


def fact_json(numbered: Numbered) -> Json:
    """A fact with every declared field; a gap is null."""
    return {"ref": numbered.ref, **_fact(numbered.fact)}


def _learned_json(fact: Fact) -> Json:
    """On a card, as it must be shown: others' words with their hidden characters made visible."""
    shown = _fact(fact)
    fields = {name: None if value is None else visible(value) for name, value in shown["fields"].items()}
    return {**shown, "subject": visible(fact.subject), "fields": fields}


def _fact(fact: Fact) -> Json:
    return {
        "kind": fact.kind.name,
        "title": fact.kind.title or fact.kind.name.replace("_", " "),
        "subject": fact.subject,
        "source": fact.source,
        "key": fact.key,
        "provenance": fact.provenance,
        "as_of": _moment(fact.as_of),
        "fields": {f.name: _field(fact, f.name) for f in fact.kind.fields},
        "labels": {f.name: f.title for f in fact.kind.fields},
    }


def proposal_json(view: ProposalView) -> Json:
    """A card. Values are as they must be shown: hidden characters made visible, with warnings beside."""
    arguments = [{"name": n, "value": visible(v), "warnings": list(warnings(v))} for n, v in view.arguments]
    return {
        "id": view.id,
        "title": visible(view.title),
        "state": view.state,
        "digest": view.digest,
        "action": view.action,
        "target": visible(view.target),
        "target_record": visible(view.target_record),
        "target_warnings": list(warnings(view.target)),
        "arguments": arguments,
        "created": _moment(view.created),
        "expires": _moment(view.expires),
        "unbacked": [visible(words) for words in view.unbacked],
        "outcome": visible(view.outcome),
        "details": visible(view.details),
        "files": list(view.files),
        "inputs": {"schema": dict(view.schema), "values": dict(view.values)} if view.schema else None,
        "learned": [_learned_json(fact) for fact in view.learned],
    }


def attachment_json(image: Attachment) -> Json:
    """An image that may be asked about, by its `id`."""
    size = {"width": image.width, "height": image.height}
    return {"id": image.digest, "name": image.name, "media_type": image.media_type, **size}


def thread_json(view: ThreadView) -> Json:
    return {"id": view.id, "title": view.title, "updated": _moment(view.updated)}


def detail_json(view: ThreadDetail) -> Json:
    return {"id": view.id, "title": view.title, "exchanges": [_exchange(e) for e in view.exchanges]}


def _exchange(view: ExchangeView) -> Json:
    return {
        "id": view.id,
        "question": view.question,
        "answer": view.answer,
        "model": view.model,
        "asked": _moment(view.asked) if view.asked else None,
        "facts": [fact_json(n) for n in view.facts],
        "sentences": [_sentence(s) for s in view.verdicts],
        "unreadable": view.unreadable,
        "images": [{"id": n.fact.key, "ref": n.ref, "name": n.fact.subject} for n in view.images],
        "attempts": [asdict(a) for a in view.attempts],
    }


def _sentence(view: SentenceView) -> Json:
    names = ("kind", "words", "instruction")
    return {
        "text": view.text,
        "verdict": view.verdict,
        "withheld": view.withheld,
        "refs": list(view.refs),
        "violations": [dict(zip(names, violation, strict=True)) for violation in view.violations],
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


def _moment(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
