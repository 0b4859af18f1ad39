"""The workspace's fact kinds: what may be said of its records, and the words people use for it.

The words (English and German, lower case) drive the `quote` model and the verifier alike.
"""

from __future__ import annotations

from sayso.core.facts import FactKind, Field, FieldType

TEXT, NUMBER, QUANTITY, DATE, DATETIME, LIST = (
    FieldType.TEXT, FieldType.NUMBER, FieldType.QUANTITY, FieldType.DATE, FieldType.DATETIME, FieldType.LIST,
)  # fmt: skip

PERSON = FactKind(
    "person",
    (
        Field("name", words=("name", "called", "heisst", "heißt")),
        Field(
            "affiliation",
            words=(
                "affiliation",
                "company",
                "organisation",
                "organization",
                "employer",
                "firm",
                "works at",
                "works for",
                "work for",
                "work at",
                "is with",
                "firma",
                "arbeitgeber",
                "organisation",
                "arbeitet bei",
                "arbeitet für",
            ),
            refers_to="organisation",
        ),
        Field(
            "role",
            words=(
                "role",
                "title",
                "job",
                "position",
                "profession",
                "works as",
                "does for a living",
                "rolle",
                "funktion",
                "beruf",
                "arbeitet als",
                "stelle",
            ),
        ),
        Field(
            "channels",
            LIST,
            words=(
                "channels",
                "contact",
                "contact details",
                "reach",
                "phone",
                "number",
                "telephone",
                "mobile",
                "e-mail",
                "email",
                "mail",
                "address",
                "whatsapp",
                "signal",
                "kontakt",
                "erreiche",
                "erreichen",
                "telefon",
                "nummer",
                "telefonnummer",
                "handy",
                "adresse",
            ),
            label="channels",
        ),
        Field(
            "how_met",
            words=(
                "how met",
                "met",
                "meet",
                "how do i know",
                "know from",
                "kennengelernt",
                "woher kenne",
                "getroffen",
            ),
            label="how met",
        ),
        Field(
            "last_interaction",
            DATE,
            words=(
                "last interaction",
                "last contact",
                "last spoke",
                "last talk",
                "last met",
                "last seen",
                "last time",
                "letzter kontakt",
                "zuletzt",
            ),
            label="last interaction",
        ),
        Field("birthday", words=("birthday", "born", "birth", "age", "geburtstag", "geboren")),
        Field("notes", words=("notes", "note", "remark", "notiz", "notizen", "bemerkung")),
    ),
    subject="name",
    words=("person", "people", "contact", "contacts", "personen", "leute", "kontakte", "kontakt"),
)

PROJECT = FactKind(
    "project",
    (
        Field("name"),
        Field(
            "status",
            words=("status", "state", "stand", "how is", "going", "läuft"),
            options=(
                ("active", "running", "under way", "aktiv"),
                ("paused", "on hold", "pausiert"),
                ("planned", "geplant"),
                ("idea", "idee"),
                ("done", "finished", "completed", "abgeschlossen", "fertig"),
                ("cancelled", "canceled", "abandoned", "abgebrochen", "eingestellt"),
            ),
        ),
        Field("stack", LIST, words=("stack", "technology", "built with", "technologie", "technik")),
        Field("description", words=("description", "about", "what is", "beschreibung", "worum")),
        Field("log", words=("log", "latest", "progress", "update", "neuestes", "fortschritt")),
        Field("updated", DATE, words=("updated", "last updated", "aktualisiert")),
    ),
    subject="name",
    words=("project", "projects", "projekt", "projekte", "projekten"),
)

GOAL = FactKind(
    "goal",
    (
        Field("title"),
        Field(
            "progress",
            QUANTITY,
            unit="%",
            words=(
                "progress",
                "percent",
                "far",
                "complete",
                "done",
                "fortschritt",
                "prozent",
                "weit",
                "fertig",
            ),
        ),
        Field(
            "target_date",
            DATE,
            words=(
                "target date",
                "target",
                "deadline",
                "due",
                "by when",
                "zieltermin",
                "frist",
                "bis wann",
            ),
            label="target date",
        ),
        Field(
            "status",
            words=("status", "behind", "on track", "state", "hinterher", "rückstand", "im plan"),
            options=(
                ("behind", "off track", "im rückstand", "hinterher"),
                ("on track", "on schedule", "im plan"),
                ("done", "reached", "achieved", "completed", "erreicht"),
            ),
        ),
        Field("parent", words=("parent", "part of", "belongs to", "teil von", "gehört zu"), refers_to="goal"),
        Field("description", words=("description", "about", "beschreibung")),
        Field("updated", DATE, words=("updated", "last updated", "aktualisiert")),
    ),
    subject="title",
    words=("goal", "goals", "objective", "objectives", "target", "ziel", "ziele", "zielen"),
)
"""`status` is computed: "behind" when less is done than the time that has passed, "on track",
"done", or not recorded when there is no target date."""

