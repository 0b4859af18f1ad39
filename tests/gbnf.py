"""A small reader of GBNF, and a writer of texts that a grammar allows. For tests of grammars."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Any

_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|[A-Za-z][A-Za-z0-9-]*|\{\d+,?\d*\}|[()|?*+])')
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.)", re.DOTALL)
POOL = "aeiostnr TLAgmp_-.,:;!?()[]{}<>\"'`*/\\|=@#0123456789äéß✿｜日\n"


@dataclass(frozen=True)
class Chars:
    """A class of characters, as the set of those of `POOL` that it holds, and as a test."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool

    def holds(self, char: str) -> bool:
        return any(low <= char <= high for low, high in self.ranges) is not self.negated

    def sample(self, random: Random) -> str:
        if self.negated:
            return random.choice([char for char in POOL if self.holds(char)])
        low, high = random.choice(self.ranges)
        return chr(random.randint(ord(low), ord(high)))


Item = Any  # a str (literal), Chars, ("rule", name), ("any", alternatives), ("times", item, least, most)


class Grammar:
    def __init__(self, text: str) -> None:
        self.rules: dict[str, list[list[Item]]] = {}
        for line in text.splitlines():
            name, _, body = line.partition(" ::= ")
            assert name not in self.rules, f"{name} is written twice"
            tokens = _tokens(body)
            self.rules[name] = _alternatives(tokens)
            assert not tokens, f"{name}: {tokens[:3]} is left over"
        used = set(re.findall(r"'rule', '([\w-]+)'", repr(self.rules)))
        assert used <= set(self.rules), f"not written: {used - set(self.rules)}"
        self.unused = set(self.rules) - used - {"root"}

    def sample(self, random: Random, size: int = 200) -> str:
        """A text that the grammar allows, of about `size` characters at most where it may end."""
        out: list[str] = []
        stack: list[Item] = [("rule", "root")]
        length = 0
        while stack:
            item = stack.pop()
            if isinstance(item, Chars):
                out.append(item.sample(random))
                length += 1
            elif isinstance(item, str):
                out.append(item)
                length += len(item)
            elif item[0] == "times":
                most = item[2] if length > size else min(item[3], item[2] + random.choice((0, 1, 3, 40)))
                stack += [item[1]] * random.randint(item[2], most)
            else:
                choices = self.rules[item[1]] if item[0] == "rule" else item[1]
                ends = [choice for choice in choices if choice == [""]]
                stack += reversed(ends[0] if ends and length > size else random.choice(choices))
        return "".join(out)


def _tokens(body: str) -> list[str]:
    tokens, at = [], 0
    while at < len(body.rstrip()):
        found = _TOKEN.match(body, at)
        assert found, f"no token at {body[at : at + 20]!r}"
        tokens.append(found[1])
        at = found.end()
    return tokens[::-1]  # read from the end


def _alternatives(tokens: list[str]) -> list[list[Item]]:
    options: list[list[Item]] = [[]]
    while tokens and tokens[-1] != ")":
        token = tokens.pop()
        if token == "|":
            options.append([])
        elif token == "(":
            options[-1].append(("any", _alternatives(tokens)))
            assert tokens.pop() == ")"
        elif token[0] in "{?*+":
            least, most = {"?": (0, 1), "*": (0, 60), "+": (1, 60)}.get(token) or _times(token)
            options[-1].append(("times", options[-1].pop(), least, most))
        elif token[0] == '"':
            options[-1].append(_plain(token[1:-1]))
        elif token[0] == "[":
            options[-1].append(_chars(token[1:-1]))
        else:
            options[-1].append(("rule", token))
    return options


def _times(token: str) -> tuple[int, int]:
    least, comma, most = token[1:-1].partition(",")
    return int(least), int(most or (60 if comma else least))


def _plain(text: str) -> str:
    return _ESCAPE.sub(lambda found: _escaped(found[1]), text)


def _escaped(code: str) -> str:
    return chr(int(code[1:], 16)) if len(code) > 1 else {"n": "\n", "t": "\t", "r": "\r"}.get(code, code)


def _chars(inside: str) -> Chars:
    negated = inside.startswith("^")
    found = re.findall(r"(\\x..|\\u....|\\.|.)(?:-(\\x..|\\u....|\\.|.))?", inside[negated:], re.DOTALL)
    ranges = tuple((_plain(low), _plain(high) if high else _plain(low)) for low, high in found)
    return Chars(ranges, negated)
