"""Client tools: what the caller itself can do for a model, such as going to a page.

Each says exactly how it ended: a tool that returns nothing has not succeeded. What it returns becomes `reported`
facts at the inference service, and its success the receipt of this one client action. It knows no HTTP.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sayso.caller.declared import Declaration, check_schema
from sayso.errors import DeclarationError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ClientFact:
    """A record as this client says that it is: kind, the field that names it, and its values."""

    kind: str
    subject: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Done:
    """It happened. The only way to say so."""

    facts: tuple[ClientFact, ...] = ()


@dataclass(frozen=True, slots=True)
class NotDone:
    """It did not: `status` is failed, denied (the person said no) or cancelled; `reason` a `ResultReason`."""

    status: str = "failed"
    reason: str | None = "tool_failed"


Handler = Callable[[dict[str, Any]], Awaitable[Done | NotDone] | Done | NotDone]


@dataclass(frozen=True, slots=True)
class ClientTool:
    declaration: Declaration
    description: str
    example: Mapping[str, Any]
    handler: Handler

    @property
    def document(self) -> dict[str, Any]:
        """As the inference service reads it."""
        told = self.declaration
        return {
            "name": told.name, "title": told.title, "description": self.description,
            "input_schema": dict(told.schema), "read_only": told.read_only, "permission": f"client:{told.name}",
            "example": dict(self.example), "words": [], "takes_name": None, "takes_text": None, "can_leave": False,
        }  # fmt: skip


@dataclass(slots=True)
class ClientTools:
    """The tools of one caller. Names may not shadow one another, nor those of the catalogue."""

    seconds: float = 60.0
    _tools: dict[str, ClientTool] = field(default_factory=dict[str, ClientTool])

    def register(
        self, name: str, handler: Handler, *, description: str, schema: Mapping[str, Any],
        example: Mapping[str, Any], title: str = "",
    ) -> None:  # fmt: skip
        """Raises DeclarationError for a name in use, a schema that is none, or an example that does not fit it."""
        if name in self._tools:
            raise DeclarationError(f"client tool {name!r} is registered already; clear it first")
        if not (name.isidentifier() and len(name) <= 64):
            raise DeclarationError(f"client tool {name!r}: a name is letters, digits and underscores, at most 64")
        check_schema(name, schema)
        declaration = Declaration(name, title or name.replace("_", " "), False, dict(schema))
        if faults := declaration.faults(example):
            raise DeclarationError(f"client tool {name!r}: its example does not fit its schema: {faults[0]}")
        self._tools[name] = ClientTool(declaration, description, dict(example), handler)

    def clear(self, name: str | None = None) -> None:
        """Forget one tool, or all of them."""
        if name is None:
            self._tools.clear()
        else:
            self._tools.pop(name, None)

    def get(self, name: str) -> ClientTool | None:
        return self._tools.get(name)

    def __contains__(self, name: str) -> bool:
        return name in self._tools

    @property
    def documents(self) -> list[dict[str, Any]]:
        return [tool.document for tool in self._tools.values()]

    async def invoke(self, name: str, arguments: dict[str, Any]) -> Done | NotDone:
        """Run a tool to how it ended. A fault of its handler is an ending, never an exception."""
        tool = self._tools.get(name)
        if tool is None:
            return NotDone(reason="unknown_tool")
        if tool.declaration.faults(arguments):
            return NotDone(reason="bad_arguments")
        try:
            async with asyncio.timeout(self.seconds):
                outcome = tool.handler(arguments)
                ended = outcome if isinstance(outcome, Done | NotDone) else await outcome
        except TimeoutError:
            return NotDone(reason="tool_timeout")
        except Exception:
            log.exception("the client tool %s failed", name)
            return NotDone()
        return ended if isinstance(ended, Done | NotDone) else NotDone()  # pyright: ignore[reportUnnecessaryIsInstance]


def facts_document(facts: Sequence[ClientFact]) -> list[dict[str, Any]]:
    return [{"kind": f.kind, "subject": f.subject, "values": dict(f.values)} for f in facts]
