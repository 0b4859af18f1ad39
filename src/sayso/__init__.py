"""Sayso: every claim about your records has a source; every action has your say-so.

The names below are the public API; each is loaded when it is first used, so that `import sayso`
costs next to nothing and loads neither the server nor the database.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as type checkers read it; the module `typing` would cost more than this one
if TYPE_CHECKING:
    from typing import Any

    from sayso.core.evidence import Evidence as Evidence
    from sayso.core.evidence import Numbered as Numbered
    from sayso.core.facts import Fact as Fact
    from sayso.core.facts import FactKind as FactKind
    from sayso.core.facts import Field as Field
    from sayso.core.facts import FieldType as FieldType
    from sayso.core.facts import Party as Party
    from sayso.core.facts import Quantity as Quantity
    from sayso.core.facts import Relation as Relation
    from sayso.core.loop import run_exchange as run_exchange
    from sayso.core.ports import Model as Model
    from sayso.core.progress import Limits as Limits
    from sayso.core.progress import Task as Task
    from sayso.core.proposals import Change as Change
    from sayso.core.proposals import Proposal as Proposal
    from sayso.core.proposals import Target as Target
    from sayso.core.runner import InProcessRunner as InProcessRunner
    from sayso.core.tools import Actor as Actor
    from sayso.core.tools import ProposeResult as ProposeResult
    from sayso.core.tools import ReadResult as ReadResult
    from sayso.core.tools import Registry as Registry
    from sayso.core.tools import ToolContext as ToolContext
    from sayso.core.tools import define_tool as define_tool
    from sayso.core.verify import Setting as Setting
    from sayso.core.verify import Verifier as Verifier
    from sayso.inapp.conversation import Conversation as Conversation
    from sayso.inapp.conversation import Reply as Reply
    from sayso.inapp.conversation import ask as ask
    from sayso.verifying.calling import verify as verify
    from sayso.verifying.reading import read_facts as read_facts

__all__ = [
    "Actor", "Change", "Conversation", "Evidence", "Fact", "FactKind", "Field", "FieldType", "InProcessRunner",
    "Limits", "Model", "Numbered", "Party", "Proposal", "ProposeResult", "Quantity", "ReadResult", "Registry",
    "Relation", "Reply", "Setting", "Target", "Task", "ToolContext", "Verifier", "ask", "define_tool", "read_facts",
    "run_exchange", "verify",
]  # fmt: skip

_HOMES = {
    "sayso.core.evidence": ("Evidence", "Numbered"),
    "sayso.core.facts": ("Fact", "FactKind", "Field", "FieldType", "Party", "Quantity", "Relation"),
    "sayso.core.loop": ("run_exchange",),
    "sayso.core.ports": ("Model",),
    "sayso.core.progress": ("Limits", "Task"),
    "sayso.core.proposals": ("Change", "Proposal", "Target"),
    "sayso.core.runner": ("InProcessRunner",),
    "sayso.core.tools": (
        "Actor", "ProposeResult", "ReadResult", "Registry", "ToolContext", "define_tool",
    ),
    "sayso.core.verify": ("Setting", "Verifier"),
    "sayso.inapp.conversation": ("Conversation", "Reply", "ask"),
    "sayso.verifying.calling": ("verify",),
    "sayso.verifying.reading": ("read_facts",),
}  # fmt: skip
_WHERE = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'sayso' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted(_WHERE)
