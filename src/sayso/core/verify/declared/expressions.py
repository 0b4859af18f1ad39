"""Expressions over records, as lexicons write them: a small part of Python's own syntax, nothing of its power.

    pts_qtr1 + pts_qtr2                                  arithmetic over the fields of the record itself
    team.opponent.pts                                    a field of a record that is reached by name
    sum(p.pts for p in players if p.bench)               sum, count, min, max, only, any, all over records
    rank(pts, (p.pts for p in team.players))             1 where nothing among those is greater
    (pts >= 10) + (reb >= 10) + (ast >= 10) >= 2         comparisons count as 1 or 0

What a record does not hold is None: arithmetic and comparisons with it are None, which is neither true nor false.
It knows no field and no record; names are looked up in a scope that is passed in.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from sayso.errors import DeclarationError


class Scope(Protocol):
    """Where names are looked up; None for what is not known."""

    def get(self, name: str, /) -> Any: ...


_Run = Callable[[Scope], Any]


@dataclass(frozen=True, slots=True)
class Expression:
    text: str
    run: _Run

    def __call__(self, scope: Scope) -> Any:
        return self.run(scope)


class Within:
    """A scope with names of its own before those of another."""

    __slots__ = ("_names", "_outer")

    def __init__(self, outer: Scope, names: dict[str, Any]) -> None:
        self._outer = outer
        self._names = names

    def get(self, name: str, /) -> Any:
        return self._names[name] if name in self._names else self._outer.get(name)


def expression(text: str) -> Expression:
    """Raises DeclarationError for what is not of this small language, and says what is."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError) as error:
        raise DeclarationError(f"{text!r} is no expression: write one such as 'pts_qtr1 + pts_qtr2'") from error
    return Expression(text.strip(), _compiled(tree.body, text))


@lru_cache(maxsize=4096)
def renamed(text: str, names: tuple[tuple[str, str], ...]) -> Expression:
    """The expression with other fields in the place of some."""
    for old, new in names:
        text = re.sub(rf"\b{re.escape(old)}\b", new, text)
    return expression(text)


def _compiled(node: ast.expr, text: str) -> _Run:
    make = _MAKERS.get(type(node))
    if make is None:
        what = type(node).__name__
        raise DeclarationError(f"{text!r}: {what} is not understood; use fields, numbers, + - * /, comparisons, "
                               f"and, or, not, and {', '.join(sorted(_FUNCTIONS))}")  # fmt: skip
    return make(node, text)


def _constant(node: Any, text: str) -> _Run:
    value = node.value
    return lambda scope: value


def _name(node: Any, text: str) -> _Run:
    name = node.id
    return lambda scope: scope.get(name)


def _attribute(node: Any, text: str) -> _Run:
    of, name = _compiled(node.value, text), node.attr

    def found(scope: Scope) -> Any:
        record = of(scope)
        return record.get(name) if hasattr(record, "get") else None

    return found


def _binary(node: Any, text: str) -> _Run:
    apply = _OPERATORS.get(_type_name(node.op))
    if apply is None:
        raise DeclarationError(f"{text!r}: of arithmetic, only + - * / are understood")
    left, right = _compiled(node.left, text), _compiled(node.right, text)
    return lambda scope: _guarded(apply, left(scope), right(scope))


def _type_name(node: object) -> str:
    return type(node).__name__


