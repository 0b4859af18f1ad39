"""Reads that list: all people, birthdays, notes in either language, decisions first, what is left of a promise."""

from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from sayso.workspace.records import (
    Channel,
    Chunk,
    CommitmentRecord,
    DocumentRecord,
    EventRecord,
    HabitRecord,
    PersonRecord,
)
from sayso.workspace.tools import workspace_tools
from sayso.workspace.tools.spans import span_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def call(workspace, context):
    tools = {tool.name: tool for tool in workspace_tools(workspace)}

    async def run(name, message="", **arguments):
        tool = tools[name]
        return await tool.run(tool.arguments.model_validate(arguments), replace(context, user_message=message))

    return run


@pytest.fixture
def put(workspace, context):
    return lambda *records: workspace.upsert(context.actor.owner, records, context.now)


def subjects(result):
    return [fact.subject for fact in result.facts]


@pytest.mark.parametrize("query", ["contacts", "all my people", "list people", "phone numbers of people", "*", ""])
async def test_the_kind_alone_lists_everybody(call, query):
    result = await call("search_people", query=query)
    assert (len(result.facts), result.matched, result.searched) == (8, 8, 8)


async def test_a_name_beside_the_noun_is_still_a_name(call):
    assert subjects(await call("search_people", query="contact Weber")) == ["Elena Weber"]


async def test_birthdays_come_in_the_order_of_the_year_from_today(call, put, context):
    put(PersonRecord("Ann May", birthday="1990-05-02"), PersonRecord("Bo Dec", birthday="--12-24"))
    result = await call("search_people", query="birthdays")
    assert subjects(result)[0] == "Bo Dec"
    assert result.matched < result.searched
    assert subjects(await call("search_people", query="birthday in May")) == ["Ann May"]
    assert (await call("search_people", query="birthday february")).matched == 0


async def test_a_german_noun_finds_an_english_note_and_the_reverse(call, put):
    put(DocumentRecord("Flat", path="flat.md", chunks=(Chunk("", "The deposit is three rents."),)))
    put(DocumentRecord("Wohnung", path="wohnung.md", chunks=(Chunk("", "Der Mietvertrag endet im Mai."),)))
    assert "Flat" in subjects(await call("search_knowledge", query="Kaution"))
    assert "Wohnung" in subjects(await call("search_knowledge", query="lease"))


async def test_the_chunk_that_decides_comes_before_the_others_of_its_note(call, put):
    chunks = (Chunk("Steps", "Zoë writes the change."), Chunk("Decision", "We decided on larch."))
    put(DocumentRecord("Terrace", "terrace.md", chunks=chunks))
    result = await call("search_knowledge", "What did we decide about the terrace?", query="terrace")
    assert result.facts[0].values["heading"] == "Decision"


async def test_notes_as_a_kind_are_the_newest_documents(call, put):
    put(DocumentRecord("New", "new.md", (Chunk("", "x"),), date=date(2026, 12, 1)))
    result = await call("search_knowledge", query="notes")
    assert (subjects(result)[0], result.matched) == ("New", result.searched)


async def test_a_list_is_searched_by_any_word_of_a_name_where_no_record_holds_all(call):
    assert subjects(await call("list_goals", query="marathon training")) == ["Run a marathon"]


async def test_a_promise_is_found_by_whom_it_is_for(call, put):
    put(CommitmentRecord("Bring the ladder", counterparty="Elena Weber"))
    assert "Bring the ladder" in subjects(await call("list_commitments", query="Elena Weber"))


async def test_a_day_or_a_week_holds_its_own_only_and_today_what_is_late_too(call, put, context):
    today = context.now.date()  # a Wednesday
    for ahead in (-20, 0, 1, 5, 11):
        day = today + timedelta(days=ahead)
        put(CommitmentRecord(f"task {ahead}", due=day))
        put(EventRecord(f"event {ahead}", datetime(day.year, day.month, day.day, 12, tzinfo=context.now.tzinfo)))

    async def found(**arguments):
        facts = (await call("list_commitments", **arguments)).facts
        return [fact.subject for fact in facts if fact.subject.startswith(("task", "event"))]

    assert await found(when="tomorrow") == ["task 1", "event 1"]
    assert await found(when="next week") == ["task 5", "task 11", "event 5", "event 11"]
    assert await found(when="2026-12-02/2026-12-03") == ["task -20", "task 0", "task 1", "event 0", "event 1"]
    assert await found(when="2026-11-12") == ["task -20", "event -20"]
    assert await found(when="no day at all") == await found(days=7)


@pytest.mark.parametrize(
    ("text", "week_start", "first", "last"),
    [
        ("next week", "monday", "2026-12-07", "2026-12-13"),
        ("next week", "sunday", "2026-12-06", "2026-12-12"),
        ("nächste Woche", "monday", "2026-12-07", "2026-12-13"),
        ("this week", "monday", "2026-11-30", "2026-12-06"),
        ("last week", "sunday", "2026-11-22", "2026-11-28"),
        ("weekend", "monday", "2026-12-05", "2026-12-06"),
        ("friday", "monday", "2026-12-04", "2026-12-04"),
        ("2026-12-09/2026-12-05", "monday", "2026-12-05", "2026-12-09"),
    ],
)
async def test_a_span_is_read_by_the_persons_week(context, text, week_start, first, last):
    assert span_of(text, context.now, week_start) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize("text", ["", "soon", "2026-12-09/later", "week 3"])
async def test_what_names_no_days_is_no_span(context, text):
    assert span_of(text, context.now, "monday") is None


async def test_those_who_were_spoken_to_longest_ago_come_first(call, put):
    put(
        PersonRecord("Ann May", last_interaction=date(2026, 5, 1)),
        PersonRecord("Bo Dec", last_interaction=date(2025, 1, 1)),
    )
    result = await call("search_people", query="last interaction people")
    assert subjects(result) == ["Bo Dec", "Ann May"]
    assert result.matched < result.searched


async def test_a_list_goes_on_after_what_was_shown(call):
    every = subjects(await call("search_people", query="*"))
    assert subjects(await call("search_people", query="*", skip=3)) == every[3:]
    notes = await call("search_knowledge", query="notes", limit=20)
    after = await call("search_knowledge", query="notes", limit=20, skip=1)
    assert (subjects(after), after.matched) == (subjects(notes)[1:], notes.matched)


async def test_a_namesake_is_told_by_what_only_she_has(call, put):
    put(PersonRecord("Ida Lang", role="Surgeon", channels=(Channel("phone", "+41 62 838 00 01"),), source_key="1"))
    put(PersonRecord("Ida Lang", role="Stage designer", source_key="2"))
    both = await call("propose_action", type="message", person="Ida Lang", text="Hello")
    assert (both.change, len(both.facts)) == (None, 2)
    one = await call("propose_action", type="message", person="Ida Lang, Surgeon", text="Hello")
    assert one.change.arguments["address"] == "+41 62 838 00 01"
    assert (await call("propose_action", type="message", person="Lang, Surgeon", text="Hello")).change is None
    assert (await call("propose_action", type="message", person="Ida Lang, Pilot", text="Hello")).change is None


@pytest.mark.parametrize("told", ["stretched", "gestretcht", "stretching"])
async def test_a_habit_is_known_by_another_form_of_its_word(call, put, told):
    put(HabitRecord("Stretch"), HabitRecord("Read"))
    assert (await call("propose_action", type="check_in", habit=told)).change.arguments["habit"] == "Stretch"
    assert (await call("propose_action", type="check_in", habit="swam")).change is None
