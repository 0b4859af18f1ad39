"""The eight tools over every kind of record, allowed by kind. A model is offered them where the operator says so."""

from __future__ import annotations

from sayso.core.tools import Tool
from sayso.workspace.tools.generic_reads import (
    get_record_tool,
    list_records_tool,
    record_history_tool,
    record_meta_tool,
)
from sayso.workspace.tools.generic_writes import (
    create_record_tool,
    delete_record_tool,
    restore_record_tool,
    update_record_tool,
)
from sayso.workspace.workspace import Workspace


def generic_tools(workspace: Workspace) -> tuple[Tool, ...]:
    return (
        list_records_tool(workspace),
        get_record_tool(workspace),
        record_meta_tool(),
        record_history_tool(workspace),
        create_record_tool(workspace),
        update_record_tool(workspace),
        delete_record_tool(workspace),
        restore_record_tool(workspace),
    )
