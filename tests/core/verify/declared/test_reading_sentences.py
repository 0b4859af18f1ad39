"""Each word of a sentence told of a record of texts must be explained by the record or by the lexicon."""

from __future__ import annotations

import random

import pytest

from core.verify.declared.reading_cases import ADA, BAND, FILM, LEXICON, NOW, TOWN, facts_of, told_of
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.declared.lexicon import Lexicon
from sayso.core.verify.report import Profile, Verdict
from sayso.errors import DeclarationError

HOLDS, WRONG, UNSUPPORTED = "holds", "wrong", "unsupported"


@pytest.mark.parametrize(
    ("fields", "sentence", "verdict"),
    [
        (ADA, "Ada Brill was a painter.", HOLDS), (ADA, "Ada Brill made paintings.", HOLDS), (ADA, "Ada Brill had paintings.", HOLDS),
        (ADA, "Ada Brill was a famous painter.", UNSUPPORTED), (ADA, "Ada Brill won awards.", UNSUPPORTED), (ADA, "Ada Bril was a poet.", HOLDS),
        (ADA, "Ada Br?ll was a poet.", HOLDS), (ADA, "Ada Zz?q was a poet.", UNSUPPORTED), (ADA, "Ada Brxll was a poet.", HOLDS), (ADA, "Ada Brown was a poet.", UNSUPPORTED),
        (ADA, "Ada Brill was born in France.", HOLDS), (ADA, "Ada Brill was born in Europe.", HOLDS), (ADA, "Ada Brill was born in Italy.", UNSUPPORTED),
        (ADA, "Ada Brill was born in Peru.", WRONG), (ADA, "Ada Brill was born in Monaco.", UNSUPPORTED), (ADA, "Ada Brill is French.", HOLDS),
        (ADA, "Ada Brill is from Peru.", UNSUPPORTED), (ADA, "Ada Brill had a long life.", UNSUPPORTED), (ADA, "Ada Brill had a life.", HOLDS),
        (FILM, "Ada Brill was directed by Ula Reed.", WRONG), (FILM, "Ada Brill was directed by Ang Moor.", HOLDS), (FILM, "Ada Brill stars Jake Gill.", HOLDS),
        (FILM, "Ada Brill was written by Pell Dan.", HOLDS), (FILM, "Ada Brill stars only Jake Gill.", WRONG), (FILM, "Ula Reed is the editor of Ada Brill.", HOLDS),
        (FILM, "Ula Reed is the star of Ada Brill.", WRONG), (BAND, "Ada Brill has folk labels.", HOLDS),
        (FILM, "Ada Brill was directed only by Ang Moor.", UNSUPPORTED), (FILM, "Ada Brill was edited only by Ula Reed.", UNSUPPORTED), (FILM, "Ada Brill is only a film.", UNSUPPORTED),
        (FILM, "Ada Brill is not a film.", WRONG), (ADA, "Ada Brill was not born in 1951.", HOLDS), (ADA, "Ada Brill never sang.", UNSUPPORTED),
        (ADA, "Ada Brill wasn't a poet.", WRONG), (FILM, "Is Ada Brill a film?", HOLDS), (TOWN, "Ada Brill has a staff of 1,250.", HOLDS),
        (ADA, "Ada Brillouin was a poet.", UNSUPPORTED), (ADA, "Ada Brix was a poet.", UNSUPPORTED), (ADA, "Ada Brill has 4.", HOLDS), (ADA, "Ada Brill has 9.", UNSUPPORTED), (BAND, "The Old Mill of Lyon plays rock.", UNSUPPORTED),
    ],
)  # fmt: skip
def test_a_sentence_says_what_its_record_says(fields: dict[str, object], sentence: str, verdict: str) -> None:
    assert told_of(fields, sentence) == verdict  # type: ignore[arg-type]


def test_without_a_lexicon_a_strange_name_or_number_is_unsupported_and_a_strange_word_is_not() -> None:
    assert told_of(ADA, "Ada Brill was a gifted poet.", lexicon={}) == HOLDS
    assert told_of(ADA, "Ada Brill was a poet in Quito.", lexicon={}) == UNSUPPORTED
    assert told_of(ADA, "Ada Brill was always a poet.", lexicon={}) == UNSUPPORTED


def test_a_record_of_numbers_is_not_read() -> None:
    numbers = {"points": 11, "assists": 4, "team": "Owls"}
    assert told_of(numbers, "Ada Brill glided with the Owls.", lexicon={}) == HOLDS  # type: ignore[arg-type]


def test_an_age_in_the_record_tells_when_it_was_written() -> None:
    born = {"Born": "(1963-08-03) August 3, 1963 (age 55)", "Years active": "1980 - present"}
    assert told_of(born, "Ada Brill has been active for over 37 years.", lexicon={}) == HOLDS
    assert told_of(born, "Ada Brill has been active for over 45 years.", lexicon={}) == WRONG


def test_without_an_age_today_is_the_clocks() -> None:
    assert told_of(BAND, "Ada Brill has been active for over 8 years.", lexicon={}) == HOLDS


def test_a_section_says_which_entries_it_knows() -> None:
    with pytest.raises(DeclarationError, match="known are"):
        Lexicon.from_mapping({"reading": {"fieldz": []}})
    with pytest.raises(DeclarationError, match="no section"):
        Lexicon.from_mapping({"readings": {}})


