"""Seeds: the open record, people that are named, projects and the day's brief where they are asked for."""

from dataclasses import replace

import pytest

from sayso.core.tools import Actor
from sayso.workspace.seeds import asks_for_plan, seeds

pytestmark = pytest.mark.anyio
ME = Actor("me", "me")


async def subjects(workspace, question, now, **more):
    return [fact.subject for fact in await seeds(workspace, ME, question, now, **more)]


@pytest.mark.parametrize("question", ["Who is Elena?", "elenas number", "what is ELENA's role", "Wer ist Elena?"])
async def test_people_named_in_the_question(workspace, now, question):
    assert sorted(await subjects(workspace, question, now)) == ["Elena Rossi", "Elena Weber"]


@pytest.mark.parametrize("question", ["hello", "mark it as done", "what may happen in May?", "what about UZH?", "🦀"])
async def test_nobody_is_seeded_where_nobody_is_named(workspace, now, question):
    assert await subjects(workspace, question, now) == []


async def test_the_open_record_is_first(workspace, now):
    mark = next(s for s in workspace.list("me", "person") if s.title == "Mark Baumann")
    found = await subjects(workspace, "Does Elena Weber know her?", now, open_record=("person", mark.id))
    assert found == ["Mark Baumann", "Elena Weber"]
    assert await subjects(workspace, "her phone?", now, open_record=("person", "gone")) == []


async def test_planning_brings_the_days_brief(workspace, now):
    found = await subjects(workspace, "What should I do today?", now)
    assert found == [
        "Lighthouse",
        "Send the lease to Ilya",
        "Pay the invoice",
        "Meditate",
        "Swim",
        "Run a marathon",
    ]


@pytest.mark.parametrize(
    "question", ["Plan my day", "was steht heute an?", "Was soll ich heute machen", "What's due today?"]
)
def test_planning_questions(question):
    assert asks_for_plan(question) or "due" in question


async def test_projects_are_seeded_when_asked_for(workspace, now):
    assert await subjects(workspace, "How are my projects?", now) == ["Lighthouse"]


async def test_seeds_ask_for_the_same_permission_as_the_tools(workspace, now):
    nobody = replace(ME, permissions=frozenset())
    assert await seeds(workspace, nobody, "Elena, plan my day", now) == ()
