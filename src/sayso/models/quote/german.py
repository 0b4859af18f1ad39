"""English labels, states and units as a German sentence writes them. Names and prose are never translated."""

from __future__ import annotations

import re

from sayso.models.quote.words import fold

LABELS = {
    "name": "Name", "title": "Titel", "affiliation": "Firma", "company": "Firma", "organisation": "Organisation",
    "role": "Rolle", "channels": "Kontakt", "contact": "Kontakt", "phone": "Telefon", "email": "E-Mail",
    "e-mail": "E-Mail", "address": "Adresse", "how met": "kennengelernt", "last interaction": "letzter Kontakt",
    "last contact": "letzter Kontakt", "birthday": "Geburtstag", "notes": "Notizen", "status": "Status",
    "state": "Status", "stack": "Technologie", "description": "Beschreibung", "log": "Neuestes",
    "updated": "aktualisiert", "created": "erstellt", "progress": "Fortschritt", "target date": "Zieltermin",
    "parent": "Teil von", "frequency": "Häufigkeit", "streak": "Serie", "last check-in": "zuletzt",
    "last check in": "zuletzt", "check-ins": "Einträge", "check ins": "Einträge", "done": "erledigt",
    "done today": "erledigt", "due": "Frist", "deadline": "Frist", "counterparty": "gegenüber", "starts": "beginnt",
    "start": "beginnt", "ends": "endet", "end": "endet", "place": "Ort", "location": "Ort", "attendees": "Teilnehmer",
    "section": "Abschnitt", "heading": "Abschnitt", "excerpt": "Auszug", "date": "Datum", "tags": "Schlagwörter",
    "path": "Datei", "file": "Datei", "price": "Preis", "amount": "Betrag", "quantity": "Menge", "color": "Farbe",
    "colour": "Farbe", "size": "Grösse", "height": "Höhe", "weight": "Gewicht", "category": "Kategorie",
    "customer": "Kunde", "priority": "Priorität", "owner": "zuständig", "type": "Art", "species": "Art",
}  # fmt: skip
VALUES = {
    "active": "aktiv", "paused": "pausiert", "planned": "geplant", "idea": "Idee", "behind": "im Rückstand",
    "on track": "im Plan", "done": "erledigt", "open": "offen", "overdue": "überfällig", "cancelled": "abgesagt",
    "paid": "bezahlt", "unpaid": "unbezahlt", "closed": "abgeschlossen", "pending": "offen", "daily": "täglich",
    "weekly": "wöchentlich", "monthly": "monatlich", "yearly": "jährlich", "every day": "täglich",
    "every week": "wöchentlich",
}  # fmt: skip
OUTCOMES = {
    "created": "angelegt", "changed": "geändert", "deleted": "gelöscht", "restored": "wiederhergestellt",
    "recorded": "eingetragen", "already recorded": "war schon eingetragen", "sent": "gesendet",
    "approved, not sent": "genehmigt, nicht gesendet", "approved, not done": "genehmigt, nicht ausgeführt",
    "answered": "beantwortet", "looked up": "nachgeschlagen", "done": "erledigt",
    "failed": "fehlgeschlagen, es wurde nichts getan", "unknown": "unbekannt, es könnte geschehen sein",
    "denied": "abgelehnt, nicht getan", "expired": "abgelaufen, nicht getan",
    "superseded, not done": "ersetzt, nicht getan",
}  # fmt: skip
"""How our own actions end, and the states in which a proposal ends."""
STATES = frozenset(fold(word) for word in (*VALUES, *VALUES.values()) if " " not in word) - {"idee", "idea"}
"""States that are one word, in either language, folded."""
UNITS = {
    "day": "Tag", "days": "Tage", "week": "Woche", "weeks": "Wochen", "month": "Monat", "months": "Monate",
    "year": "Jahr", "years": "Jahre", "hour": "Stunde", "hours": "Stunden", "minute": "Minute", "minutes": "Minuten",
    "pieces": "Stück", "times": "Mal",
}  # fmt: skip
# What leads or follows a way to reach somebody: "phone +41 44 000 00 00 (work)".
_CHANNELS = {"phone": "Telefon", "email": "E-Mail", "mobile": "Mobil", "website": "Website", "address": "Adresse"}
_PLACES = {"cell": "mobil", "mobile": "mobil", "work": "geschäftlich", "home": "privat", "private": "privat"}
_TIMES = re.compile(r"^(\d+)\s*(?:x|times)?\s*(?:per|a|/)\s*(week|month|day)$", re.IGNORECASE)
_PERIOD = {"week": "Woche", "month": "Monat", "day": "Tag"}


def german_label(label: str) -> str:
    """The label in German, or as it is."""
    return LABELS.get(fold(label), label)


def german_value(value: str) -> str:
    """A state or a frequency in German; any other text as it is."""
    if times := _TIMES.match(value):
        return f"{times.group(1)}-mal pro {_PERIOD[times.group(2).lower()]}"
    return VALUES.get(fold(value), value)


def german_outcome(outcome: str) -> str:
    """How an action ended, in German; another application's own word as it is."""
    return OUTCOMES.get(outcome, outcome)


def german_unit(amount: float, unit: str) -> str:
    german = UNITS.get(unit.lower(), unit)
    return UNITS.get(unit.lower().rstrip("s"), german) if amount == 1 else german


def german_item(item: str) -> str:
    """An item of a list: its leading and its bracketed word, where these say how somebody is reached."""
    first, space, rest = item.partition(" ")
    if not space or first.lower() not in _CHANNELS:
        return item
    told = re.sub(r"\((\w+)\)$", lambda m: f"({_PLACES.get(m.group(1).lower(), m.group(1))})", rest)
    return f"{_CHANNELS[first.lower()]} {told}"
