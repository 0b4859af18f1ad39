"""What somebody says they did ("I went to the gym"), and changes of a record that can only be looked up here.

Whether it was a habit, the propose tool knows; what may be changed, too.
"""

from __future__ import annotations

import re

from sayso.models.quote.requests import Request
from sayso.models.quote.words import is_function_word, tokens

_DID = re.compile(
    r"^\W*(?:today|yesterday|this morning)?,?\s*(?:i(?:['’]ve| have)?|we)\s+(?:just |already |also |finally |have )*"
    r"(?P<verb>went|did|done|was|ran|swam|read|wrote|had|took|made|got|rode|biked|slept|drank|ate|meditated|\w{2,}ed)\b"
    r"(?P<rest>.*)$"
    r"|^\W*(?:just )?(?P<verb2>did|went|finished|completed) (?P<rest2>(?:my|the|to|for)\b.*)$",
    re.IGNORECASE,
)
_PARTICIPLE = r"(?:\w*ge\w+(?:t|en)|\w+iert|(?:be|ver|er|ent|zer)\w+(?:t|en))"
_DID_DE = re.compile(
    r"^\W*(?:(?:heute|gestern) )?(?:ich )?(?:"
    rf"(?:habe?|bin) (?P<rest>(?:.+ )?{_PARTICIPLE})"
    r"|war (?:ich )?(?:heute |gestern |schon |gerade )*(?P<rest2>(?:im|in|beim|bei|auf)\b.+))\W*$",
    re.IGNORECASE,
)
_NEEDS = frozenset({"need", "needed", "wanted", "wondered", "asked", "tried", "liked", "used", "supposed", "owed"})
_BASE = {"ran": "run", "swam": "swim", "wrote": "write", "rode": "ride", "slept": "sleep", "drank": "drink"}
_SAYS_LITTLE = frozenset(
    {"went", "did", "done", "was", "had", "took", "made", "got", "finished", "completed", "session", "morning",
     "evening", "been", "gegangen", "gemacht", "gewesen", "eben", "schon", "today", "yesterday"}
)  # fmt: skip
_PAST_DAY = re.compile(r"\b(yesterday|gestern|vorgestern|the day before yesterday)\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"^\W*(?:please |bitte |can you |could you )*(?:"
    r"(?:set|change|update|move|rename|correct|edit) (?!up\b|an?\b|me\b|of\b|on\b|about\b)(?P<what>.+?)"
    r"(?: from .+?)? (?:to|as|=) .+"
    r"|(?:setze?|ändere?|aktualisiere?|verschiebe?|korrigiere?|stelle?) (?P<what_de>.+?) (?:auf|in|zu|um auf) .+"
    r"|(?:mark|tick) (?P<marked>.+?) (?:as )?(?:paid|cancelled|canceled|finished|completed?|closed|open|active|paused)"
    r"|markiere? (?P<marked_de>.+?) als \w+"
    r")\W*$",
    re.IGNORECASE,
)
_CLEAN = re.compile(r"^(?:my|the|mein\w*|den|die|das|der|dem)\s+", re.IGNORECASE)
_MOST_WORDS = 14


def read_statement(text: str, german: bool) -> Request | None:
    """A check-in, where the message says what the person did; None where it asks, or tells of something else."""
    if "?" in text or len(text.split()) > _MOST_WORDS:
        return None
    match = (_DID_DE if german else _DID).match(text) or _DID.match(text)
    if match is None:
        return None
    found = match.groupdict()
    verb = (found.get("verb") or found.get("verb2") or "").lower()
    if verb in _NEEDS or (found.get("rest") or "").strip().lower().startswith("to know"):
        return None
    told = f"{_BASE.get(verb, verb)} {found.get('rest') or found.get('rest2') or ''}"
    words = [t.text for t in tokens(told) if not is_function_word(t.key) and t.key not in _SAYS_LITTLE]
    day = _PAST_DAY.search(text)
    if not words:
        return None
    return Request(
        "check_in", habit=" ".join(words)[:79], german=german, when=day.group() if day else "", tentative=True
    )


def read_change(text: str) -> str | None:
    """The words for what is to be changed, where a message asks to change a record; else None."""
    match = _CHANGE.match(text) if len(text) < 200 else None
    what = next((group for group in match.groups() if group), None) if match else None
    return _CLEAN.sub("", what.strip()) if what else None
