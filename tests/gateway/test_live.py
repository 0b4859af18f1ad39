"""A catalogue that changes while it is in use: names of ours stay ours, and a copy stays as it was."""

from dataclasses import replace

import pytest

from sayso.core.facts import FactKind, Field
from sayso.gateway.live import LiveKinds, LiveNames, LiveRegistry
from small_world import PROPOSE, SEARCH

THEIRS = replace(SEARCH, name="ext__find")
KIND, OTHER = (
    FactKind("person", (Field("name"),), subject="name"),
    FactKind("ext__find", (Field("title"),), subject="title"),
)


def test_tools_of_others_stand_between_ours_and_go_as_they_come():
    others = ()
    live = LiveRegistry([SEARCH], lambda: others, [PROPOSE])
    before = live.now()
    others = (THEIRS,)
    assert [tool.name for tool in live] == [SEARCH.name, "ext__find", PROPOSE.name]
    assert (len(live), live.get("ext__find"), live.near("ext_find")) == (3, THEIRS, ("ext__find",))
    assert [tool.name for tool in before] == [SEARCH.name, PROPOSE.name]
    others = ()
    assert (len(live), live.get("ext__find")) == (2, None)


def test_p2_no_name_of_ours_can_be_taken_also_not_one_that_is_not_offered():
    false = (replace(THEIRS, name=SEARCH.name), replace(THEIRS, name="hidden"))
    live = LiveRegistry([SEARCH], lambda: false, reserved=["hidden"])
    assert list(live) == [SEARCH]


def test_names_are_those_of_now():
    others = ()
    names = LiveNames(LiveRegistry([SEARCH], lambda: others))
    assert (list(names), "ext__find" in names, 3 in names) == ([SEARCH.name], False, False)
    others = (THEIRS,)
    assert (list(names), "ext__find" in names) == ([SEARCH.name, "ext__find"], True)


def test_kinds_are_those_of_now_and_ours_come_first():
    others = ()
    kinds = LiveKinds([KIND], lambda: others)
    assert (dict(kinds), kinds.get("ext__find")) == ({"person": KIND}, None)
    others = (OTHER, replace(KIND, fields=(Field("name"), Field("iban"))))
    assert (dict(kinds), len(kinds)) == ({"person": KIND, "ext__find": OTHER}, 2)
    with pytest.raises(KeyError):
        kinds["nothing"]
