from __future__ import annotations

from typing import Any

import pytest

from sayso.core.verify.declared.lexicon import Lexicon
from sayso.errors import DeclarationError

BAKER = {"when": ["baker"], "names": ["{baker}"]}


def test_a_lexicon_is_read():
    lexicon = Lexicon.from_mapping(
        {
            "others": ["Hall"],
            "idioms": ["{n} day bread"],
            "kinds": {
                "baker": {
                    **BAKER,
                    "pronouns": ["She"],
                    "known": ["Anna | Roth"],
                    "aliases": {"Saint": ["St"]},
                    "leads": True,
                    "group": "shop",
                    "fields": {"loaves": ["loaves"], "share": {"words": ["share"], "verbs": ["took"], "within": 2}},
                    "derived": {"twice": "loaves * 2"},
                    "statements": [
                        {"says": ["<busy>"], "holds": "loaves > 9", "needs": "loaves > 0", "blame": "baker"}
                    ],
                },
                "fair": {"when": ["day"], "fields": {"day": {"terms": ["Monday"]}}},
            },
            "statements": [{"says": ["{a:baker} beat {b:baker}", "won <{n}>"], "holds": False}],
            "scopes": [{"says": ["on day one"], "fields": {"loaves": "loaves_1"}}],
            "topics": [
                {"says": ["next"], "kind": "fair", "fields": ["next_day"], "tells": ["baker"], "terms": ["day"]}
            ],
        },
        name="bread",
    )
    baker = lexicon.declared.kinds["baker"]
    assert (lexicon.name, baker.pronouns, baker.known, baker.leads, baker.group) == (
        "bread",
        {"she"},
        (("Anna", "Roth"),),
        True,
        "shop",
    )
    assert [f.name for f in baker.fields] == ["loaves", "share"]
    texts = [s.pattern.text for s in lexicon.declared.statements]
    assert texts == [
        "{a:baker} beat {b:baker}", "won <{n}>", "<busy>", "{~loaves} [of] loaves", "{~loaves} [of] loaves ... (from|by) {baker}", "loaves (of|:|is|was|=) {loaves}",
        "{~share} [of] share", "took {share}", "{~share} [of] share ... (from|by) {baker}", "share (of|:|is|was|=) {share}", "{day=}",
    ]  # fmt: skip
    assert [s.never for s in lexicon.declared.statements[:3]] == [True, True, False]
    assert lexicon.declared.others == {"hall"}
    assert lexicon.grammar is lexicon.grammar


def test_patterns_share_wordings_and_wordings_those_before_them():
    data = {
        "wordings": {"sold": "(sold|baked)", "some": "@sold [just|only]"},
        "kinds": {"baker": {**BAKER, "statements": [{"says": ["@some {loaves} loaves"]}]}},
        "idioms": ["@sold out"],
    }
    declared = Lexicon.from_mapping(data).declared
    assert declared.statements[0].pattern.text == "(sold|baked) [just|only] {loaves} loaves"
    assert declared.passed[0].text == "(sold|baked) out"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"kind": {}}, "no section kind"),
        ({"kinds": []}, "must be a table"),
        ({"kinds": {"baker": []}}, "kinds.baker must be a table"),
        ({"kinds": {"baker": {"names": []}}}, "lacks when"),
        ({"kinds": {"baker": {**BAKER, "name": "x"}}}, "does not know name"),
        ({"kinds": {"baker": {**BAKER, "names": "x"}}}, "must be a list"),
        ({"kinds": {"baker": {**BAKER, "names": [1]}}}, "list of texts"),
        ({"kinds": {"baker": {**BAKER, "fields": {"loaves": 3}}}}, "kinds.baker.fields.loaves must be a table"),
        ({"kinds": {"baker": {**BAKER, "derived": {"x": "1 +"}}}}, "no expression"),
        ({"kinds": {"baker": BAKER}, "statements": [{"holds": "x"}]}, "lacks says"),
        ({"kinds": {"baker": BAKER}, "statements": [{"says": ["x"], "hold": "x"}]}, "does not know hold"),
        ({"kinds": {"baker": BAKER}, "topics": [{"says": ["x"], "kind": "bakers"}]}, "one of baker"),
        ({"kinds": {"baker": BAKER}, "scopes": [{"says": ["(x"]}]}, "lacks a"),
        ({"kinds": {"baker": BAKER}, "scopes": [{"says": ["x"], "fields": {"a": "b + c"}}]}, "are names"),
        ({"kinds": {"baker": BAKER}, "scopes": [{"says": ["in @oven"]}]}, "no wording oven is declared"),
        ({"wordings": {"hot": "a @oven", "oven": "oven"}, "kinds": {"baker": BAKER}}, "before it is used"),
        ({"kinds": {"baker": BAKER}, "topics": [{"says": ["x"], "kind": "baker", "unless": "1 +"}]}, "no expression"),
    ],
)
def test_a_bad_lexicon_says_what_to_do(data: dict[str, Any], why: str):
    with pytest.raises(DeclarationError, match=why):
        Lexicon.from_mapping(data)