def test_a_lexicon_is_read_from_its_section() -> None:
    reading = Lexicon.from_mapping(LEXICON).reading
    assert reading.held["Lyon"] == {"Lyon", "France", "Europe"}
    assert reading.held["Peru"] == {"Peru", "South America"}
    assert reading.as_of is not None
    assert reading.as_of.isoformat() == "2019-01-01"


def test_the_name_of_the_record_is_no_claim() -> None:
    assert (
        told_of({"Genre": "Folk", "Origin": "Turin, Italy", "Founder": "Lyon"}, "Lyon plays folk.", name="Lyon")
        == UNSUPPORTED
    )
    assert (
        told_of({"Genre": "Folk", "Origin": "Turin, Italy", "Founder": "Lyon"}, "Lyon has folk.", name="Lyon") == HOLDS
    )


def test_a_place_may_lie_in_another_by_two_ways() -> None:
    places = {"Reed": {"within": ["Low", "High"]}, "Low": {"within": ["All"]}, "High": {"within": ["All"]}}
    assert Lexicon.from_mapping({"reading": {"places": places}}).reading.held["Reed"] == {"Reed", "Low", "High", "All"}


def test_a_wrong_year_of_the_field_that_is_told_of_is_contradicted() -> None:
    setting = Setting(NOW, "en", "", lexicon=Lexicon.from_mapping(LEXICON))
    (judged,) = Verifier(facts_of("Ada Brill", ADA), setting).report("Ada Brill was born in 1951.").sentences
    assert judged.verdict is Verdict.CONTRADICTED
    assert [(v.kind.value, v.words) for v in judged.violations] == [("wrong_value", "1951")]


def test_no_sentence_and_no_record_makes_the_reading_raise() -> None:
    chance = random.Random(7)
    words = [
        "Ada",
        "Brill",
        "born",
        "died",
        "in",
        "the",
        "1st",
        "30th",
        "century",
        "turn",
        "of",
        "0",
        "1999",
        "9999",
        "12",
        "May",
        "2/3/9999",
        "-",
        "–",
        "(aged",
        "999)",
        "over",
        "a",
        "half",
        "million",
        "$",
        "1,000",
        "99:99:99",
        "same",
        "different",
        "more",
        "than",
        "only",
        "not",
        "spring",
        "winter",
        "of",
        "2024",
        "31",
        "February",
        "his",
        "20s",
        "age",
        "n't",
        "?",
        "�",
        "\x85",
        "times",
        "twice",
        "as",
        "years",
        "ago",
        "months",
        "after",
        "XX",
        "20",
        "0",
        "m.",
        "present",
        "to",
        "one",
        "sq.",
        "mi",
        "km/h",
        "6",
        "-",
        "31",
        "June",
        "1999",
        "٣",
        "²",
        "½",
        "Second",
        "World",
        "War",
    ]
    labels = ["Born", "Died", "Years active", "Spouse(s)", "Budget", "Box office", "Genres", "()", "1"]
    setting = Setting(NOW, "en", "", profile=Profile.STRICT, lexicon=Lexicon.from_mapping(LEXICON))
    for _ in range(300):
        fields = {chance.choice(labels): " ".join(chance.choices(words, k=8)) for _ in range(4)}
        text = " ".join(chance.choices(words, k=12)) + "."
        report = Verifier(facts_of(chance.choice(["Ada Brill", "0", "?"]), fields), setting).report(text)
        assert report.text == text


def verdict_of(sentence: str, *, locale: str = "en", message: str = "", profile: Profile = Profile.STRICT) -> Verdict:
    setting = Setting(NOW, locale, message, profile=profile, lexicon=Lexicon.from_mapping(LEXICON))
    return Verifier(facts_of("Old Mill", BAND), setting).report(sentence).sentences[0].verdict


def test_a_greeting_and_advice_are_not_read() -> None:
    assert verdict_of("Hello there!") is Verdict.TALK
    assert verdict_of("You could ask about gigs in Quito.") is Verdict.TALK


def test_another_language_is_not_read() -> None:
    assert verdict_of("Old Mill spielt gern lauten Rock.", locale="de") is not Verdict.UNSUPPORTED


def test_the_users_own_words_are_known() -> None:
    assert verdict_of("Old Mill has wild folk rock.") is Verdict.UNSUPPORTED
    assert verdict_of("Old Mill has wild folk rock.", message="Is their folk rock wild?") is not Verdict.UNSUPPORTED


def test_a_contact_that_the_record_does_not_hold_is_invented() -> None:
    assert verdict_of("The website of Old Mill is www.oldmill.example.") is Verdict.SUPPORTED
    assert verdict_of("The website of Old Mill is www.newmill.example.") is Verdict.CONTRADICTED
    known = verdict_of("The website of Old Mill is www.newmill.example.", message="They moved to www.newmill.example")
    assert known is Verdict.SUPPORTED


def test_a_false_report_of_action_is_found_beside_the_reading() -> None:
    assert verdict_of("I have sent an e-mail to Old Mill.", profile=Profile.DEFAULT) is Verdict.CONTRADICTED


def test_a_place_may_be_listed_by_the_one_that_holds_it() -> None:
    reading = Lexicon.from_mapping({"reading": {"places": {"Land": {"holds": ["Town"], "within": ["World"]}}}}).reading
    assert reading.held["Town"] == {"Town", "Land", "World"}
