"""Importers read real-world shapes, and refuse by name what they cannot read."""

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso.errors import ImportFailed
from sayso.workspace.importers import Rejected, plan, read, write_rejected
from sayso.workspace.records import DocumentRecord, GoalRecord, PersonRecord

FILES = Path(__file__).parent / "files"


def _written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_broken_card_costs_only_itself():
    items = list(read(plan([FILES / "contacts.vcf"])))
    people = [i for i in items if isinstance(i, PersonRecord)]
    rejected = [i for i in items if isinstance(i, Rejected)]
    assert [p.name for p in people] == ["Jürg Müller", "Elena Weber"]
    assert people[0].affiliation == "Harbour Works, Lab"
    assert [p.birthday for p in people] == ["--02-03", "1979-02-03"]
    assert (people[1].channels[0].value, people[1].channels[0].label) == ("+41774730093", "Work")
    assert [r.place.split(",")[0] for r in rejected] == ["card 3", "card 4"]


def test_reading_twice_gives_equal_records():
    assert list(read(plan([FILES]))) == list(read(plan([FILES])))


def test_german_goals_are_read_and_a_nameless_row_is_rejected(tmp_path: Path):
    path = _written(tmp_path, "z.csv", "Ziel;Fortschritt;Fällig am\nA;40%;3.2.2026\n;1;\nB;0,4;\n")
    items = list(read(plan([path], kind="goals")))
    goals = [i for i in items if isinstance(i, GoalRecord)]
    assert [(g.progress, g.target_date) for g in goals] == [(40, date(2026, 2, 3)), (40, None)]
    assert [i.place for i in items if isinstance(i, Rejected)] == ["row 3"]


def test_cp1252_table_keeps_its_umlauts(tmp_path: Path):
    path = _written(tmp_path, "people.csv", "Vorname;Nachname\nJürg;Müller\n".encode("cp1252"))
    assert [i.name for i in read(plan([path])) if isinstance(i, PersonRecord)] == ["Jürg Müller"]


@pytest.mark.parametrize(("rows", "expected"), [("3/25/2026", date(2026, 3, 25)), ("25/3/2026", date(2026, 3, 25))])
def test_whole_column_decides_the_order_of_dates(tmp_path: Path, rows: str, expected: date):
    path = _written(tmp_path, "goals.csv", f"Goal,Deadline\nA,{rows}\n")
    assert [i.target_date for i in read(plan([path])) if isinstance(i, GoalRecord)] == [expected]


def test_ambiguous_dates_are_said_in_the_plan(tmp_path: Path):
    made = plan([_written(tmp_path, "goals.csv", "Goal,Deadline\nA,3/4/2026\n")])
    assert "day/month" in made.files[0].notes[0]


def test_wrong_mapping_names_the_near_column(tmp_path: Path):
    path = _written(tmp_path, "people.csv", "Name,Company\nA,B\n")
    with pytest.raises(ImportFailed, match="Company"):
        plan([path], {"Compny": "affiliation"})
    with pytest.raises(ImportFailed, match="affiliation"):
        plan([path], {"Company": "afiliation"})


@pytest.mark.parametrize(
    ("name", "data", "word"),
    [
        ("a.csv", b"\x89PNG\r\n\x1a\n", "PNG"),
        ("a.csv", b"PK\x03\x04xx", "XLSX"),
        ("a.csv", b"", "empty"),
        ("people.csv", b"Name,E-mail\n", "no rows"),
        ("a.vcf", b"<html></html>", "HTML"),
        ("a.xyz", b"x", "supported"),
    ],
)
def test_file_that_is_not_what_it_says_is_refused(tmp_path: Path, name: str, data: bytes, word: str):
    assert word in (plan([_written(tmp_path, name, data)]).files[0].problem or "")


def test_vault_note_has_headings_links_tags_and_date(tmp_path: Path):
    (tmp_path / ".obsidian").mkdir()
    _written(tmp_path / ".obsidian", "x.md", "hidden")
    text = "---\ntitle: T\ntags: [a]\n---\npre\n# A\n```\n# no\n```\n## B\n[[Elena|her]] #tag ![[x.png]]\n"
    _written(tmp_path, "2026-01-02 n.md", text)
    (note,) = read(plan([tmp_path]))
    assert isinstance(note, DocumentRecord)
    assert [c.heading for c in note.chunks] == ["", "A", "A / B"]
    assert (note.title, note.tags, note.links, note.date) == ("T", ("a", "tag"), ("Elena",), date(2026, 1, 2))
    assert note.source_key == "2026-01-02 n.md"


def test_malformed_front_matter_is_a_warning(tmp_path: Path):
    made = plan([_written(tmp_path, "n.md", "---\ntitle: [\n---\nhello\n")])
    assert "front matter" in made.files[0].notes[0]
    assert all(isinstance(i, DocumentRecord) for i in read(made))


def test_link_out_of_the_folder_is_not_followed(tmp_path: Path):
    outside = _written(tmp_path, "secret.md", "secret")
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "link.md").symlink_to(outside)
    assert plan([vault]).files == ()


def test_rejects_are_written_one_a_line(tmp_path: Path):
    out = tmp_path / "not there yet" / "rejected.jsonl"
    write_rejected([Rejected("a", "row 2", "why", "raw\ud800")], out)
    assert json.loads(out.read_text())["place"] == "row 2"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.binary(max_size=300),
    name=st.sampled_from(["people.csv", "a.vcf", "a.md", "a.mdx", "a.txt"]),
    head=st.sampled_from([b"", b"Name,Phone\n", b"BEGIN:VCARD\nFN:A\n", b"---\n"]),
)
def test_random_bytes_never_raise(tmp_path: Path, data: bytes, name: str, head: bytes):
    list(read(plan([_written(tmp_path, name, head + data)])))


def test_bare_commas_lose_no_words(tmp_path: Path):
    card = "BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nNICKNAME:Jo,JQ\nNOTE:Tea, not\n  coffee, please\nEND:VCARD\n"
    (person,) = read(plan([_written(tmp_path, "a.vcf", card)]))
    assert isinstance(person, PersonRecord)
    assert (person.notes, person.nicknames) == ("Tea, not coffee, please", ("Jo", "JQ"))


def test_names_in_other_languages_are_other_names_and_a_group_is_no_person(tmp_path: Path):
    cards = (
        "BEGIN:VCARD\nVERSION:4.0\nFN;ALTID=1;LANGUAGE=en:Sato Hanako\nFN;ALTID=1;LANGUAGE=ja:佐藤花子\nEND:VCARD\n"
        "BEGIN:VCARD\nVERSION:4.0\nKIND:group\nFN:The Satos\nMEMBER:mailto:h@sato.example\nEND:VCARD\n"
        "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrg;;;\nTEL;CELL:15810139\n"
        "END:VCARD\n"
    )
    hanako, group, juerg = read(plan([_written(tmp_path, "a.vcf", cards)]))
    assert isinstance(hanako, PersonRecord)
    assert (hanako.name, hanako.nicknames) == ("Sato Hanako", ("佐藤花子",))
    assert isinstance(group, Rejected)
    assert "group" in group.reason
    assert isinstance(juerg, PersonRecord)
    assert (juerg.name, juerg.channels[0].value) == ("Jürg Müller", "15810139")
