"""A fake assistant with one person, one proposal and scripted events; a signed-in client."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import uvicorn
from pydantic import Field
from starlette.testclient import TestClient

from sayso.config import Config
from sayso.core.events import Answer, Event, FactsFound, Finish, Recorded, RunStarted, Status, TextDelta, Verified
from sayso.core.evidence import Numbered
from sayso.core.facts import PROPOSAL, FactKind, FieldType
from sayso.core.facts import Field as FactField
from sayso.core.images import Attachment, read_attachment
from sayso.core.messages import Message, Outcome, Role, StopReason, TextPart
from sayso.core.proposals import Change, Proposal, canonical_bytes
from sayso.core.tools import Actor
from sayso.core.verify.report import Judged, Report, Verdict, Violation, ViolationKind
from sayso.errors import Conflict, NotFound
from sayso.gateway.actions import Action, Done, OutFile
from sayso.gateway.inputs import Inputs, edited_bytes, schema_of
from sayso.inapp.assistant import PageContext
from sayso.server.app import create_app
from sayso.server.ports import ChangeView, ExchangeView, ProposalView, ThreadDetail, ThreadView
from sayso.server.signin import SignIn, csrf_token
from sayso.serving.runs import Runs

CHROMIUM = shutil.which("chromium")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
DIGEST = "ab" * 32
PERSON = FactKind(
    "person",
    tuple(
        FactField(n, FieldType.LIST if n == "channels" else FieldType.TEXT)
        for n in ("name", "affiliation", "channels", "role", "how_met")
    ),
    subject="name",
)
ELENA = Numbered(
    "F1",
    PERSON.fact(
        {"name": "Elena Weber", "affiliation": "SINGA Switzerland", "channels": ("whatsapp +41 77 473 00 93",)},
        source="people", key="p1", as_of=NOW,
    ),
)  # fmt: skip
QUEUED = Numbered(
    "F2",
    PROPOSAL.fact(
        {"title": "Remind you to call Elena Weber", "state": "pending", "proposal_id": "prop_1"},
        source="proposals", key="prop_1", as_of=NOW,
    ),
)  # fmt: skip
SENTENCES = ("Elena Weber works at SINGA Switzerland [F1]. ", "You reach her on whatsapp +41 77 473 00 93 [F1].")
HELD = Judged(
    "She is its director.", 80, Verdict.CONTRADICTED,
    (Violation(ViolationKind.STATED_GAP, "director", 87, 95, "The role is not recorded.", "F1"),),
)  # fmt: skip
CARD = ProposalView(
    "prop_1", "Remind you to call Elena Weber", "pending", DIGEST, "add_reminder", "Elena Weber",
    (("text", "Call Elena about the\u202e workshop"), ("due", "2026-12-04"), ("note", "")), NOW, NOW,
    ("Adds an entry to your calendar.",),
)  # fmt: skip


class ReminderInputs(Inputs):
    """An input of each type that a form knows."""

    person: str = Field(json_schema_extra={"readOnly": True})
    text: Annotated[str, Field(min_length=1, max_length=2000)]
    due: date | None = None
    count: Annotated[int, Field(ge=1, le=9)] = 1
    urgent: bool = False
    size: Literal["small", "large"] = "small"


REMIND = Action("add_reminder", "execute:add_reminder", lambda c, r: Done("created"), inputs=ReminderInputs)
REMINDER = OutFile("reminder.ics", "text/calendar", b"BEGIN:VCALENDAR")
RECORDED = Message("m_1", Role.USER, (TextPart("hidden from the wire"),), "ex_1")


def script(run_id: str, thread_id: str) -> list[Event]:
    judged = tuple(Judged(s, i * 44, Verdict.SUPPORTED, refs=("F1",), claims=1) for i, s in enumerate(SENTENCES))
    return [
        RunStarted(run_id, thread_id, "ex_1", "fake"),
        Status("Looking up Elena", "search_people", "call_1"),
        Recorded(RECORDED),
        FactsFound((ELENA, QUEUED)),
        *(TextDelta(s) for s in SENTENCES),
        Verified(Report((*judged, HELD)), True),
        Answer("".join(SENTENCES), Outcome.ANSWERED, ("F1",)),
        Finish(Outcome.ANSWERED, StopReason.ANSWERED),
    ]


@dataclass
class FakeAssistant:
    model_name: str = "fake-7b"
    model_reason: str = "the only model that is set up"
    model_sees: bool | None = None
    events: list[Event] | None = None
    asked: list[tuple[str, str | None, PageContext | None]] = field(default_factory=list)
    shown: list[list[str]] = field(default_factory=list)
    images: dict[str, Attachment] = field(default_factory=dict)
    approvals: list[str] = field(default_factory=list)
    denials: list[str] = field(default_factory=list)
    superseding: list[bool] = field(default_factory=list)
    card: ProposalView = CARD
    file: OutFile = REMINDER

    async def ask(
        self, message: str, *, actor: Actor, thread_id: str | None, context: PageContext | None,
        run_id: str | None = None, images: Sequence[Attachment] = (), supersede: bool = False,
    ) -> AsyncIterator[Event]:  # fmt: skip
        self.asked.append((message, thread_id, context))
        self.superseding.append(supersede)
        self.shown.append([image.name for image in images])
        for event in self.events if self.events is not None else script(run_id or "", thread_id or "th_1"):
            yield event

    async def attach(self, actor: Actor, data: bytes, name: str) -> Attachment:
        image = read_attachment(data, name)
        self.images[image.digest] = image
        return image

    async def image(self, actor: Actor, digest: str) -> Attachment:
        if digest not in self.images:
            raise NotFound("this image is no longer kept; attach it again")
        return self.images[digest]

    async def proposals(self, actor: Actor, state: str | None) -> Sequence[ProposalView]:
        return [self.card] if state in (None, self.card.state) else []

    async def proposal(self, actor: Actor, proposal_id: str) -> ProposalView:
        self._find(proposal_id)
        return self.card

    async def edit(self, actor: Actor, proposal_id: str, digest: str, changes: Mapping[str, Any]) -> ProposalView:
        self._find(proposal_id)
        if digest != self.card.digest:
            raise Conflict("the card has changed since it was shown; look at it again before you edit it")
        canonical = canonical_bytes(
            Change("add_reminder", self.card.title, self.card.values), tool="t", schema={}, actor="me", owner="me",
            created=NOW, expires=NOW, nonce="n",
        )  # fmt: skip
        after = Proposal(
            "prop_1", "th_1", "ex_1", "c", edited_bytes(Proposal("", "", "", "", canonical), REMIND, changes, NOW)
        )
        self.show(after.content["arguments"], after.digest)
        return self.card

    def show(self, values: Mapping[str, Any], digest: str = DIGEST) -> None:
        """Put a card with editable inputs before the person."""
        shown = tuple((name, str(value)) for name, value in values.items())
        self.card = replace(CARD, digest=digest, arguments=shown, schema=schema_of(REMIND), values=values)

    async def approve(self, actor: Actor, proposal_id: str, digest: str) -> ProposalView:
        self._find(proposal_id)
        if digest != self.card.digest:
            raise Conflict("the card has changed since it was shown; look at it again before you approve it")
        self.approvals.append(proposal_id)
        self.card = replace(self.card, state="done", outcome="created", files=("reminder.ics",))
        return self.card

    async def deny(self, actor: Actor, proposal_id: str, words: str) -> ProposalView:
        self._find(proposal_id)
        self.denials.append(words)
        self.card = replace(self.card, state="denied")
        return self.card

    async def supersede(self, actor: Actor, proposal_id: str) -> ProposalView:
        self._find(proposal_id)
        self.card = replace(self.card, state="superseded", outcome="superseded, not done")
        return self.card

    async def settle(self, actor: Actor, proposal_id: str, *, happened: bool) -> ProposalView:
        self._find(proposal_id)
        if self.card.state != "unknown":
            raise Conflict("only an unknown end can be settled")
        self.card = replace(self.card, state="done" if happened else "failed", outcome="done" if happened else "failed")
        return self.card

    async def check(self, actor: Actor, proposal_id: str) -> ProposalView:
        self._find(proposal_id)
        return self.card

    async def changes(self, actor: Actor, proposal_id: str) -> Sequence[ChangeView]:
        self._find(proposal_id)
        return [ChangeView("pending", "me", NOW, DIGEST, "filed")]

    async def proposal_file(self, actor: Actor, proposal_id: str, name: str) -> OutFile | None:
        return self.file if name == "reminder.ics" else None

    async def threads(self, actor: Actor) -> Sequence[ThreadView]:
        return [ThreadView("th_1", "Where does Elena work?", NOW), ThreadView("th_2", "What is due this week?", NOW)]

    async def thread(self, actor: Actor, thread_id: str) -> ThreadDetail:
        if thread_id != "th_1":
            raise NotFound("no such conversation")
        exchange = ExchangeView("ex_1", "Where does Elena work?", "".join(SENTENCES), (ELENA, QUEUED))
        return ThreadDetail("th_1", "Where does Elena work?", (exchange,))

    def _find(self, proposal_id: str) -> None:
        if proposal_id != self.card.id:
            raise NotFound("no such proposal")


@pytest.fixture
def assistant() -> FakeAssistant:
    return FakeAssistant()


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(home=tmp_path, database="sqlite://", allowed_hosts=("sayso.example",))


@pytest.fixture
def sign_in(tmp_path: Path) -> SignIn:
    return SignIn(tmp_path)


@pytest.fixture
def runs() -> Runs:
    return Runs()


@pytest.fixture
def stranger(assistant: FakeAssistant, config: Config, sign_in: SignIn, runs: Runs) -> Iterator[TestClient]:
    """A client that is not signed in."""
    app = create_app(assistant, config, sign_in, runs=runs)
    with TestClient(app, base_url="http://127.0.0.1:8787", follow_redirects=False) as client:
        yield client


@pytest.fixture
def client(stranger: TestClient, sign_in: SignIn) -> TestClient:
    """A signed-in client whose changes carry the token of its session."""
    session = sign_in.redeem(sign_in.new_link("http://x").partition("token=")[2])
    stranger.cookies.set("sayso_session", session)
    stranger.headers["x-sayso-csrf"] = csrf_token(session)
    return stranger


@pytest.fixture
def remind() -> dict[str, Any]:
    """The values of a card whose inputs can be edited."""
    return {"person": "Elena Weber", "text": "Call Elena", "due": None, "count": 1, "urgent": False, "size": "small"}


@pytest.fixture
def found() -> Event:
    """That Elena's record was found, as F1."""
    return FactsFound((ELENA,))


@pytest.fixture
def link(assistant: Any, config: Any, sign_in: Any) -> Iterator[str]:
    """A running server's sign-in link."""
    server = uvicorn.Server(uvicorn.Config(create_app(assistant, config, sign_in), log_level="error", lifespan="on"))
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield sign_in.new_link(f"http://127.0.0.1:{listener.getsockname()[1]}")
    server.should_exit = True
    thread.join(10)
    listener.close()


@pytest.fixture
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield running
        running.close()
