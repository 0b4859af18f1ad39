"""Which column means which field, and which kind of record a table holds. Words only, no values."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping, Sequence

from sayso.errors import ImportFailed

_NOTES = "notes note remarks remark comment comments notizen notiz bemerkung bemerkungen remarques"
_DESCRIPTION = "description details about beschreibung"
_ID = "id uid key uuid"
_UPDATED = "updated|last updated|updated at|modified|aktualisiert|mis à jour"


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split("|") if "|" in text else text.split())


FIELDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "people": {
        "name": _words("name|full name|display name|contact|person|vollständiger name|nom complet|anzeigename"),
        "first_name": _words("first name|given name|firstname|vorname|prénom"),
        "middle_name": _words("middle name|additional name|zweiter vorname"),
        "last_name": _words("last name|family name|surname|lastname|nachname|familienname|nom de famille|nom"),
        "affiliation": _words(
            "affiliation|company|company name|organization|organisation|organization name|employer|firma"
            "|unternehmen|arbeitgeber|entreprise|société|organization 1 name"
        ),
        "role": _words(
            "role|title|job title|position|profession|organization title|rolle|funktion|beruf|stelle|poste"
            "|fonction|organization 1 title"
        ),
        "email": _words("email|e mail|mail|email address|e mail address|courriel|adresse e mail|e mail adresse"),
        "phone": _words(
            "phone|telephone|mobile|phone number|mobile phone|home phone|business phone|work phone|cell|telefon"
            "|handy|mobil|telefonnummer|mobiltelefon|téléphone|portable|tel"
        ),
        "whatsapp": ("whatsapp",),
        "signal": ("signal",),
        "url": _words("url|website|web|webseite|site web|linkedin|homepage"),
        "address": _words("address|street address|home address|adresse|anschrift"),
        "birthday": _words("birthday|birth date|date of birth|born|geburtstag|geburtsdatum|anniversaire"),
        "how_met": _words("how met|how we met|met at|met|kennengelernt|rencontre"),
        "last_interaction": _words("last interaction|last contact|last contacted|last seen|letzter kontakt"),
        "nickname": _words("nickname|spitzname|surnom"),
        "notes": _words(_NOTES),
        "id": _words(_ID),
    },
    "projects": {
        "name": _words("name|project|project name|title|projekt|projet|projektname"),
        "status": _words("status|state|stand|statut"),
        "stack": _words("stack|tech stack|technology|technologies|technologie|technik"),
        "description": _words(_DESCRIPTION),
        "log": _words("log|latest|latest update|progress|neuestes"),
        "updated": _words(_UPDATED),
        "id": _words(_ID),
    },
    "goals": {
        "title": _words("goal|title|name|objective|ziel|titel|objectif"),
        "parent": _words("parent|parent goal|part of|übergeordnet|oberziel|teil von"),
        "progress": _words("progress|percent|complete|percent complete|fortschritt|prozent|progrès|avancement"),
        "started": _words("started|start|start date|begonnen|beginn|startdatum|début"),
        "target_date": _words(
            "target date|deadline|due|due date|fällig|fällig am|zieltermin|zieldatum|frist|échéance|target"
        ),
        "description": _words(_DESCRIPTION + " notes notizen"),
        "done": _words("done|completed|finished|erledigt|fertig|terminé"),
        "status": _words("status|state|stand|zustand|statut|état"),
        "updated": _words(_UPDATED),
        "id": _words(_ID),
    },
    "habits": {
        "name": _words("habit|name|title|routine|gewohnheit|habitude"),
        "frequency": _words("frequency|how often|häufigkeit|fréquence|schedule"),
        "check_ins": _words("check ins|check in|checkins|dates|date|done on|erledigt am|datum"),
        "last_done": _words(
            "last done|last check in|last checkin|last time|last completed|last date|zuletzt|zuletzt erledigt"
            "|zuletzt gemacht|letztes mal|dernière fois"
        ),
        "id": _words(_ID),
    },
    "commitments": {
        "title": _words("commitment|task|title|name|todo|to do|promise|aufgabe|zusage|titel|tâche"),
        "due": _words("due|due date|deadline|due on|fällig|fällig am|frist|échéance|bis"),
        "counterparty": _words(
            "counterparty|with|for|for whom|to|to whom|owed to|promised to|whom|who|person|contact|mit|mit wem|wem|wer"
            "|an|an wen|für|für wen|gegenüber|avec|pour|pour qui|à|à qui"
        ),
        "status": _words("status|state|done|completed|erledigt|statut"),
        "notes": _words(_NOTES + " details description"),
        "id": _words(_ID),
    },
    "events": {
        "title": _words(
            "title|event|subject|summary|name|meeting|betreff|titel|termin|ereignis|veranstaltung|objet|titre"
        ),
        "starts": _words(
            "starts|start|start date|begin|begins|from|when|date|start date time|dtstart|beginn|beginnt|beginnt am"
            "|anfang|startdatum|start datum|datum|von|wann|début|date de début"
        ),
        "start_time": _words(
            "start time|begin time|time|beginnt um|startzeit|beginnzeit|uhrzeit|zeit|heure de début|heure"
        ),
        "ends": _words(
            "ends|end|end date|until|to|end date time|dtend|ende|endet|endet am|enddatum|end datum|bis|fin|date de fin"
        ),
        "end_time": _words("end time|endet um|endzeit|heure de fin"),
        "all_day": _words("all day|all day event|allday|ganztägig|ganztags|ganztägiges ereignis|journée entière"),
        "place": _words("place|location|where|room|venue|ort|raum|wo|standort|veranstaltungsort|lieu"),
        "attendees": _words(
            "attendees|participants|invitees|guests|required attendees|optional attendees|with|who|people|teilnehmer"
            "|teilnehmende|teilnehmerinnen|erforderliche teilnehmer|optionale teilnehmer|gäste|eingeladene|mit|wer"
        ),
        "notes": _words(_NOTES + " description details agenda beschreibung inhalt"),
        "id": _words(_ID),
    },
}
"""The fields of each kind and the headings that mean them (English, German, French)."""

COMPUTED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "people": {"the birthday": _words("age|alter|âge")},
    "goals": {"the dates and the progress": _words("days left|remaining|on track|verbleibend|im plan")},
    "habits": {
        "the check-ins": _words("streak|current streak|best streak|longest streak|serie|série|total|done today")
    },
    "commitments": {"the due date": _words("overdue|days left|überfällig|verbleibend")},
    "events": {"the start and the end": _words("duration|length|dauer|durée")},
}
"""Headings that hold no new fact: what Sayso computes them from."""

_KIND_WORDS = {
    "people": ("people", "person", "contact", "personen", "kontakt", "leute", "address"),
    "projects": ("project", "projekt", "projet"),
    "goals": ("goal", "objective", "ziel", "okr", "objectif"),
    "habits": ("habit", "gewohnheit", "routine", "habitude"),
    "commitments": ("commitment", "task", "todo", "aufgabe", "zusage", "promise", "tache"),
    "events": ("event", "calendar", "appointment", "meeting", "termin", "kalender", "veranstaltung", "agenda"),
}
_TELLING = {
    "people": {"first_name", "last_name", "email", "phone", "affiliation", "birthday"},
    "projects": {"stack", "log"},
    "goals": {"progress", "target_date", "parent"},
    "habits": {"frequency", "check_ins"},
    "commitments": {"due", "counterparty"},
    "events": {"starts", "start_time", "ends", "end_time", "all_day", "attendees"},
}


def plain(text: str) -> str:
    """A heading without case, accents and signs: "E-mail 1 - Value" is "e mail 1 value"."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    folded = "".join(c for c in folded if not unicodedata.combining(c))
    return " ".join(re.findall(r"\w+", folded.replace("_", " ")))


