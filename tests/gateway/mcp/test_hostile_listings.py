"""A hostile server's start and its list of tools: nothing hangs, nothing floods a model, and the operator is told."""

import asyncio
import json
import time

import pytest

from sayso.core.messages import CallStatus, ResultReason
from sayso.core.rendering import render_facts
from sayso.gateway.mcp import outside_session
from sayso.inference.declared import MAX_TOOLS

pytestmark = pytest.mark.anyio
AWAY = "MCP server ext cannot be reached or gives no list"


def wait_until(true):
    ends = time.monotonic() + 60
    while not true() and time.monotonic() < ends:
        time.sleep(0.02)


@pytest.mark.parametrize("mode", ["hangs_at_list", "dies_at_list", "no_list"])
async def test_p1_a_server_that_gives_no_list_is_unavailable_and_told_so(meet, mode):
    met = await meet(mode, seconds=1.5)
    assert [(found.unavailable, found.pins) for found in met.found] == [(AWAY, {})]
    assert met.outside.tools() == ()


async def test_p1_noise_before_the_first_message_is_passed_over(meet):
    met = await meet("greets")
    met.read()
    assert (await met.run()).status is CallStatus.SUCCESS


async def test_p1_an_answer_that_breaks_off_in_the_middle_fails_the_call(meet):
    met = await meet("half", seconds=5.0)
    met.read()
    result = await met.run()
    assert (result.status, result.reason, result.facts) == (CallStatus.FAILED, ResultReason.TOOL_FAILED, ())


async def test_p1_messages_that_nobody_asked_for_end_the_session_and_not_the_service(meet, monkeypatch, caplog):
    monkeypatch.setattr(outside_session, "MOST_UNASKED", 500)
    met = await meet("notifies")
    met.read()
    assert (await met.run()).status is CallStatus.SUCCESS
    session = met.outside._connections["ext"]._task
    await asyncio.to_thread(wait_until, session.done)
    assert "sends too much that nobody asked for" in caplog.text
    assert (await met.run()).status is CallStatus.SUCCESS  # by a session of its own


async def test_p3_requests_before_the_session_stands_are_refused_and_it_stands(meet):
    met = await meet("asks_at_once")
    met.read()
    assert (await met.run()).status is CallStatus.SUCCESS


async def test_t3_of_ten_thousand_tools_few_are_taken_and_the_others_are_counted(meet):
    met = await meet("many_tools", seconds=120.0)
    assert len(met.outside.tools()) == outside_session.MOST_TOOLS < MAX_TOOLS
    (found,) = met.found
    assert len(found.refused) == outside_session.MOST_TOLD + 1
    assert found.refused[0] == (
        "tool_50",
        "the server has more than 50 tools; name those that you want in [mcp.ext] tools",
    )
    assert found.refused[-1] == ("(others)", "9,900 more tools")


async def test_t3_tools_that_the_operator_names_are_found_among_many(meet):
    met = await meet("many_tools", seconds=120.0, offered=("tool_1500", "tool_3"))
    assert [tool.name for tool in met.outside.tools()] == ["ext__tool_3", "ext__tool_1500"]


async def test_t3_a_list_without_an_end_is_left_after_twenty_pages_and_the_operator_is_told(meet):
    met = await meet("endless_pages")
    assert len(met.outside.tools()) == outside_session.MOST_PAGES
    (found,) = met.found
    assert found.refused == (("(others)", "the list goes on, and the rest of it was not read"),)


async def test_t3_the_same_page_again_and_again_is_one_tool(meet):
    met = await meet("same_page")
    assert [tool.name for tool in met.outside.tools()] == ["ext__find"]
    (found,) = met.found
    assert found.refused[0] == ("find", "another tool of this server has the same name")
    assert found.refused[-1] == ("(others)", "the list goes on, and the rest of it was not read")


async def test_t3_what_a_model_is_told_of_a_server_s_arguments_is_bounded(meet):
    met = await meet("wide_tools")
    tools = met.outside.tools()
    assert 0 < sum(len(json.dumps(dict(tool.schema))) for tool in tools) <= 120_000
    (found,) = met.found
    refused = dict(found.refused)
    assert {refused[f"wide_{n}"] for n in range(3)} == {"its arguments are too many or too deep to be told to a model"}
    assert len(tools) + sum("too many or too deep" in why for why in refused.values()) == 23


async def test_p2_names_with_what_a_terminal_or_a_model_would_obey_are_refused_and_shown_as_text(meet):
    met = await meet("control_names")
    assert [tool.name for tool in met.outside.tools()] == ["ext__find"]
    (found,) = met.found
    assert len(found.refused) == 9
    assert {why for _, why in found.refused} == {
        "its name is not 1 to 64 letters, digits, underscores, dots or hyphens"
    }
    assert all(name.isprintable() for name, _ in found.refused)


@pytest.mark.parametrize(
    ("shape", "subjects", "gaps"),
    [
        ("types", ['list_issues {"query": "types"}'], ("title", "points", "open", "due", "labels", "left_out")),
        ("null", ["ext: list_issues"], ("left_out",)),
        ("some", ["Leak"], ("points", "open", "due", "labels")),
    ],
)
async def test_p3_a_result_that_is_not_as_it_was_declared_gives_no_value_that_was_not(meet, shape, subjects, gaps):
    met = await meet("unlike")
    met.read("ext__list_issues")
    result = await met.run("ext__list_issues", json.dumps({"query": shape}))
    assert result.status is CallStatus.SUCCESS, result
    *facts, lookup = [numbered.fact for numbered in result.facts]
    assert [fact.subject for fact in facts] == subjects
    assert lookup.values["matched"] == (3 if shape == "some" else len(subjects))
    assert [fact.gaps for fact in facts] == ([gaps] if subjects else [])
    assert "yes" not in render_facts(result.facts)


@pytest.mark.parametrize("shape", ["text", "rows", "other", "list", "word"])
async def test_p3_a_result_without_the_records_that_were_declared_is_a_failed_call_and_not_an_absence(meet, shape):
    met = await meet("unlike")
    met.read("ext__list_issues")
    result = await met.run("ext__list_issues", json.dumps({"query": shape}))
    assert (result.status, result.facts) == (CallStatus.FAILED, ())
