"""Who acts, and what they may: permissions come from roles, and one rule judges them.

A permission is words between colons: `read:search_people`, `execute:kind:person`, `admin:users`. A role allows
patterns of these: `*` stands for one word, and at the end for one or more. A pattern holds for the person's own
records, `...@OWNER` for those of another owner and `...@*` for anyone's. What no pattern allows is denied.

It knows no store and no sign-in: who somebody is has been found out before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Grant:
    """A role by its name, and the patterns of what it allows."""

    role: str
    patterns: frozenset[str]


VIEWER = Grant("viewer", frozenset({"read:*"}))
OPERATOR = Grant("operator", frozenset({"read:*", "propose:*", "execute:*"}))
ADMIN = Grant("admin", frozenset({"*"}))
ROLES = (VIEWER, OPERATOR, ADMIN)
"""The roles that are always there; an operator adds others in `[roles.NAME]`."""

SEE_THREADS, CHANGE_THREADS = "read:threads", "execute:threads"
"""To see one's conversations and to ask; to rename or delete one."""
SEE_CARDS = "read:proposals"
"""To see every card at one's desk. Who may ask for a change, or approve it, sees its card without this."""
SEE_AUDIT = "admin:audit"


@dataclass(frozen=True, slots=True)
class Actor:
    """The person a run acts for. `owner` is whose records these are; `permissions` come from roles.

    `grants` are the roles that gave the permissions. `scopes`, of an API token, narrow them; None narrows nothing.
    `known` are all roles of this installation, so that a refusal can say who may.
    """

    id: str
    owner: str
    permissions: frozenset[str] = frozenset({"*"})
    grants: tuple[Grant, ...] = ()
    scopes: frozenset[str] | None = None
    known: tuple[Grant, ...] = field(default=ROLES, compare=False, repr=False)

    @property
    def desk(self) -> str:
        """Whose conversations, runs, uploads and cards these are: one person's, not all of an owner's.

        The owner's own person has the owner's name. No two pairs of owner and person have one desk: the name of
        anybody else holds one "/", and "/" and "%" in its two parts are written otherwise.
        """
        if self.id == self.owner and "/" not in self.owner:
            return self.owner
        return f"{_part(self.owner)}/{_part(self.id)}"

    def may(self, permission: str) -> bool:
        """The rule, for listing and for calling."""
        granted = _first(self.permissions, permission, self.owner) is not None
        return granted and (self.scopes is None or _first(self.scopes, permission, self.owner) is not None)

    def rule_for(self, permission: str) -> str:
        """Why it is allowed or denied, for a person to read: the role and its pattern, or what is missing."""
        pattern = _first(self.permissions, permission, self.owner)
        if pattern is None:
            return f"this needs the permission {permission!r}, {self._missing(permission)}"
        if self.scopes is not None and _first(self.scopes, permission, self.owner) is None:
            scopes = ", ".join(sorted(self.scopes)) or "none"
            return f"this needs the permission {permission!r}, which the API token's scopes ({scopes}) leave out"
        names = [grant.role for grant in self.grants if pattern in grant.patterns]
        return f"the role {names[0]} allows {pattern}" if names else f"{pattern} is allowed"

    def within(self, owner: str) -> Actor | None:
        """The same person among another owner's records, with what is allowed there; None where nothing is."""
        if owner == self.owner:
            return self
        if owner in ("", "*"):
            return None
        grants = (Grant(g.role, _there(g.patterns, owner)) for g in self.grants)
        scopes = None if self.scopes is None else _there(self.scopes, owner)
        there = replace(
            self, owner=owner, permissions=_there(self.permissions, owner), scopes=scopes,
            grants=tuple(grant for grant in grants if grant.patterns),
        )  # fmt: skip
        return there if there.permissions and there.scopes != frozenset() else None

    def _missing(self, permission: str) -> str:
        mine = ", ".join(grant.role for grant in self.grants)
        others = [g.role for g in self.known if _first(g.patterns, permission, self.owner) is not None]
        have = f"which none of your roles ({mine}) has" if mine else "but you have no role here"
        return f"{have}; it comes with {', '.join(others)}" if others else f"{have}, and no other role either"


def actor_with(
    id: str, owner: str, grants: Iterable[Grant], known: tuple[Grant, ...] = ROLES, scopes: frozenset[str] | None = None
) -> Actor:
    """A person with the permissions of their roles, narrowed by an API token's scopes."""
    held = tuple(grants)
    return Actor(id, owner, frozenset[str]().union(*(grant.patterns for grant in held)), held, scopes, known)


def desks_of(owner: str) -> tuple[str, str]:
    """How the desks are named of all who work among an owner's records: exactly the first, or beginning with the
    second."""
    return owner, f"{_part(owner)}/"


def covers(pattern: str, permission: str, owner: str) -> bool:
    """Whether a pattern, held by a person of `owner`, allows a permission. What is malformed allows nothing."""
    allowed, allowed_at, there = pattern.partition("@")
    asked, asked_at, whose = permission.partition("@")
    if (allowed_at and not there) or (asked_at and not whose):
        return False
    theirs = there == "*" or (there or owner) == (whose or owner)
    return theirs and _words_fit(allowed.split(":"), asked.split(":"))


def _part(name: str) -> str:
    return name.replace("%", "%25").replace("/", "%2F")


def _words_fit(allowed: list[str], asked: list[str]) -> bool:
    if "" in allowed or "" in asked or len(asked) < len(allowed):
        return False
    if len(asked) > len(allowed) and allowed[-1] != "*":
        return False
    return all(pattern in ("*", word) for pattern, word in zip(allowed, asked, strict=False))


def _first(patterns: Iterable[str], permission: str, owner: str) -> str | None:
    """The first pattern, in their order as texts, that allows it."""
    return min((pattern for pattern in patterns if covers(pattern, permission, owner)), default=None)


def _there(patterns: Iterable[str], owner: str) -> frozenset[str]:
    """The patterns that hold for another owner, as that owner's own."""
    parted = (pattern.partition("@") for pattern in patterns)
    return frozenset(allowed for allowed, _, whose in parted if whose in (owner, "*"))
