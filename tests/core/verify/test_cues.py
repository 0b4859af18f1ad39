"""Where a pattern may match at all, and what is said in a text: never less than the pattern itself would find."""

from __future__ import annotations

import pytest

from sayso.core.facts import FactKind, Field
from sayso.core.verify import lexicon, orders
from sayso.core.verify.cues import ALWAYS, Worded, cues_of, heads, is_looked_up, phrases_in
from sayso.core.verify.kind_words import words_of_kind
from sayso.core.verify.words import phrase_in, tokens


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("all|both", {"all", "both"}),
        (r"works? (?:at|for)", {"work", "works"}),
        (r"(?:is|are) not", {"is", "are"}),
        (r"(?:please )?send", {"please", "send"}),
        (r"(?P<no>no|none)", {"no", "none"}),
        (r"écri(?:s|vez)", {"ecris", "ecrivez"}),
        (r"practi[sc]e", {"pra*"}),
        (r"heiss\w*", {"hei*"}),
        (r"noo*x", {"no*", "noo*"}),
        (r"no{2}", {"n*", "no*"}),
        (r"l['’]agenda|d'accord", {"l", "d"}),
        (r"\bsent\b", {"sent"}),
        (r"consider(?! it done)", {"consider"}),
        (r"furthest\ along", {"furthest"}),
        (r"[]|]x", {ALWAYS}),
        (r"\w+ nothing", {ALWAYS}),
        (r"[Nn]othing", {ALWAYS}),
    ],
)
def test_the_words_that_a_pattern_begins_with(pattern: str, expected: set[str]) -> None:
    assert set(heads(pattern, r"\b")) == expected


def test_a_word_that_may_go_on_is_known_by_its_beginning() -> None:
    assert set(heads("kein")) == {"kei*"}


@pytest.mark.parametrize(
    "text",
    ["All of them are due", "She said so", "It’s BOTH", "Was noch fehlt", "c'est tout", "Entrambe le attività", "d'après toi", "Cada uno", "nothing at all"],
)  # fmt: skip
def test_a_pattern_that_matches_is_always_tried(text: str) -> None:
    cues = cues_of(tokens(text))
    patterns = [p for p in vars(lexicon).values() if isinstance(p, Worded)]
    assert [p for p in patterns if p.search(text) and not p.may_match(cues)] == []


def test_a_pattern_is_not_tried_where_none_of_its_words_is_said() -> None:
    said = cues_of(tokens("Elena Weber works at SINGA."))
    assert [p.may_match(said) for p in (lexicon.ALL, lexicon.WORKS, lexicon.NOTHING)] == [False, True, False]


def test_a_pattern_without_a_first_word_is_always_tried() -> None:
    assert Worded(r"\w{3} nothing").may_match(cues_of([]))


def test_what_else_a_pattern_may_be_has_words_too() -> None:
    both = Worded("maybe", lead="^", also=r"\byou could\b")
    assert both.may_match(cues_of(tokens("Or you could")))
    assert both.search("Or YOU could")


def test_a_contracted_not_is_a_cue() -> None:
    assert "*n't" in cues_of(tokens("She doesn’t"))


def test_the_words_of_order_are_looked_for_by_their_cues() -> None:
    text = "the longest streak is before the other"
    cues = cues_of(tokens(text))
    assert orders.superlative(text, cues) is not None
    assert [text[a:b] for _, a, b in orders.comparatives(text, cues)] == ["before"]
    assert orders.superlative(text, frozenset()) is None
    assert orders.comparatives(text, frozenset()) == []


def test_phrases_are_looked_up_with_their_first_place() -> None:
    said = phrases_in("works at singa, and works at uzh")
    assert said["works at"] == 0
    assert said["singa, and"] == 9
    assert "work" not in said


def test_a_phrase_of_many_words_is_searched_for() -> None:
    long = "the day on which it was last seen"
    assert not is_looked_up(long)
    assert not is_looked_up("…")
    assert is_looked_up("works at")
    kind = words_of_kind(FactKind("bird", (Field("name"), Field("seen", words=(long, "seen"))), "name"))
    text = f"{long}: today, seen"
    assert kind.told_in(phrases_in(text), text) == {"seen": [(p, phrase_in(p, text)) for p in kind.fields["seen"]]}
    assert kind.told_in(phrases_in("nothing"), "nothing") == {}
