"""The body of a chat request, as a model. A body without a catalogue is a question to an in-process assistant.

Messages, the catalogue and facts stay plain JSON here: they count only with their signature (`proving`, `declared`,
`admitting`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from sayso.core.images import MAX_IMAGES
from sayso.core.messages import CallStatus, ResultReason
from sayso.serving.bodies import Strict
from sayso.serving.problems import Problem
from sayso.signing.tokens import MAX_TOKEN

CHAT_LIMIT = 1 << 20
MAX_MESSAGES = 1000
MAX_RESULTS = 64

Name = Annotated[str, Field(min_length=1, max_length=200)]
Token = Annotated[str, Field(min_length=1, max_length=MAX_TOKEN)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Document = dict[str, Any]


class Record(Strict):
    kind: Name
    key: Name


class Context(Strict):
    """Where the person is: the page's route, its open record, the selected text."""

    route: Annotated[str, Field(max_length=2000)] = ""
    record: Record | None = None
    selection: Annotated[str, Field(max_length=8000)] = ""


class Result(Strict):
    """What came of a call: the gateway's document as it came, or what a client tool says (then without `seal`)."""

    call_id: Annotated[str, Field(max_length=200)]
    name: Name
    status: Annotated[CallStatus, Field(strict=False)]
    reason: Annotated[ResultReason, Field(strict=False)] | None = None
    facts: Annotated[list[Document], Field(max_length=500)] = []
    kind: Literal["read", "propose", "execute"] | None = None
    seal: Token | None = None
    rule: Annotated[str, Field(max_length=2000)] | None = None


class ClientTool(Strict):
    """A tool that the caller runs itself, such as `navigate`. It is never sealed."""

    name: Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]{0,63}$")]
    title: Annotated[str, Field(max_length=200)] = ""
    description: Annotated[str, Field(max_length=2000)]
    input_schema: Document
    read_only: bool = True
    example: Document = {}
    words: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=50)] = []
    permission: Annotated[str, Field(max_length=200)] = ""
    takes_name: Name | None = None
    takes_text: Name | None = None
    can_leave: bool = False
    covers: None = None


class Chat(Strict):
    """`message` begins an exchange; without it, `tool_results` go on with the one that `continuation` is of.

    `history` holds the messages of earlier exchanges, `exchange` those of this one, as they were given out. They are
    proven by `continuation`, or by `history_seal` where the thread was loaded from the store. The oldest exchanges
    may be left out: `history_before` is then the `transcript` that was told at the end of the last one left out.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"message": "Who is Elena Weber?"}]})

    message: Annotated[str, Field(min_length=1, max_length=32_000, pattern=r"\S")] | None = None
    thread_id: Name | None = None
    history: Annotated[list[Document], Field(max_length=MAX_MESSAGES)] = []
    history_before: Digest | None = None
    exchange: Annotated[list[Document], Field(max_length=MAX_MESSAGES)] = []
    continuation: Token | None = None
    history_seal: Token | None = None
    catalogue: Document | None = None
    client_tools: Annotated[list[ClientTool], Field(max_length=32)] = []
    tool_results: Annotated[list[Result], Field(max_length=MAX_RESULTS)] = []
    seeds: Result | None = None
    context: Context | None = None
    attachments: Annotated[list[Digest], Field(max_length=MAX_IMAGES)] = []
    proposals: Annotated[
        Literal["keep", "supersede"], Field(description="What becomes of the thread's proposals that still wait")
    ] = "keep"
    model: Name | None = None
    locale: Annotated[str, Field(pattern="^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$")] | None = None


_DRIVEN = ("history", "history_before", "exchange", "continuation", "history_seal", "client_tools", "tool_results",
           "seeds")  # fmt: skip
_CHOSEN = ("model", "locale")


def in_process(body: Chat) -> str:
    """The message of a request whose tools run in this process. Raises Problem 422 for members of no use there."""
    if given := [name for name in _DRIVEN if getattr(body, name)]:
        raise Problem(422, "catalogue_missing", f"{', '.join(given)}: send the gateway's catalogue with it "
                      "(GET /api/v1/system/mcp/tools); without one, tools run in this process")  # fmt: skip
    if given := [name for name in _CHOSEN if getattr(body, name)]:
        raise Problem(422, "wrong_content", f"{', '.join(given)}: it is set for this process; leave it out")
    if body.message is None:
        raise Problem(422, "wrong_content", "message: write something to ask")
    return body.message
