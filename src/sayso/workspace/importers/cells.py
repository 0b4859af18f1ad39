"""What a table's cell says: dates, percentages, states. Each refuses what it cannot read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:$|[T ])")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})$")
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})(?:$|[ ,])")
_SLASHED = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?:$|[ ,])")
_YES = {"yes", "true", "1", "x", "done", "ja", "wahr", "erledigt", "oui", "completed", "fertig"}
_DONE = _YES | {"closed", "finished", "complete", "abgeschlossen", "terminé"}
_CANCELLED = {"cancelled", "canceled", "dropped", "abgesagt", "storniert", "annulé"}


def day_first(cells: Iterable[str]) -> bool | None:
    """Whether a column writes 3/2 for the third of February; None when its dates do not tell."""
    pairs = [(int(m[1]), int(m[2])) for cell in cells if (m := _SLASHED.match(cell.strip()))]
    if not pairs:
        return True
    if any(first > 12 for first, _ in pairs):
        return True
    return False if any(second > 12 for _, second in pairs) else None


def read_date(cell: str, day_leads: bool) -> date:
    text = cell.strip()
    found = _ISO.match(text) or _COMPACT.match(text)
    if found:
        return _made(found[1], found[2], found[3], cell)
    found = _DOTTED.match(text)
    if found:
        return _made(found[3], found[2], found[1], cell)
    found = _SLASHED.match(text)
    if not found:
        raise ValueError(f'"{cell[:40]}" is no date; write 2026-12-07')
    first, second, year = found.groups()
    return _made(year, second, first, cell) if day_leads else _made(year, first, second, cell)


def _made(year: str, month: str, day: str, cell: str) -> date:
    full = int(year) if len(year) == 4 else 2000 + int(year) if int(year) < 70 else 1900 + int(year)
    try:
        return date(full, int(month), int(day))
    except ValueError:
        raise ValueError(f'"{cell[:40]}" is no day of the calendar; write 2026-12-07') from None


def read_percent(cell: str) -> int:
    """40%, 40 and 0.4 are all 40; 1 is one percent, 1.0 is all of it."""
    found = re.fullmatch(r"\s*(\d{1,3}(?:[.,]\d{1,6})?)\s*(%?)\s*", cell)
    if not found:
        raise ValueError(f'"{cell[:40]}" is no progress; write 40%')
    number = float(found[1].replace(",", "."))
    if not found[2] and number <= 1 and re.search(r"[.,]", found[1]):
        number *= 100
    if number > 100:
        raise ValueError(f'"{cell[:40]}" is more than 100%')
    return round(number)


def read_yes(cell: str) -> bool:
    return cell.strip().casefold() in _YES


def read_commitment_status(cell: str) -> str:
    word = cell.strip().casefold()
    return "done" if word in _DONE else "cancelled" if word in _CANCELLED else "open"


def read_project_status(cell: str) -> str:
    word = cell.strip().casefold()
    if word in _DONE:
        return "done"
    if word in {"paused", "on hold", "pausiert", "en pause"}:
        return "paused"
    return "idea" if word in {"idea", "planned", "idee", "idée"} else "active"


def read_frequency(cell: str) -> str:
    word = cell.strip().casefold()
    if not word or word in {"daily", "every day", "täglich", "quotidien"}:
        return "daily"
    if word in {"weekly", "every week", "wöchentlich", "hebdomadaire"}:
        return "weekly"
    found = re.match(r"(\d+)\s*(?:x|times|mal)?\s*(?:/|per|a|pro|each)?\s*(?:week|woche|wk)", word)
    if not found:
        raise ValueError(f'"{cell[:40]}" is no frequency; write daily, weekly or 3 per week')
    return f"{int(found[1])} per week"


def read_list(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r"[,;\n|]", cell) if part.strip())
