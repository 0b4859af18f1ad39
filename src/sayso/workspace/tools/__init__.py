"""The tools of the workspace: six read its records, one finds pages, one proposes, one asks another agent."""

from __future__ import annotations

from sayso.core.pages import Census
from sayso.core.tools import Tool
from sayso.workspace.tools.agent import AgentSettings, ask_agent_tool
from sayso.workspace.tools.pages import page_tool
from sayso.workspace.tools.plans import commitments_tool, goals_tool, habits_tool, projects_tool
from sayso.workspace.tools.propose import propose_tool
from sayso.workspace.tools.records import knowledge_tool, people_tool
from sayso.workspace.workspace import Workspace

__all__ = ["AgentSettings", "workspace_tools"]


def workspace_tools(
    workspace: Workspace, *, agent: AgentSettings | None = None, can_send: bool = False, pages: Census | None = None
) -> tuple[Tool, ...]:
    """The tools over one workspace. `can_send`: an approved e-mail goes out by SMTP. `pages`: those that it has."""
    return (
        people_tool(workspace),
        projects_tool(workspace),
        knowledge_tool(workspace),
        goals_tool(workspace),
        habits_tool(workspace),
        commitments_tool(workspace),
        *((page_tool(pages),) if pages is not None else ()),
        propose_tool(workspace, can_send=can_send),
        ask_agent_tool(agent),
    )
