"""Which receipts a conversation has been told: those that stand in an exchange that has its answer.

A receipt comes again until then, so that a lost answer or a dead process loses none. It keeps nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sayso.core.facts import RECEIPT, Fact, Provenance
from sayso.core.messages import Message, Role

GATEWAY = "gateway"
"""The source of receipts of actions; a client tool's own has another one."""


def is_receipt(fact: Fact) -> bool:
    """Whether it is the receipt of a proposal, whose id is its key."""
    return (fact.kind.name, fact.source, fact.provenance) == (RECEIPT.name, GATEWAY, Provenance.OWN)


def told_facts(messages: Sequence[Message]) -> tuple[Fact, ...]:
    """The facts of exchanges whose last message is an answer: the newest version of each."""
    last = {message.exchange_id: message for message in messages}
    answered = {name for name, message in last.items() if _answers(message)}
    facts = (n.fact for message in messages if message.exchange_id in answered for n in message.facts)
    return tuple({fact.identity: fact for fact in facts}.values())


def told_receipts(messages: Sequence[Message]) -> tuple[Fact, ...]:
    """The receipts among these."""
    return tuple(fact for fact in told_facts(messages) if is_receipt(fact))


def not_told(seeds: Iterable[Fact], messages: Sequence[Message]) -> tuple[Fact, ...]:
    """The seeds of a new exchange without what is no news in this thread: receipts, and others' words that came with
    them. Records stay: they are what the exchange starts with, however often."""
    told = {fact.identity: fact for fact in told_facts(messages)}

    def is_news(fact: Fact) -> bool:
        known = told.get(fact.identity)
        passing = is_receipt(fact) or fact.provenance is Provenance.SECOND_HAND
        return not (passing and known is not None and known.same_content(fact))

    return tuple(filter(is_news, seeds))


def _answers(message: Message) -> bool:
    return message.role is Role.ASSISTANT and bool(message.text.strip()) and not message.calls