def field_of(kind: str, heading: str) -> str | None:
    word = plain(heading)
    numbered = re.sub(r" \d+( value)?$", "", word)
    for field, words in FIELDS[kind].items():
        known = {plain(w) for w in words} | {plain(field)}
        if word in known or numbered in known:
            return field
    return None


def why_unused(kind: str, heading: str) -> str:
    """What becomes of a column that means no field, and what to do about it."""
    for basis, words in COMPUTED.get(kind, {}).items():
        if plain(heading) in {plain(word) for word in words}:
            return f"computed from {basis} instead"
    fields = ", ".join(field for field in FIELDS[kind] if field != "id")
    return f"no field means this; --map '{heading}=FIELD' puts it into one of {fields}"


def guess_kind(headers: Sequence[str], stem: str) -> str | None:
    """By the file's name, else by the headings: the kind whose own fields are found most often."""
    name = plain(stem)
    for kind, words in _KIND_WORDS.items():
        if any(w in name for w in words):
            return kind
    first_words = {plain(h) for h in headers}
    scores: dict[str, int] = {}
    for kind in FIELDS:
        found = {field_of(kind, h) for h in headers}
        own = sum(2 for w in _KIND_WORDS[kind] if w in first_words)
        scores[kind] = 3 * len(found & _TELLING[kind]) + len(found - {None}) + own
    best = max(scores, key=lambda k: scores[k])
    return best if scores[best] >= 3 else None


def columns(kind: str, headers: Sequence[str], corrections: Mapping[str, str]) -> dict[str, str | None]:
    """Each heading with its field; `corrections` win over what is guessed."""
    wanted: dict[str, str] = {}
    for column, field in corrections.items():
        wanted[_known(column, headers, "column")] = _known(field, list(FIELDS[kind]), f"field of {kind}")
    return {h: wanted.get(h) or field_of(kind, h) for h in headers}


def _known(word: str, known: Sequence[str], what: str) -> str:
    for item in known:
        if plain(item) == plain(word):
            return item
    near = difflib.get_close_matches(plain(word), [plain(k) for k in known], 3, 0.5)
    names = [k for k in known if plain(k) in near] or list(known)
    raise ImportFailed(f'no {what} is called "{word}"; there is: {", ".join(names[:12])}')


def unique_headers(headers: Sequence[str]) -> list[str]:
    """A heading that comes again gets its number, so that no cell is lost."""
    seen: dict[str, int] = {}
    out: list[str] = []
    for index, raw in enumerate(headers, 1):
        name = raw.strip() or f"column {index}"
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return out
