"""Counts by party and part, events and pairs of numbers, as a lexicon declares them or as names tell."""

from datetime import UTC, datetime

import pytest

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import Fact, FactKind, Field, Provenance
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.declared.lexicon import NO_LEXICON, Lexicon
from sayso.core.verify.report import Profile, Verdict

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def _evidence(*records: tuple[str, dict]) -> Evidence:  # type: ignore[type-arg]
    made = []
    for number, (subject, fields) in enumerate(records, 1):
        kind = FactKind("record", (Field("_subject"), *map(Field, fields)), "_subject")
        values = {"_subject": subject, **fields}
        made.append(Numbered(f"F{number}", Fact(kind, subject, values, "s", str(number), NOW, Provenance.OWN)))
    return Evidence(made)


def _wrong(text: str, evidence: Evidence, lexicon=NO_LEXICON) -> list[str]:  # type: ignore[no-untyped-def]
    setting = Setting(NOW, "en", "", profile=Profile.STRICT, lexicon=lexicon)
    return [v.words for v in Verifier(evidence, setting).report(text).violations]


MATCH = _evidence(
    ("match", {"red.all": 5, "red.set1": 2, "red.set2": 3, "red.set3": 0, "blue.all": 3, "blue.set1": 2, "blue.set2": 0, "blue.set3": 1}),
    ("Fen Owls", {"side": "red", "name": "Fen Owls"}),
    ("Dale Kites", {"side": "blue", "name": "Dale Kites"}),
)  # fmt: skip
TALLY = Lexicon.from_mapping(
    {
        "grounding": {
            "tally": {
                "total": ["red.all", "blue.all"],
                "noun": ["point*"],
                "verb": ["scor*"],
                "wins": ["won", "victory"],
                "loses": ["lost"],
                "party": [
                    {"field": "side", "value": "red", "names": ["name"], "words": ["red side"]},
                    {"field": "side", "value": "blue", "names": ["name", "nick"]},
                ],
                "part": [
                    {"words": ["first set", "first"], "fields": ["red.set1", "blue.set1"]},
                    {"words": ["second set"], "fields": ["red.set2", "blue.set2"]},
                    {"words": ["third set"], "fields": ["red.set3", "blue.set3"]},
                    {"words": ["tie break"], "fields": ["red.tie", "blue.tie"], "adds_up": False},
                    {"words": ["later sets"], "fields": ["red.all", "blue.all"], "minus": ["red.set1", "blue.set1"]},
                ],
            }
        }
    }
)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The Owls beat the Kites 5-3.", []),
        ("The Owls beat the Kites 4-3.", ["4-3"]),
        ("It stood 2-2 after the first set and 5-2 after the second set.", []),
        ("It stood 2-2 when all was done.", ["2-2"]),
        ("They came from a 1-2 deficit.", []),
        ("The Owls scored 2 points in the first set and three in the second set.", []),
        ("The Owls scored 1 point in the first set.", ["1"]),
        ("In the third set the Kites scored twice.", ["twice"]),
        ("In the third set the Kites scored once.", []),
        ("The Owls scored five points in the first and second set.", []),
        ("The Owls scored 5 points, with 2 in the first set.", []),
        ("The Owls scored 4 points, with 2 in the first set.", ["4"]),
        ("The red side scored three points in the later sets.", []),
        ("Both teams scored 2 points in the first set.", []),
        ("A total of 8 points were seen.", []),
        ("A total of 9 points were seen.", ["9"]),
        ("The Kites scored one point in each set.", []),
        ("There were no points in the tie break.", []),
        ("The Owls scored 2 points in the tie break.", ["2", "tie break"]),
        ("The Owls scored, and the Kites scored three.", []),
        ("The Owls scored at the 3' mark.", []),
        ("The Owls scored 2 more in the third set.", ["2"]),
        ("The Owls won.", []),
        ("The Kites won.", ["won"]),
        ("The Kites lost.", []),
        ("The Owls lost.", ["lost"]),
        ("It was a victory for the Kites.", ["victory"]),
        ("The Kites did not take the victory.", []),
        ("It was a victory.", []),
        ("There are 7 chairs.", ["7"]),
    ],
)
def test_counts_follow_party_and_part(text: str, wrong: list[str]) -> None:
    assert _wrong(text, MATCH, TALLY) == wrong


