"""The eight tools: what they find, what they leave unchanged, what they refuse to guess."""

import hashlib
from dataclasses import replace

import pytest
from sqlalchemy import text

from sayso.core.facts import Quantity
from sayso.core.proposals import Change, Target, canonical_bytes
from sayso.core.tools import ToolKind
from sayso.workspace.records import HabitRecord
from sayso.workspace.tools import AgentSettings, workspace_tools

pytestmark = pytest.mark.anyio


@pytest.fixture
def call(workspace, context):
    tools = {tool.name: tool for tool in workspace_tools(workspace)}

    async def run(name, message="", **arguments):
        tool = tools[name]
        return await tool.run(tool.arguments.model_validate(arguments), replace(context, user_message=message))

    return run


def subjects(result):
    return [fact.subject for fact in result.facts]


def dump(workspace):
    def read(connection):
        tables = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars().all()
        return hashlib.sha256(
            repr([(t, connection.execute(text(f'SELECT * FROM "{t}"')).all()) for t in sorted(tables)]).encode()
        ).hexdigest()

    return workspace.database.read(read)


async def test_each_read_and_each_proposal_leaves_the_database_unchanged(workspace, context):
    before = dump(workspace)
    for tool in workspace_tools(workspace):
        await tool.run(tool.arguments.model_validate(dict(tool.example)), context)
    assert dump(workspace) == before


async def test_eight_tools_with_short_descriptions(workspace):
    tools = workspace_tools(workspace)
    assert [tool.name for tool in tools] == [
        "search_people", "list_projects", "search_knowledge", "list_goals", "list_habits", "list_commitments",
        "propose_action", "ask_agent",
    ]  # fmt: skip
    assert all(len(tool.description) < 110 and tool.words for tool in tools)


async def test_namesakes_come_with_their_own_values_and_gaps(call):
    result = await call("search_people", query="Elena")
    assert (result.matched, result.searched) == (2, 8)
    weber = next(f for f in result.facts if f.subject == "Elena Weber")
    assert weber.values["channels"] == ("whatsapp +41 77 473 00 93",)
    assert {"role", "how_met", "last_interaction"} <= set(weber.gaps)


async def test_an_acronym_inside_a_surname_finds_nobody(call):
    result = await call("search_people", query="UZH")
    assert (result.facts, result.matched, result.searched) == ((), 0, 8)


async def test_projects_by_status(call):
    assert subjects(await call("list_projects", status="Active")) == ["Lighthouse"]
    assert len((await call("list_projects", status=None)).facts) == 2
    assert subjects(await call("list_projects", query="lighthouse project")) == ["Lighthouse"]


async def test_goals_come_as_a_tree_with_computed_status(call):
    result = await call("list_goals")
    assert subjects(result) == ["Learn Italian", "Run a marathon", "Run 10 km"]
    marathon = result.facts[1]
    assert marathon.values["status"] == "behind"
    assert marathon.values["progress"] == Quantity(20, "%")
    assert result.facts[2].values["status"] == "on track"
    assert "status" in result.facts[0].gaps
    assert subjects(await call("list_goals", status="behind")) == ["Run a marathon"]


async def test_habits_have_streaks(call):
    meditate, swim = (await call("list_habits")).facts
    assert meditate.values["streak"] == Quantity(3, "days")
    assert meditate.values["done_today"] is False
    assert swim.values["streak"] == Quantity(1, "weeks")


async def test_commitments_of_the_week_with_overdue_and_events(call):
    result = await call("list_commitments", days="7")
    assert subjects(result) == ["Send the lease to Ilya", "Pay the invoice", "Dentist"]
    assert (result.matched, result.searched) == (2, 5)
    assert result.facts[0].values["status"] == "overdue"
    assert result.facts[2].values["starts"].hour == 14
    assert "Review" in subjects(await call("list_commitments", days=30))
    assert subjects(await call("list_commitments", status="overdue")) == ["Send the lease to Ilya"]
    assert "Think about the roof" in subjects(await call("list_commitments", status="open"))
    assert subjects(await call("list_commitments", query="lease")) == ["Send the lease to Ilya"]


async def test_knowledge_finds_the_chunk_and_bounds_its_excerpt(call):
    result = await call("search_knowledge", query="what did we decide about the database vectors?")
    (fact,) = result.facts
    assert fact.values["heading"] == "Decisions / Database"
    assert fact.values["excerpt"].startswith("We decided to use PostgreSQL")
    assert len(fact.values["excerpt"]) <= 600
    assert fact.key.endswith("#0")
    assert (await call("search_knowledge", query="zeppelin")).matched == 0


async def test_message_to_one_person_holds_their_words_and_version(call):
    result = await call("propose_action", type="message", person="Jorg", text="Hello,\nsee you.")
    assert isinstance(result.change, Change)
    assert result.change.target == Target("person", result.change.target.key, "Jörg Müller")
    assert result.change.arguments == {
        "recipient": "Jörg Müller", "channel": "email", "address": "joerg@mueller.example", "text": "Hello,\nsee you.",
    }  # fmt: skip
    assert result.change.precondition == "1"


