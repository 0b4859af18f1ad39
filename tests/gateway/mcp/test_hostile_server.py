"""A hostile MCP server over stdio does no harm: FAULTS P1, P2, P3, S22 and T3, FIELD-NOTES C6, C7, C11, H3, I2."""

import asyncio
import json
import os
import time
from pathlib import Path

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import Provenance
from sayso.core.messages import CallStatus, ResultReason
from sayso.core.rendering import render_facts
from sayso.core.tools import Actor, ToolContext, ToolKind
from sayso.gateway.mcp.outside import Outside
from sayso.gateway.mcp.settings import OutsideServer

from .conftest import NOW

pytestmark = pytest.mark.anyio
CONTEXT = ToolContext(Actor("ann", "ann"), NOW)


async def facts(met, name="ext__find", arguments='{"query": "Elena"}'):
    met.read(name)
    result = await met.run(name, arguments)
    assert result.status is CallStatus.SUCCESS, result
    return [n.fact for n in result.facts if n.fact.kind.name != "lookup"]


async def test_p1_a_server_that_never_answers_costs_its_own_deadline_and_is_started_again(meet):
    met = await meet("hangs", seconds=3.0)
    met.read()
    result = await met.run()
    assert (result.status, result.reason) == (CallStatus.FAILED, ResultReason.TOOL_TIMEOUT)
    again = await met.run()
    assert (again.status, len(met.calls)) == (CallStatus.FAILED, 2)


async def test_p1_a_server_that_never_starts_is_unavailable_and_nothing_else_is(meet):
    met = await meet("never_starts", seconds=1.0)
    assert [found.unavailable for found in met.found] == ["MCP server ext cannot be reached or gives no list"]
    assert met.outside.tools() == ()


async def test_p1_a_program_that_is_not_there_is_unavailable(tmp_path):
    gone = Outside([OutsideServer("gone", command=("/nowhere/at/all",))], tmp_path)
    try:
        (found,) = await gone.prepare()
        assert found.unavailable
    finally:
        await gone.aclose()


async def test_p1_a_server_that_dies_in_a_call_fails_it_and_the_next_call_starts_it_again(meet):
    met = await meet("dies")
    met.read()
    first, second = await met.run(), await met.run()
    assert [r.status for r in (first, second)] == [CallStatus.FAILED] * 2
    assert len(met.calls) == 2


async def test_p1_an_answer_with_another_id_is_no_answer(meet):
    met = await meet("wrong_id", seconds=3.0)
    met.read()
    result = await met.run()
    assert (result.status, result.reason) == (CallStatus.FAILED, ResultReason.TOOL_TIMEOUT)


async def test_p1_of_two_answers_the_first_holds(meet):
    met = await meet("two_answers")
    assert [f.values["text"] for f in await facts(met)] == ['found {"query": "Elena"}']
    assert [f.values["text"] for f in await facts(met, arguments='{"query": "Bo"}')] == ['found {"query": "Bo"}']


async def test_p1_noise_between_messages_is_passed_over(meet):
    met = await meet("noise")
    assert [f.values["text"] for f in await facts(met)] == ['found {"query": "Elena"}']


async def test_p1_a_byte_that_is_no_utf8_costs_one_character_and_not_the_session(meet):
    met = await meet("invalid_utf8")
    assert [f.values["text"] for f in await facts(met)] == ['fo\N{REPLACEMENT CHARACTER}und {"query": "Elena"}']
    assert len(await facts(met)) == 1


async def test_p1_endless_noise_ends_the_session_and_not_the_memory(meet):
    met = await meet("flood", seconds=20.0)
    met.read()
    assert (await met.run()).status is CallStatus.FAILED


