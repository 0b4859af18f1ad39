"""Records: imported twice, changed, versioned, owned."""

from dataclasses import replace
from datetime import date

import pytest

from sayso.errors import Conflict, NotFound
from sayso.workspace.records import HabitRecord, PersonRecord
from sayso.workspace.repository import Upserted
from sayso.workspace.workspace import Settings


def test_second_import_changes_nothing(workspace, now):
    everything = [s.record for kind in ("person", "goal", "document", "event") for s in workspace.list("me", kind)]
    assert workspace.upsert("me", everything, now) == Upserted(0, 0, len(everything))


def test_changed_source_changes_the_record_and_keeps_its_version(workspace, now):
    mark = next(s for s in workspace.list("me", "person") if s.title == "Mark Baumann")
    assert workspace.upsert("me", [replace(mark.record, role="judge")], now) == Upserted(0, 1, 0)
    after = workspace.get("me", "person", mark.id)
    assert (after.version, after.record.role) == (2, "judge")
    assert workspace.versions("me", "person", mark.id) == [(1, mark.record)]


def test_importing_again_does_not_undo_what_the_user_changed(workspace, now):
    mark = next(s for s in workspace.list("me", "person") if s.title == "Mark Baumann")
    workspace.update("me", mark.id, replace(mark.record, notes="mine"), now, version=mark.etag)
    assert workspace.upsert("me", [mark.record], now) == Upserted(0, 0, 1)
    assert workspace.get("me", "person", mark.id).record.notes == "mine"


def test_importing_a_changed_habit_keeps_check_ins_made_here(empty, now):
    first = HabitRecord("Run", check_ins=(date(2026, 1, 1),), source="csv", source_key="run")
    empty.upsert("me", [first], now)
    (stored,) = empty.list("me", "habit")
    empty.update("me", stored.id, replace(first, check_ins=(date(2026, 1, 1), date(2026, 1, 2))), now)
    empty.upsert("me", [replace(first, check_ins=(date(2026, 1, 1), date(2026, 1, 3)))], now)
    assert len(empty.get("me", "habit", stored.id).record.check_ins) == 3


def test_update_of_an_old_version_is_refused(workspace, now):
    mark = workspace.list("me", "person")[0]
    workspace.update("me", mark.id, mark.record, now, version="1")
    with pytest.raises(Conflict, match="has changed since"):
        workspace.update("me", mark.id, mark.record, now, version="1")


def test_nobody_reads_or_changes_what_another_owns(workspace, now):
    mine = workspace.list("me", "person")[0]
    assert [s.title for s in workspace.list("other", "person")] == ["Elena Geheim"]
    with pytest.raises(NotFound):
        workspace.get("other", "person", mine.id)
    with pytest.raises(NotFound):
        workspace.update("other", mine.id, mine.record, now)
    with pytest.raises(NotFound):
        workspace.delete("other", "person", mine.id, now)


def test_deleted_record_keeps_its_last_version_and_is_not_found(workspace, now):
    mark = next(s for s in workspace.list("me", "person") if s.title == "Mark Baumann")
    workspace.delete("me", "person", mark.id, now, version=mark.version)
    with pytest.raises(NotFound):
        workspace.get("me", "person", mark.id)
    assert workspace.versions("me", "person", mark.id) == [(1, mark.record)]


def test_paging_by_id_gives_each_record_once(workspace):
    seen, after = [], None
    while page := workspace.list("me", "person", limit=3, after=after):
        seen += [s.id for s in page]
        after = page[-1].id
    assert len(seen) == len(set(seen)) == 8


def test_settings_are_per_owner_and_checked(empty):
    empty.set_settings("me", Settings("America/Lima", "de", "sunday"))
    assert empty.settings("me") == Settings("America/Lima", "de", "sunday")
    assert empty.settings("you") == Settings("Europe/Zurich")
    with pytest.raises(Exception, match="Europe/Zurich"):
        Settings("Mars/Base")


def test_many_records_come_in_at_the_cost_of_each(empty, now, grows_linearly):
    def bring_in(count):
        many = (PersonRecord(f"Person{i} Name{i % 97}", source=f"x{count}", source_key=str(i)) for i in range(count))
        return empty.upsert("me", many, now)

    assert bring_in(2_000) == Upserted(2_000, 0, 0)
    assert empty.count("me", "person") == 2_000
    grows_linearly(bring_in, 1_000)
