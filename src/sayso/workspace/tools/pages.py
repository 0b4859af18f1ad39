"""`find_page`: where in the application something is listed, shown or made. Its results are facts; it opens nothing."""

from __future__ import annotations

from collections.abc import Iterable

from sayso.core.pages import PAGE, Census, Page
from sayso.core.tools import ReadResult, Tool, ToolContext, define_tool
from sayso.workspace.commonwords import STOP_WORDS
from sayso.workspace.names import word_forms, words_of
from sayso.workspace.tools.arguments import MaybeText, ToolArguments

_NO_TOPIC = frozenset({"page", "pages", "screen", "screens", "seite", "seiten", "all", "alle", "open", "go"})
_WHOLE = 4  # letters from which the beginning of a word is enough: "proposal" is "proposals"


class PageArguments(ToolArguments):
    query: MaybeText = None


def page_tool(census: Census) -> Tool:
    async def run(arguments: PageArguments, context: ToolContext) -> ReadResult:
        found = find_pages(census, arguments.query or "")
        facts = tuple(
            PAGE.fact(
                {"title": page.title, "route": page.route, "page_kind": page.kind.value,
                 "record_kind": page.record_kind},
                source="pages", key=page.route, as_of=context.now,
            )
            for page in found
        )  # fmt: skip
        return ReadResult(facts, len(found), len(census))

    return define_tool(
        "find_page",
        kind="read",
        description="Find pages of this application by what they show: their routes, and what is listed or made there.",
        arguments=PageArguments,
        run=run,
        example={"query": "proposals"},
        covers=PAGE,
        words=PAGE.words,
        title="Looking for a page",
    )


def find_pages(census: Census, query: str) -> list[Page]:
    """The pages that a query means, those that hold most of its words first; all of them where it names no topic."""
    asked = _folded(words_of(query)) - STOP_WORDS - _NO_TOPIC
    if not asked:
        return list(census)
    held = [(sum(_told(word, page) for word in asked), page) for page in census]
    return [page for count, page in sorted(held, key=lambda pair: -pair[0]) if count]


def _told(asked: str, page: Page) -> bool:
    own = _folded(words_of(" ".join((page.title, page.record_kind, page.kind.value, *page.words))))
    return any(word == asked or _begins(word, asked) or _begins(asked, word) for word in own)


def _begins(longer: str, shorter: str) -> bool:
    return len(shorter) >= _WHOLE and longer.startswith(shorter)


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(form for word in words for form in word_forms(word))
