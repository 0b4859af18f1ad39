"""Permissions: one rule by patterns, deny by default, and words that say why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.actors import ADMIN, OPERATOR, ROLES, VIEWER, Actor, Grant, actor_with, covers, desks_of

WORD = st.text("abz_*", min_size=1, max_size=3)
PERMISSION = st.lists(WORD, min_size=1, max_size=4).map(":".join)
OWNER = st.sampled_from(["me", "you", "a@b.org", "*"])


@pytest.mark.parametrize(
    ("pattern", "permission", "allowed"),
    [
        ("*", "goals", True),
        ("*", "read:kind:person", True),
        ("read:*", "read:search_people", True),
        ("read:*", "read:kind:person", True),
        ("read:*", "read", False),
        ("read:*", "propose:read", False),
        ("read:*:person", "read:kind:person", True),
        ("read:*:person", "read:kind:goal", False),
        ("read:*:person", "read:person", False),
        ("read:kind:person", "read:kind:person", True),
        ("read:kind", "read:kind:person", False),
        ("read:kind:person", "read:kind", False),
        ("read:kind:person", "read:kind:*", False),
        ("read:x", "read:xy", False),
        ("", "", False),
        ("*", "", False),
        ("read:", "read:x", False),
        ("*", "read:", False),
        ("read:*", "read:x@you", False),
        ("read:*@you", "read:x@you", True),
        ("read:*@you", "read:x", False),
        ("read:*@*", "read:x@you", True),
        ("read:*@*", "read:x", True),
        ("read:*@me", "read:x", True),
        ("read:*@a@b.org", "read:x@a@b.org", True),
        ("read:*@", "read:x", False),
        ("*", "read:x@", False),
    ],
)
def test_a_pattern_allows_what_it_says_and_no_more(pattern: str, permission: str, allowed: bool) -> None:
    assert covers(pattern, permission, "me") is allowed


@given(st.lists(PERMISSION, max_size=4), PERMISSION, OWNER)
def test_nothing_is_allowed_that_no_pattern_covers(patterns: list[str], permission: str, owner: str) -> None:
    actor = Actor("me", "me", frozenset(patterns))
    assert actor.may(permission) is any(covers(p, permission, "me") for p in patterns)
    if owner != "me":
        assert not actor.may(f"{permission}@{owner}")
        assert actor.within(owner) is None


@given(st.frozensets(PERMISSION, max_size=3), st.frozensets(PERMISSION, max_size=3), PERMISSION)
def test_scopes_only_ever_narrow(patterns: frozenset[str], scopes: frozenset[str], permission: str) -> None:
    whole, narrowed = Actor("me", "me", patterns), Actor("me", "me", patterns, scopes=scopes)
    assert narrowed.may(permission) is (whole.may(permission) and Actor("me", "me", scopes).may(permission))


@given(st.frozensets(PERMISSION, max_size=3), PERMISSION, OWNER)
def test_a_pattern_for_another_owner_holds_there_only(patterns: frozenset[str], permission: str, owner: str) -> None:
    actor = Actor("me", "me", frozenset(f"{p}@you" for p in patterns))
    there = actor.within("you")
    assert not actor.may(permission)
    assert (there is not None and there.may(permission)) is actor.may(f"{permission}@you")
    assert there is None or (not there.may(f"{permission}@{owner}") or owner == "you")


@pytest.mark.parametrize(
    ("roles", "allowed", "denied"),
    [
        ((VIEWER,), ["read:list_people", "read:kind:goal"], ["propose:x", "execute:x", "admin:users", "goals"]),
        ((OPERATOR,), ["read:x", "propose:x", "execute:kind:person"], ["admin:users", "execute:x@you"]),
        ((ADMIN,), ["read:x", "execute:x", "admin:users"], ["read:x@you"]),
        ((), [], ["read:x"]),
    ],
)
def test_the_roles_allow_what_their_names_say(roles: tuple[Grant, ...], allowed: list[str], denied: list[str]) -> None:
    actor = actor_with("ada", "ada", roles)
    assert [p for p in (*allowed, *denied) if actor.may(p)] == allowed


def test_a_rule_names_the_role_that_allows_or_what_is_missing() -> None:
    clerk = Grant("clerk", frozenset({"execute:send_email"}))
    known = (*ROLES, clerk)
    viewer = actor_with("ada", "team", (VIEWER,), known)
    assert viewer.rule_for("read:list_people") == "the role viewer allows read:*"
    assert viewer.rule_for("execute:send_email") == (
        "this needs the permission 'execute:send_email', which none of your roles (viewer) has; "
        "it comes with operator, admin, clerk"
    )
    assert actor_with("ada", "team", (VIEWER, clerk), known).rule_for("admin:users") == (
        "this needs the permission 'admin:users', which none of your roles (viewer, clerk) has; it comes with admin"
    )
    assert actor_with("ada", "team", (), (clerk,)).rule_for("read:x") == (
        "this needs the permission 'read:x', but you have no role here, and no other role either"
    )
    assert Actor("local", "local").rule_for("read:x") == "* is allowed"


def test_a_rule_names_the_scopes_of_a_token_that_leave_it_out() -> None:
    token = actor_with("ada", "team", (ADMIN,), scopes=frozenset({"read:*"}))
    assert token.rule_for("read:x") == "the role admin allows *"
    assert token.rule_for("execute:x").endswith("which the API token's scopes (read:*) leave out")
    assert actor_with("a", "t", (ADMIN,), scopes=frozenset()).rule_for("read:x").endswith("scopes (none) leave out")


def test_somebody_acts_among_anothers_records_only_where_a_role_says_so() -> None:
    auditor = Grant("auditor", frozenset({"read:*@*", "propose:*"}))
    actor = actor_with("ada", "team", (auditor, VIEWER))
    there = actor.within("sales")
    assert there is not None
    assert (there.owner, there.id) == ("sales", "ada")
    assert [p for p in ("read:x", "propose:x", "read:x@team") if there.may(p)] == ["read:x"]
    assert there.rule_for("read:x") == "the role auditor allows read:*"
    assert actor.within("team") is actor
    assert actor.within("*") is None
    assert actor.within("") is None  # no owner is not somebody else, whose records all may share
    assert not Actor("x", "*", frozenset({"read:*"})).may("read:x@team")
    narrowed = actor_with("ada", "team", (auditor,), scopes=frozenset({"read:*"}))
    assert narrowed.within("sales") is None


NAMES = st.text(alphabet="a/%2F@", max_size=6) | st.text(max_size=6)


@given(NAMES, NAMES, NAMES, NAMES)
def test_s20_no_two_people_have_one_desk(id: str, owner: str, other: str, others: str) -> None:
    assert (Actor(id, owner).desk == Actor(other, others).desk) is ((id, owner) == (other, others))


@given(id=st.text("ab/%", max_size=3), owner=st.text("ab/%", max_size=3))
def test_every_desk_of_an_owner_is_found_by_the_owners_name(id: str, owner: str) -> None:
    own, others = desks_of(owner)
    assert (desk := Actor(id, owner).desk) == own or desk.startswith(others)
    assert not Actor("ann", "teams").desk.startswith(desks_of("team")[1])


def test_the_owners_own_person_has_the_owners_name_for_a_desk() -> None:
    assert (Actor("local", "local").desk, Actor("ann", "team").desk) == ("local", "team/ann")
    assert Actor("a/b", "a/b").desk == "a%2Fb/a%2Fb"
