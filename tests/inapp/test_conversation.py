"""A conversation in memory: what is kept between questions, what waits, and what a failure looks like."""

from __future__ import annotations

import pytest

from sayso.core.events import Finish
from sayso.core.messages import Outcome, StopReason
from sayso.core.tools import Actor
from sayso.errors import ConfigError, ModelRefused
from sayso.inapp.conversation import Conversation, ask
from sayso.models.scripted import Reply as Script
from sayso.models.scripted import Scripted, call, say
from small_world import EVERYONE, PROPOSE, SEARCH

pytestmark = pytest.mark.anyio
TOOLS = (SEARCH, EVERYONE, PROPOSE)


async def test_one_question_gives_its_answer_with_the_cited_facts() -> None:
    model = Scripted([call("search_people", query="Elena"), say("Elena Weber works at SINGA Switzerland [F1].")])
    reply = await ask("Where does Elena work?", TOOLS, model)
    assert (reply.text, reply.outcome) == ("Elena Weber works at SINGA Switzerland [F1].", Outcome.ANSWERED)
    assert [(n.ref, n.fact.subject) for n in reply.sources] == [("F1", "Elena Weber")]
    assert (reply.proposals, reply.error) == ((), None)


async def test_without_a_model_records_are_quoted() -> None:
    reply = await ask("Who is Elena?", TOOLS)
    assert "SINGA Switzerland" in reply.text


async def test_a_later_question_rests_on_what_was_found_before() -> None:
    model = Scripted(
        [call("search_people", query="Elena"), say("Elena Weber works at SINGA Switzerland [F1]."),
         say("At SINGA Switzerland [F1].")]
    )  # fmt: skip
    conversation = Conversation(TOOLS, model)
    await conversation.ask("Who is Elena?")
    reply = await conversation.ask("Where does she work?")
    assert [n.fact.subject for n in reply.sources] == ["Elena Weber"]
    assert len(model.requests[-1].messages) > 2


async def test_a_proposal_waits_once_and_nothing_is_done() -> None:
    asked = call("propose_message", person="Elena", text="Hello")
    model = Scripted([asked, say("It waits for your approval [F1]."), asked, say("It waits still [F1].")])
    conversation = Conversation(TOOLS, model)
    first, second = await conversation.ask("Write to Elena: Hello"), await conversation.ask("Write to Elena: Hello")
    (proposal,) = first.proposals
    assert proposal.state == "pending"
    assert proposal.content["arguments"]["text"] == "Hello"
    assert (second.proposals, conversation.proposals) == ((), [proposal])


async def test_a_failure_is_told_and_raises_nothing() -> None:
    reply = await ask("Who is Elena?", TOOLS, Scripted([Script(error=ModelRefused("no"))]))
    assert (reply.outcome, reply.reason, reply.text) == (None, StopReason.MODEL_FAILED, "")
    assert reply.error is not None
    assert reply.error.code == "model_refused"


async def test_an_actor_gets_the_tools_that_the_role_allows() -> None:
    conversation = Conversation(TOOLS, actor=Actor("a", "a", frozenset({"read:list_people"})))
    assert [tool.name for tool in conversation.tools] == ["list_people"]


async def test_events_come_as_they_happen_and_end_once() -> None:
    events = [event async for event in Conversation(TOOLS, Scripted([say("Hello.")])).stream("Hello")]
    assert isinstance(events[-1], Finish)
    assert sum(isinstance(event, Finish) for event in events) == 1


async def test_a_model_may_be_named_by_its_spec() -> None:
    assert Conversation(TOOLS, "quote").model.name == "quote"
    with pytest.raises(ConfigError, match="unknown model"):
        Conversation(TOOLS, "nonsense")
