"""A grammar of prose in which given phrases never occur, in the notation that llama.cpp reads (GBNF).

The phrases become one automaton, and each of its states one rule, so that a sampler keeps a single
place in it. Capitals and hyphens make no difference. Knows no tool and no model.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

START = "prose"
_BLANK = "\n\t "


@dataclass(frozen=True, slots=True)
class Phrases:
    """The automaton. `steps[state]` leads on from a state; a character that is not in it leads to state 0.

    A phrase is complete in none of the states: the step that would complete it leads to None.
    """

    steps: tuple[dict[str, int | None], ...]
    begin: int

    def allow(self, text: str) -> bool:
        """Whether the grammar's prose may be this text."""
        state = self.begin
        for position, char in enumerate(text):
            following = self.steps[state].get(_folded(char), 0)
            if following is None or _barred(char) or (position == 0 and char in _BLANK):
                return False
            state = following
        return bool(text)


def without(phrases: Iterable[str]) -> Phrases:
    """The automaton of text without these phrases; one that begins with a line break is barred at the start too."""
    tree, ends = _tree(phrases)
    steps: list[dict[str, int | None]] = [{} for _ in tree]
    fallback = [0] * len(tree)
    queue = [0]
    for state in queue:  # breadth first: what a state falls back on is complete before it
        behind = {} if state == 0 else steps[fallback[state]]
        steps[state] = dict(behind)
        for char, child in tree[state].items():
            back = behind.get(char, 0)
            if child in ends or back is None:
                steps[state][char] = None
                continue
            fallback[child], steps[state][char] = back, child
            queue.append(child)
    return Phrases(tuple(steps), steps[0].get("\n") or 0)


def prose_rules(phrases: Phrases) -> str:
    """GBNF rules whose `START` is one or more characters of such text, beginning with no blank."""
    used = _reached(phrases)
    lines = [_rule(START, phrases.steps[phrases.begin], barred=_BLANK, may_end=False)]
    lines += [_rule(f"{START}{state}", phrases.steps[state], barred="", may_end=True) for state in used]
    return "\n".join(lines)


def _tree(phrases: Iterable[str]) -> tuple[list[dict[str, int]], set[int]]:
    tree: list[dict[str, int]] = [{}]
    ends: set[int] = set()
    for phrase in phrases:
        state = 0
        for char in map(_folded, phrase):
            if char not in tree[state]:
                tree[state][char] = len(tree)
                tree.append({})
            state = tree[state][char]
        ends.add(state)
    return tree, ends


def _reached(phrases: Phrases) -> list[int]:
    queue, seen = [0, phrases.begin], {0, phrases.begin}
    for state in queue:
        new = {to for to in phrases.steps[state].values() if to is not None} - seen
        queue += sorted(new)
        seen |= new
    return sorted(seen)


def _rule(name: str, steps: dict[str, int | None], *, barred: str, may_end: bool) -> str:
    on: dict[int, list[str]] = {}
    for char, to in steps.items():
        if to is not None and char not in barred:
            on.setdefault(to, []).append(char)
    options = [f"[{_class(chars)}] {START}{to}" for to, chars in on.items()]
    options.append(f"[^{_class([*steps, *barred])}{_CONTROLS}] {START}0")
    if may_end:
        options.append('""')
    return f"{name} ::= {' | '.join(options)}"


_CONTROLS = r"\x00-\x08\x0B-\x1F\x7F"


def _barred(char: str) -> bool:
    return char not in "\n\t" and (char < " " or char == "\x7f")


def _class(chars: Iterable[str]) -> str:
    written: dict[str, None] = {}
    for char in chars:
        for form in ("-", "_") if char == "_" else (char, char.upper() if char.isascii() else char):
            written[_ESCAPES.get(form, form)] = None
    return "".join(written)


_ESCAPES = {"\n": r"\n", "\t": r"\t", "\\": r"\\", "]": r"\]", "[": r"\[", "^": r"\x5E", "-": r"\x2D", '"': r"\x22"}


def _folded(char: str) -> str:
    return "_" if char == "-" else char.lower() if char.isascii() else char
