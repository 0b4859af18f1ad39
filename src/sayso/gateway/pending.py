"""A change that waits: the bytes that it is decided as, and the fact by which it is read. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from sayso.core.facts import PROPOSAL, Fact
from sayso.core.ports import Ids
from sayso.core.proposals import Change, Proposal, canonical_bytes
from sayso.core.tools import Tool, ToolContext

PROPOSAL_LIFETIME = timedelta(days=7)


def canonical_of(change: Change, tool: Tool, context: ToolContext, ids: Ids) -> bytes:
    """The bytes that a change is filed, shown and decided as."""
    return canonical_bytes(
        change, tool=tool.name, schema=tool.schema, actor=context.actor.id, owner=context.actor.owner,
        created=context.now, expires=context.now + PROPOSAL_LIFETIME, nonce=ids.new("nonce"),
    )  # fmt: skip


def proposal_fact(proposal: Proposal, now: datetime) -> Fact:
    """A proposal as the model and the person read it: pending, never done."""
    content = proposal.content
    target = content["target"]
    values = {
        "title": content["title"],
        "state": proposal.state.value,
        "action": content["action"],
        "target": target["name"] if target else None,
        "details": "; ".join(f"{k}: {v}" for k, v in content["arguments"].items() if v not in (None, "", [])) or None,
        "expires": proposal.expires,
        "proposal_id": proposal.id,
    }
    return PROPOSAL.fact(values, source="proposals", key=proposal.id, as_of=now)