def test_a_wrong_winner_is_contradicted_by_default_too() -> None:
    report = Verifier(MATCH, Setting(NOW, "en", "", lexicon=TALLY)).report("The Kites won.")
    assert report.sentences[0].verdict is Verdict.CONTRADICTED


def test_without_final_counts_there_is_no_tally() -> None:
    assert _wrong("The Kites won.", _evidence(("Kites", {"side": "blue", "name": "Kites"})), TALLY) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("It ended 5-3.", []),
        ("It ended 5-4.", ["5-4"]),
        ("It stood 5-2 then.", []),
        ("They got 2 points in the first set.", []),
        ("They got 5 points in the first set.", ["5"]),
        ("They got no points in the second set.", []),
        ("They got points in the second set, the first row.", []),
        ("They shone in the first and second set.", []),
    ],
)
def test_pairs_and_numbered_fields_are_inferred(text: str, wrong: list[str]) -> None:
    assert _wrong(text, MATCH) == wrong


def test_fields_without_siblings_say_nothing_of_pairs() -> None:
    parts = _evidence(*((f"Kelm {n}", {"area": 4, "lots": {"a": 1}.get("a")}) for n in ("", "north", "south")))
    assert _wrong("Kelm has 4-1 lots in the first set.", parts) == []
    many = _evidence(*((f"Kelm {n}", {f"a{i}.b": i for i in range(8)}) for n in ("", "north", "south")))
    assert _wrong("Kelm has 4-1 lots.", many) == []


EVENTS = _evidence(
    ("visit 6", {"minute": 6, "who.name": "J. Aldo", "with.name": "G. Falk", "club.name": "Fen Owls", "what": "Catch"}),
    ("visit 18", {"minute": 18, "who.name": "R. Menz", "club.name": "Dale Kites", "what": "Catch"}),
    ("visit 30", {"minute": 30, "who.name": "J. Aldo", "club.name": "Fen Owls", "what": "Swap"}),
    ("visit 31", {"who.name": "P. Orr", "club.name": "Fen Owls", "what": "Swap"}),
    ("visit 32", {"minute": 32, "what": "Swap"}),
    ("hall", {"name": "Long Hall"}),
)
_EVENT = {"field": "what", "at": "minute", "doer": "who.name", "others": ["with.name"], "side": "club.name", "time_words": ["minute*"]}  # fmt: skip
EVENT_LEXICON = Lexicon.from_mapping(
    {
        "grounding": {
            "known": ["Catch*"],
            "event": [
                {**_EVENT, "value": "Catch", "doing": ["caught"], "noun": ["catch*"], "counted": False},
                {**_EVENT, "value": "Swap", "noun": ["swap*"]},
            ],
        }
    }
)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("There Aldo caught one in the 6th minute.", []),
        ("There Falk helped in the 6th minute.", []),
        ("There Menz caught one in the 6th minute.", ["6th"]),
        ("In the 6th minute all began.", []),
        ("There Falk caught one.", ["Falk"]),
        ("There was a catch from J. Aldo and R. Menz.", []),
        ("There was a catch from J. Aldo and G. Falk.", ["Falk"]),
        ("There was a catch from J. Aldo, helped by G. Falk.", []),
        ("There was a catch, and Falk cheered.", []),
        ("The Owls made two swaps.", []),
        ("The Kites made two swaps.", ["two"]),
        ("There were 2 swaps for the Owls.", []),
        ("There were 18 swaps for the Kites.", ["18"]),
        ("There were two swaps.", []),
        ("The Owls made a swap and six chairs.", []),
        ("It took 18 minutes.", []),
    ],
)
def test_events_are_told_of_their_doer_time_and_side(text: str, wrong: list[str]) -> None:
    assert _wrong(text, EVENTS, EVENT_LEXICON) == wrong
