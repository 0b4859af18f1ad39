"""The views of the page as JSON. It decides nothing."""

from __future__ import annotations

from dataclasses import asdict

from sayso.core.facts import Fact
from sayso.core.images import Attachment
from sayso.gateway.cards import Card, Row
from sayso.gateway.risks import Risk, RiskCode, text_risks
from sayso.server.ports import ChangeView, ExchangeView, ProposalView, SentenceView, ThreadDetail, ThreadView
from sayso.serving.frames import Json, fact_json, moment_text, unnumbered_json
from sayso.serving.visible import visible


def _learned_json(fact: Fact) -> Json:
    """On a card, as it must be shown: others' words with their hidden characters made visible."""
    shown = unnumbered_json(fact)
    fields = {name: None if value is None else visible(value) for name, value in shown["fields"].items()}
    return {**shown, "subject": visible(fact.subject), "fields": fields}


def proposal_json(view: ProposalView) -> Json:
    """A card. Values are as they must be shown: hidden characters made visible, with risks beside."""
    card = view.card or _plain_card(view)
    return {
        "id": view.id,
        "title": visible(view.title),
        "state": view.state,
        "digest": view.digest,
        "action": view.action,
        "target": visible(view.target),
        "target_record": visible(view.target_record),
        "target_risks": [_risk_json(risk) for risk in card.target_risks],
        "arguments": [_row_json(row) for row in card.rows],
        "created": moment_text(view.created),
        "expires": moment_text(view.expires),
        "unbacked": [visible(words) for words in view.unbacked],
        "risks": [_risk_json(risk) for risk in card.risks],
        "reasons": [
            {name: visible(value) if name == "subject" else value for name, value in asdict(reason).items()}
            for reason in card.reasons
        ],
        "can_check": view.can_check,
        "look": visible(view.look),
        "thread_id": view.thread_id,
        "outcome": visible(view.outcome),
        "details": visible(view.details),
        "files": list(view.files),
        "inputs": {"schema": dict(view.schema), "values": dict(view.values)} if view.schema else None,
        "learned": [_learned_json(fact) for fact in view.learned],
    }


def _plain_card(view: ProposalView) -> Card:
    """The card of an assistant that knows nothing but the arguments."""
    unbacked = (Risk(RiskCode.UNBACKED, view.unbacked),) if view.unbacked else ()
    rows = tuple(Row(name, text, None, text_risks(text)) for name, text in view.arguments)
    return Card(rows, unbacked, text_risks(view.target))


def _row_json(row: Row) -> Json:
    return {
        "name": row.name,
        "value": visible(row.after),
        "before": None if row.before is None else visible(row.before),
        "unchanged": row.unchanged,
        "risks": [_risk_json(risk) for risk in row.risks],
    }


def _risk_json(risk: Risk) -> Json:
    return {"code": risk.code, "values": [visible(value) for value in risk.values], "words": visible(risk.words)}


def change_json(view: ChangeView) -> Json:
    return {**asdict(view), "at": moment_text(view.at)}


def attachment_json(image: Attachment) -> Json:
    """An image that may be asked about, by its `id`."""
    size = {"width": image.width, "height": image.height}
    return {"id": image.digest, "name": image.name, "media_type": image.media_type, **size}


def thread_json(view: ThreadView) -> Json:
    return {"id": view.id, "title": view.title, "updated": moment_text(view.updated)}


def detail_json(view: ThreadDetail) -> Json:
    return {"id": view.id, "title": view.title, "exchanges": [_exchange(e) for e in view.exchanges]}


def _exchange(view: ExchangeView) -> Json:
    return {
        "id": view.id,
        "question": view.question,
        "answer": view.answer,
        "model": view.model,
        "asked": moment_text(view.asked) if view.asked else None,
        "facts": [fact_json(n) for n in view.facts],
        "sentences": [_sentence(s) for s in view.verdicts],
        "unreadable": view.unreadable,
        "images": [{"id": n.fact.key, "ref": n.ref, "name": n.fact.subject} for n in view.images],
        "attempts": [asdict(a) for a in view.attempts],
        "state": view.state,
        "reason": view.reason,
        "run_id": view.run_id,
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