HABIT = FactKind(
    "habit",
    (
        Field("name"),
        Field(
            "frequency",
            words=("frequency", "often", "every", "häufigkeit", "oft"),
            options=(
                ("daily", "every day", "täglich", "jeden tag"),
                ("weekly", "every week", "wöchentlich", "jede woche"),
                ("monthly", "every month", "monatlich", "jeden monat"),
            ),
        ),
        Field("streak", QUANTITY, words=("streak", "in a row", "serie", "am stück", "in folge")),
        Field(
            "last_check_in",
            DATE,
            words=(
                "last check-in",
                "last check in",
                "last done",
                "last time",
                "zuletzt",
                "letzter",
            ),
            label="last check-in",
        ),
        Field(
            "check_ins",
            NUMBER,
            words=(
                "check-ins",
                "check ins",
                "times",
                "how many",
                "total",
                "einträge",
                "wie oft",
            ),
            label="check-ins in 30 days",
        ),
        Field("done_today", FieldType.BOOLEAN, words=("today", "done", "heute", "erledigt"), label="done today"),
    ),
    subject="name",
    words=("habit", "habits", "routine", "routines", "gewohnheit", "gewohnheiten"),
)
"""`streak` has the unit "days" (daily habits) or "weeks"; `check_ins` counts the last 30 days."""

COMMITMENT = FactKind(
    "commitment",
    (
        Field("title"),
        Field("due", DATE, words=("due", "deadline", "when", "by when", "fällig", "frist", "wann")),
        Field(
            "counterparty",
            words=(
                "counterparty",
                "who",
                "whom",
                "with",
                "for",
                "owe",
                "wem",
                "wer",
                "mit",
            ),
            refers_to="person",
        ),
        Field(
            "status",
            words=("status", "state", "open", "done", "overdue", "offen", "erledigt", "überfällig"),
            options=(
                ("open", "offen"),
                ("overdue", "late", "überfällig", "open", "offen"),
                ("done", "completed", "finished", "erledigt"),
                ("cancelled", "canceled", "called off", "abgesagt", "storniert"),
            ),
        ),
        Field("notes", words=("notes", "details", "notizen")),
    ),
    subject="title",
    words=(
        "commitment",
        "commitments",
        "task",
        "tasks",
        "to-do",
        "to-dos",
        "todo",
        "todos",
        "promise",
        "promises",
        "reminder",
        "reminders",
        "aufgabe",
        "aufgaben",
        "zusage",
        "zusagen",
        "erinnerung",
        "erinnerungen",
    ),
)
"""`status` is "open", "overdue" (open and due before today), "done" or "cancelled"."""

EVENT = FactKind(
    "event",
    (
        Field("title"),
        Field(
            "starts",
            DATETIME,
            words=("starts", "start", "begin", "when", "time", "beginnt", "wann", "uhrzeit"),
        ),
        Field("ends", DATETIME, words=("ends", "end", "until", "long", "endet", "bis")),
        Field("place", words=("place", "where", "location", "room", "ort", "wo", "raum")),
        Field(
            "attendees",
            LIST,
            words=("attendees", "who", "with", "teilnehmer", "wer", "mit wem"),
            refers_to="person",
        ),
        Field("notes", words=("notes", "agenda", "notizen")),
    ),
    subject="title",
    words=(
        "event",
        "events",
        "meeting",
        "meetings",
        "appointment",
        "appointments",
        "calendar",
        "schedule",
        "termin",
        "termine",
        "kalender",
        "besprechung",
        "sitzung",
    ),
)

PASSAGE = FactKind(
    "passage",
    (
        Field("title"),
        Field("heading", words=("section", "heading", "abschnitt")),
        Field(
            "excerpt",
            words=("says", "decide", "decided", "decision", "about", "entschieden", "beschlossen", "steht"),
        ),
        Field("date", DATE, words=("date", "when", "datum", "wann")),
        Field("tags", LIST, words=("tags", "schlagwörter")),
        Field("path", words=("file", "path", "where", "datei")),
    ),
    subject="title",
    words=(
        "note",
        "notes",
        "document",
        "documents",
        "page",
        "knowledge",
        "decision",
        "notiz",
        "notizen",
        "dokument",
        "dokumente",
        "entscheid",
        "entscheidung",
        "wissen",
    ),
)
"""A chunk of a document: found by `search_knowledge`. Its key is "document-id#chunk-number"."""

WORKSPACE_KINDS = (PERSON, PROJECT, GOAL, HABIT, COMMITMENT, EVENT, PASSAGE)
