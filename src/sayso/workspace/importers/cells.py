"""What a table's cell says: dates, times, percentages, states. Each refuses what it cannot read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time, tzinfo

_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:$|[T ])")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})$")
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})(?:$|[ ,])")
_SLASHED = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?:$|[ ,])")
_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{2})(?::\d{2}(?:\.\d+)?)?)?\s*(?:([ap])\.?\s?m\.?)?\s*(uhr|h)?", re.I)
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


def read_time(cell: str) -> time:
    """15:00, 15.00 Uhr, 15h, 3 pm, 3:00:00 PM."""
    found = _TIME.fullmatch(cell.strip())
    hour, minute = (int(found[1]), int(found[2] or 0)) if found else (99, 0)
    half = (found[3] or "").lower() if found else ""
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    elif half or not (found and (found[2] or found[4])):
        hour = 99
    if hour > 23 or minute > 59:
        raise ValueError(f'"{cell[:40]}" is no time; write 15:00')
    return time(hour, minute)


def read_moment(cell: str, day_leads: bool, zone: tzinfo) -> tuple[datetime, bool]:
    """A day with or without a time, and whether there was a time. One without an offset is of `zone`."""
    text = cell.strip()
    if re.search(r"\d[T ]?\d{2}:?\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$", text):
        try:
            return datetime.fromisoformat(re.sub(r"\s+(?=[+-]\d{2}:?\d{2}$)", "", text)).astimezone(zone), True
        except ValueError:
            pass
    day, _, clock = re.sub(r"(?<=\d),? +(?=\d{1,2}([:. ]|h|$))|(?<=\d)T(?=\d)", "\0", text).partition("\0")
    found = read_date(day, day_leads)
    return datetime.combine(found, read_time(clock) if clock else time(), zone), bool(clock)


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


def read_goal_status(cell: str) -> str:
    """ "done", "on track" and "behind" by any of their names; another word as it is written."""
    word = " ".join(cell.split())
    folded = word.casefold()
    if folded in _DONE:
        return "done"
    if folded in {"on track", "on schedule", "im plan", "auf kurs"}:
        return "on track"
    return "behind" if folded in {"behind", "off track", "delayed", "im rückstand", "hinterher", "en retard"} else word


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


def read_names(cell: str) -> tuple[str, ...]:
    """Names, one a line or by semicolons where there are any ("Weber, Elena; Lindt, Mara"), else by commas."""
    sign = r"[;\n|]" if re.search(r"[;\n|]", cell) else ","
    return tuple(dict.fromkeys(part.strip() for part in re.split(sign, cell) if part.strip()))


def read_list(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r"[,;\n|]", cell) if part.strip())
