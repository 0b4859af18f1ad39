"""Statements judged by a lexicon of bakers, their shops and a fair."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso.core.evidence import Evidence
from sayso.core.facts import Fact, FactKind, Field, FieldType, Quantity
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.declared.lexicon import Lexicon
from sayso.core.verify.report import Verdict

NOW = datetime(2026, 11, 30, tzinfo=UTC)
NUMBER, TEXT = FieldType.NUMBER, FieldType.TEXT
LEXICON: dict[str, Any] = {
    "others": ["hall", "league"],
    "idioms": ["{n} loaf limit", "two day bread"],
    "kinds": {
        "baker": {
            "when": ["baker"],
            "names": ["{baker}", "{last}"],
            "pronouns": ["she", "he", "her"],
            "leads": True,
            "group": "shop",
            "fields": {"loaves": ["loaves", "loaf"], "cakes": ["cakes", "cake"], "hours": {"words": ["hours"], "verbs": ["worked"], "within": 1}},
            "derived": {
                "shop": "only(s for s in records.shop if s.town == town)",
                "mates": "only(s.bakers for s in records.shop if s.town == town)",
                "rank": "rank(loaves, (b.loaves for b in mates))",
                "endless": "endless + 1",
            },
            "statements": [
                {"says": ["<led> the shop", "<led> the shop in sales"], "holds": "rank == 1"},
                {"says": ["{baker} <beat> {other:baker}"], "holds": "loaves > other.loaves"},
                {"says": ["{shop} ** led by {baker}"], "holds": "shop.town == town", "blame": "shop"},
                {"says": ["{baker} followed"], "holds": "told is None or told.town == town", "blame": "baker"},
                {"says": ["was <next>"], "holds": "previous is None or previous.loaves >= loaves"},
                {"says": ["<most endless>"], "holds": "endless > 1"},
                {"says": ["<busy>"], "needs": "hours > 5", "holds": "loaves > 50"},
                {"says": ["{#rank} in the shop"]},
                {"says": ["fully rested"], "holds": "hours < 1"},
            ],
        },
        "shop": {
            "when": ["wins", "losses"],
            "names": ["{town} {name}", "{name}", "{town}"],
            "pronouns": ["they", "them"],
            "known": ["Cully|Blue Ovens"],
            "aliases": {"Mill": ["Millers"]},
            "fields": {"loaves": ["loaves", "loaf"], "share": ["percent"]},
            "derived": {
                "rival": "only(s for s in records.shop if s.town != town)",
                "bakers": "(b for b in records.baker if b.town == town)",
            },
            "statements": [
                {"says": ["{shop} \\( {wins} - {losses} \\)"]},
                {"says": ["<outsold> [the] {other:shop} [{loaves} - {other.loaves}]"], "holds": "loaves > other.loaves"},
                {"says": ["at <home>"], "holds": "side == 'home'"},
                {"says": ["{loaves} - {rival.loaves} lead"], "scoped": True},
                {"says": ["easy <win>"], "holds": "loaves > rival.loaves"},
            ],
        },
        "fair": {"when": ["day"], "fields": {"day": {"terms": ["Saturday", "Sunday", "Monday"]}}},
    },
    "statements": [
        {"says": ["{a:shop} ** <defeated> [the] {b:shop} {a.loaves} - {b.loaves}", "{a:shop} <defeated> [the] {b:shop}"], "holds": "a.loaves > b.loaves"},
        {"says": ["won <{n}> in a row"], "holds": False},
        {"says": ["in all {sum(s.loaves for s in records.shop)} loaves"]},
        {"says": ["the fair cost {records.shop} francs"]},
    ],
    "scopes": [
        {"says": ["in the morning"], "fields": {"loaves": "loaves_am"}},
        {"says": ["in the afternoon"], "fields": {"loaves": "loaves_pm"}},
        {"says": ["over the last (two|three) fairs", "averaging"]},
    ],
    "topics": [
        {"says": ["next fair", "will"], "kind": "fair", "fields": ["next_day"], "tells": ["shop"], "terms": ["day"], "words": ["at <home>", "away"]},
    ],
}  # fmt: skip


def made(kind: FactKind, key: str, values: dict[str, Any]) -> Fact:
    return kind.fact(values, source="fair", key=key, as_of=NOW)


def kind_of(kind: str, subject: str, /, **types: FieldType) -> FactKind:
    return FactKind(kind, tuple(Field(f, t) for f, t in types.items()), subject)


SHOP = kind_of("entry", "name", name=TEXT, town=TEXT, side=TEXT, loaves=NUMBER, loaves_am=NUMBER, loaves_pm=NUMBER, share=NUMBER, wins=NUMBER, losses=NUMBER)  # fmt: skip
BAKER = kind_of("entry", "baker", baker=TEXT, last=TEXT, town=TEXT, loaves=NUMBER, cakes=NUMBER, hours=NUMBER)
FAIR = kind_of("entry", "place", place=TEXT, day=TEXT, next_day=TEXT)


def shop(name: str, town: str, side: str, am: int, pm: int, share: float, wins: int, losses: int) -> Fact:
    return made(SHOP, name, {"name": name, "town": town, "side": side, "loaves": am + pm, "loaves_am": am, "loaves_pm": pm, "share": share, "wins": wins, "losses": losses})  # fmt: skip


def baker(name: str, town: str, loaves: int | None, cakes: int | None, hours: int | None) -> Fact:
    return made(BAKER, name, {"baker": name, "last": name.split()[-1], "town": town, "loaves": loaves, "cakes": cakes, "hours": hours})  # fmt: skip


FACTS = (
    made(FAIR, "fair", {"place": "Vevey", "day": "Saturday"}),
    shop("Crust", "Aigle", "home", 70, 30, 52.6, 3, 1),
    shop("Mill", "Bex", "away", 30, 60, 47.4, 2, 2),
    baker("Anna Roth", "Aigle", 60, 4, 8),
    baker("Boris Lang", "Aigle", 40, 1, 6),
    baker("Clara Roth", "Bex", 70, 2, 9),
    baker("Dino Meyer", "Bex", 20, 5, 3),
    baker("Eva Stone", "Bex", None, None, None),
)


@pytest.fixture
def wrong() -> Callable[..., list[str]]:
    """The words of the violations in a text."""

    def run(text: str, *facts: Fact, lexicon: dict[str, Any] | None = None) -> list[str]:
        evidence = Evidence()
        evidence.add_all(facts or FACTS)
        setting = Setting(NOW, "en", "", lexicon=Lexicon.from_mapping(lexicon or LEXICON))
        return [v.words for v in Verifier(evidence, setting).report(text).violations]

    return run


Wrong = Callable[..., list[str]]


@pytest.mark.parametrize(
    "text",
    [
        "Anna Roth sold 60 loaves and 4 cakes, while Boris Lang sold 40 loaves and a cake.",
        "Boris Lang sold a cake. He also sold 40 loaves.",
        "Lang sold a 40-loaf batch and worked 7 hours.",
        "Roth sold 70 loaves.",  # of the two, Clara
        "Selling 20 loaves, Dino Meyer was last.",
        "Anna Roth sold about 58 loaves, over 50 loaves, at least 60 loaves and less than 61 loaves, under 61 loaves.",
        "The Crust ( 3 - 1 ) defeated the Mill ( 2 - 2 ) on Saturday.",
        "The Crust defeated the Millers 100 - 90.",
        "Aigle outsold Bex 70 - 30 in the morning.",
        "In the morning the Crust sold 70 loaves, while Bex sold 60 loaves in the afternoon.",
        "Aigle got 53 percent.",
        "Anna Roth led the shop in sales, and Boris Lang was next with 40 loaves.",
        "Dino Meyer was second in the shop.",
        "Aigle was led by Anna Roth. Boris Lang followed.",
        "Dino Meyer followed the recipe of the Millers.",
        "Clara Roth keeps the 99 loaf limit and bakes two-day bread.",
        "Dino Meyer was busy.",
        "They baked for the Vevey Hall and the Bread League.",
        "The most endless baker was Anna Roth.",
        "Nothing is said here.",
        "Who sold 99 loaves?",
        "Clara Roth beat Anna Roth.",
        "Eva Stone was first in the shop.",
        "The Lang Hall was full.",
        "In all 190 loaves were sold by the shops.",
        "The fair cost 12 francs.",
        "Bex came, while the lively Aigle sold 100 loaves.",
        "The Mill, who met Aigle, sold 90 loaves.",
        "Aigle got 60 loaves from Anna Roth and 40 loaves and a cake by Boris Lang.",
        "Dino Meyer sold 3 cakes in the morning.",  # no field holds a part of the cakes
        "Aigle held a 12 - 3 lead.",
        "Aigle took a 70 - 30 lead in the morning.",
        "Anna Roth met Boris Lang, the former selling 60 loaves and the latter 40 loaves.",
        "The former sold 3 loaves.",
        "Bex sold 3 cakes.",  # told of a shop, which declares none
        "Anna Roth had an easy win.",
        "Twenty guests came without Hugo Boll.",
    ],
)
def test_what_is_so_is_not_marked(text: str, wrong: Wrong):
    assert wrong(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Anna Roth sold 61 loaves and a cake.", ["61", "a"]),
        ("Boris Lang sold 40 loaves. She sold two cakes.", ["two"]),
        ("Anna Roth sold 60 loaves, while Boris Lang sold 30 loaves.", ["30"]),
        ("Selling 21 loaves, Dino Meyer was last.", ["21"]),
        ("Boris Lang worked 3 hours.", ["3"]),
        ("Anna Roth sold about 45 loaves.", ["45"]),
        ("Anna Roth sold over 60.5 loaves.", ["60.5"]),
        ("Anna Roth sold under 60 loaves.", ["60"]),
        ("Anna Roth sold less than 60 loaves.", ["60"]),
        ("The Crust ( 3 - 2 ) won on Sunday.", ["2", "Sunday"]),
        ("Aigle got 55 percent.", ["55"]),
        ("Bex outsold Aigle.", ["outsold"]),
        ("Bex outsold Aigle 60 - 30 in the morning.", ["outsold", "60", "30"]),
        ("Bex outsold Aigle 70 - 30 in the morning.", ["Bex", "Aigle"]),  # the other way round
        ("The Mill defeated the Crust 90 - 100.", ["defeated"]),
        ("The Crust defeated the Crust 100 - 90.", ["Crust"]),
        ("Boris Lang led the shop.", ["led"]),
        ("Boris Lang was first in the shop.", ["first"]),
        ("Boris Lang sold 40 loaves. Anna Roth was next.", ["next"]),
        ("Bex was led by Anna Roth.", ["Bex"]),
        ("Anna Roth sold 60 loaves. Dino Meyer followed.", ["Dino Meyer"]),
        ("Boris Lang was busy.", ["busy"]),
        ("Boris Lang came fully rested.", ["fully rested"]),
        ("Aigle won three in a row.", ["three"]),
        ("Anna Roth sold 60 loaves over the last two fairs.", ["60"]),
        ("She is averaging 12 cakes.", []),  # nobody was spoken of
        ("Anna Roth is averaging 12 cakes.", ["12"]),
        ("Anna Roth is averaging just 12 loaves, 2 cakes and 6 hours.", ["12", "2", "6"]),
        ("Averaging 12 loaves, Anna Roth sold 60 loaves and 5 cakes.", ["12", "5"]),
        ("Anna Roth sold 60 loaves by noon, and 9 cakes over the last two fairs.", ["9"]),
        ("Anna Roth sold 60 loaves, while averaging 12 cakes.", ["12"]),
        ("Eva Stone sold 12 loaves.", ["12"]),  # a gap
        ("Anna Lang sold 40 loaves.", ["Anna Lang"]),
        ("Anna Lang sold 70 loaves and 2 cakes.", ["Anna Lang"]),
        ("Cully came.", ["Cully"]),
        ("The judges praised Hugo Boll.", ["Hugo Boll"]),
        ("Boris Lang beat Boris Lang.", ["Boris Lang"]),
        ("The Blue Ovens came and they sold 12 loaves.", ["Blue Ovens"]),
        ("Dino Meyer sold 60 loaves and 4 cakes in 8 hours.", ["Dino Meyer"]),  # it is Anna's
        ("Dino Meyer sold 61 loaves and 4 cakes in 8 hours.", ["Dino Meyer", "61"]),
        ("Dino Meyer sold 60 loaves, 5 cakes and worked 8 hours.", ["60", "8"]),  # one is his own
        (
            "Dino Meyer sold 61 loaves, 3 cakes and worked 8 hours, first in the shop.",
            ["61", "3", "8", "first"],
        ),  # not all Anna's
        ("Dino Meyer sold 60 loaves and 4 cakes. He worked 3 hours.", ["Dino Meyer", "3"]),
        ("Dino Meyer sold 60 loaves and 4 cakes, first in the shop, and worked 3 hours.", ["Dino Meyer", "3"]),
        ("Dino Meyer came early, and he sold 60 loaves and 4 cakes.", ["Dino Meyer"]),
        ("Aigle will meet Bex at home on Sunday.", ["Bex", "home", "Sunday"]),
        ("The next fair for the Mill is on Monday, with Aigle away.", ["Monday", "Aigle", "away"]),
        ("Next fair, Cully will come.", ["Cully"]),
        ("Bex played at home.", ["home"]),
        (
            "Boris Lang sold 60 loaves and 4 cakes, Anna Roth sold 40 loaves and a cake, Dino Meyer sold 70 loaves "
            "and two cakes, and Clara Roth sold 20 loaves and 5 cakes.",
            ["Boris Lang", "Anna Roth", "Dino Meyer", "20", "5"],  # at most three names in a sentence
        ),
        ("Aigle came, they won, and Dino Meyer sold 60 loaves and 4 cakes.", ["Dino Meyer"]),
        ("Bex came second, with Aigle selling 90 loaves.", ["90"]),
        ("Aigle got 61 loaves from Anna Roth.", ["61"]),
        ("Anna Roth met Boris Lang, the former selling 40 loaves and the latter 41 loaves.", ["40", "41"]),
        ("Bex took a 70 - 30 lead in the morning.", ["70", "30"]),
        ("Clara Roth had an easy win.", ["win"]),
        ("Bex met Cully and Aigle. They sold 91 loaves.", ["Cully", "91"]),
        ("In all 189 loaves were sold by the shops.", ["189"]),
    ],
)
def test_what_is_not_so_is_marked_where_it_is_wrong(text: str, words: list[str], wrong: Wrong):
    assert wrong(text) == words


def test_who_was_spoken_of_is_remembered_from_sentence_to_sentence(wrong: Wrong):
    assert wrong("Anna Roth came. Boris Lang, too. He sold 40 loaves. They came. She sold 60 loaves.") == ["60"]
    assert wrong("The Crust came with the Mill. They sold 100 loaves.") == []
    assert wrong("Aigle met Bex. They sold 90 loaves.") == ["90"]


def test_a_next_fair_that_is_recorded_is_not_judged_as_a_gap(wrong: Wrong):
    fair = made(FAIR, "fair", {"place": "Vevey", "day": "Saturday", "next_day": "Sunday"})
    assert wrong("Aigle will meet Bex at home.", fair, *FACTS[1:]) == []
    assert wrong("Aigle will meet Bex at home.", *FACTS[1:]) == []


def spared(unless: str) -> dict[str, Any]:
    """The lexicon with a topic that leaves out terms: Monday is two days after the fair's Saturday."""
    return {**LEXICON, "topics": [{**LEXICON["topics"][0], "unless": unless}]}


