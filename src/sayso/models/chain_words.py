"""What a person is told while a chain of models is asked: short, in their language. It decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sayso.core.protocols.fitting import LeftOut

_WORDS = {
    "en": {
        "instead": "{why}. {name} answers instead.",
        "busy": "{name} is busy",
        "again": "{why}. {name} is asked again in {seconds} s.",
        "spent": "{name}: its allowance is used up{until}",
        "until": " until {time}",
        "gone": "{name} is gone: its provider has no such model any more; take it off your list",
        "timeout": "{name} did not answer in time",
        "overflow": "{name} reads less than this conversation needs",
        "cut": "{name} broke off before it said anything",
        "empty": "{name} said nothing",
        "garbage": "{name} gave no reply that can be read",
        "blind": "{name} reads no images",
        "left": "To fit what {name} reads{limit}, this was left out: {what}.",
        "limit": " ({tokens} tokens)",
        "fact": "1 record",
        "facts": "{n} records",
        "exchange": "1 earlier exchange",
        "exchanges": "{n} earlier exchanges",
        "and": " and ",
    },
    "de": {
        "instead": "{why}. {name} antwortet stattdessen.",
        "busy": "{name} ist überlastet",
        "again": "{why}. Nächster Versuch mit {name} in {seconds} s.",
        "spent": "{name}: Das Kontingent ist aufgebraucht{until}",
        "until": " bis {time}",
        "gone": "{name} gibt es beim Anbieter nicht mehr; streich es aus deiner Liste",
        "timeout": "{name} hat nicht rechtzeitig geantwortet",
        "overflow": "{name} liest weniger, als dieses Gespräch braucht",
        "cut": "{name} brach ab, bevor etwas gesagt war",
        "empty": "{name} hat nichts gesagt",
        "garbage": "{name} gab keine lesbare Antwort",
        "blind": "{name} kann keine Bilder lesen",
        "left": "Damit es für {name} passt{limit}, fehlt darin: {what}.",
        "limit": " ({tokens} Tokens)",
        "fact": "1 Eintrag",
        "facts": "{n} Einträge",
        "exchange": "1 früherer Austausch",
        "exchanges": "{n} frühere Austausche",
        "and": " und ",
    },
}


def say(key: str, locale: str, **values: object) -> str:
    return _WORDS["de" if locale.startswith("de") else "en"][key].format(**values)


def instead(reasons: Sequence[str], name: str, locale: str) -> str:
    """Why others do not answer, and who does."""
    return say("instead", locale, why=". ".join(reasons), name=name)


def again(reasons: Sequence[str], name: str, seconds: float, locale: str) -> str:
    """Why nobody answers yet, and who is asked again when."""
    why = ". ".join(reasons) or say("busy", locale, name=name)
    return say("again", locale, why=why, name=name, seconds=max(1, round(seconds)))


def until(moment: datetime | None, now: datetime, locale: str) -> str:
    """Until when, as it is read on a clock; with the day where that is another one. Empty where nobody says."""
    if moment is None:
        return ""
    shown = f"{moment:%H:%M}" if moment.date() == now.date() else f"{moment:%Y-%m-%d %H:%M}"
    return say("until", locale, time=shown)


def left_out(left: LeftOut, locale: str) -> str:
    """Such as "3 records and 12 earlier exchanges"."""
    parts: list[str] = []
    for number, one, many in ((left.facts, "fact", "facts"), (left.exchanges, "exchange", "exchanges")):
        if number:
            parts.append(say(one if number == 1 else many, locale, n=number))
    return say("and", locale).join(parts)
