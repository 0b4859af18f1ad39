from __future__ import annotations

import re

import pytest

from sayso.core.verify.declared.naming import Mention
from sayso.core.verify.declared.patterns import Match, pattern
from sayso.core.verify.declared.units import Unit, units_of, with_mentions
from sayso.errors import DeclarationError

KINDS = frozenset({"shop", "baker"})
TERMS = {"day": frozenset({"monday", "friday"})}


def units(text: str) -> list[Unit]:
    """A word in capitals names a shop."""
    plain = units_of(text)
    named = [(at, at + 1, Mention("shop", ())) for at, u in enumerate(plain) if u.text.isupper() and len(u.text) > 1]
    return with_mentions(plain, named)


def matched(text: str, sentence: str) -> Match | None:
    found = units(sentence)
    made = pattern(text, KINDS, TERMS)
    return next((m for at in range(len(found)) if (m := made.at(found, at)) is not None), None)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{loaves} loaves", "sold 12 loaves"),
        ("{loaves} - {cakes}", "sold 12 - 4 there"),
        ("(sold|baked) [just] {loaves}", "they baked just twelve"),
        ("(sold|baked) [just] {loaves}", "they sold 12"),
        ("{a:shop} beat {b:shop}", "AIGLE beat BEX"),
        ("{a:shop} * beat {b:shop}", "AIGLE , of all shops , beat BEX"),
        ("{a:shop} ** beat {b:shop}", "AIGLE with CULLY and 3 others beat BEX"),
        ("{shop} \\( {wins} - {losses} \\)", "the AIGLE ( 3 - 2 ) team"),
        ("{shop} * {wins} - {losses}", "the AIGLE ( with 3 - 2 ) team"),
        ("double-baked", "a double - baked loaf"),
        ("{#rank} in town", "the second in town"),
        ("{~cakes} cake", "a cake"),
        ("on {day=}", "on Friday"),
        ("{share} %", "12 %"),
    ],
)
def test_a_pattern_matches(text: str, sentence: str):
    assert matched(text, sentence) is not None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{loaves} loaves", "a loaves"),
        ("{rank} in town", "the second in town"),
        ("{a:baker} beat", "AIGLE beat"),
        ("sold * to {b:shop}", "sold CULLY to BEX"),
        ("{a:shop} * beat {b:shop}", "AIGLE in 3 years beat BEX"),
        ("{a:shop} ** beat {b:shop}", "AIGLE one two three four five six beat BEX"),
        ("{a:shop} ** beat {b:shop}", "AIGLE rose; they beat BEX"),
        ("{shop} \\( {wins} - {losses} \\)", "AIGLE 3 - 2"),
        ("{shop} {wins} - {losses}", "AIGLE ( 3 - 2 )"),
        ("on {day=}", "on Sunday"),
        ("sold {loaves}", "sold"),
    ],
)
def test_a_pattern_does_not_match(text: str, sentence: str):
    assert matched(text, sentence) is None


def test_the_longest_way_is_taken_and_the_words_to_blame_are_marked():
    match = matched("<led> the (shop|shop in sales)", "who led the shop in sales")
    assert match == Match(1, 6, (), (1, 2))
    match = matched("was <far ahead>", "was , far ahead")
    assert match is not None
    assert match.marked == (2, 4)
    match = matched("<{n} loaves>", "sold 12 loaves")
    assert match is not None
    assert match.marked == (1, 3)
    assert matched("was <ahead>", "was ,") is None
    assert matched("sold ... to {shop}", "sold 3 to AIGLE and 4 to BEX") == matched(
        "sold ... to {shop}", "sold 3 to AIGLE"
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("a | b", "outside"),
        ("(a", "lacks a )"),
        ("a)", "too many"),
        ("{loaves", "brackets"),
        ("{a}}", "brackets"),
        ("on {hour=}", "declares no terms"),
        ("* sold", "must begin"),
        ("[a] [b]", "must begin"),
        ("[a]", "must begin"),
        ("<led the", "mark the words"),
        ("<led> <the>", "mark the words"),
        ("> led <", "mark the words"),
    ],
)
def test_what_is_no_pattern_is_refused(text: str, why: str):
    with pytest.raises(DeclarationError, match=re.escape(why)):
        pattern(text, KINDS, TERMS)


def test_it_knows_by_which_words_it_begins_and_which_it_needs():
    made = pattern("[just] (sold|baked) {loaves} of the loaves", KINDS)
    assert made.opens == {"just", "sold", "baked"}
    assert made.anchors == {"loaves"}
    assert pattern("{loaves} - {cakes}", KINDS).anchors == {"-"}
    assert pattern("{loaves} [big]", KINDS).anchors == {""}
    assert pattern("{day=}", KINDS, TERMS).opens == TERMS["day"] == pattern("{day=}", KINDS, TERMS).anchors
    assert [s.name for s in pattern("{a:shop} (sold {loaves}|rose)", KINDS).slots] == ["a", "loaves"]
