"""A catalogue that may change while it is in use: our own tools and kinds, and those that others give at the moment.

Whoever lists takes a copy (`rules.listed`), so one run sees one catalogue. It decides nothing about who may use what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from sayso.core.facts import FactKind, kinds_by_name
from sayso.core.tools import Registry, Tool

Tools = Callable[[], tuple[Tool, ...]]
"""Gives the tools of others as they are now: the same tuple, as long as nothing has changed."""


class LiveRegistry(Registry):
    """Our tools (`own`, and `rest` after them) around those of others. No name of ours can be taken."""

    def __init__(
        self, own: Iterable[Tool], others: Tools, rest: Iterable[Tool] = (), reserved: Iterable[str] = ()
    ) -> None:
        self._own, self._rest, self._others = tuple(own), tuple(rest), others
        self._reserved = frozenset(reserved) | {tool.name for tool in (*self._own, *self._rest)}
        self._last: tuple[tuple[Tool, ...] | None, Registry] = (None, Registry(()))
        super().__init__(())

    def now(self) -> Registry:
        """The tools as they are now; this copy does not change."""
        others, last = self._others(), self._last
        if last[0] is not others:
            fit = (tool for tool in others if tool.name not in self._reserved)
            last = self._last = (others, Registry((*self._own, *fit, *self._rest)))
        return last[1]

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.now())

    def __len__(self) -> int:
        return len(self.now())

    def get(self, name: str) -> Tool | None:
        return self.now().get(name)

    def near(self, name: str) -> tuple[str, ...]:
        return self.now().near(name)


class LiveNames(Iterable[str]):
    """The names in a registry as it is now."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._registry.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        return (tool.name for tool in self._registry)


class LiveKinds(Mapping[str, FactKind]):
    """Kinds by name: ours, and those that others give. The others are asked only for a name that is none of ours."""

    def __init__(self, own: Iterable[FactKind], others: Callable[[], Iterable[FactKind]]) -> None:
        self._own, self._others = kinds_by_name(own), others

    def __getitem__(self, name: str) -> FactKind:
        return self._own[name] if name in self._own else kinds_by_name(self._others())[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(chain(self._own, (kind.name for kind in self._others()))))

    def __len__(self) -> int:
        return sum(1 for _ in self)
