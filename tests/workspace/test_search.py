"""Finding people and notes: whole words, accents, namesakes; a query is never syntax."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.workspace.names import fold, index_words, match_level, named_in, terms_of
from sayso.workspace.people import find_people, named_people
from sayso.workspace.search import excerpt, find


def found(workspace, query, owner="me"):
    return sorted(p.title for p in workspace.database.read(lambda c: find_people(c, owner, query)).people)


ELENAS = ["Elena Rossi", "Elena Weber"]


@pytest.mark.parametrize("query", ["elena", "ELENA", "Elenas", "Elena's", "Elena’s", "Elen", "who is elena?"])
def test_namesakes_are_all_found_however_they_are_written(workspace, query):
    assert found(workspace, query) == ELENAS


@pytest.mark.parametrize("query", ["UZH", "uzh", "Druzh nikov", "nikov", "lena w", "ebe"])
def test_a_name_never_matches_inside_another_word(workspace, query):
    assert "Ilya Druzhnikov" not in found(workspace, query)
    assert "Elena Weber" not in found(workspace, query)


@pytest.mark.parametrize("query", ["Jorg", "Jörg", "Joerg", "joerg müller", "Mueller", "MULLER", "jogi", "Jörgs"])
def test_accents_umlauts_and_nicknames(workspace, query):
    assert found(workspace, query) == ["Jörg Müller"]


@pytest.mark.parametrize("query", ["Anna", "Lena", "Huber", "Frei", "Anna-Lena", "annalena", "Huber-Frei", "anna frei"])
def test_hyphenated_names_by_either_part(workspace, query):
    assert found(workspace, query) == ["Anna-Lena Huber-Frei"]


@pytest.mark.parametrize("query", ["O'Brien", "OBrien", "brien", "siobhan", "O’Brien's"])
def test_names_with_apostrophes(workspace, query):
    assert found(workspace, query) == ["Siobhán O'Brien"]


def test_asking_words_in_a_query_are_not_part_of_the_name(workspace):
    assert found(workspace, "Elena Weber phone number") == ["Elena Weber"]
    assert found(workspace, "email of Mark") == ["Mark Baumann"]


def test_another_surname_is_not_found_but_a_slip_is(workspace):
    assert found(workspace, "Elena Schmidt") == []
    assert found(workspace, "Elena Webber") == ["Elena Weber"]


def test_people_are_found_by_what_is_recorded_of_them(workspace):
    assert found(workspace, "SINGA") == ["Elena Weber"]
    assert found(workspace, "lawyer") == ["Mark Baumann"]


def test_search_stays_within_its_owner(workspace):
    assert found(workspace, "Elena", owner="other") == ["Elena Geheim"]
    assert found(workspace, "Geheim") == []


def test_exact_full_name_wins_over_namesakes(workspace):
    assert [p.title for p in workspace.database.read(lambda c: named_people(c, "me", "elena weber"))] == ["Elena Weber"]
    assert len(workspace.database.read(lambda c: named_people(c, "me", "Elena"))) == 2


@pytest.mark.parametrize(
    "query", ['" OR 1', "name:elena", "elena*", "(elena", "NEAR(a b)", "-", "", "'", "a AND", "{x}:"]
)
def test_a_query_is_never_syntax(workspace, query):
    found(workspace, query)


@given(st.text(max_size=40))
def test_folding_and_cutting_survive_any_text(text):
    for word in index_words(text).split():
        assert word
    terms_of(text)
    fold(text)


@given(st.text(min_size=1, max_size=300), st.text(max_size=10))
def test_excerpts_are_bounded(text, query):
    assert len(excerpt(text, terms_of(query), 60)) <= 60


def test_an_excerpt_is_cut_around_the_match():
    text = "word " * 400 + "The keel is oak. " + "word " * 400
    cut = excerpt(text, terms_of("keel"))
    assert "keel is oak" in cut
    assert len(cut) <= 600
    assert cut.startswith("…")


def test_whole_words_rank_before_beginnings(empty, now):
    from sayso.workspace.records import PersonRecord

    empty.upsert("me", [PersonRecord(n, source_key=n) for n in ("Annette Zwei", "Ann Eins", "Anna Drei")], now)
    hits = empty.database.read(lambda c: find(c, "me", "person", terms_of("ann")))
    assert [h.level for h in hits] == [0, 2, 2]
    assert found(empty, "Ann") == ["Ann Eins"]
    assert found(empty, "an") == []


NAMES = {"m": "mark baumann", "y": "may lee", "w": "will smith", "e1": "elena weber", "e2": "elena rossi"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who is elena?", (("e1", "e2"),)),
        ("Elena Weber's phone", (("e1",),)),
        ("Will you call Mark?", (("m",),)),
        ("will it work in May?", ()),
        ("mark this as done", ()),
        ("What may I do", ()),
        ("When is May Lee free?", (("y",),)),
        ("is will smith here", (("w",),)),
        ("Mark's role", (("m",),)),
        ("Did Elena Rossi meet Mark?", (("e2",), ("m",))),
        ("Ask Elena about May", (("e1", "e2"), ("y",))),
        ("a mark on the wall", ()),
    ],
)
def test_names_are_taken_out_of_a_question(question, expected):
    assert named_in(question, NAMES) == expected


def test_match_levels():
    words = frozenset(index_words("Jonas Meier").split())
    assert match_level(terms_of("jonas"), words) == 0
    assert match_level(terms_of("Meiers"), words) == 1
    assert match_level(terms_of("jon"), words) == 2
    assert match_level(terms_of("eier"), words) is None
