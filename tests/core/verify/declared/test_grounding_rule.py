"""Texts that retell a document of records: what is told of them, by inference alone and with a lexicon."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import Fact, FactKind, Field, Provenance, Quantity
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.declared.lexicon import NO_LEXICON, Lexicon
from sayso.core.verify.report import Profile, Report, Verdict
from sayso.errors import DeclarationError

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def _evidence(*records: tuple[str, dict]) -> Evidence:  # type: ignore[type-arg]
    made = []
    for number, (subject, fields) in enumerate(records, 1):
        kind = FactKind("record", (Field("_subject"), *map(Field, fields)), "_subject")
        values = {"_subject": subject, **{n: v for n, v in fields.items() if v is not None}}
        made.append(Numbered(f"F{number}", Fact(kind, subject, values, "s", str(number), NOW, Provenance.OWN)))
    return Evidence(made)


def _report(text: str, evidence: Evidence, lexicon=NO_LEXICON, profile=Profile.STRICT, locale="en") -> Report:  # type: ignore[no-untyped-def]
    return Verifier(evidence, Setting(NOW, locale, "", profile=profile, lexicon=lexicon)).report(text)


def _words(report: Report) -> list[str]:
    return [v.words for v in report.violations]


def _lexicon(**grounding) -> Lexicon:  # type: ignore[no-untyped-def]
    return Lexicon.from_mapping({"grounding": grounding})


LOG = _evidence(
    ("Kelm", {"name": "Kelm", "country": "PL", "opened": "2019, March 14", "hours": "08:30 to 17:00"}),
    ("Kelm @ 2024-01-03", {"air.temp": 2.6, "air.temp_max": 4.1, "soil.moisture": 31, "sky": "light frost", "at": "2024-01-03 06:00"}),
    ("Kelm @ 2024-01-03 b", {"air.temp": 1.8, "air.temp_max": 2.0, "soil.moisture": 33, "sky": "thick mist", "at": "2024-01-03 18:00"}),
    ("Kelm @ 2024-01-04", {"air.temp": -0.4, "air.temp_max": 0.4, "soil.moisture": 40, "sky": "light frost", "at": "2024-01-04 06:00"}),
    ("Kelm @ 2024-01-05", {"air.temp": 7.2, "air.temp_max": 9.9, "soil.moisture": 44, "sky": "mild", "at": "2024-01-05 06:00"}),
)  # fmt: skip
YEARS = _evidence(
    ("Orr", {"title": "Boats per 1,000 people"}),
    ("Orr series", {"1950": 10.0, "1951": 12.0, "1952": 11.5, "1953": 20.25}),
)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("On January 3rd the temp ranged from 1.8 to 4.1.", []),
        ("On January 3rd the temp ranged from 1.8 to 7.2.", ["7.2"]),
        ("On January 3rd the temp was 2.6.", []),
        ("On January 4th the temperature fell to -0.4.", []),
        ("On January 4th the temp was 2.6.", ["2.6"]),
        ("On January 9th the temp was 2.6.", ["January 9th", "2.6"]),
        ("On January 3rd and 4th the temp stayed between -0.4 and 4.1.", []),
        ("From January 3rd to 5th the temp had a high of 9.9.", []),
        ("The temp reached 7.2 at most, up to a high of 7.2.", ["7.2", "7.2"]),
        ("The temp rose by 10.3 in all.", []),
        ("The soil moisture will be 44 on January 5th.", []),
        ("The soil moisture will be 41 on January 5th.", ["41"]),
        ("Soil moisture was 31 and 44 respectively on January 3 and January 5.", []),
        ("The highest moisture is expected on January 5th.", []),
        ("The highest moisture is expected on January 3rd.", ["highest moisture is expected on January 3rd"]),
        ("The lowest temp is due on January 3rd.", ["lowest temp is due on January 3rd"]),
        ("The highest, on January 3rd.", []),
        ("The highest reading of all is on January 3rd.", []),
        ("The highest moisture of 44 is on January 5th.", []),
        ("On January 4th there will be light frost.", []),
        ("On January 5th there will be light frost.", ["light frost"]),
        ("On January 5th there will be no light frost.", []),
        ("There will be thick mist on January 4th.", ["thick mist"]),
        ("Kelm lies in Poland.", ["Poland"]),
        ("Kelm lies by Lake Orta and Ilm.", ["Lake Orta", "Ilm"]),
        ("About 77 visitors came.", ["77"]),
        ("A 7-day walk, the 3rd of them.", []),
        ("It is open from 08:30, and from 8:30 am.", []),
        ("It is open from 09:45.", ["09:45"]),
    ],
)
def test_readings_are_told_of_their_own_time_and_field(text: str, wrong: list[str]) -> None:
    assert _words(_report(text, LOG)) == wrong


def test_a_time_carries_on_to_the_next_sentence() -> None:
    text = "On January 4th it was cold. The temp was 2.6. The temp was 7.2. Overall the temp reached 9.9."
    assert _words(_report(text, LOG)) == ["2.6", "7.2"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Boats rose from 10 in 1950 to 20.25 in 1953.", []),
        ("Boats rose from 10 in 1950 to 20.25 in 1952.", ["20.25"]),
        ("Boats rose from 1951 to 1952.", ["1951", "1952"]),
        ("The chart goes from 1950 to 1953 per 1,000 people.", []),
        ("They peaked in 1953.", []),
        ("They peaked in 1951.", ["peaked in 1951"]),
        ("Boats have steadily increased.", ["increased"]),
        ("Boats have increased over the years.", []),
        ("Boats have decreased over the years.", ["decreased"]),
        ("The number was stable.", ["stable"]),
        ("It was 16 in all.", ["16"]),
    ],
)
def test_a_series_by_year_is_read_whole(text: str, wrong: list[str]) -> None:
    assert _words(_report(text, YEARS)) == wrong


def test_by_default_only_what_the_records_deny_is_told() -> None:
    text = "On January 4th the temp was 3.3. On January 4th the temp was 2.6. It is by the sea."
    report = _report(text, LOG, profile=Profile.DEFAULT)
    assert [s.verdict for s in report.sentences] == [Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.TALK]


def test_advice_is_let_be_by_default() -> None:
    assert _words(_report("You should bring 33 coats.", LOG, profile=Profile.DEFAULT)) == []


def test_a_sentence_without_names_and_numbers_claims_nothing() -> None:
    assert _report("All is well here.", LOG).sentences[0].verdict is Verdict.TALK


def test_only_documents_are_read_so() -> None:
    people = _evidence(("Ada Wolf", {"role": "baker"}), ("Max Orr", {"role": "smith"}))
    assert "Poland" in _words(_report("Ada Wolf, baker, lives in Poland.", people))
    parts = _evidence(*((f"Kelm {n}", {"area": n}) for n in ("", "north", "south")))
    assert _words(_report("Kelm has an area in Poland.", parts)) == ["Poland"]
    paths = _evidence(("show", {"a.one": 3, "a.two": 4, "b.one": 5}), ("Zum", {"size": 2}))
    assert _words(_report("The show gave 9.", paths)) == ["9"]
    assert _report("Nothing is there but 9 of them.", Evidence()).violations == ()


def test_another_language_is_left_to_the_other_rules() -> None:
    assert _words(_report("Am 4. Januar war die Temp 3.3.", LOG, profile=Profile.DEFAULT, locale="de")) == []


def test_an_evidence_that_grows_is_read_again() -> None:
    evidence = _evidence(*((f"Kelm {n}", {"area": n}) for n in ("north", "south", "")))
    verifier = Verifier(evidence, Setting(NOW, "en", "", profile=Profile.STRICT))
    assert verifier.report("Kelm is in Poland.").violations
    kind = FactKind("record", (Field("_subject"), Field("land")), "_subject")
    evidence.add_all([Fact(kind, "Kelm", {"_subject": "Kelm", "land": "Poland"}, "s", "9", NOW)])
    assert not verifier.report("Kelm is in Poland.").violations


def test_dates_without_a_series_are_those_that_records_hold() -> None:
    sheet = _evidence(
        *((f"Kelm {n}", {"out": f"2019, March {n}"}) for n in (14, 15, 16)), ("Kelm", {"v": "13.1, 2019, May"})
    )
    assert _words(_report("It came out on March 14, 2019, as version 13.1. in May 2019.", sheet)) == []
    assert _words(_report("It came out on March 17, 2019.", sheet)) == ["March 17, 2019"]


def test_a_quantity_of_the_lexicon_has_its_words_units_and_conversions() -> None:
    lexicon = _lexicon(
        quantity=[
            {"fields": ["air.temp"], "words": ["temperature", "warmth"], "units": ["°c", "degrees"]},
            {"fields": ["soil.moisture"], "words": ["moisture"], "units": ["percent"], "slack": 2},
        ],
        units={"°F": ["°c", 0.5555556, -17.7777778]},
    )
    right = "On January 5th the temperature is 7.2°C, 45 °F or 7 degrees, with moisture of 45 percent."
    assert _words(_report(right, LOG, lexicon)) == []
    wrong = "On January 5th the temperature is 9.9°C, with 31 percent, and a warmth like the moisture 9 percent."
    assert _words(_report(wrong, LOG, lexicon)) == ["9.9", "31", "9"]
    assert _words(_report("The warmth temperature is 12 km of 7.2.", LOG, lexicon)) == ["12"]
    assert _words(_report("The temperature is 7.2 °C and 31 percent, 40 percent.", LOG, lexicon)) == []


def test_states_of_the_lexicon_have_other_words() -> None:
    lexicon = _lexicon(state=[{"field": "sky", "meaning": [{"held": ["frost"], "words": ["fro*", "ice"]}]}])
    assert _words(_report("On January 5th it is frozen. There is no ice.", LOG, lexicon)) == ["frozen"]


def test_known_words_are_no_names_and_unlicensed_phrases_are_told() -> None:
    lexicon = _lexicon(known=["Poland"], unlicensed=["a sheer delight", "cosy*"], hours=False)
    text = "In all, Poland is a sheer delight, the cosiest of places. It opens at 08:30."
    assert _words(_report(text, LOG, lexicon)) == ["a sheer delight", "08:30"]
    assert _words(_report("It is cosyish.", LOG, lexicon)) == ["cosyish"]


@pytest.mark.parametrize(
    "grounding", [{"colour": []}, {"known": ["ab*"]}, {"quantity": [{"words": ["temp"]}]}, {"units": {"k": [1]}}]
)
def test_a_bad_section_is_refused(grounding: dict) -> None:  # type: ignore[type-arg]
    with pytest.raises(DeclarationError):
        Lexicon.from_mapping({"grounding": grounding})


def test_amounts_and_odd_stamps_are_readings_too() -> None:
    days = [("a", "2024-02-30"), ("b", "2024-02-01"), ("c", "2024-02-02"), ("d", "2024-02-03")]
    log = _evidence(*((f"Kelm {n}", {"rain": Quantity(i, "mm"), "day": day}) for i, (n, day) in enumerate(days)))
    assert _words(_report("On February 1 the rain was 1. On February 2 the rain was 1.", log)) == ["1"]


def test_weekdays_and_long_phrases_find_their_place() -> None:
    lexicon = _lexicon(unlicensed=["a sheer delight"])
    assert _words(_report("On Friday the temp was 7.2, a sheer", LOG, lexicon)) == []
    assert _words(_report("On Friday the temp was 2.6.", LOG)) == ["2.6"]


def test_a_field_without_readings_there_has_none_to_tell() -> None:
    days = [("a", "2024-02-01"), ("b", "2024-02-02"), ("c", "2024-02-03")]
    log = _evidence(*((f"Kelm {n}", {"day": d, "rain": 4} if n == "a" else {"day": d}) for n, d in days))
    assert _words(_report("On February 2 the rain was 4, and no drainrain 4.", log)) == ["4", "4"]


def test_a_section_that_is_not_known_is_refused() -> None:
    with pytest.raises(DeclarationError, match="no section"):
        Lexicon.from_mapping({"colours": {}})


def test_of_two_things_amiss_the_outer_one_is_told() -> None:
    lexicon = _lexicon(unlicensed=["by 77 tall poles", "77"])
    assert _words(_report("It is fenced by 77 tall poles.", LOG, lexicon)) == ["by 77 tall poles"]


def test_a_strange_name_alone_is_no_reason_to_mark_by_default() -> None:
    assert _words(_report("On January 4th the temp was -0.4 at Lake Orta.", LOG, profile=Profile.DEFAULT)) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("From January 3rd to January 4th the temp ranged from -0.4 to 4.1.", []),
        ("From Wednesday to Thursday the temp ranged from -0.4 to 4.1.", []),
        ("On January 3rd, and on January 4th, the temp ranged from -0.4 to 9.9.", ["9.9"]),
        ("From January 5th to January 3rd the temp ranged from 1.8 to 9.9.", []),
        ("From January 3rd to May 9th the temp was 2.6.", ["May 9th"]),
        ("Light frost is not to be had on January 5th.", []),
        ("Kelm is known for its skilled gardeners.", ["known for", "skilled"]),
    ],
)
def test_times_that_are_told_together_are_one(text: str, wrong: list[str]) -> None:
    assert _words(_report(text, LOG)) == wrong


def test_a_long_stretch_is_all_of_time() -> None:
    days = {f"2024-{month:02d}-{day:02d}": float(month) for month in range(1, 7) for day in (1, 15)}
    series = _evidence(("Orr", {"title": "Boats"}), ("Orr series", days))
    text = "From January 1, 2024 to June 15, 2024 it went from 1 to 6. From January 15, 2024 to May 1, 2024 it was 6."
    assert _words(_report(text, series)) == ["January 15, 2024", "May 1, 2024"]


def test_numbers_that_are_none_are_passed_over() -> None:
    odd = {"a.one": 10**400, "a.two": float("nan"), "b.one": Decimal("sNaN"), "b.two": True, "c.one": 3}
    log = _evidence(*((f"Kelm {n}", {**odd, "at": f"2024-01-0{n}"}) for n in (1, 2, 3)), ("Kelm", odd))
    assert _words(_report("On January 1 it had 3² poles, 2² in the first row, 4-² of 9.", log)) == ["4", "9"]
