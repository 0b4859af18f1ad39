"""Pins: what the operator has seen, what changed since, and marks that go with a definition."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.proposals import Target
from sayso.core.tools import Actor, ToolContext, ToolKind
from sayso.errors import ConfigError
from sayso.gateway.mcp.definitions import read_definition
from sayso.gateway.mcp.outside import TARGET, Outside
from sayso.gateway.mcp.outside_session import OutsideUnavailable
from sayso.gateway.mcp.pins import CHANGED, GONE, NEW, Pin, Pins, compared, pinned_again, read_pins, write_pins
from sayso.gateway.mcp.settings import OutsideServer

from .conftest import NOW

pytestmark = pytest.mark.anyio
SERVER = OutsideServer("ext", url="https://ext.example/mcp")


def definition(name, words="", server=SERVER):
    return read_definition(server, {"name": name, "description": words, "inputSchema": {"type": "object"}})


def pins(*definitions, read=False):
    return {d.name: Pin(d, read) for d in definitions}


def test_what_is_kept_is_read_back_as_it_was(tmp_path):
    kept = Pins().with_server(
        "ext", {"ext__a": Pin(definition("a"), read=True), "ext__b": Pin(definition("b"), trouble=NEW)}
    )
    write_pins(tmp_path, kept)
    assert read_pins(tmp_path) == kept
    assert (tmp_path / "mcp_pins.json").stat().st_mode & 0o077 == 0


async def test_a_file_that_cannot_be_read_stops_the_start_and_puts_nothing_on_offer_afterwards(tmp_path, caplog):
    outside = Outside([SERVER], tmp_path)
    write_pins(tmp_path, Pins().with_server("ext", pins(definition("a"))))
    assert [t.name for t in outside.tools()] == ["ext__a"]
    (tmp_path / "mcp_pins.json").write_text('{"ext": {"ext__a": {"read": true}}}')
    assert (outside.tools(), outside.version(Target(TARGET, "ext__a", "a"))) == ((), None)
    assert "sayso mcp pin" in caplog.text
    with pytest.raises(ConfigError, match="sayso mcp pin"):
        await outside.prepare()
    with pytest.raises(ConfigError):
        outside.mark("ext", "a", read=True)  # what is there is not written over
    write_pins(tmp_path, Pins().with_server("ext", pins(definition("b"))))
    assert [t.name for t in outside.tools()] == ["ext__b"]


def test_a_decision_of_another_process_holds_from_the_next_look_on(tmp_path):
    serving, operator = Outside([SERVER], tmp_path), Outside([SERVER], tmp_path)
    assert serving.tools() == ()
    write_pins(tmp_path, Pins().with_server("ext", pins(definition("a"))))
    assert [(t.name, t.kind) for t in serving.tools()] == [("ext__a", ToolKind.PROPOSE)]
    operator.mark("ext", "a", read=True)
    assert [(t.name, t.kind) for t in serving.tools()] == [("ext__a", ToolKind.READ)]
    assert serving.tools() is serving.tools()


async def test_a_mark_that_is_taken_back_holds_for_a_run_that_has_begun(tmp_path):
    outside = Outside([SERVER], tmp_path)
    write_pins(tmp_path, Pins().with_server("ext", pins(definition("a"), read=True)))
    (tool,) = outside.tools()
    Outside([SERVER], tmp_path).mark("ext", "a", read=False)
    with pytest.raises(OutsideUnavailable, match="no read any more"):
        await tool.run(tool.arguments.model_validate({}), ToolContext(Actor("ann", "ann"), NOW))


def test_of_decisions_made_at_the_same_moment_none_is_lost(tmp_path):
    names = [f"t{n}" for n in range(16)]
    write_pins(tmp_path, Pins().with_server("ext", pins(*map(definition, names))))
    with ThreadPoolExecutor(16) as together:
        list(together.map(lambda name: Outside([SERVER], tmp_path).mark("ext", name, read=True), names))
    assert all(pin.read for pin in read_pins(tmp_path).of("ext").values())


def test_s22_a_change_an_addition_and_a_loss_are_told_apart():
    before = pins(definition("a"), definition("b"), definition("c"))
    after = compared(before, [definition("a"), definition("b", "other"), definition("d")])
    assert {name: pin.trouble for name, pin in after.items()} == {
        "ext__a": "", "ext__b": CHANGED, "ext__c": GONE, "ext__d": NEW,
    }  # fmt: skip


def test_s22_a_tool_that_changes_back_is_on_offer_again_and_one_that_was_never_pinned_is_not():
    before = pins(definition("a"))
    changed = compared(before, [definition("a", "other"), definition("b")])
    back = compared(changed, [definition("a"), definition("b")])
    assert {name: pin.trouble for name, pin in back.items()} == {"ext__a": "", "ext__b": NEW}
    assert set(compared(back, [definition("a")])) == {"ext__a"}


def test_s22_a_mark_stays_with_its_definition_and_goes_with_it():
    before = pins(definition("a"), definition("b"), read=True)
    again = pinned_again([definition("a"), definition("b", "other")], before)
    assert {name: pin.read for name, pin in again.items()} == {"ext__a": True, "ext__b": False}


def test_one_tool_can_be_pinned_alone():
    before = pins(definition("a"), definition("b"))
    listed = [definition("a", "other"), definition("b", "other")]
    after = pinned_again(listed, before, only="a")
    assert {name: pin.trouble for name, pin in after.items()} == {"ext__a": "", "ext__b": CHANGED}


def test_s22_a_mark_on_a_tool_that_only_looks_unchanged_does_not_hold():
    """A tool that was new when the server was marked has no mark to keep."""
    before = {"ext__a": Pin(definition("a"), read=True, trouble=NEW)}
    assert not pinned_again([definition("a")], before)["ext__a"].read


def test_pins_do_not_pass_to_another_place_of_the_same_name():
    elsewhere = OutsideServer("ext", url="https://evil.example/mcp")
    after = compared(pins(definition("a")), [definition("a", server=elsewhere)])
    assert after["ext__a"].trouble == CHANGED


@given(
    st.dictionaries(
        st.sampled_from(["title", "annotations", "outputSchema", "icons", "x"]), st.text(max_size=5), min_size=1
    )
)
def test_s22_any_change_of_what_is_said_changes_the_fingerprint(more):
    from sayso.gateway.mcp.definitions import fingerprint_of

    plain = {"name": "a", "inputSchema": {"type": "object"}}
    assert fingerprint_of(SERVER, {**plain, **more}) != fingerprint_of(SERVER, plain)
    assert fingerprint_of(SERVER, {**more, **plain}) == fingerprint_of(SERVER, {**plain, **more})


def test_marks_are_refused_for_what_is_not_pinned(tmp_path):
    outside = Outside([SERVER], tmp_path)
    write_pins(tmp_path, Pins().with_server("ext", {"ext__b": Pin(definition("b"), trouble=CHANGED)}))
    with pytest.raises(KeyError):
        outside.mark("ext", "a", read=True)
    with pytest.raises(ValueError, match="changed"):
        outside.mark("ext", "b", read=True)
    assert outside.tools() == ()


def test_a_mark_makes_a_tool_a_read_by_either_name_and_can_be_taken_back(tmp_path):
    outside = Outside([SERVER], tmp_path)
    write_pins(tmp_path, Pins().with_server("ext", pins(definition("a-b"))))
    outside.mark("ext", "a-b", read=True)
    assert [t.kind for t in outside.tools()] == [ToolKind.READ]
    outside.mark("ext", "ext__a_b", read=False)
    assert [t.kind for t in outside.tools()] == [ToolKind.PROPOSE]


def test_pins_of_a_server_that_is_no_longer_configured_offer_nothing(tmp_path):
    write_pins(tmp_path, Pins().with_server("ext", pins(definition("a"))))
    assert Outside([], tmp_path).tools() == ()


def test_a_card_s_target_has_the_version_of_its_pin_and_none_once_it_is_off_offer(tmp_path):
    outside = Outside([SERVER], tmp_path)
    one, two = definition("a"), definition("b")
    write_pins(tmp_path, Pins().with_server("ext", {one.name: Pin(one), two.name: Pin(two, trouble=CHANGED)}))
    versions = [outside.version(Target(TARGET, name, name)) for name in ("ext__a", "ext__b", "ext__c")]
    assert versions == [one.fingerprint, None, None]
