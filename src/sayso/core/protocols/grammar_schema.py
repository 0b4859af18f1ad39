"""A JSON schema as grammar rules: only values that fit it can be written.

Covers what schemas of tool arguments hold: objects with required and optional properties, enums,
arrays, bounded strings and numbers, dates, references. What a grammar cannot say (a pattern, a
tool's own check) is left to whoever reads the call. Knows no tool and no model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import Any, cast

Schema = Mapping[str, Any]

TEXT = 160  # characters of a text whose schema names no limit
MOST = 1_200  # and of any other text: weak models do not stop by themselves
ITEMS = 8
_DIGITS = 9
_DEPTH = 4  # objects in objects of a schema that says nothing about them

_SHARED = {
    "char": r'[^"\\\x00-\x1F\x7F] | [\\] ["\\nt]',
    "first": r'[^"\\ \x00-\x1F\x7F]',
    "integer": r'"-"? ("0" | [1-9] [0-9]{0,8})',
    "number": r'integer ("." [0-9]{1,6})?',
    "boolean": '"true" | "false"',
    "date": r'[12] [0-9] [0-9] [0-9] "-" ("02-" daya | ("04" | "06" | "09" | "11") "-" dayb | monthc "-" dayc)',
    "daya": r'"0" [1-9] | "1" [0-9] | "2" [0-8]',
    "dayb": r'"0" [1-9] | [12] [0-9] | "30"',
    "dayc": r'"0" [1-9] | [12] [0-9] | "3" [01]',
    "monthc": '"01" | "03" | "05" | "07" | "08" | "10" | "12"',
    "clock": r'([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9]',
    "moment": r'date "T" clock ("Z" | [+-] ("0" [0-9] | "1" [0-3]) ":" ("00" | "30"))',
    "uuid": r'hex{8} "-" hex{4} "-4" hex{3} "-" [89ab] hex{3} "-" hex{12}',
    "hex": "[0-9a-f]",
}
_FORMATS = {"date": "date", "date-time": "moment", "time": "clock", "uuid": "uuid"}


class SchemaRules:
    """Collects the rules of one grammar. `add` gives the name of the rule of a schema's values."""

    def __init__(self) -> None:
        self.rules: dict[str, str] = {}
        self._shared: set[str] = set()

    def written(self) -> str:
        shared = {name: body for name, body in _SHARED.items() if name in self._shared}
        return "\n".join(f"{name} ::= {body}" for name, body in {**self.rules, **shared}.items())

    def add(self, name: str, schema: Schema, *, text: int = TEXT, texts: Mapping[str, int] | None = None) -> str:
        """Write the rule `name` (letters, digits and hyphens). `text` is the limit of strings that name
        none; `texts` are the limits of single properties of this object."""
        _Rule(self, name, schema.get("$defs", {}), text).write(schema, texts or {})
        return name

    def use(self, name: str) -> str:
        """A rule that all grammars share, and those that it is made of."""
        if name not in self._shared:
            self._shared.add(name)
            for word in re.findall("[a-z]+", re.sub(r'"[^"]*"|\[[^\]]*\]', " ", _SHARED[name])):
                self.use(word)
        return name

    def use_text(self) -> None:
        self.use("first")
        self.use("char")


