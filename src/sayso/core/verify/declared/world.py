"""The facts as records of declared kinds: their fields, and what is derived from them, worked out when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from sayso.core.facts import Quantity
from sayso.core.verify.declared.kinds import DeclaredKind
from sayso.core.verify.index import Entry


class Record:
    """One fact of a declared kind. `get` finds a field, a derived value, or the records of all kinds (`records`)."""

    __slots__ = ("_found", "_values", "_world", "entry", "kind")

    def __init__(self, kind: DeclaredKind, entry: Entry, world: World) -> None:
        self.kind = kind
        self.entry = entry
        self._world = world
        self._values: Mapping[str, Any] = entry.numbered.fact.values
        self._found: dict[str, Any] = {}

    @property
    def ref(self) -> str:
        return self.entry.ref

    def get(self, name: str) -> Any:
        if name in self._values:
            return _plain(self._values[name])
        if name not in self.kind.derived:
            return self if name == "self" else self._world if name == "records" else None
        if name not in self._found:
            self._found[name] = None  # what is derived from itself is not known
            self._found[name] = self.kind.derived[name](self)
        return self._found[name]

    def lacks(self, name: str) -> bool:
        """Whether it declares a field and does not hold it."""
        return name not in self._values and self.entry.numbered.fact.kind.field(name) is not None


def _plain(value: Any) -> Any:
    """Amounts as plain numbers, so that they can be reckoned with."""
    amount = value.amount if isinstance(value, Quantity) else value
    return float(amount) if isinstance(amount, Decimal) else amount


class World:
    """The records of an exchange by kind; facts of no declared kind are not in it."""

    def __init__(self, kinds: Iterable[DeclaredKind], entries: Iterable[Entry]) -> None:
        self.kinds = tuple(kinds)
        self.by_kind: dict[str, tuple[Record, ...]] = {k.name: () for k in self.kinds}
        self.by_ref: dict[str, Record] = {}
        for entry in entries:
            fields = {f.name for f in entry.numbered.fact.kind.fields}
            kind = next((k for k in self.kinds if k.when <= fields), None)
            if kind is not None:
                self.by_ref[entry.ref] = Record(kind, entry, self)
        for kind in self.kinds:
            self.by_kind[kind.name] = tuple(r for r in self.by_ref.values() if r.kind is kind)

    def get(self, name: str) -> Any:
        return self.by_kind.get(name)

    def leads(self, kind: str) -> bool:
        return any(k.leads for k in self.kinds if k.name == kind)
