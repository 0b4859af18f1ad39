"""The pages of the built-in application: what is registered here is what is routed, and where one may go.

The server makes its routes of pages from these, so that the census cannot drift from them.
"""

from __future__ import annotations

from sayso.core.pages import Census, Page, PageKind

WORKSPACE_PAGES = Census(
    (
        Page(
            "/",
            "New conversation",
            PageKind.CREATE,
            "thread",
            ("start", "home", "ask", "chat", "conversation", "startseite", "unterhaltung", "gespräch", "neu"),
        ),
        Page(
            "/proposals",
            "Proposals",
            PageKind.LIST,
            "proposal",
            ("changes", "approvals", "approve", "pending", "waiting", "vorschläge", "freigaben", "offene"),
        ),
        Page(
            "/t/{thread_id}",
            "A conversation",
            PageKind.DETAIL,
            "thread",
            ("conversation", "chat", "history", "unterhaltung", "gespräch", "verlauf"),
        ),
    )
)