class _Rule:
    """Writes the rules of one schema; all of their names begin with its own."""

    def __init__(self, rules: SchemaRules, name: str, definitions: Mapping[str, Any], text: int) -> None:
        self._rules, self._name, self._definitions, self._text = rules, name, definitions, text
        self._count = 0

    def write(self, schema: Schema, texts: Mapping[str, int]) -> None:
        body = self._object(schema, texts) if _is_object(schema) else self.value(schema)
        self._rules.rules[self._name] = body

    def value(self, schema: Schema, text: int | None = None) -> str:
        """The right side of a rule: what may stand for a value."""
        if "$ref" in schema:
            return self._reference(str(schema["$ref"]))
        if "const" in schema:
            return _literal(_json(schema["const"]))
        if "enum" in schema:
            return _either(_literal(_json(value)) for value in schema["enum"])
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return _either(f"({self.value(option, text)})" for option in _narrower(schema[key]))
        if "allOf" in schema:
            return self.value(_merged(schema), text)
        kind = schema.get("type")
        if isinstance(kind, list):
            return self.value({"anyOf": [{**schema, "type": one} for one in cast(list[str], kind)]}, text)
        return self._of_type(kind, schema, text)

    def _of_type(self, kind: Any, schema: Schema, text: int | None) -> str:
        if kind == "string":
            return self._string(schema, self._text if text is None else text)
        if kind in ("integer", "number"):
            return self._number(schema, whole=kind == "integer")
        if kind == "boolean":
            return self._rules.use("boolean")
        if kind == "null":
            return '"null"'
        if kind == "array":
            return self._array(schema)
        return self._object(schema, {}) if _is_object(schema) else self._anything(_DEPTH)

    def _reference(self, reference: str) -> str:
        """One rule for each definition, so that one that holds itself ends as a rule that does."""
        key = reference.rsplit("/", 1)[-1]
        name = f"{self._name}-d{list(self._definitions).index(key)}"
        if name not in self._rules.rules:
            self._rules.rules[name] = ""
            self._rules.rules[name] = self.value(self._definitions[key])
        return name

    def _new(self, body: str) -> str:
        self._count += 1
        name = f"{self._name}-{self._count}"
        self._rules.rules[name] = body
        return name

    def _string(self, schema: Schema, limit: int) -> str:
        if (form := _FORMATS.get(schema.get("format", ""))) is not None:
            return f'"\\"" {self._rules.use(form)} "\\""'
        least = max(int(schema.get("minLength", 1)), 1)
        most = max(min(int(schema.get("maxLength", limit)), MOST), least)
        if not int(schema.get("maxLength", 1)):
            return '"\\"\\""'
        self._rules.use_text()
        # It begins with no blank: a text of blanks alone is none to most tools.
        rest = f" char{{{least - 1},{most - 1}}}" if most > 1 else ""
        return f'"\\"" {self._new("first" + rest)} "\\""'

    def _number(self, schema: Schema, *, whole: bool) -> str:
        low, high = _bounds(schema)
        if low is None and high is None:
            return self._rules.use("integer" if whole else "number")
        first = low if low is not None else -(10**_DIGITS) if high is None or high < 0 else 0
        last = high if high is not None else 10**_DIGITS - 1 if first < 10**_DIGITS else first * 10
        if first > last:  # no whole number lies between: the tool itself judges what is written
            return self._rules.use("number")
        return _whole_numbers(first, last)

    def _array(self, schema: Schema) -> str:
        if prefix := schema.get("prefixItems"):
            return '"[" ' + ' ", " '.join(f"({self.value(item)})" for item in prefix) + ' "]"'
        least = int(schema.get("minItems", 0))
        most = max(min(int(schema.get("maxItems", ITEMS)), ITEMS), least)
        if most == 0:
            return '"[]"'
        items = schema.get("items")
        item = self._new(self.value(cast(Schema, items) if isinstance(items, Mapping) else {}))
        several = f'"[" {item} (", " {item}){{{max(least - 1, 0)},{most - 1}}} "]"'
        return several if least else f'"[]" | {several}'

    def _object(self, schema: Schema, texts: Mapping[str, int]) -> str:
        properties: Mapping[str, Schema] = schema.get("properties", {})
        if not properties:
            return self._dictionary(schema)
        required = schema.get("required", ())
        rest = '"}"'  # what follows once a property has been written; built from the last one on
        first = '"}"'
        for key, value in reversed(list(properties.items())):
            pair = f"{_literal(_json(key) + ': ')} {self._new(self.value(value, texts.get(key)))}"
            followed = self._new(rest)
            must = key in required
            rest = f'", " {pair} {followed}' + ("" if must else f" | {followed}")
            first = f"{pair} {followed}" + ("" if must else f" | {self._new(first)}")
        return f'"{{" ({first})'

    def _dictionary(self, schema: Schema) -> str:
        values = schema.get("additionalProperties")
        if not isinstance(values, Mapping):
            return '"{}"'
        self._rules.use_text()
        item = self._new(f'"\\"" first char{{0,39}} "\\": " {self._new(self.value(cast(Schema, values)))}')
        return f'"{{}}" | "{{" {item} (", " {item}){{0,{ITEMS - 1}}} "}}"'

    def _anything(self, depth: int) -> str:
        self._rules.use_text()
        number, boolean = self._rules.use("number"), self._rules.use("boolean")
        text = '"\\"" first char{0,79} "\\""'
        simple = f'{text} | {number} | {boolean} | "null"'
        if depth == 0:
            return simple
        deeper = self._new(self._anything(depth - 1))
        return f'{simple} | "[" {deeper} (", " {deeper}){{0,3}} "]" | "{{" {text} ": " {deeper} "}}"'