async def test_several_people_of_a_name_come_back_to_choose_from(call):
    result = await call("propose_action", type="email", person="Elena", text="Hi")
    assert result.change is None
    assert sorted(subjects(result)) == ["Elena Rossi", "Elena Weber"]


@pytest.mark.parametrize("person", ["Bob", "UZH", "Elena Schmidt", "bob@made-up.example"])
async def test_an_unknown_recipient_gives_no_change(call, person):
    result = await call("propose_action", type="email", person=person, text="Hi")
    assert (result.change, result.facts) == (None, ())


async def test_an_address_counts_only_when_the_user_wrote_it(call):
    arguments = {"type": "email", "person": "bob@known.example", "title": "Hi", "text": "Hi"}
    result = await call("propose_action", "write to bob@known.example", **arguments)
    assert result.change.arguments["address"] == "bob@known.example"


async def test_dates_are_resolved_and_shown(call):
    result = await call("propose_action", type="reminder", title="Call Elena Weber", person="elena weber", due="Friday")
    assert result.change.arguments["due"] == "2026-12-04"
    assert result.change.action == "workspace.create_commitment"
    event = await call("propose_action", type="meeting", person="Mark", starts="morgen um 15 Uhr")
    assert event.change.arguments["starts"] == "2026-12-03T15:00:00+01:00"
    assert event.change.arguments["ends"] == "2026-12-03T16:00:00+01:00"


async def test_an_event_without_a_time_is_not_guessed(call):
    assert (await call("propose_action", type="event", title="Lunch", starts="soon")).change is None


async def test_a_date_that_is_not_understood_is_kept_in_words(call):
    result = await call("propose_action", type="commitment", title="Plant trees", due="when it rains")
    assert result.change.arguments["due"] is None
    assert result.change.arguments["notes"] == "When: when it rains"


async def test_check_in_resolves_the_habit(call):
    result = await call("propose_action", type="check-in", habit="meditate")
    assert result.change.target.kind == "habit"
    assert result.change.arguments == {"habit": "Meditate", "day": "2026-12-02"}
    assert (await call("propose_action", type="check_in", habit="juggling")).change is None


async def test_every_change_has_canonical_bytes(call, now):
    for arguments in (
        {"type": "message", "person": "Mark", "text": "x"}, {"type": "event", "title": "x", "starts": "tomorrow 9:00"},
        {"type": "follow_up", "person": "Mark"}, {"type": "note", "text": "x"}, {"type": "other", "text": "x"},
        {"type": "check_in", "habit": "swim"},
    ):  # fmt: skip
        change = (await call("propose_action", **arguments)).change
        assert canonical_bytes(
            change,
            tool="propose_action",
            schema={},
            actor="me",
            owner="me",
            created=now,
            expires=now,
            nonce="n",
        )


async def test_unset_agent_says_so_and_proposes_nothing(call, workspace):
    tool = workspace_tools(workspace)[-1]
    assert tool.description.startswith("Not configured")
    assert (await call("ask_agent", question="Hello?")).change is None


async def test_asking_an_agent_is_a_proposal_unless_it_is_declared_read_only(workspace, context):
    tool = workspace_tools(workspace, agent=AgentSettings("http://127.0.0.1:1/v1"))[-1]
    assert (tool.kind, tool.can_leave) == (ToolKind.PROPOSE, True)
    result = await tool.run(tool.arguments(question="Status?"), context)
    assert result.change.action == "agent.ask"


async def test_a_read_only_agents_words_are_second_hand(workspace, context):
    from aiohttp import web

    async def answer(request):
        assert request.headers["Authorization"] == "Bearer secret"
        return web.json_response({"choices": [{"message": {"content": "All is well."}}]})

    app = web.Application()
    app.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        agent = AgentSettings(f"http://127.0.0.1:{port}/v1", token="secret", read_only=True, name="claw")
        tool = workspace_tools(workspace, agent=agent)[-1]
        result = await tool.run(tool.arguments(question="How is it?"), context)
    finally:
        await runner.cleanup()
    (fact,) = result.facts
    assert (tool.kind, fact.provenance, fact.values["answer"]) == (
        ToolKind.READ,
        "second_hand",
        "All is well.",
    )


async def test_week_start_moves_a_weekly_streak(empty, context):
    from datetime import date

    from sayso.workspace.habits import streak

    sunday = [date(2026, 11, 29)]
    assert streak(sunday, "weekly", date(2026, 12, 2), "sunday") == Quantity(1, "weeks")
    assert streak(sunday, "weekly", date(2026, 12, 12), "monday") == Quantity(0, "weeks")
    assert HabitRecord("x").frequency == "daily"
