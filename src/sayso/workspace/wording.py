# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""The words by which people ask for and state what the workspace holds, in five languages, lower case.

By kind ("person": its nouns) and by field ("person.role"); the kinds take them from here, so that a
language is read and mended in one place. Nothing here says what a field is.
"""

from __future__ import annotations

_WORDS: dict[str, dict[str, str]] = {
    "person": {
        "en": "person, people, contact, contacts",
        "de": "personen, leute, kontakte, kontakt",
        "fr": "personne, personnes, contacts",
        "it": "persona, persone, contatto, contatti",
        "es": "persona, personas, contacto, contactos",
    },
    "person.name": {"en": "name, called", "de": "heisst, heißt", "fr": "nom", "it": "nome", "es": "nombre"},
    "person.affiliation": {
        "en": "affiliation, company, organisation, organization, employer, firm, workplace, works at, works for, work for, work at, working at, working for, "
        "is employed by, is employed at, employed by, employed at, is with, contact at, holds a chair at, has a chair at",
        "de": "firma, arbeitgeber, organisation, unternehmen, arbeitet bei, arbeitet für, ist bei, ist jetzt bei, ist angestellt bei, angestellt bei",
        "fr": "entreprise, société, employeur, organisation, travaille chez, travaille pour, travaille à, est employé par, est employée par, est employé chez, est employée chez, est chez",
        "it": "azienda, datore di lavoro, organizzazione, ditta, lavora presso, lavora per, lavora da, lavora alla, lavora in, è impiegato presso, è impiegata presso",
        "es": "empresa, empleador, organización, compañía, trabaja en, trabaja para, está empleado en, está empleada en, es empleado de, es empleada de",
    },
    "person.role": {
        "en": "role, title, job, job title, position, profession, works as, working as, is employed as, serves as, does for a living",
        "de": "rolle, funktion, beruf, arbeitet als, ist tätig als, stelle",
        "fr": "rôle, fonction, poste, profession, métier, travaille comme, occupe le poste de",
        "it": "ruolo, funzione, professione, mansione, qualifica, lavora come, ricopre il ruolo di",
        "es": "rol, cargo, puesto, función, profesión, trabaja como, ocupa el puesto de",
    },
    "person.channels": {
        "en": "channels, contact, contact details, reach, phone, number, telephone, mobile, e-mail, email, mail, address, whatsapp, signal",
        "de": "kontakt, kontaktangabe, kontaktangaben, kontaktdaten, erreiche, erreichen, telefon, nummer, telefonnummer, handy, handynummer, e-mail-adresse, mailadresse, adresse",
        "fr": "coordonnées, joindre, téléphone, numéro, portable, courriel, adresse e-mail, numéro de téléphone",
        "it": "recapito, recapiti, telefono, numero, cellulare, indirizzo e-mail, indirizzo email, numero di telefono",
        "es": "teléfono, número, móvil, correo, correo electrónico, dirección de correo, datos de contacto, número de teléfono",
    },
    "person.how_met": {
        "en": "how met, how you met, met, meet, how do i know, know from",
        "de": "kennengelernt, kennenlernen, art des kennenlernens, woher kenne, getroffen",
        "fr": "rencontré, rencontrée, rencontre, circonstances de la rencontre, connu, connue",
        "it": "conosciuto, conosciuta, incontrato, incontrata, conoscenza, come vi siete conosciuti",
        "es": "conociste, conocido, conocida, conocí, conocimos, cómo os conocisteis, cómo se conocieron",
    },
    "person.last_interaction": {
        "en": "last interaction, last contact, spoke with, spoke to, talked to, talked with, last spoke, last talk, last met, last seen, last time",
        "de": "letzter kontakt, zuletzt",
        "fr": "dernier contact, dernier échange, dernière interaction",
        "it": "ultimo contatto, ultima interazione, ultima volta",
        "es": "último contacto, última interacción, última vez",
    },
    "person.birthday": {
        "en": "birthday, born, birth, birth date, date of birth, age, turns",
        "de": "geburtstag, geboren, geburtsdatum",
        "fr": "anniversaire, naissance, né, née, date de naissance",
        "it": "compleanno, nascita, nato, nata, data di nascita, compie gli anni",
        "es": "cumpleaños, cumple años, nacimiento, nació, nacido, nacida, fecha de nacimiento",
    },
    "person.notes": {"en": "notes, note, remark", "de": "notiz, notizen, bemerkung", "fr": "remarque, remarques", "it": "annotazioni", "es": "notas"},
    "project": {"en": "project, projects", "de": "projekt, projekte, projekten", "fr": "projet, projets", "it": "progetto, progetti", "es": "proyecto, proyectos"},
    "project.status": {"en": "status, state, how is, going", "de": "stand, läuft", "fr": "statut, état", "it": "stato", "es": "estado"},
    "project.stack": {"en": "stack, technology, built with", "de": "technologie, technik", "fr": "technologies", "it": "tecnologia, tecnologie", "es": "tecnología, tecnologías"},
    "project.description": {"en": "description, about, what is", "de": "beschreibung, worum", "fr": "descriptif", "it": "descrizione", "es": "descripción"},
    "project.log": {"en": "log, latest, progress, update", "de": "neuestes, fortschritt", "fr": "journal", "it": "registro", "es": "registro"},
    "project.updated": {"en": "updated, last updated", "de": "aktualisiert", "fr": "mis à jour, modifié", "it": "aggiornato, modificato", "es": "actualizado, modificado"},
    "goal": {"en": "goal, goals, objective, objectives, target", "de": "ziel, ziele, zielen", "fr": "objectif, objectifs", "it": "obiettivo, obiettivi", "es": "objetivo, objetivos, meta, metas"},
    "goal.progress": {
        "en": "progress, percent, far, complete, done",
        "de": "fortschritt, prozent, weit, fertig",
        "fr": "progression, avancement, pour cent",
        "it": "avanzamento, progresso, per cento",
        "es": "progreso, avance, por ciento",
    },
    "goal.target_date": {
        "en": "target date, target, deadline, due, by when",
        "de": "zieltermin, zieldatum, frist, bis wann",
        "fr": "échéance, date prévue, date cible, date limite",
        "it": "scadenza, data prevista, data obiettivo",
        "es": "fecha límite, fecha prevista, fecha objetivo, plazo",
    },
    "goal.status": {"en": "status, behind, on track, state", "de": "hinterher, rückstand, im plan", "fr": "statut, état", "it": "stato", "es": "estado"},
    "goal.parent": {
"en": "parent, parent goal, part of, belongs to, hangs off, beneath, under, serves, subgoal, sub-goal",
        "de": "teil von, gehört zu, teilziel, übergeordnetes ziel, oberziel, darüber, unter, hängt an, untergeordnet",
        "fr": "fait partie de, rattaché à, objectif parent, objectif supérieur, relève de, sous-objectif, sous, dépend de",
        "it": "fa parte, fa parte di, dipende da, parte di, obiettivo superiore, sotto-obiettivo, sotto, appartiene a, appartiene all'obiettivo, rientra",
        "es": "forma parte de, parte de, cuelga de, objetivo superior, subobjetivo, bajo, depende de, pertenece a, pertenece al objetivo, del que depende",
    },
    "goal.description": {"en": "description, about", "de": "beschreibung", "fr": "descriptif", "it": "descrizione", "es": "descripción"},
    "goal.updated": {"en": "updated, last updated", "de": "aktualisiert", "fr": "mis à jour, modifié", "it": "aggiornato, modificato", "es": "actualizado, modificado"},
    "habit": {"en": "habit, habits, routine, routines", "de": "gewohnheit, gewohnheiten", "fr": "habitude, habitudes", "it": "abitudine, abitudini", "es": "hábito, hábitos"},
    "habit.frequency": {"en": "frequency, often, every", "de": "häufigkeit, oft", "fr": "fréquence", "it": "frequenza", "es": "frecuencia"},
    "habit.streak": {
        "en": "streak, in a row",
        "de": "serie, am stück, in folge",
        "fr": "série, d'affilée, de suite",
        "it": "serie, di fila, consecutivi",
        "es": "racha, seguidos, seguidas",
    },
    "habit.last_check_in": {
        "en": "last check-in, last check in, last done, last time",
        "de": "zuletzt, letzter",
        "fr": "dernière fois",
        "it": "ultima volta",
        "es": "última vez",
    },
    "habit.check_ins": {"en": "check-ins, check ins, times, how many, total", "de": "einträge, wie oft, mal", "fr": "fois, enregistrements", "it": "volte, registrazioni", "es": "veces, registros"},
    "habit.done_today": {"en": "today, done", "de": "heute, erledigt", "fr": "aujourd'hui", "it": "oggi", "es": "hoy"},
    "commitment": {
        "en": "commitment, commitments, task, tasks, to-do, to-dos, todo, todos, promise, promises, reminder, reminders",
        "de": "aufgabe, aufgaben, zusage, zusagen, erinnerung, erinnerungen, verpflichtung, verpflichtungen",
        "fr": "engagement, engagements, tâche, tâches, échéance, échéances, rappel, rappels",
        "it": "impegno, impegni, compito, compiti, promemoria, attività",
        "es": "compromiso, compromisos, tarea, tareas, recordatorio, recordatorios",
    },
    "commitment.due": {
        "en": "due, deadline, when, by when",
        "de": "fällig, frist, wann",
        "fr": "à rendre, à faire pour, pour le, date limite",
        "it": "scade, scadenza, entro",
        "es": "vence, plazo, fecha límite",
    },
    "commitment.counterparty": {"en": "counterparty, who, whom, with, for, owe", "de": "wem, wer, mit", "fr": "pour qui, envers", "it": "verso", "es": "para quién"},
    "commitment.status": {"en": "status, state, open, done, overdue", "de": "offen, erledigt, überfällig", "fr": "statut, état", "it": "stato", "es": "estado"},
    "commitment.notes": {"en": "notes, details", "de": "notizen", "fr": "remarques", "it": "annotazioni", "es": "notas"},
    "event": {
        "en": "event, events, meeting, meetings, appointment, appointments, calendar, schedule",
        "de": "termin, termine, kalender, besprechung, sitzung",
        "fr": "événement, événements, réunion, réunions, rendez-vous, calendrier",
        "it": "evento, eventi, riunione, riunioni, appuntamento, appuntamenti, calendario",
        "es": "evento, eventos, reunión, reuniones, cita, citas, calendario",
    },
    "event.starts": {
        "en": "starts, start, begin, when, time, leaves, departs, takes place",
        "de": "beginnt, wann, uhrzeit",
        "fr": "commence, début",
        "it": "inizia, comincia, inizio",
        "es": "empieza, comienza, inicio",
    },
    "event.ends": {"en": "ends, end, until, long, back", "de": "endet, ende, bis, zurück", "fr": "finit, se termine, jusqu'à, retour, arrivée", "it": "finisce, termina, fino alle, ritorno, rientro, arrivo", "es": "termina, acaba, hasta, vuelta, regreso, llegada"},
    "event.place": {"en": "place, where, location, room", "de": "ort, wo, raum", "fr": "lieu, salle", "it": "luogo, sala", "es": "lugar, sala"},
    "event.attendees": {"en": "attendees, who, with", "de": "teilnehmer, wer, mit wem", "fr": "participants, avec qui", "it": "partecipanti, con chi", "es": "asistentes, con quién"},
    "event.notes": {"en": "notes, agenda", "de": "notizen", "fr": "remarques", "it": "annotazioni", "es": "notas"},
    "passage": {
        "en": "note, notes, document, documents, page, knowledge, decision",
        "de": "notiz, notizen, dokument, dokumente, entscheid, entscheidung, wissen",
        "fr": "note, notes, document, documents, décision",
        "it": "nota, note, documento, documenti, decisione",
        "es": "nota, notas, documento, documentos, decisión",
    },
    "passage.heading": {"en": "section, heading", "de": "abschnitt", "fr": "rubrique", "it": "sezione", "es": "sección"},
    "passage.excerpt": {"en": "says, decide, decided, decision, about", "de": "entschieden, beschlossen, steht", "fr": "décidé", "it": "deciso", "es": "decidido"},
    "passage.date": {"en": "date, when", "de": "datum, wann", "fr": "date", "es": "fecha"},
    "passage.tags": {"en": "tags", "de": "schlagwörter"},
    "passage.path": {"en": "file, path, where", "de": "datei", "fr": "fichier", "it": "percorso", "es": "archivo"},
}  # fmt: skip

_OPTIONS: dict[str, tuple[str, ...]] = {
    "project.status": (
        "active, running, under way, aktiv, actif, attivo, activo",
        "paused, on hold, pausiert, en pause, in pausa, en pausa, pausado",
        "planned, geplant, prévu, planifié, pianificato, previsto, planificado",
        "idea, idee, idée",
        "done, finished, completed, abgeschlossen, fertig, est terminé, achevé, terminato, completato, concluso, terminado, completado, concluido",
        "cancelled, canceled, abandoned, abgebrochen, eingestellt, annulé, abandonné, annullato, cancelado, abandonado",
    ),
    "goal.status": (
        "behind, off track, im rückstand, hinterher, en retard, in ritardo, con retraso, retrasado, atrasado",
        "on track, on schedule, im plan, dans les temps, en bonne voie, in linea, en plazo, en buen camino, según lo previsto",
        "done, reached, achieved, completed, finished, erreicht, erledigt, abgeschlossen, fertig, atteint, est terminé, achevé, raggiunto, completato, concluso, terminato, alcanzado, conseguido, completado, terminado",
    ),
    "habit.frequency": (
        "daily, every day, täglich, jeden tag, quotidien, tous les jours, chaque jour, quotidiana, quotidiano, ogni giorno, diaria, diario, cada día, todos los días",
        "weekly, every week, wöchentlich, jede woche, hebdomadaire, chaque semaine, settimanale, ogni settimana, semanal, cada semana",
        "monthly, every month, monatlich, jeden monat, mensuel, chaque mois, mensile, ogni mese, mensual, cada mes",
    ),
    "commitment.status": (
        "open, still to do, outstanding, offen, ouvert, en cours, à faire, aperto, abierto, pendiente",
        "overdue, late, überfällig, en retard, dépassé, in ritardo, scaduto, vencido, atrasado, retrasado, open, still to do, outstanding, offen, ouvert, en cours, à faire, aperto, abierto, pendiente",
        "done, completed, finished, erledigt, est terminé, effectué, completato, concluso, terminado, completado",
        "cancelled, canceled, called off, abgesagt, storniert, annulé, annullato, cancelado, anulado",
    ),
}  # fmt: skip

REPRESENTING = ("bei", "chez", "presso", "represents", "vertritt", "représente", "rappresenta", "representa", "joined")
"""The verbs by which somebody is said to be of a firm, beside the phrases above."""

OWING = (
    "owe", "owes", "owed", "promised", "zugesagt", "versprochen", "promis", "promesso", "prometido", "prometió", "prometiste", "schulde", "schuldest", "schuldet", "schulden", "dois", "doit", "devez", "doivent",
    "devi", "deve", "devono", "debes", "debe", "deben",
)  # fmt: skip
"""The verbs of what is due from one person to another."""

CONTACT_PARTS = (
    ("email", ("e-mail", "email", "mail", "mailadresse", "courriel", "correo", "correo electrónico")),
    (
        "phone",
        (
            "phone", "number", "telephone", "mobile", "telefon", "nummer", "telefonnummer", "handy", "handynummer", "téléphone",
            "numéro", "portable", "telefono", "numero", "cellulare", "teléfono", "número", "móvil",
        ),
    ),
    ("whatsapp", ("whatsapp",)),
    ("signal", ("signal",)),
    ("address", ("address", "adresse")),
)  # fmt: skip


def words_for(path: str) -> tuple[str, ...]:
    """The words of a kind ("person") or of a field ("person.role") in all languages, each once."""
    return tuple(dict.fromkeys(word for line in _WORDS[path].values() for word in line.split(", ")))


def options_for(path: str) -> tuple[tuple[str, ...], ...]:
    """The states of a field: the stored word first, then its wordings."""
    return tuple(tuple(line.split(", ")) for line in _OPTIONS[path])