def _guarded(apply: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    if a is None or b is None:
        return None
    try:
        return apply(a, b)
    except (TypeError, ZeroDivisionError, OverflowError):
        return None


def _unary(node: Any, text: str) -> _Run:
    of = _compiled(node.operand, text)
    if isinstance(node.op, ast.Not):
        return lambda scope: None if (value := of(scope)) is None else not value
    if isinstance(node.op, ast.USub):
        return lambda scope: _guarded(operator.sub, 0, of(scope))
    raise DeclarationError(f"{text!r}: only 'not' and '-' stand before a value")


def _both(node: Any, text: str) -> _Run:
    parts = [_compiled(v, text) for v in node.values]
    stop = isinstance(node.op, ast.Or)

    def joined(scope: Scope) -> Any:
        """What is not known leaves the whole unknown unless another part decides it."""
        values = [p(scope) for p in parts]
        if any(v is not None and bool(v) is stop for v in values):
            return stop
        return None if any(v is None for v in values) else not stop

    return joined


def _compare(node: Any, text: str) -> _Run:
    if len(node.ops) != 1:
        raise DeclarationError(f"{text!r}: compare two values at a time")
    left, right = _compiled(node.left, text), _compiled(node.comparators[0], text)
    if isinstance(node.ops[0], ast.Is | ast.IsNot):
        same = isinstance(node.ops[0], ast.Is)
        return lambda scope: (left(scope) is right(scope)) is same
    apply = _OPERATORS.get(_type_name(node.ops[0]))
    if apply is None:
        raise DeclarationError(f"{text!r}: compare with == != < <= > >= or 'is None'")
    return lambda scope: _guarded(apply, left(scope), right(scope))


def _condition(node: Any, text: str) -> _Run:
    test, then, other = (_compiled(n, text) for n in (node.test, node.body, node.orelse))
    return lambda scope: then(scope) if test(scope) else other(scope)


def _each(node: Any, text: str) -> _Run:
    """`value for name in records if condition`: the values that are known."""
    loop = node.generators[0]
    if len(node.generators) != 1 or not isinstance(loop.target, ast.Name):
        raise DeclarationError(f"{text!r}: write one 'value for name in records if condition'")
    name, source = loop.target.id, _compiled(loop.iter, text)
    value, conditions = _compiled(node.elt, text), [_compiled(c, text) for c in loop.ifs]

    def values(scope: Scope) -> tuple[Any, ...] | None:
        items = source(scope)
        if items is None:
            return None
        inner = (Within(scope, {name: item}) for item in items)
        return tuple(v for s in inner if all(c(s) for c in conditions) and (v := value(s)) is not None)

    return values


def _call(node: Any, text: str) -> _Run:
    apply = _FUNCTIONS.get(getattr(node.func, "id", ""))
    if apply is None or node.keywords:
        raise DeclarationError(f"{text!r}: the functions are {', '.join(sorted(_FUNCTIONS))}")
    arguments = [_compiled(a, text) for a in node.args]

    def result(scope: Scope) -> Any:
        try:
            return apply(*(a(scope) for a in arguments))
        except (TypeError, ValueError):
            return None

    return result


def _known(values: Iterable[Any]) -> Iterator[Any]:
    return (v for v in values if v is not None)


def _only(values: Iterable[Any]) -> Any:
    found = tuple(_known(values))
    return found[0] if len(found) == 1 else None


def _rank(value: Any, among: Iterable[Any]) -> Any:
    return None if value is None else 1 + sum(1 for v in _known(among) if v > value)


def _sum(values: Iterable[Any]) -> Any:
    return sum(_known(values))


def _count(values: Iterable[Any]) -> int:
    return sum(1 for _ in _known(values))


def _least(values: Iterable[Any]) -> Any:
    return min(_known(values), default=None)


def _most(values: Iterable[Any]) -> Any:
    return max(_known(values), default=None)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sum": _sum, "count": _count, "min": _least, "max": _most, "any": any, "all": all, "only": _only, "rank": _rank,
    "abs": abs, "round": round,
}  # fmt: skip
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": lambda a, b: a / b, "Eq": operator.eq,
    "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt, "GtE": operator.ge,
}  # fmt: skip
_MAKERS: dict[type, Callable[[Any, str], _Run]] = {
    ast.Constant: _constant, ast.Name: _name, ast.Attribute: _attribute, ast.BinOp: _binary, ast.UnaryOp: _unary,
    ast.BoolOp: _both, ast.Compare: _compare, ast.IfExp: _condition, ast.GeneratorExp: _each, ast.Call: _call,
}  # fmt: skip
