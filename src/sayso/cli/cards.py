"""A proposal's card as plain text: the same parts as on the page, from the same document. It asks and decides nothing.

Values are shown whole. Lines are broken at blanks near 80 columns, so that what is one word stays one word.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sayso.cli.terms import fail, say

Json = Mapping[str, Any]
WIDTH, SHOWN_DIGEST = 78, 16
_STATES = {"unknown": "unknown: it may have run", "superseded": "superseded, not done", "expired": "expired, not done"}


def show_card(card: Json) -> None:
    """The whole change: what it alters, its risks, its reasons, and what became of it."""
    say(f"\n{card['title']}", "bold")
    state = card["state"]
    _line(f"state: {_STATES.get(state, state)}   action: {card.get('action', '')}")
    if card.get("target"):
        _line(f"record: {card['target']} ({card.get('target_record') or 'no key'})")
        _risks(card.get("target_risks", ()))
    for argument in card.get("arguments", ()):
        _argument(argument)
    _risks(card.get("risks", ()), "")
    _because(card.get("reasons", ()))
    _ended(card)
    for fault in card.get("errors", ()):
        fail(f"  {fault.get('field', '')}: {fault.get('message', '')}")
    expires = f"expires: {card['expires']}   " if state == "pending" and card.get("expires") else ""
    say(f"  {expires}digest: {str(card['digest'])[:SHOWN_DIGEST]}", "dim")


def show_outcome(card: Json) -> None:
    """What became of a card, in a line or two."""
    state = card["state"]
    words = str(card.get("outcome") or state)
    say(f"{words}: {card['title']}", "green" if state == "done" else "")
    if details := card.get("details"):
        _value(str(details))
    _left(card)


def show_line(card: Json, id_width: int = 0) -> None:
    """One proposal in a list."""
    warned = " !" if risks_of(card) else ""
    say(f"{card['id']:{id_width}}  {card['state']:10}  {card['title']}{warned}")


def show_changes(changes: Sequence[Json]) -> None:
    """Who did what, and when."""
    for change in changes:
        note = f"  {change['note']}" if change["note"] not in ("", "filed", "edited") else ""
        what = change["note"] if change["note"] in ("filed", "edited") else change["state"]
        say(f"  {change['at']}  {what:10}  {change['by']}  {change['digest'][:SHOWN_DIGEST]}{note}")


def risks_of(card: Json) -> list[str]:
    """The words of every risk, wherever on the card it stands."""
    listed = [
        card.get("target_risks", ()),
        *(a.get("risks", ()) for a in card.get("arguments", ())),
        card.get("risks", ()),
    ]
    return [str(risk["words"]) for risks in listed for risk in risks]


def _argument(argument: Json) -> None:
    name, before, after = str(argument["name"]), argument.get("before"), str(argument["value"])
    if before is None:
        if after in ("", "–"):
            return
        _named(name, after)
    else:
        _line(f"{name}:")
        _value(str(before) or "–", mark="- ", style="red")
        _value(after or "–", mark="+ ", style="green")
        if unchanged := argument.get("unchanged"):
            _line(f"  and {unchanged} more, unchanged")
    _risks(argument.get("risks", ()))


def _because(reasons: Iterable[Json]) -> None:
    told = [_reason(reason) for reason in reasons]
    if told:
        _named("because of", " · ".join(told))


def _reason(reason: Json) -> str:
    whose = "" if reason["provenance"] == "own" else f", {str(reason['provenance']).replace('_', '-')}"
    ref = f" [{reason['ref']}]" if reason["ref"] else ""
    return f"{reason['subject']} ({str(reason['kind']).replace('_', ' ')}, {reason['source']}{whose}){ref}"


def _ended(card: Json) -> None:
    if card["state"] == "unknown":
        id = str(card["id"])[:13]
        _named("how to find out", card.get("look") or "look whether it happened; it is not tried again by itself")
        if card.get("can_check"):
            _line(f"have it looked up: sayso proposals check {id}")
        _line(f"say what you found: sayso proposals settle {id} --happened | --not-happened")
        return
    if outcome := card.get("outcome"):
        _named("outcome", str(outcome))
    if details := card.get("details"):
        _named("details", str(details))
    _left(card)


def _left(card: Json) -> None:
    if files := card.get("files"):
        _named("files", ", ".join(files))
    for fact in card.get("learned", ()):
        say(f"  {str(fact['provenance']).replace('_', '-')} words, {fact['source']}:", "dim")
        for name, value in fact["fields"].items():
            if value is not None:
                _named(str(fact["labels"].get(name, name)), str(value))


def _risks(risks: Iterable[Json], indent: str = "  ") -> None:
    for risk in risks:
        _value(str(risk["words"]), mark="! ", style="yellow", indent=f"{indent}  ")


def _line(text: str) -> None:
    say(f"  {text}")


def _named(name: str, value: str) -> None:
    """On one line where it fits there; else below its name."""
    if "\n" not in value and len(name) + len(value) + 4 <= WIDTH:
        _line(f"{name}: {value}")
        return
    _line(f"{name}:")
    _value(value)


def _value(text: str, *, mark: str = "", style: str = "", indent: str = "    ") -> None:
    for line in text.split("\n"):
        pieces = textwrap.wrap(
            line, WIDTH, initial_indent=indent + mark, subsequent_indent=indent + " " * len(mark),
            break_long_words=False, break_on_hyphens=False, replace_whitespace=False,
        )  # fmt: skip
        for piece in pieces or [indent + mark]:
            say(piece, style)
