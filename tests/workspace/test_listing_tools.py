"""Reads that list: all people, birthdays, notes in either language, decisions first, what is left of a promise."""

from dataclasses import replace
from datetime import date

import pytest

from sayso.workspace.records import Chunk, CommitmentRecord, DocumentRecord, PersonRecord
from sayso.workspace.tools import workspace_tools

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
