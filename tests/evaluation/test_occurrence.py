from sayso.evaluation.occurrence import occurring
from sayso.evaluation.records import Labelled
from sayso.verifying.reading import read_facts

FACTS = [
    {"id": "F1", "entity": "Fen Owls", "fields": {"homeRoom": "Long Hall", "seats": 1200, "rate": 4.5, "v": "1.2.3"}}
]


def _found(text: str) -> list[tuple[str, str]]:
    found = occurring(Labelled("t", "", text, read_facts(FACTS), (), {}))
    return [(text[a:b], kind) for (a, b), kind in zip(found.spans, found.kinds, strict=True)]


def test_what_stands_anywhere_in_the_facts_occurs() -> None:
    assert _found("The Fen Owls play in the Long Hall, whose Room has 1,200 seats at 4.50, as of 1.2.3.") == []


def test_other_numbers_and_names_do_not() -> None:
    text = "Many of the Owls saw Dale Kites. They paid 4.75 for 1.2.4 seats."
    assert _found(text) == [("Dale", "name"), ("Kites", "name"), ("4.75", "number"), ("1.2.4", "number")]
