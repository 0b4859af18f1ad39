"""The workspace's fact kinds: what may be said of its records. The words for it are in `wording`.

They drive the `quote` model and the verifier alike.
"""

from __future__ import annotations

from sayso.core.facts import FactKind, Field, FieldType, Party, Relation
from sayso.workspace.wording import CONTACT_PARTS, OWING, REPRESENTING, options_for, words_for

TEXT, NUMBER, QUANTITY, DATE, DATETIME, LIST = (
    FieldType.TEXT, FieldType.NUMBER, FieldType.QUANTITY, FieldType.DATE, FieldType.DATETIME, FieldType.LIST,
)  # fmt: skip

PERSON = FactKind(
    "person",
    (
        Field("name", words=words_for("person.name")),
        Field(
            "affiliation",
            words=words_for("person.affiliation"),
            refers_to="organisation",
            relations=(Relation(REPRESENTING, Party.SUBJECT, Party.VALUE),),
        ),
        Field("role", words=words_for("person.role"), says_what=True),
        Field("channels", LIST, words=words_for("person.channels"), label="channels", parts=CONTACT_PARTS),
        Field("how_met", words=words_for("person.how_met"), label="how met"),
        Field("last_interaction", DATE, words=words_for("person.last_interaction"), label="last interaction"),
        Field("birthday", words=words_for("person.birthday")),
        Field("notes", words=words_for("person.notes")),
    ),
    subject="name",
    words=words_for("person"),
    named_by_parts=True,
)

PROJECT = FactKind(
    "project",
    (
        Field("name"),
        Field("status", words=words_for("project.status"), options=options_for("project.status")),
        Field("stack", LIST, words=words_for("project.stack")),
        Field("description", words=words_for("project.description")),
        Field("log", words=words_for("project.log")),
        Field("updated", DATE, words=words_for("project.updated"), told_by_words=True),
    ),
    subject="name",
    words=words_for("project"),
)

GOAL = FactKind(
    "goal",
    (
        Field("title"),
        Field("progress", QUANTITY, unit="%", words=words_for("goal.progress")),
        Field("target_date", DATE, words=words_for("goal.target_date"), label="target date"),
        Field("status", words=words_for("goal.status"), options=options_for("goal.status")),
        Field("parent", words=words_for("goal.parent"), refers_to="goal"),
        Field("description", words=words_for("goal.description")),
        Field("updated", DATE, words=words_for("goal.updated"), told_by_words=True),
    ),
    subject="title",
    words=words_for("goal"),
)
"""`status` is computed: "behind" when less is done than the time that has passed, "on track",
"done", or not recorded when there is no target date."""

HABIT = FactKind(
    "habit",
    (
        Field("name"),
        Field("frequency", words=words_for("habit.frequency"), options=options_for("habit.frequency")),
        Field("streak", QUANTITY, words=words_for("habit.streak")),
        Field("last_check_in", DATE, words=words_for("habit.last_check_in"), label="last check-in"),
        Field(
            "check_ins", NUMBER, words=words_for("habit.check_ins"), label="check-ins in 30 days", told_by_words=True
        ),
        Field("done_today", FieldType.BOOLEAN, words=words_for("habit.done_today"), label="done today"),
    ),
    subject="name",
    words=words_for("habit"),
)
"""`streak` has the unit "days" (daily habits) or "weeks"; `check_ins` counts the last 30 days."""

COMMITMENT = FactKind(
    "commitment",
    (
        Field("title"),
        Field("due", DATE, words=words_for("commitment.due")),
        Field(
            "counterparty",
            words=words_for("commitment.counterparty"),
            refers_to="person",
            relations=(Relation(OWING, Party.USER, Party.VALUE),),
        ),
        Field("status", words=words_for("commitment.status"), options=options_for("commitment.status")),
        Field("notes", words=words_for("commitment.notes")),
    ),
    subject="title",
    words=words_for("commitment"),
)
"""`status` is "open", "overdue" (open and due before today), "done" or "cancelled"."""

EVENT = FactKind(
    "event",
    (
        Field("title"),
        Field("starts", DATETIME, words=words_for("event.starts")),
        Field("ends", DATETIME, words=words_for("event.ends"), told_by_words=True),
        Field("place", words=words_for("event.place")),
        Field("attendees", LIST, words=words_for("event.attendees"), refers_to="person"),
        Field("notes", words=words_for("event.notes")),
    ),
    subject="title",
    words=words_for("event"),
)

PASSAGE = FactKind(
    "passage",
    (
        Field("title"),
        Field("heading", words=words_for("passage.heading")),
        Field("excerpt", words=words_for("passage.excerpt")),
        Field("date", DATE, words=words_for("passage.date")),
        Field("tags", LIST, words=words_for("passage.tags")),
        Field("path", words=words_for("passage.path")),
    ),
    subject="title",
    words=words_for("passage"),
)
"""A chunk of a document: found by `search_knowledge`. Its key is "document-id#chunk-number"."""

WORKSPACE_KINDS = (PERSON, PROJECT, GOAL, HABIT, COMMITMENT, EVENT, PASSAGE)