def test_a_term_that_chance_makes_right_too_often_is_left_out_of_a_topic(wrong: Wrong):
    lexicon = spared("stated - held == 2")
    assert wrong("Aigle will meet Bex on Monday.", lexicon=lexicon) == ["Bex"]
    assert wrong("Aigle will meet Bex on Sunday.", lexicon=lexicon) == ["Bex", "Sunday"]
    assert wrong("Aigle met Bex on Monday.", lexicon=lexicon) == ["Monday"]  # of the fair that is recorded


@pytest.mark.parametrize("day", [None, "Friday"])
def test_no_term_is_left_out_where_the_record_holds_none_of_them(day: str | None, wrong: Wrong):
    fair = made(FAIR, "fair", {"place": "Vevey", "day": day})
    assert wrong("Aigle will meet Bex on Monday.", fair, *FACTS[1:], lexicon=spared("stated > 0")) == ["Bex", "Monday"]


def test_a_name_that_a_word_of_others_introduces_is_not_judged(wrong: Wrong):
    lexicon = {**LEXICON, "others": [*LEXICON["others"], "judge"]}
    assert wrong("They praised judge Hugo Boll.", lexicon=lexicon) == []
    assert wrong("They praised cook Hugo Boll.", lexicon=lexicon) == ["Hugo Boll"]


