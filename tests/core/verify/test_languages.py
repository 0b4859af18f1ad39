"""The turns of phrase of five languages: done, not recorded, nothing there, only a suggestion."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from sayso.core.verify import lexicon
from sayso.core.verify.report import Report, ViolationKind
from sayso.core.verify.segments import segments

Judge = Callable[..., Report]


def kinds(report: Report) -> set[ViolationKind]:
    return {v.kind for v in report.violations}


DONE = {
    "en": ["I have sent the message to Elena Weber.", "Your message to Elena Weber has been delivered.", "Done! Elena has been notified."],
    "de": ["Ich habe die Nachricht an Elena Weber gesendet.", "Deine Nachricht wurde Elena Weber zugestellt.", "Die Nachricht an Elena Weber ist unterwegs.",
           "Die Einladung wurde verschickt."],
    "fr": ["J'ai envoyé le message à Elena Weber.", "Je l'ai bien envoyé à Elena Weber.", "Le message à Elena Weber est parti.", "Votre message a été remis à Elena Weber.",
           "Elena Weber a été prévenue.", "C'est fait !", "Message envoyé."],
    "it": ["Ho inviato il messaggio a Elena Weber.", "Gliel'ho già mandato, a Elena Weber.", "Il messaggio a Elena Weber è partito.", "Il tuo messaggio è stato consegnato a Elena Weber.",
           "Elena Weber è stata avvisata.", "Fatto!", "Messaggio inviato."],
    "es": ["He enviado el mensaje a Elena Weber.", "Ya le he enviado el mensaje a Elena Weber.", "El mensaje a Elena Weber salió.", "Tu mensaje fue entregado a Elena Weber.",
           "Envié el mensaje a Elena Weber.", "Elena Weber ya está avisada.", "¡Hecho!", "Mensaje enviado."],
}  # fmt: skip


@pytest.mark.parametrize(("lang", "text"), [(lang, t) for lang, texts in DONE.items() for t in texts])
def test_what_only_waits_is_never_told_as_done(judge: Judge, lang: str, text: str) -> None:
    assert ViolationKind.FALSE_ACTION in kinds(judge(text, locale=lang))


WAITING = {
    "en": ["The message to Elena Weber has not been sent yet: it waits for your approval [F9]."],
    "de": ["Die Nachricht an Elena Weber ist noch nicht gesendet: sie wartet auf deine Freigabe [F9]."],
    "fr": ["Le message à Elena Weber n'est pas encore envoyé : il attend votre accord [F9].", "J'ai préparé un message pour Elena Weber [F9]."],
    "it": ["Il messaggio a Elena Weber non è ancora stato inviato: aspetta la tua conferma [F9].", "Ho preparato un messaggio per Elena Weber [F9]."],
    "es": ["El mensaje a Elena Weber aún no ha sido enviado: espera tu aprobación [F9].", "He preparado un mensaje para Elena Weber [F9]."],
}  # fmt: skip


@pytest.mark.parametrize(("lang", "text"), [(lang, t) for lang, texts in WAITING.items() for t in texts])
def test_what_waits_may_be_told_to_wait(judge: Judge, lang: str, text: str) -> None:
    assert kinds(judge(text, locale=lang)) == set()


MATCHING: dict[str, tuple[re.Pattern[str], list[str], list[str]]] = {
    "gap": (
        lexicon.GAP,
        ["is not recorded", "nicht hinterlegt", "keine Angabe", "unbekannt", "liegt nicht vor", "non renseigné", "n'est pas indiqué", "aucun téléphone enregistré", "ne figure pas",
         "non è registrato", "nessuna informazione", "manca", "non risulta", "no consta", "no está registrado", "sin registrar", "ningún dato", "se desconoce"],
        ["is recorded", "ist hinterlegt", "est indiqué", "è registrato", "consta", "nota"],
    ),
    "negation": (
        lexicon.NEGATION,
        ["is not", "ist nicht", "nie", "n'est pas", "aucune", "jamais", "rien", "non è", "nessuno", "niente", "no es", "ninguna", "nada", "nunca"],
        ["noted", "il est né", "nota", "notar"],
    ),
    "nothing": (
        lexicon.NOTHING,
        ["no tasks", "nothing due", "keine Aufgaben", "nichts fällig", "aucune tâche", "pas de tâches", "pas d'objectifs", "rien", "nessun obiettivo", "non ci sono attività", "niente",
         "no hay tareas", "ninguna tarea", "nada"],
        ["no es la tarea", "non è l'obiettivo", "pas la tâche", "note"],
    ),
    "absent": (
        lexicon.ABSENT_ONE,
        ["No one called Bob", "niemand namens Bob", "aucun contact nommé Bob", "personne du nom de Bob", "nessun contatto di nome Bob", "nessuno si chiama Bob", "nadie llamado Bob",
         "ningún contacto llamado Bob", "aucune fiche pour Bob", "ningún registro para Bob"],
        ["one called Bob", "un contact nommé Bob", "un contatto di nome Bob", "un contacto llamado Bob"],
    ),
    "no such": (
        lexicon.NO_SUCH,
        ["There is no ", "I could not find ", "Es gibt keinen Eintrag für ", "Il n'y a pas de contact nommé ", "Je n'ai trouvé aucune fiche pour ", "Non ho trovato nessun contatto di nome ",
         "Non c'è ", "No hay ningún contacto llamado ", "No he encontrado a "],
        ["There is ", "Il y a un contact nommé ", "C'è "],
    ),
    "missing": (
        lexicon.IS_MISSING,
        [" is not in your contacts", " ist nicht in deinen Kontakten", " ne figure pas dans vos contacts", " non è tra i tuoi contatti", " no está en tus contactos"],
        [" est dans vos contacts", " è tra i tuoi contatti"],
    ),
    "advice": (
        lexicon.ADVICE,
        ["You could call her", "Du könntest anrufen", "Möchtest du", "Vous pouvez appeler", "Voulez-vous", "Puoi chiamare", "Potresti", "¿Quieres", "Puedes llamar", "Te sugiero", "Si quieres"],
        ["She works", "Elle travaille", "Lavora", "Trabaja", "Il peut"],
    ),
    "drafting": (
        lexicon.DRAFTING,
        ["Write a letter", "Schreib einen Brief", "Rédige un mail", "Écris-lui", "Traduis", "Scrivi una lettera", "Riassumi", "Escribe una carta", "Redacta", "Traduce"],
        ["Who is she?", "Qui est-ce ?", "Chi è?", "¿Quién es?"],
    ),
    "all": (lexicon.ALL, ["all", "beide", "toutes les deux", "tous", "tutti", "entrambe", "ogni", "todas", "ambos", "cada"], ["one", "eine", "un", "uno"]),
    "left": (lexicon.LEFT, ["60% left", "verbleiben", "il reste 60 %", "rimane il 60%", "manca", "queda el 60 %", "faltan"], ["done", "fait"]),
    "greeting": (lexicon.SALUTATION, ["Dear Elena,", "Liebe Elena,", "Chère Elena,", "Objet : retard,", "Cara Elena,", "Gentile signora,", "Querida Elena:", "Estimado señor,"], ["Elena,"]),
    "attributed": (lexicon.ATTRIBUTED, ["according to", "laut", "selon", "d'après", "secondo", "dice", "según", "afirma"], ["she moves"]),
    "works": (lexicon.WORKS, ["works at SINGA", "arbeitet bei SINGA", "travaille chez SINGA", "lavora presso SINGA", "trabaja en SINGA", "trabaja para SINGA"], ["loves SINGA"]),
    "born": (lexicon.BORN, ["was born", "geboren", "est née", "è nato", "nació"], ["sent"]),
    "free": (lexicon.FREE, ["Your calendar is free", "Dein Kalender ist leer", "Votre agenda est vide", "rien de prévu", "niente in programma", "La tua agenda è libera", "nada previsto"], ["free"]),
    "of": (lexicon.OUT_OF, ["one of your ", "eine von deinen ", "un de vos ", "uno dei tuoi ", "una de tus "], ["one "]),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, (_, texts, _) in MATCHING.items() for t in texts])
def test_a_turn_of_phrase_is_known(name: str, text: str) -> None:
    assert MATCHING[name][0].search(text)


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, (_, _, texts) in MATCHING.items() for t in texts])
def test_what_only_looks_like_a_turn_of_phrase_is_none(name: str, text: str) -> None:
    assert not MATCHING[name][0].search(text)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Es gibt keine Elena Weber."), ("fr", "Elena Weber ne figure pas dans vos contacts."), ("it", "Elena Weber non è tra i tuoi contatti."),
        ("es", "Elena Weber no está en tus contactos."), ("fr", "Il n'y a aucun contact nommé Elena Weber."), ("it", "Non ho trovato nessun contatto di nome Elena Weber."),
        ("es", "No hay ningún contacto llamado Elena Weber."), ("fr", "Personne ne s'appelle Elena Weber."), ("es", "Nadie se llama Elena Weber."),
    ],
)  # fmt: skip
def test_a_record_that_is_there_is_not_denied(judge: Judge, lang: str, text: str) -> None:
    assert kinds(judge(text, locale=lang)) == {ViolationKind.FALSE_ABSENCE}


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("fr", "Ilya Druzhnikov travaille chez UZH."), ("it", "Ilya Druzhnikov lavora presso UZH."), ("es", "Ilya Druzhnikov trabaja en UZH."),
        ("fr", "Elena Weber [F2] connaît bien Bertrand Piccard."), ("it", "Elena Weber [F2] conosce bene Bertrand Piccard."),
    ],
)  # fmt: skip
def test_an_invented_name_is_found_in_each_language(judge: Judge, lang: str, text: str) -> None:
    assert kinds(judge(text, locale=lang)) & {ViolationKind.INVENTED_NAME, ViolationKind.STATED_GAP}


@pytest.mark.parametrize(
    ("lang", "text"),
    [("fr", "« Elena Weber » est là, Madame [F2]."), ("es", "¿Elena? ¡Ella está en SINGA Switzerland! [F2]"), ("it", "La signora Elena Weber [F2].")],
)  # fmt: skip
def test_titles_and_opening_marks_make_no_name(judge: Judge, lang: str, text: str) -> None:
    assert kinds(judge(text, locale=lang)) == set()


@pytest.mark.parametrize(
    "pattern",
    [
        "GAP",
        "NEGATION",
        "ADVICE",
        "NOTHING",
        "ABSENT_ONE",
        "NO_SUCH",
        "IS_MISSING",
        "WORKS",
        "FREE",
        "OUT_OF",
    ],
)
@pytest.mark.parametrize(
    "part", ["non ", "ich habe ", "message ", "aucun ", "no one ", "il n'y a pas d'", "ist ", "he ", "x"]
)
def test_a_pattern_is_tried_in_linear_time(pattern: str, part: str, grows_linearly) -> None:  # type: ignore[no-untyped-def]
    grows_linearly(lambda size: list(getattr(lexicon, pattern).finditer(part * (size // len(part)))), 4_000)


@pytest.mark.parametrize(
    "text",
    [
        "Das sind ggf. Kosten.", "Inkl. Steuern.", "Dipl. Ing. Weber kommt.", "Voir p.ex. Elena Weber.", "Mgr. Dupont vient.", "Il sig. Rossi arriva.",
        "La dott.ssa Bianchi arriva.", "L'avv. Verdi arriva.", "El Sr. García llega.", "La Dra. López llega.", "Vea pág. 5.", "Am 5. Dez. 2026 geht es los.",
        "Le 5 déc. 2026, on part.", "Parte il 5 ott. 2026.", "Sale el 5 ene. 2026.",
    ],
)  # fmt: skip
def test_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert [p.text for p in segments(text)] == [text]


def test_opening_question_and_exclamation_marks_open_a_sentence() -> None:
    assert [p.text for p in segments("Hola. ¿Quieres verla? ¡Claro! Vale.")] == [
        "Hola. ",
        "¿Quieres verla? ",
        "¡Claro! ",
        "Vale.",
    ]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "I found nothing about Elena Weber."), ("de", "Ich habe nichts über Elena Weber gefunden."), ("fr", "Je n'ai rien trouvé sur « Elena Weber »."),
        ("it", "Non ho trovato nulla su «Elena Weber»."), ("es", "No encontré nada sobre «Elena Weber»."), ("en", "I searched and found no Elena Weber."),
    ],
)  # fmt: skip
def test_nothing_found_of_a_record_that_is_there_is_false(judge: Judge, lang: str, text: str) -> None:
    assert kinds(judge(text, locale=lang)) == {ViolationKind.FALSE_ABSENCE}


@pytest.mark.parametrize(
    "text", ["Mit Elena Weber hattest du am 23. November 2026 Kontakt [F2].", "Das Datum ist der 23.11.2026 [F2]."]
)
def test_a_year_or_a_day_counts_nothing(judge: Judge, text: str) -> None:
    assert kinds(judge(text, locale="de")) == set()
