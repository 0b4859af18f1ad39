"""The words of a letter or message: the person's own where given, else one plain sentence on the subject.

Nothing is made up: a clause is turned into a sentence only where its order is certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sayso.models.quote.words import keys, said, tokens

_VERBS_ICH = frozenset(
    [
        "bin",
        "war",
        "hatte",
        "habe",
        "kann",
        "konnte",
        "muss",
        "musste",
        "will",
        "wollte",
        "darf",
        "durfte",
        "soll",
        "sollte",
        "mag",
        "möchte",
        "weiss",
        "weiß",
        "werde",
        "würde",
        "wurde",
        "kam",
        "ging",
        "blieb",
        "fand",
        "gab",
        "sah",
    ]
)
# An infinitive at the end after these is not what stands second in a sentence ("hätte kommen sollen").
_HELPING = frozenset(
    ["hätte", "hätten", "habe", "haben", "hatte", "hatten", "werde", "werden", "würde", "würden", "worden"]
)
_PARTED = re.compile(
    r"^(?:ab|an|auf|aus|bei|dabei|durch|ein|entgegen|fest|fort|frei|heim|her|hin|los|mit|nach|nieder|teil|um|vor|"
    r"vorbei|weg|weiter|wieder|zu|zurück|zusammen)\w{3,}",
    re.IGNORECASE,
)


def own_words(words: str, *, clause: bool, asks: bool) -> str:
    """The person's own words as one sentence. `clause`: they stood after "dass"; `asks`: they are a question."""
    words = words.strip()
    if clause:
        return _main_clause(words) or f"Ich wollte dir sagen, dass {words}."
    mark = "" if words[-1:] in ".!?…" else "?" if asks else "."
    return f"{words[:1].upper()}{words[1:]}{mark}"


def plain_letter(name: str, about: str | None, prep: str, *, german: bool) -> str:
    """One sentence on the subject, or that one writes."""
    matter = f"{prep} {about}" if about else ""
    if not german:
        return f"Hello {name}, {f'I am writing {matter}.' if matter else 'I wanted to get in touch.'}"
    spoken = f"ich möchte mit dir {matter} sprechen." if prep in {"über", "ueber"} else f"ich melde mich {matter}."
    return f"Hallo {name}, {spoken if matter else 'ich melde mich bei dir.'}"


def subject_of(words: str | None, about: str | None, *, german: bool) -> str:
    """What stands over an e-mail: what it is about, else its first words."""
    if about:
        return about[:1].upper() + about[1:]
    if not words:
        return "Kurze Nachricht" if german else "A short message"
    first = re.split(r"(?<=[.!?])\s", words, maxsplit=1)[0].rstrip(".!")
    return first if len(first) <= 60 else f"{first[:60].rsplit(' ', 1)[0]} …"


def as_recorded(typed: str, names: Iterable[str]) -> str:
    """A name as one record spells it, as far as it was typed; else with capitals."""
    wanted = keys(typed)
    found = {name for name in names if said(wanted, keys(name)) == len(set(wanted))}
    if len(found) == 1:
        spelt = " ".join(t.text for t in tokens(found.pop()) if any(said((w,), (t.key,)) for w in wanted))
        return spelt or typed
    return typed.title() if typed.islower() and "@" not in typed else typed


def _main_clause(clause: str) -> str | None:
    """ "ich zu spät komme" as "Ich komme zu spät."; None where the place of the verb is not certain."""
    words = clause.rstrip(" .!").split()
    if len(words) < 2 or any(mark in clause for mark in ",;:") or "und" in words or "oder" in words:
        return None
    subject, verb, between = words[0].lower(), words[-1], words[1:-1]
    if not verb.islower() or _PARTED.match(verb) or not _HELPING.isdisjoint(between):
        return None
    finite = verb in _VERBS_ICH or verb.endswith("e") if subject == "ich" else verb.endswith("n")
    if subject not in {"ich", "wir"} or not finite:
        return None
    return " ".join([subject.capitalize(), verb, *between]) + "."
