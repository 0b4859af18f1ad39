"""The tools over every kind of record: read by kind, changed by approval only, and undone again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from sayso import config
from sayso.core.facts import RECEIPT
from sayso.core.messages import CallStatus, ResultReason
from sayso.core.progress import Limits
from sayso.core.proposals import ProposalState
from sayso.core.tools import Actor, ToolKind
from sayso.errors import Forbidden
from sayso.gateway.calls import Call, Result
from sayso.inapp.dispatching import dispatcher_of
from sayso.inapp.wiring import assemble
from sayso.models.scripted import Scripted
from sayso.signing.keys import new_keyring
from sayso.store.database import open_database
from sayso.store.users import Users
from sayso.workspace import codec
from sayso.workspace.records import (
    Channel,
    Chunk,
    CommitmentRecord,
    DocumentRecord,
    EventRecord,
    GoalRecord,
    HabitRecord,
    PersonRecord,
    ProjectRecord,
)
from sayso.workspace.tools.generic_fields import CHANGES, RECORD_KINDS, WHOLE, checked, fields_of, meta, record_of
from sayso.workspace.workspace import Settings, Workspace

pytestmark = pytest.mark.anyio
ME = Actor("me", "me")
NOW = datetime(2026, 12, 2, 9, 30, tzinfo=UTC)
_NUMBERS = itertools.count(1)
SAMPLES = {
    "person": PersonRecord("Elena Weber", "SINGA", channels=(Channel("email", "elena@singa.example"),)),
    "project": ProjectRecord("Lighthouse", "active", ("Python",)),
    "goal": GoalRecord("Run a marathon", progress=20),
    "habit": HabitRecord("Meditate"),
    "commitment": CommitmentRecord("Pay the invoice"),
    "event": EventRecord("Dentist", datetime(2026, 12, 3, 13, tzinfo=UTC)),
    "document": DocumentRecord("Holiday", "holiday.md", (Chunk("", "Pack the tent."), Chunk("More", "And the map."))),
}
NEW: dict[str, dict[str, Any]] = {
    "person": {"name": "Ilya", "channels": [{"kind": "email", "value": "ilya@x.example"}], "birthday": "--04-09"},
    "project": {"name": "Harbour", "status": "idea", "stack": ["Go"]},
    "goal": {"title": "Learn Italian", "progress": 10, "target_date": "2027-01-31"},
    "habit": {"name": "Swim", "frequency": "2 per week"},
    "commitment": {"title": "Call the bank", "due": "2026-12-24"},
    "event": {"title": "Review", "starts": "2026-12-05T10:00", "ends": "2026-12-05T11:00"},
    "document": {"title": "Plan", "chunks": [{"heading": "", "text": "First this."}]},
}
CHANGED: dict[str, dict[str, Any]] = {
    "person": {"role": "architect"}, "project": {"status": "done"}, "goal": {"progress": 30},
    "habit": {"frequency": "weekly"}, "commitment": {"status": "done"}, "event": {"place": "Bahnhofstrasse 1"},
    "document": {"tags": ["travel"]},
}  # fmt: skip


class Bench:
    def __init__(self, workspace: Workspace, home: Path, **flags: Any) -> None:
        self.workspace = workspace
        self.settings = config.load({"home": home, "time_zone": "Europe/Zurich", **flags}, {}, home)
        self.assistant = assemble(workspace, Scripted(()), self.settings, reason="test", limits=Limits())
        keyring = new_keyring()
        self.dispatcher = dispatcher_of(self.assistant, lambda: keyring)

    async def call(self, name: str, actor: Actor = ME, **arguments: Any) -> Result:
        return await self.dispatcher.dispatch(actor, Call(f"c{next(_NUMBERS)}", name, arguments))

    async def approve(self, filed: Result, actor: Actor = ME) -> Any:
        assert filed.status is CallStatus.SUCCESS, filed
        proposal = await self.assistant.proposals.get(actor.desk, filed.facts[0].key)
        return await self.assistant.gateway.approve(proposal.id, proposal.digest, actor)

    async def done(self, name: str, **arguments: Any) -> Any:
        receipt = await self.approve(await self.call(name, **arguments))
        assert receipt.kind is RECEIPT
        return receipt

    def id_of(self, kind: str) -> str:
        return self.workspace.list("me", kind)[0].id

    def state(self) -> dict[str, list[Any]]:
        """Every row of every table but the two that remember calls and who saw what."""
        names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('calls', 'audit')"
        database = self.workspace.database
        tables = database.read(lambda c: c.execute(text(names)).scalars().all())
        return database.read(lambda c: {t: [tuple(r) for r in c.execute(text(f'SELECT * FROM "{t}"'))] for t in tables})


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    workspace = Workspace(open_database(f"sqlite:///{tmp_path}/sayso.db"), defaults=Settings("Europe/Zurich"))
    workspace.upsert("me", SAMPLES.values(), NOW)
    workspace.upsert("other", (PersonRecord("Geheim"),), NOW)
    yield Bench(workspace, tmp_path)
    workspace.database.close()


@pytest.mark.parametrize("kind", RECORD_KINDS)
async def test_every_kind_is_listed_and_each_record_got(bench: Bench, kind: str):
    listed = await bench.call("list_records", kind=kind)
    assert [fact.subject for fact in listed.facts[:-1]] == [codec.title_of(SAMPLES[kind])]
    lookup = listed.facts[-1]
    assert (lookup.values["matched"], lookup.values["covers"]) == (1, listed.facts[0].kind.name)
    got = await bench.call("get_record", kind=kind, id=bench.id_of(kind))
    assert got.facts[0].subject == codec.title_of(SAMPLES[kind])
    none = await bench.call("get_record", kind=kind, id=f"{kind}_0")
    assert [fact.kind.name for fact in none.facts] == ["lookup"]


async def test_a_list_is_filtered_and_paged_with_counts(bench: Bench):
    bench.workspace.upsert("me", (PersonRecord(f"Person {n:03}") for n in range(300)), NOW)
    page = await bench.call("list_records", kind="people", query="Person", limit=500, skip=100)
    assert (len(page.facts) - 1, page.facts[0].subject) == (150, "Person 100")
    assert (page.facts[-1].values["matched"], page.facts[-1].values["searched"]) == (300, 301)
    assert len((await bench.call("list_records", kind="project", status="done")).facts) == 1


async def test_a_document_is_got_whole(bench: Bench):
    got = await bench.call("get_record", kind="document", id=bench.id_of("document"))
    assert [fact.values["excerpt"] for fact in got.facts[:-1]] == ["Pack the tent.", "And the map."]


@pytest.mark.parametrize("kind", RECORD_KINDS)
async def test_the_meta_tells_exactly_the_fields_that_may_be_written(bench: Bench, kind: str):
    facts = (await bench.call("record_meta", kind=kind)).facts[:-1]
    assert [fact.subject for fact in facts] == list(fields_of(SAMPLES[kind]))
    assert {f.name for f in meta(kind) if f.required} <= set(NEW[kind]) | {"path"}
    options = {fact.subject: fact.values.get("options") for fact in facts}
    assert kind != "commitment" or options["status"] == ("open", "done", "cancelled")


@pytest.mark.parametrize("kind", RECORD_KINDS)
async def test_a_record_is_made_changed_deleted_and_each_is_undone(bench: Bench, kind: str):
    sample = bench.id_of(kind)
    receipt = await bench.done("create_record", kind=kind, values=NEW[kind])
    assert receipt.values["outcome"] == "created"
    (id,) = [s.id for s in bench.workspace.list("me", kind) if s.id != sample]
    first = bench.workspace.get("me", kind, id)
    assert {**fields_of(first.record), **_stored_form(NEW[kind])} == fields_of(first.record)
    assert (await bench.done("update_record", kind=kind, id=id, values=CHANGED[kind])).values["outcome"] == "changed"
    second = bench.workspace.get("me", kind, id)
    assert fields_of(second.record) == {**fields_of(first.record), **CHANGED[kind]}
    assert (await bench.done("restore_record", kind=kind, id=id)).values["outcome"] == "restored"
    assert bench.workspace.get("me", kind, id).record == first.record
    assert (await bench.done("delete_record", kind=kind, id=id)).values["outcome"] == "deleted"
    assert id not in {s.id for s in bench.workspace.list("me", kind)}
    assert (await bench.done("restore_record", kind=kind, id=id)).values["outcome"] == "restored"
    again = bench.workspace.get("me", kind, id)
    assert (again.record, again.version) == (first.record, 4)
    history = (await bench.call("record_history", kind=kind, id=id)).facts[:-1]
    assert [(f.values["version"], f.values["state"]) for f in history] == [
        (4, "present"), (3, "previous"), (2, "previous"), (1, "previous"),
    ]  # fmt: skip
    (name, _) = next(iter(CHANGED[kind].items()))
    assert [change.partition(":")[0] for change in history[2].values["changes"]] == [name]


async def test_an_approved_change_is_found_by_search_and_a_deleted_record_is_not(bench: Bench):
    id = bench.id_of("person")
    await bench.done("update_record", kind="person", id=id, values={"name": "Elena Rossi"})
    found = await bench.call("search_people", query="Rossi")
    assert found.facts[0].subject == "Elena Rossi"
    await bench.done("delete_record", kind="person", id=id)
    assert len((await bench.call("search_people", query="Rossi")).facts) == 1
    history = (await bench.call("record_history", kind="person", id=id)).facts
    assert history[0].values["state"] == "deleted"


async def test_a_card_shows_another_order_and_another_count_of_the_same_items(bench: Bench):
    first, then = {"heading": "", "text": "First this."}, {"heading": "", "text": "Then that."}
    await bench.done("update_record", kind="document", id=bench.id_of("document"), values={"chunks": [first, then]})
    shown: list[tuple[str | None, str, int]] = []
    for chunks in ([then, first], [first, then, first]):
        filed = await bench.call(
            "update_record", kind="document", id=bench.id_of("document"), values={"chunks": chunks}
        )  # fmt: skip
        proposal = await bench.assistant.proposals.get("me", filed.facts[0].key)
        (row,) = (await bench.assistant.gateway.card("me", proposal)).rows
        shown.append((row.before, row.after, row.unchanged))
    whole = ("First this.\nThen that.", "Then that.\nFirst this.", 0)
    assert shown == [whole, ("", "First this.", 2)]


async def test_s11_two_changes_that_differ_do_not_read_alike_on_their_cards(bench: Bench):
    one = [{"heading": "Plan", "text": "Monday\nCost none"}]
    two = [{"heading": "Plan", "text": "Monday"}, {"heading": "Cost", "text": "none"}]
    told = [{"heading": "Plan", "text": "Monday"}, {"heading": "    Cost", "text": "none"}]
    shown: list[str] = []
    for chunks in (one, two, told):
        filed = await bench.call("create_record", kind="document", values={**NEW["document"], "chunks": chunks})
        proposal = await bench.assistant.proposals.get("me", filed.facts[0].key)
        rows = (await bench.assistant.gateway.card("me", proposal)).rows
        shown.append(next(row.after for row in rows if row.name == "chunks"))
    assert shown == ["Plan Monday\n    Cost none", "Plan Monday\nCost none", 'Plan Monday\n"    Cost none"']


async def test_s11_a_dash_that_is_written_does_not_read_like_nothing(bench: Bench):
    filed = await bench.call("update_record", kind="person", id=bench.id_of("person"), values={"role": "–"})
    proposal = await bench.assistant.proposals.get("me", filed.facts[0].key)
    (row,) = (await bench.assistant.gateway.card("me", proposal)).rows
    assert (row.before, row.after) == ("–", '"–"')


@pytest.mark.parametrize("kind", [["person"], {"a": 1}, [[]], None, 5])
async def test_a_kind_that_is_no_text_is_a_wrong_argument_and_no_fault_of_ours(bench: Bench, kind: Any):
    for name, more in (("list_records", {}), ("create_record", {"values": {"name": "A"}})):
        result = await bench.call(name, kind=kind, **more)
        assert (result.status, result.reason) == (CallStatus.FAILED, ResultReason.BAD_ARGUMENTS)
    result = await bench.call("propose_action", type=kind)
    assert (result.status, result.reason) == (CallStatus.FAILED, ResultReason.BAD_ARGUMENTS)


async def test_nothing_is_written_before_an_approval(bench: Bench):
    before = bench.workspace.list("me", "person")
    id = bench.id_of("person")
    for name, more in (
        ("create_record", {"values": {"name": "X"}}),
        ("update_record", {"id": id, "values": {"role": "Y"}}),
        ("delete_record", {"id": id}),
    ):
        assert (await bench.call(name, kind="person", **more)).facts[0].values["state"] == "pending"
    assert bench.workspace.list("me", "person") == before


async def test_s4_a_change_of_a_record_that_has_moved_on_is_not_made(bench: Bench):
    id = bench.id_of("person")
    waiting = await bench.call("update_record", kind="person", id=id, values={"role": "lawyer"})
    other = await bench.call("delete_record", kind="person", id=id)
    await bench.done("update_record", kind="person", id=id, values={"role": "architect"})
    for filed in (waiting, other):
        assert (await bench.approve(filed)).values["outcome"] == "failed"
    assert bench.workspace.get("me", "person", id).record.role == "architect"  # type: ignore[union-attr]
    refused = await bench.call("update_record", kind="person", id=id, values={"role": "x"}, version=1)
    assert (refused.reason, "version 2" in refused.rule) == (ResultReason.BAD_ARGUMENTS, True)


async def test_a_deleted_record_that_is_there_again_is_not_restored_over(bench: Bench):
    id = bench.id_of("goal")
    await bench.done("delete_record", kind="goal", id=id)
    first, second = (
        await bench.call("restore_record", kind="goal", id=id),
        await bench.call("restore_record", kind="goal", id=id, version=1),
    )
    assert second.reason is ResultReason.ALREADY_PENDING
    await bench.approve(first)
    assert bench.workspace.get("me", "goal", id).version == 2
    same = await bench.call("restore_record", kind="goal", id=id)
    assert "nothing would change" in same.rule


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("create_record", {"kind": "person", "values": {"role": "x"}}, "name"),
        ("create_record", {"kind": "person", "values": {"name": "x", "owner": "other"}}, "owner"),
        ("create_record", {"kind": "person", "values": {"name": "x", "source_key": "k"}}, "source_key"),
        ("create_record", {"kind": "person", "values": {"name": "x", "birthday": "soon"}}, "birthday"),
        ("create_record", {"kind": "person", "values": {"name": "x", "birthday": "9999-99-99"}}, "birthday"),
        ("create_record", {"kind": "person", "values": {"name": "x", "birthday": "2001-02-29"}}, "birthday"),
        ("create_record", {"kind": "person", "values": {"name": "x", "birthday": "--02-30"}}, "birthday"),
        ("create_record", {"kind": "person", "values": {"name": "x", "birthday": "１９９０-01-02"}}, "birthday"),
        ("create_record", {"kind": "goal", "values": {"title": "x", "progress": 101}}, "progress"),
        ("create_record", {"kind": "goal", "values": {"title": "x", "progress": "10"}}, "progress"),
        ("create_record", {"kind": "habit", "values": {"name": "x", "frequency": "hourly"}}, "frequency"),
        ("create_record", {"kind": "event", "values": {"title": "x", "starts": "soon"}}, "starts"),
        ("create_record", {"kind": "event", "values": {**NEW["event"], "ends": "2026-12-05T09:00"}}, "ends"),
        ("create_record", {"kind": "document", "values": {**NEW["document"], "path": "../x"}}, "path"),
        ("create_record", {"kind": "planet", "values": {"name": "x"}}, "kind"),
        ("create_record", {"kind": "person", "values": {}}, "values"),
        ("update_record", {"kind": "person", "id": "ID", "values": {"name": None}}, "name"),
        ("update_record", {"kind": "person", "id": "ID", "values": {"name": " "}}, "name"),
        ("update_record", {"kind": "person", "id": "ID", "values": {"affiliation": "SINGA"}}, "nothing would change"),
    ],
)
async def test_values_that_do_not_fit_their_field_are_told_and_nothing_is_filed(
    bench: Bench, name: str, arguments: dict[str, Any], told: str
):  # fmt: skip
    given = {n: bench.id_of("person") if v == "ID" else v for n, v in arguments.items()}
    result = await bench.call(name, **given)
    assert (result.status, result.reason) == (CallStatus.FAILED, ResultReason.BAD_ARGUMENTS)
    assert told in result.rule
    assert await bench.assistant.proposals.list("me") == ()


async def test_an_edit_of_a_generic_change_is_judged_by_its_kinds_fields(bench: Bench):
    filed = await bench.call("create_record", kind="goal", values={"title": "Swim", "progress": 10})
    gateway, id = bench.assistant.gateway, filed.facts[0].key
    from sayso.gateway.inputs import WrongInputs

    with pytest.raises(WrongInputs):
        await gateway.edit(id, ME, {"progress": 200})
    edited = await gateway.edit(id, ME, {"progress": 20, "title": "Swim far"})
    assert edited.content["title"] == "New goal: Swim far"
    await gateway.approve(id, edited.digest, ME)
    assert {"Swim far": 20}.items() <= {
        s.title: s.record.progress
        for s in bench.workspace.list("me", "goal")  # type: ignore[union-attr]
    }.items()


async def test_what_a_restore_takes_its_values_from_cannot_be_edited(bench: Bench):
    from sayso.gateway.inputs import WrongInputs

    id = bench.id_of("goal")
    await bench.done("update_record", kind="goal", id=id, values={"progress": 30})
    filed = await bench.call("restore_record", kind="goal", id=id)
    with pytest.raises(WrongInputs):
        await bench.assistant.gateway.edit(filed.facts[0].key, ME, {"version": 2})


async def test_a_permission_by_kind_allows_that_kind_only_for_reading_and_for_approving(bench: Bench):
    person = Actor("p", "me", frozenset({"read:kind:person", "propose:kind:person", "execute:kind:person"}))
    names = {tool.name for tool in bench.dispatcher.tools(person, unoffered=True)}
    assert {"list_records", "create_record", "search_people"} <= names
    assert not {"list_projects", "propose_action", "search_knowledge"} & names
    assert (await bench.call("list_records", person, kind="person")).status is CallStatus.SUCCESS
    denied = await bench.call("list_records", person, kind="project")
    assert (denied.status, "read:kind:project" in denied.rule) == (CallStatus.DENIED, True)
    spoken = await bench.call("list_records", person, kind="Projects")
    assert spoken.status is CallStatus.DENIED
    await bench.approve(await bench.call("create_record", person, kind="person", values={"name": "Zoe"}), person)
    more = Actor("p", "me")  # the same person, under a role that has been taken away since
    filed = await bench.call("create_record", more, kind="project", values={"name": "Quay"})
    with pytest.raises(Forbidden):
        await bench.approve(filed, person)
    assert [p.record.name for p in bench.workspace.list("me", "person")].count("Zoe") == 1


async def test_a_recorded_result_is_told_again_only_where_the_call_would_be_allowed(bench: Bench):
    people, wrong = Call("kept", "list_records", {"kind": "people"}), Call("wrong", "list_records", {"kind": "nothing"})
    first, refused = await bench.dispatcher.dispatch(ME, people), await bench.dispatcher.dispatch(ME, wrong)
    assert (len(first.facts), refused.reason) == (2, ResultReason.BAD_ARGUMENTS)
    projects = Actor("me", "me", frozenset({"read:kind:project"}))
    again = await bench.dispatcher.dispatch(projects, people)
    assert (again.status, again.facts, "read:kind:person" in again.rule) == (CallStatus.DENIED, (), True)
    assert await bench.dispatcher.dispatch(Actor("me", "me", frozenset({"read:kind:person"})), people) == first
    assert await bench.dispatcher.dispatch(projects, wrong) == refused  # nothing was read, so nothing is held back


@pytest.mark.parametrize(("pattern", "created"), [("*@me", 1), ("read:*@me", 0), ("*@other", 0)])
async def test_g5_recovery_runs_what_somebody_approved_among_another_owners_records_while_they_may(
    tmp_path: Path, bench: Bench, pattern: str, created: int
):
    (tmp_path / "sayso.toml").write_text(f'[roles.crossing]\npermissions = ["{pattern}"]\n', encoding="utf-8")
    served = Bench(bench.workspace, tmp_path)
    await Users(bench.workspace.database, served.settings.roles).add("cleo", "sales", ["crossing"])
    visitor = Actor("cleo", "me")  # as a request with X-Sayso-Owner made her
    filed = await bench.call("create_record", visitor, kind="person", values={"name": "Zoe"})
    id, waits = filed.facts[0].key, (ProposalState.PENDING,)
    await bench.assistant.proposals.move(id, visitor.desk, waits, ProposalState.APPROVED, "cleo", NOW)
    assert await served.assistant.gateway.recover(NOW) == 1
    assert [p.record.name for p in bench.workspace.list("me", "person")].count("Zoe") == created
    receipt = await served.assistant.gateway.receipt(visitor.desk, id)
    assert receipt is not None
    assert receipt.values["outcome"] == ("created" if created else "denied")


async def test_s20_a_record_of_another_owner_is_neither_read_nor_changed(bench: Bench):
    theirs = bench.workspace.list("other", "person")[0].id
    assert [f.kind.name for f in (await bench.call("get_record", kind="person", id=theirs)).facts] == ["lookup"]
    assert [f.kind.name for f in (await bench.call("record_history", kind="person", id=theirs)).facts] == ["lookup"]
    for name, more in (("update_record", {"values": {"role": "x"}}), ("delete_record", {}), ("restore_record", {})):
        assert (await bench.call(name, kind="person", id=theirs, **more)).reason is ResultReason.NO_TARGET


async def test_t6_no_read_tool_changes_anything(bench: Bench):
    await bench.call("propose_action", type="commitment", title="Call")
    arguments: dict[str, dict[str, Any]] = {
        name: {"kind": "person", "id": bench.id_of("person")} for name in ("get_record", "record_history")
    }
    reads = [tool for tool in bench.dispatcher.registry if tool.kind is ToolKind.READ]
    assert len(reads) >= 10
    before = bench.state()
    for tool in reads:
        result = await bench.call(tool.name, **arguments.get(tool.name, dict(tool.example)))
        assert result.status is CallStatus.SUCCESS, tool.name
        assert bench.state() == before, tool.name


@pytest.mark.parametrize(
    ("table", "offered"),
    [("", set()), ("generic = true", None), ('generic = ["list_records"]', {"list_records"})],
)
def test_generic_tools_are_offered_to_a_model_only_where_the_operator_says_so(
    bench: Bench, tmp_path: Path, table: str, offered: set[str] | None
):  # fmt: skip
    (tmp_path / "sayso.toml").write_text(f"[tools]\n{table}\n")
    other = Bench(bench.workspace, tmp_path)
    generic = {tool.name for tool in other.dispatcher.registry if tool.by_kind}
    assert len(generic) == 8
    for names in (
        {t["name"] for t in other.dispatcher.catalogue(ME)["tools"]},
        {t.name for t in other.assistant.registry},
    ):
        assert names & generic == (generic if offered is None else offered)
    everything = other.dispatcher.catalogue(ME, unoffered=True)
    assert ({t["name"] for t in everything["tools"]} >= generic, everything["seal"]) == (True, None)


@pytest.mark.parametrize("kind", RECORD_KINDS)
def test_fields_as_read_are_fields_as_written(kind: str):
    record = SAMPLES[kind]
    fields = fields_of(record)
    assert record_of(kind, checked(WHOLE, kind, fields, NOW), record.source, record.source_key) == record
    assert set(fields) == set(WHOLE[kind].model_fields) == set(CHANGES[kind].model_fields)


_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 200), st.text("aé \x00\u202e-1", max_size=6), st.lists(st.just("x")),
    st.sampled_from(["2026-12-01", "2026-12-01T10:00+01:00", "2026-12-01T11:00", "open", "daily", "active", "--01-02"]),
)  # fmt: skip
_NAMES = sorted({name for kind in RECORD_KINDS for name in WHOLE[kind].model_fields})


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.dictionaries(st.sampled_from(_NAMES), _VALUES), st.sampled_from(RECORD_KINDS))
def test_any_values_make_a_record_that_reads_back_or_are_refused_with_words(values: dict[str, Any], kind: str):
    from pydantic import ValidationError

    try:
        record = record_of(kind, checked(WHOLE, kind, values, NOW), "workspace", None)
    except ValidationError as wrong:
        told = [fault["msg"] for fault in wrong.errors()]
    else:
        told = [] if codec.load(kind, codec.dump(record)) != record else ["a record"]
    assert told
    assert all(told)


def _stored_form(values: dict[str, Any]) -> dict[str, Any]:
    """Moments without a zone are in the person's own; channels have a label."""
    out = dict(values)
    for name in ("starts", "ends"):
        if name in out:
            out[name] = f"{out[name]}:00+01:00"
    if "channels" in out:
        out["channels"] = [{**channel, "label": None} for channel in out["channels"]]
    return out
