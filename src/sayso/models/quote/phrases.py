"""The wording of `quote`, in English and German, and how values are written. No kind is known by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

from sayso.core.facts import FactKind, Field, FieldType, Quantity, Value, value_text
from sayso.models.quote.german import UNITS, german_item, german_label, german_unit, german_value
from sayso.models.quote.moments import written, written_text
from sayso.models.quote.words import fold

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "field": "The {label} of {subject} is {value} {ref}.",
        "list_field": "{Label} of {subject}: {value} {ref}.",
        "bool_field": "{Label} for {subject}: {value} {ref}.",
        "is": "Yes, {subject} is {label} {ref}.", "is_not": "No, {subject} is not {label} {ref}.",
        "described": "{subject}: {values} {ref}.",
        "one": "{Label}: {value} {ref}.",
        "gap": "{labels} is not recorded for {subject} {ref}.",
        "gaps": "{labels} are not recorded for {subject} {ref}.",
        "absent_name": 'No one called {query} is recorded among your {searched} {kinds} {ref}.',
        "absent_thing": 'Nothing on "{query}" was found among your {searched} {kinds} {ref}.',
        "absent": "Nothing matching was found among your {searched} {kinds} {ref}.",
        "absent_days": "Nothing was found for {days} among your {searched} {kinds} {ref}.",
        "all": "You have {matched} {kinds} {ref}.",
        "some_one": "1 of your {searched} {kinds} matches {ref}:",
        "some": "{matched} of your {searched} {kinds} match {ref}:",
        "filtered": "{count} {kinds} have the {label} {value} {ref}.",
        "filtered_one": "1 {kinds} has the {label} {value} {ref}.",
        "none_with": "None of these {kinds} has the {label} {value} {ref}.",
        "none_open": "None of them is open {ref}:",
        "extreme": "{subject} is first by {label}: {value} {ref}.",
        "missing": "not recorded",
        "which": "Which one do you mean?",
        "several": 'Several {kinds} match "{query}" {ref}:',
        "several_bare": "Several {kinds} match {ref}:",
        "more_by_name": "Ask for one of the other {count} by name.",
        "no_more": "There is nothing to add to this list.",
        "more": 'Say "show more" for the other {count}.',
        "failed": "I could not look this up just now, so the answer is unknown.",
        "proposed": 'I have prepared a proposal: "{title}" {ref}. It waits for your approval; '
        "nothing has been sent or changed yet {ref}.",
        "choice": "Several records may be meant:",
        "no_target": "I could not tell which record is meant, so nothing was proposed. Whom or what do you mean?",
        "denied": "That is not allowed for your role, so nothing was proposed.",
        "not_proposed": "The proposal could not be prepared, so nothing will change.",
        "cannot_propose": "I cannot prepare this kind of change here.",
        "cannot_change": "I cannot prepare a change of this kind here; what I can prepare is {kinds}.",
        "unsaid": 'Nothing on "{words}" is recorded for {subject} {ref}.',
        "message": "a message", "email": "an e-mail", "event": "an event", "commitment": "a task",
        "follow_up": "a follow-up", "note": "a note", "check_in": "a check-in", "or": "or",
        "needs_model": "Writing, translating and explaining need a language model, and none is set up here. "
        "Add one with `sayso models use ollama:NAME`, or set SAYSO_MODEL.",
        "hello": "Hello. I answer questions from your own records, and I cite each one.",
        "thanks": "You are welcome.",
        "bye": "Goodbye.",
        "ok": "All right. What would you like to know?",
        "help": "I look things up in your own records, cite where each answer comes from, and prepare changes "
        "that you then approve.",
        "try": "You could ask:",
        "no_data": "Try a question about one of your records, by its name.",
        "cannot": "I have no look-up that fits this question. Name a record, or ask about one of these: {kinds}.",
        "cannot_bare": "I have no look-up that fits this question.",
        "closed": "I could not look this up in this exchange. Please ask again.",
        "untold": "The records that were found do not say.",
        "second": "{subject} answered: {value} {ref}.",
        "receipt": "{title}: {outcome} {ref}.",
        "q_about": "What do you know about {subject}?",
        "q_field": "What is the {label} of {subject}?",
        "q_list": "Which {kinds} do I have?",
        "yes": "yes", "no": "no", "and": "and", "next_days": "the next {days} days", "today": "today",
        "next_week": "next week", "last_week": "last week", "those_days": "those days",
        "absent_all": 'Nothing on "{query}" was found among your {kinds} {ref}.',
        "absent_any": "Nothing matching was found among your {kinds} {ref}.",
        "from_to": "{day}, {first} to {last}",
        "records": "records",
    },
    "de": {
        "field": "{Label} von {subject}: {value} {ref}.",
        "list_field": "{Label} von {subject}: {value} {ref}.",
        "bool_field": "{Label} bei {subject}: {value} {ref}.",
        "is": "Ja, {subject} ist {label} {ref}.", "is_not": "Nein, {subject} ist nicht {label} {ref}.",
        "described": "{subject}: {values} {ref}.",
        "one": "{Label}: {value} {ref}.",
        "gap": "Für {subject} nicht erfasst: {labels} {ref}.",
        "gaps": "Für {subject} nicht erfasst: {labels} {ref}.",
        "absent_name": "Unter deinen {searched} {kinds} ist niemand namens {query} erfasst {ref}.",
        "absent_thing": "Zu «{query}» wurde unter deinen {searched} {kinds} nichts gefunden {ref}.",
        "absent": "Unter deinen {searched} {kinds} wurde nichts Passendes gefunden {ref}.",
        "absent_days": "Für {days} wurde unter deinen {searched} {kinds} nichts gefunden {ref}.",
        "all": "Du hast {matched} {kinds} {ref}.",
        "some_one": "1 von deinen {searched} {kinds} passt {ref}:",
        "some": "{matched} von deinen {searched} {kinds} passen {ref}:",
        "filtered": "{count} {kinds} mit {label} {value} {ref}.",
        "filtered_one": "1 Eintrag mit {label} {value} {ref}.",
        "none_with": "Keiner dieser Einträge hat {label} {value} {ref}.",
        "none_open": "Davon ist kein Eintrag offen {ref}:",
        "extreme": "{subject} liegt vorn bei {label}: {value} {ref}.",
        "missing": "nicht erfasst",
        "which": "Welchen Eintrag meinst du?",
        "several_bare": "Mehrere {kinds} passen {ref}:",
        "several": "Mehrere {kinds} passen zu «{query}» {ref}:",
        "more_by_name": "Frag nach einem der übrigen {count} mit Namen.",
        "no_more": "Zu dieser Liste gibt es nichts hinzuzufügen.",
        "more": "Sag «mehr» für die übrigen {count}.",
        "failed": "Das konnte ich gerade nicht nachschlagen; die Antwort ist also unbekannt.",
        "proposed": "Ich habe einen Vorschlag vorbereitet: «{title}» {ref}. Er wartet auf deine Zustimmung; "
        "es wurde noch nichts gesendet oder geändert {ref}.",
        "choice": "Mehrere Einträge können gemeint sein:",
        "no_target": "Ich weiss nicht, welcher Eintrag gemeint ist; es wurde nichts vorgeschlagen. "
        "Wen oder was meinst du?",
        "denied": "Deine Rolle erlaubt das nicht; es wurde nichts vorgeschlagen.",
        "not_proposed": "Der Vorschlag konnte nicht vorbereitet werden; es ändert sich nichts.",
        "cannot_propose": "Diese Art Änderung kann ich hier nicht vorbereiten.",
        "cannot_change": "Diese Art Änderung kann ich hier nicht vorbereiten; vorbereiten kann ich {kinds}.",
        "unsaid": "Zu «{words}» ist für {subject} nichts erfasst {ref}.",
        "message": "eine Nachricht", "email": "eine E-Mail", "event": "einen Termin", "commitment": "eine Aufgabe",
        "follow_up": "ein Nachfassen", "note": "eine Notiz", "check_in": "einen Eintrag", "or": "oder",
        "needs_model": "Schreiben, Übersetzen und Erklären brauchen ein Sprachmodell, und hier ist keines "
        "eingerichtet. Richte eines ein mit `sayso models use ollama:NAME`, oder setze SAYSO_MODEL.",
        "hello": "Hallo. Ich beantworte Fragen aus deinen eigenen Unterlagen und belege jede Antwort.",
        "thanks": "Gern geschehen.",
        "bye": "Auf Wiedersehen.",
        "ok": "Gut. Was möchtest du wissen?",
        "help": "Ich schlage in deinen eigenen Unterlagen nach, belege jede Antwort und bereite Änderungen vor, "
        "denen du dann zustimmst.",
        "try": "Du könntest fragen:",
        "no_data": "Frag nach einem deiner Einträge, mit Namen.",
        "cannot": "Zu dieser Frage habe ich nichts zum Nachschlagen. Nenne einen Eintrag, oder frag nach: {kinds}.",
        "cannot_bare": "Zu dieser Frage habe ich nichts zum Nachschlagen.",
        "closed": "Das konnte ich jetzt nicht nachschlagen. Bitte frag noch einmal.",
        "untold": "Die gefundenen Einträge sagen dazu nichts.",
        "second": "{subject} antwortete: {value} {ref}.",
        "receipt": "{title}: {outcome} {ref}.",
        "q_about": "Was weisst du über {subject}?",
        "q_field": "Was steht bei {subject} unter {label}?",
        "q_list": "Welche {kinds} habe ich?",
        "yes": "ja", "no": "nein", "and": "und", "next_days": "die nächsten {days} Tage", "today": "heute",
        "next_week": "nächste Woche", "last_week": "letzte Woche", "those_days": "diese Tage",
        "absent_all": "Zu «{query}» wurde unter deinen {kinds} nichts gefunden {ref}.",
        "absent_any": "Unter deinen {kinds} wurde nichts Passendes gefunden {ref}.",
        "from_to": "{day}, {first} bis {last}",
        "records": "Einträgen",
    },
}  # fmt: skip


def _nouns(words: str) -> tuple[str, ...]:
    return tuple(words.split())


# Common nouns for which a declared German word is preferred as a label, where the declaration has it.
_GERMAN = _nouns(
    """Firma Rolle Kontakt Geburtstag Notizen Fortschritt Zieltermin Serie Häufigkeit Frist Ort Raum
    Teilnehmer Beschreibung Technologie Datum Abschnitt Schlagwörter Datei Preis Menge Farbe Adresse
    Telefon Betrag Status Name Titel Grösse Gewicht Anzahl Lager Kunde Kategorie"""
)
_TIMED = re.compile(r"\d|\b(today|tomorrow|yesterday|heute|morgen|gestern)\b", re.IGNORECASE)
_GERMAN_PLURALS = _nouns(
    """Personen Leute Projekte Ziele Gewohnheiten Aufgaben Termine Notizen Dokumente Bücher Kunden
    Rechnungen Produkte Pflanzen Rezepte Bestellungen Tickets Verträge"""
)


def text(language: str, key: str, **values: object) -> str:
    return TEXTS[language][key].format(**values)


def label_of(field: Field, language: str) -> str:
    """What a person calls the field: its title, or in German a noun that it declares.

    A title that itself names a time ("check-ins in 30 days") would read as a claim about that time,
    so the field's name, or a word of it, stands for it.
    """
    if language == "de":
        declared = {fold(word) for word in field.words}
        if noun := next((noun for noun in _GERMAN if fold(noun) in declared), None):
            return noun
        if (german := german_label(field.title)) != field.title:
            return german
    candidates = (field.title, field.name.replace("_", " "), *field.words)
    return next((c for c in candidates if not _TIMED.search(c)), field.title)


def plural_of(kind: FactKind, language: str) -> str:
    """The noun for several records of a kind, from its declared words."""
    if language == "de":
        declared = {fold(word) for word in kind.words}
        return next((noun for noun in _GERMAN_PLURALS if fold(noun) in declared), "Einträge")
    single = singular_of(kind)
    regular = (f"{single}s", f"{single}es", f"{single[:-1]}ies")
    declared = next((w for w in kind.words if w in regular), None)
    return declared or (kind.words[1] if len(kind.words) > 1 else regular[0])


def singular_of(kind: FactKind) -> str:
    return kind.title or kind.name.replace("_", " ")


def dative_of(kind: FactKind, language: str) -> str:
    noun = plural_of(kind, language)
    if language == "de" and not noun.endswith(("n", "s")):
        return f"{noun}n"
    return noun


def counted(count: object, kind: FactKind, language: str) -> str:
    """So many of a kind, as it stands after "among" or "unter": "1 project", "2 Projekten"."""
    noun = dative_of(kind, language)
    if count == 1:
        plural = fold(plural_of(kind, language))
        single = max((w for w in kind.words if plural.startswith(fold(w)) and fold(w) != plural), key=len, default="")
        noun = singular_of(kind) if language == "en" else capital(single) or "Eintrag"
    return f"{count} {noun}"


def value_of(value: Value, language: str, now: datetime) -> str:
    """A value as it stands in a sentence: words verbatim, dates readable."""
    german = language == "de"
    if isinstance(value, bool):
        return text(language, "yes" if value else "no")
    if isinstance(value, datetime | date):
        return written(value, language, now)
    if isinstance(value, tuple):
        return ", ".join(map(german_item, value) if german else value)
    if isinstance(value, Quantity):
        unit = german_unit(float(value.amount), value.unit) if german else value.unit
        single = not german and value.amount == 1 and unit in UNITS and unit.endswith("s")
        return str(Quantity(value.amount, unit[:-1] if single and unit != "pieces" else unit))
    if isinstance(value, str):
        return written_text(value, language, now) or (german_value(value) if german else value)
    return value_text(value)


_ADJECTIVES = {
    "en": re.compile(
        r"^(?:done|open|new|late|free|ready|thirsty|dry|busy|empty|healthy|public|private|urgent|sold|sent|paid|"
        r"\w{2,}(?:ed|ive|able|ible))$"
    ),
    "de": re.compile(r"^(?:neu|frei|leer|voll|\w{2,}(?:t|ig|lich|bar|iv|en|tig))$"),
}


def is_adjective(label: str, language: str) -> bool:
    """Whether a yes-or-no field is named by what the record is then: "done", "thirsty", "erledigt"."""
    return bool(_ADJECTIVES[language].match(label.partition(" ")[0]))


def with_label(field: Field, value: Value, language: str, now: datetime) -> str:
    """A value beside what it is called: "due 3 May 2026"; of a yes-or-no field "done" or "not done"."""
    label = label_of(field, language)
    if isinstance(value, bool) and is_adjective(label, language):
        return label if value else f"{'nicht' if language == 'de' else 'not'} {label}"
    return f"{label} {value_of(value, language, now)}"


def span_of(first: Value, last: Value, language: str, now: datetime) -> str | None:
    """Two moments of one day as "3 May 2026, 09:15 to 09:30"; None where they are of two."""
    if not (isinstance(first, datetime) and isinstance(last, datetime)):
        return None
    starts, ends = (m.astimezone(now.tzinfo) if m.tzinfo and now.tzinfo else m for m in (first, last))
    if starts.date() != ends.date() or (starts.tzinfo is None) != (ends.tzinfo is None) or starts >= ends:
        return None
    day = written(starts.date(), language, now)
    return text(language, "from_to", day=day, first=f"{starts:%H:%M}", last=f"{ends:%H:%M}")


def told_together(values: Mapping[Field, Value], language: str, now: datetime) -> list[str]:
    """Each value beside its label; the start and the end of something on one day as one span of time."""
    moments = [f for f in values if f.type is FieldType.DATETIME]
    span = span_of(values[moments[0]], values[moments[1]], language, now) if len(moments) == 2 else None
    if span is None:
        return [with_label(f, value, language, now) for f, value in values.items()]
    return [span if f == moments[0] else with_label(f, v, language, now) for f, v in values.items() if f != moments[1]]


def joined(parts: Sequence[str], language: str, word: str = "and") -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {text(language, word)} {parts[-1]}"


def capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def refs_of(refs: Iterable[str]) -> str:
    return "[" + ", ".join(dict.fromkeys(refs)) + "]"


_MARKS = {"en": ('""', "“”", "«»"), "de": ('""', "«»", "“”")}


def quoted(words: str, language: str) -> str:
    """The words in marks that do not occur in them: a mark inside would end the quotation."""
    marks = next((m for m in _MARKS[language] if not set(m) & set(words)), "‹›")
    return f"{marks[0]}{words}{marks[1]}"


# "St. Brigid Hospital" and "A. Meier & Co." are names, though a dot stands in them.
_ABBREVIATIONS = (
    *("St", "Ste", "Mt", "Ft", "Dr", "Mr", "Mrs", "Ms", "Prof", "Jr", "Sr", "Inc", "Ltd", "Co", "Corp", "Bros", "Dept"),
    *("Univ", "Assoc", "Hosp", "Nr", "No", "Str", "Abt", "Inst", "Dipl", "Ing", "Med", "med", "phil", "bzw", "ca"),
    *("Chr", "Gebr", "vs", "approx", r"\w"),
)
_ABBREVIATED = "".join(rf"(?<!\b{short})" for short in _ABBREVIATIONS)
_SENTENCE_ENDS = re.compile(rf"{_ABBREVIATED}\.(?=\s|$)")


def is_long(field: Field, value: Value) -> bool:
    """Whether a text is prose, to be quoted, rather than a value to be named."""
    return field.type is FieldType.TEXT and (len(str(value)) > 60 or bool(_SENTENCE_ENDS.search(str(value))))