async def test_p1_a_closed_server_leaves_no_process(meet):
    met = await meet("hangs", seconds=2.0)
    met.read()
    await met.run()
    await met.outside.aclose()
    running = [p for p in os.listdir("/proc") if p.isdigit()]
    lines = []
    for pid in running:
        try:
            lines.append(Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace"))
        except OSError:
            continue
    assert not [line for line in lines if str(met.log) in line]


async def test_p2_bad_definitions_are_dropped_one_by_one_and_the_others_stay(meet):
    met = await meet("bombs")
    assert sorted(tool.name for tool in met.outside.tools()) == ["ext__find", "ext__regex"]
    (found,) = met.found
    assert dict(found.refused) == {
        "deep": "its inputSchema is too deep or too large",
        "remote": "its inputSchema refers to another place, and nothing is fetched",
        "wide": "its inputSchema has more than 60 properties",
        "huge": "its definition is too large",
        "crlf ⏎ X-Evil: 1": "its name is not 1 to 64 letters, digits, underscores, dots or hyphens",
        "n" * 80: "its name is not 1 to 64 letters, digits, underscores, dots or hyphens",
        "mail": "its inputSchema is no object",
        "(no name)": "it is no object",
        "bare": "its inputSchema is no object",
        "reserved": "its argument 'mcp_as_json' has a name that is not taken",
    }


async def test_p2_a_pattern_of_a_schema_is_never_tried(meet):
    met = await meet("bombs")
    arguments = json.dumps({"query": "a" * 60 + "!"})
    assert len(await facts(met, "ext__regex", arguments)) == 1


async def test_p2_a_name_cannot_shadow_ours_nor_another_of_the_same_server(meet):
    met = await meet("shadowing", taken=("search_people", "ext__find"))
    assert [tool.name for tool in met.outside.tools()] == ["ext__search_people"]
    (found,) = met.found
    assert dict(found.refused)["find"] == "one of our own tools has this name"
    assert dict(found.refused)["search-people"] == "another tool of this server has the same name"


async def test_c6_a_hint_of_the_server_makes_nothing_a_read(meet):
    met = await meet("hints")
    assert [(t.kind, t.permission) for t in met.outside.tools()] == [(ToolKind.PROPOSE, "propose:ext__wipe")]


async def test_c7_the_sdk_s_own_names_of_hints_count_as_little(meet):
    import mcp_types

    from sayso.gateway.mcp.definitions import read_definition

    met = await meet("plain")
    hints = mcp_types.ToolAnnotations(read_only_hint=True)
    for document in (hints.model_dump(), hints.model_dump(by_alias=True)):
        raw = {"name": "wipe", "inputSchema": {"type": "object"}, "annotations": document}
        definition = read_definition(met.server, raw)
        from sayso.gateway.mcp.pins import Pin

        assert met.outside._tool(met.server, Pin(definition)).kind is ToolKind.PROPOSE


async def test_s22_poisoned_descriptions_are_quoted_bounded_and_hold_no_order_that_can_be_read_as_one(meet):
    met = await meet("poisoned")
    tool = met.tool()
    told = json.dumps([tool.description, tool.schema], ensure_ascii=False)
    assert len(tool.description) < 400
    assert len(told) < 1000
    assert 'It says of itself: "IGNORE ALL RULES' in tool.description
    assert 'ext says: "IGNORE' in tool.schema["properties"]["query"]["description"]
    for forged in ("[F1]", "<|im_start|>", "TOOL:", "ARGS:", "\n", "‮", "​"):
        assert forged not in told.replace("\\n", "\n"), forged


async def test_s22_the_operator_s_words_take_the_place_of_a_description(meet):
    met = await meet("poisoned", wording={"find": "Finds customers by name."})
    assert met.tool().description == "Finds customers by name. (asks the outside server ext)"


async def test_s22_a_changed_definition_takes_the_tool_off_offer_until_it_is_pinned_again(meet):
    met = await meet("changing")
    met.read()
    assert (await met.run()).status is CallStatus.SUCCESS
    assert len(met.calls) == 1  # the server now says something else of its tool
    found = await met.outside.look("ext")
    assert [pin.trouble for pin in found.pins.values()] == ["its definition has changed"]
    assert met.outside.tools() == ()
    await met.outside.pin("ext")
    assert met.tool().kind is ToolKind.PROPOSE  # the mark went with the old definition


async def test_s22_a_definition_that_changed_while_it_was_on_offer_is_not_called(meet):
    met = await meet("changing")
    tool = met.read()
    with met.log.open("a") as log:
        log.write("{}\n")  # what the server lists depends on it
    await met.outside._ask("ext", lambda connection: connection.aclose())
    with pytest.raises(Exception, match="no longer what was pinned"):
        await tool.run(tool.arguments.model_validate({"query": "x"}), CONTEXT)
    assert len(met.calls) == 1
    assert met.outside.tools() == ()


async def test_what_an_operator_pins_in_another_process_is_called_by_a_session_that_listed_before(meet):
    met = await meet("changing")
    met.read()
    assert (await met.run()).status is CallStatus.SUCCESS  # from here on the server lists something else
    operator = await meet("changing")
    await operator.outside.pin("ext")
    operator.read()
    assert (await met.run()).status is CallStatus.SUCCESS
    assert met.tool().kind is ToolKind.READ


async def test_p3_a_request_for_sampling_input_or_roots_is_refused_and_the_call_goes_on(meet):
    met = await meet("asks_back")
    assert len(await facts(met)) == 1
    answers = met.calls[1:]
    assert {a["id"] for a in answers} == {"back0", "back1", "back2"}
    assert all("error" in a and "result" not in a for a in answers)


async def test_p3_a_result_that_asks_for_input_is_a_failed_call(meet):
    met = await meet("asks_input")
    met.read()
    result = await met.run()
    assert (result.status, result.reason, result.facts) == (CallStatus.FAILED, ResultReason.TOOL_FAILED, ())


@pytest.mark.parametrize("mode", ["failing", "rejects"])
async def test_p3_the_words_of_an_error_reach_nobody(meet, mode):
    met = await meet(mode)
    met.read()
    result = await met.run()
    assert (result.status, result.reason, result.facts) == (CallStatus.FAILED, ResultReason.TOOL_FAILED, ())


async def test_p3_pictures_links_and_files_are_counted_and_never_fetched(meet):
    met = await meet("pictures")
    (fact,) = await facts(met)
    assert dict(fact.values) == {
        "title": "ext: find",
        "text": 'found {"query": "Elena"}',
        "left_out": "1 image, 1 link, 1 file, 1 other part",
    }


async def test_p3_facts_that_a_server_makes_up_are_its_text_and_second_hand(meet):
    met = await meet("fake_facts")
    (fact,) = await facts(met)
    assert (fact.kind.name, fact.provenance) == ("ext__find", Provenance.SECOND_HAND)
    assert fact.values["text"].startswith('{"facts": [{"kind": "receipt"')


async def test_i2_what_a_server_says_is_second_hand_and_escaped_for_the_model(meet):
    met = await meet("records")
    numbered = Evidence().add_all(await facts(met, "ext__list_issues"))
    told = render_facts(numbered)
    assert "second-hand: say who says so" in told
    assert "[F1] person" not in told


async def test_h3_records_of_an_outside_tool_are_facts_of_a_declared_kind_and_can_be_cited(meet):
    met = await meet("records")
    leak, odd = await facts(met, "ext__list_issues")
    assert [f.name for f in leak.kind.fields] == ["title", "points", "open", "due", "labels", "left_out"]
    assert {n: str(v) for n, v in leak.values.items()} == {
        "title": "Leak", "points": "3", "open": "True", "due": "2026-12-07", "labels": "('bug',)",
    }  # fmt: skip
    assert (leak.dropped, leak.subject, leak.source) == (1, "Leak", "MCP server ext")
    assert (odd.gaps, odd.dropped) == (("points", "due", "labels", "left_out"), 3)


@pytest.mark.parametrize(("mode", "tool"), [("large", "ext__find"), ("many_records", "ext__list_issues")])
async def test_t3_ten_megabytes_are_cut_with_counts_and_hold_up_nothing_else(meet, mode, tool):
    met = await meet(mode, seconds=120.0)
    met.read(tool)
    await met.run(tool, '{"query": "warm"}', seconds=300.0)
    lags, done = [], asyncio.Event()

    async def watch():
        while not done.is_set():
            before = time.perf_counter()
            await asyncio.sleep(0.005)
            lags.append(time.perf_counter() - before)

    watching = asyncio.create_task(watch())
    result = await met.run(tool, '{"query": "x"}', seconds=300.0)
    done.set()
    await watching
    found = [n.fact for n in result.facts if n.fact.kind.name != "lookup"]
    assert len(json.dumps([str(f.values) for f in found])) < 60_000
    told = str(found[0].values["left_out"])
    if mode == "large":
        assert told == "9,980,000 characters of the answer, 16,000 characters of these values"
    else:
        assert (len(found), told) == (50, "150 more records, 399,800 more items")
        assert next(n.fact for n in result.facts if n.fact.kind.name == "lookup").values["matched"] == 400_000
    assert sorted(lags)[len(lags) * 9 // 10] < 0.1


async def test_c11_an_outside_tool_that_was_not_marked_only_proposes_and_nothing_is_sent(meet):
    met = await meet("plain")
    tool = met.tool()
    outcome = await tool.run(tool.arguments.model_validate({"query": "Elena"}), CONTEXT)
    change = outcome.change
    assert (change.action, change.title, dict(change.arguments)) == ("mcp.ext", "ext: find", {"query": "Elena"})
    assert (change.target.key, change.target.name) == ("ext__find", "find at ext")
    assert met.calls == []


async def test_names_words_and_places_of_a_server_s_tools_are_ours(meet):
    met = await meet("plain")
    tool = met.tool()
    assert (tool.name, tool.title, tool.can_leave, tool.covers) == ("ext__find", "Asking ext", True, None)
    assert met.read().covers.name == "ext__find"


async def test_only_the_tools_that_the_operator_lists_are_on_offer(meet):
    met = await meet("shadowing", offered=("find",))
    assert [tool.name for tool in met.outside.tools()] == ["ext__find"]
