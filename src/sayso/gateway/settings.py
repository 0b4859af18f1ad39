"""What an operator says about tools: the table `[tools]` of `sayso.toml`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sayso.tables import Table

Name = Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]{0,80}$")]
Place = Annotated[str, Field(min_length=1, max_length=300)]


class ToolsTable(Table):
    """`generic`: whether a model is offered the tools over every kind of record, all or those listed.

    `may_leave_to`: hosts (`example.org`, `*.example.org`) that a read may ask although the user did not name them.
    """

    generic: bool | Annotated[list[Name], Field(max_length=20)] = False
    may_leave_to: Annotated[list[Place], Field(max_length=200)] = []

    def offers(self, name: str) -> bool:
        """Whether a model is offered this tool over every kind."""
        return self.generic if isinstance(self.generic, bool) else name in self.generic