def test_a_record_without_a_part_of_a_name_is_known_by_the_others(wrong: Wrong):
    nobody = made(BAKER, "b", {"baker": "Ida", "town": "Bex", "loaves": 3})
    assert wrong("Ida sold 4 loaves.", nobody, *FACTS) == ["4"]


def test_amounts_are_plain_numbers(wrong: Wrong):
    kind = kind_of("entry", "name", name=TEXT, wins=NUMBER, losses=NUMBER, share=FieldType.QUANTITY, loaves=NUMBER)
    exact = made(
        kind, "s", {"name": "Crust", "wins": 1, "losses": 1, "share": Quantity(12, "%"), "loaves": Decimal("40.5")}
    )
    lexicon = {"kinds": {"shop": {**LEXICON["kinds"]["shop"], "names": ["{name}"], "known": ["'"]}}}
    assert wrong("The Crust got 13 percent and 12 percent, with 40.5 loaves.", exact, lexicon=lexicon) == ["13"]


def test_a_lexicon_without_words_for_others_infers_no_names(wrong: Wrong):
    lexicon = {k: v for k, v in LEXICON.items() if k != "others"}
    assert wrong("The judges praised Hugo Boll and Anna Lang.", lexicon=lexicon) == []


def test_facts_of_no_declared_kind_are_left_to_the_other_rules(wrong: Wrong):
    note = made(kind_of("note", "title", title=TEXT, pages=NUMBER), "n", {"title": "Ledger", "pages": 12})
    assert wrong("The Ledger has 13 pages.", note) == ["13"]
    assert wrong("The Ledger has 13 pages, and Anna Roth sold 61 loaves.", note, *FACTS).count("61") == 1