def _is_object(schema: Schema) -> bool:
    return schema.get("type") == "object" or "properties" in schema


def _narrower(options: Sequence[Schema]) -> list[Schema]:
    """Without null where there is another choice: to say nothing, the property is left out."""
    return [option for option in options if option.get("type") != "null"] or list(options)


def _merged(schema: Schema) -> Schema:
    """One schema of several that hold at once; later words win where they differ."""
    merged: dict[str, Any] = {key: value for key, value in schema.items() if key != "allOf"}
    for part in schema["allOf"]:
        merged.update(part)
    return merged


def _bounds(schema: Schema) -> tuple[int | None, int | None]:
    """The whole numbers within the schema's bounds, both ends included."""
    lows = [ceil(schema["minimum"])] if "minimum" in schema else []
    lows += [floor(schema["exclusiveMinimum"]) + 1] if "exclusiveMinimum" in schema else []
    highs = [floor(schema["maximum"])] if "maximum" in schema else []
    highs += [ceil(schema["exclusiveMaximum"]) - 1] if "exclusiveMaximum" in schema else []
    return max(lows, default=None), min(highs, default=None)


def _whole_numbers(low: int, high: int) -> str:
    options: list[str] = []
    if low < 0:
        options += [f'"-" {digits}' for digits in _digits(max(1, -high), -low)]
    if high >= 0:
        options += _digits(max(low, 0), high)
    return _either(options)


def _digits(low: int, high: int) -> list[str]:
    """Digits of the numbers from `low` to `high`, neither below 0, one length after the other."""
    options: list[str] = []
    for length in range(len(str(low)), len(str(high)) + 1):
        least = max(low, 10 ** (length - 1) if length > 1 else 0)
        options.append(_same_length(str(least), str(min(high, 10**length - 1))))
    return options


def _same_length(low: str, high: str) -> str:
    if low == "0" * len(low) and high == "9" * len(high):
        return f"[0-9]{{{len(low)}}}"
    if low[0] == high[0]:
        return f'"{low[0]}" {_same_length(low[1:], high[1:])}' if len(low) > 1 else f'"{low}"'
    if len(low) == 1:
        return f"[{low}-{high}]"
    rest = len(low) - 1
    options = [f'"{low[0]}" {_same_length(low[1:], "9" * rest)}']
    if int(high[0]) - int(low[0]) > 1:
        options.append(f"[{int(low[0]) + 1}-{int(high[0]) - 1}] [0-9]{{{rest}}}")
    options.append(f'"{high[0]}" {_same_length("0" * rest, high[1:])}')
    return f"({_either(options)})"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _either(options: Any) -> str:
    return " | ".join(options)
