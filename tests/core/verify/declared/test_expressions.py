from __future__ import annotations

import pytest

from sayso.core.verify.declared.expressions import Within, expression, renamed
from sayso.errors import DeclarationError

LOAVES = {"loaves": 12, "cakes": 3, "late": None, "town": "Aigle"}
OTHERS = ({"loaves": 5, "cakes": 1}, {"loaves": 20}, {"loaves": None})
SCOPE = {**LOAVES, "others": OTHERS, "first": OTHERS[0], "nothing": (), "pair": (1, 2)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("loaves", 12),
        ("7", 7),
        ("loaves + cakes", 15),
        ("loaves - cakes * 2 / 2", 9),
        ("-cakes", -3),
        ("loaves + late", None),
        ("loaves / (cakes - 3)", None),
        ("loaves + town", None),
        ("town == 'Aigle'", True),
        ("loaves >= 10", True),
        ("loaves < late", None),
        ("late is None", True),
        ("loaves is not None", True),
        ("not loaves", False),
        ("not late", None),
        ("loaves > 10 and cakes > 10", False),
        ("loaves > 10 and late", None),
        ("cakes > 10 and late", False),
        ("loaves > 10 or late", True),
        ("cakes > 10 or late", None),
        ("cakes > 10 or cakes > 20", False),
        ("loaves > 1 and cakes > 1", True),
        ("loaves if cakes else late", 12),
        ("late if late else cakes", 3),
        ("first.loaves", 5),
        ("first.nothing", None),
        ("loaves.real", None),
        ("sum(o.loaves for o in others)", 25),
        ("count(o for o in others if o.loaves > 10)", 1),
        ("max(o.loaves for o in others)", 20),
        ("min(o.loaves for o in others)", 5),
        ("max(o.loaves for o in nothing)", None),
        ("min(o.loaves for o in late)", None),
        ("sum(o.loaves for o in late)", None),
        ("only(o.cakes for o in others)", 1),
        ("only(o.loaves for o in others)", None),
        ("rank(loaves, (o.loaves for o in others))", 2),
        ("rank(late, (o.loaves for o in others))", None),
        ("any(o.loaves > 10 for o in others)", True),
        ("all(o.loaves > 10 for o in others)", False),
        ("abs(cakes - loaves)", 9),
        ("round(loaves / 5)", 2),
        ("abs(late)", None),
        ("(loaves >= 10) + (cakes >= 10) == 1", True),
    ],
)
def test_an_expression_finds(text: str, value: object):
    assert expression(text)(SCOPE) == value


@pytest.mark.parametrize(
    "text",
    [
        "loaves +",
        "loaves ** 2",
        "~loaves",
        "1 < loaves < 3",
        "loaves in others",
        "[o for o in others]",
        "sum(a for a in others for b in others)",
        "sum(a for a, b in others)",
        "open('x')",
        "loaves.bit_length()",
        "abs(x=1)",
        "lambda: 1",
        "(" * 400 + ")" * 400,
    ],
)
def test_what_is_no_expression_is_refused(text: str):
    with pytest.raises(DeclarationError):
        expression(text)


def test_names_of_its_own_come_before_those_around_them():
    inner = Within(SCOPE, {"loaves": 1})
    assert expression("loaves + cakes")(inner) == 4


def test_fields_are_renamed_as_whole_words():
    assert (
        renamed("loaves - first.loaves + loaves_in", (("loaves", "cakes"),)).text == "cakes - first.cakes + loaves_in"
    )