def test_a_sentence_that_holds_is_supported():
    evidence = Evidence()
    evidence.add_all(FACTS)
    setting = Setting(NOW, "en", "", lexicon=Lexicon.from_mapping(LEXICON))
    (judged,) = Verifier(evidence, setting).report("Anna Roth sold 60 loaves.").sentences
    assert (judged.verdict, judged.claims) == (Verdict.SUPPORTED, 1)


TOLD = (
    "The Crust ( 3 - 1 ) defeated the Mill ( 2 - 2 ) 100 - 91 on Sunday. Anna Roth led the shop with 61 loaves. "
    "She sold 5 cakes, while Dino Meyer followed. He sold 12 loaves over the last two fairs. The Mill will meet Aigle."
)


@pytest.mark.parametrize("step", [1, 2, 7, 40])
def test_streamed_it_is_judged_as_on_the_whole(step: int):
    evidence = Evidence()
    evidence.add_all(FACTS)
    verifier = Verifier(evidence, Setting(NOW, "en", "", lexicon=Lexicon.from_mapping(LEXICON)))
    stream = verifier.stream()
    judged = [j for at in range(0, len(TOLD), step) for j in stream.feed(TOLD[at : at + step])]
    assert (*judged, *stream.end()) == verifier.report(TOLD).sentences


WORDS = [*TOLD.split(), "(", ")", "-", "…", "̈", "9" * 30, "JJ", "former", "with", "²", "\u200b", "|", "*", "#"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=6)), max_size=60).map(" ".join))
def test_no_text_makes_it_raise(text: str, wrong: Wrong):
    wrong(text)


def test_a_violation_names_the_record_and_its_value():
    evidence = Evidence()
    evidence.add_all(FACTS)
    setting = Setting(NOW, "en", "", lexicon=Lexicon.from_mapping(LEXICON))
    (violation,) = Verifier(evidence, setting).report("Aigle got 50 percent.").violations
    assert (violation.nearest, violation.instruction) == ("F2", "the records say 52.6")
