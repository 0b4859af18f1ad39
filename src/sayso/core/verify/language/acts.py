# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""How five languages report that something was done: participles by their sort, helping verbs, turns of phrase. Data only.

Words keep their accents: "envió" tells an act, "envío" names a thing.
"""

from __future__ import annotations

from sayso.core.verify.language import listed

LANGUAGES = ("en", "de", "fr", "it", "es")
_INFLECTED = {"fr": ("", "e", "s", "es"), "it": ("o", "a", "i", "e"), "es": ("o", "a", "os", "as")}
"""Endings of participles by gender and number; Italian and Spanish ones replace the last letter."""

_PARTICIPLES: dict[str, dict[str, str]] = {
    "send": {
        "en": "sent emailed mailed messaged texted dispatched delivered notified informed reminded invited pinged replied written wrote nudged",
        "de": "gesendet gesandt geschickt verschickt versendet versandt abgeschickt abgesendet abgesandt zugestellt zugesandt zugeschickt rausgeschickt übermittelt gemailt gesimst geschrieben benachrichtigt informiert verständigt erinnert eingeladen geantwortet ausgeliefert rausgegangen hinausgegangen",
        "fr": "envoyé expédié transmis adressé remis livré écrit prévenu informé averti notifié rappelé relancé invité répondu acheminé distribué délivré avisé",
        "it": "inviato spedito mandato trasmesso recapitato consegnato scritto avvisato informato avvertito notificato ricordato sollecitato invitato risposto",
        "es": "enviado mandado remitido expedido entregado escrito avisado informado notificado recordado invitado contestado respondido",
    },
    "share": {
        "en": "forwarded shared posted uploaded published submitted",
        "de": "weitergeleitet geteilt veröffentlicht hochgeladen eingereicht",
        "fr": "transféré partagé publié soumis déposé",
        "it": "inoltrato condiviso pubblicato caricato",
        "es": "reenviado compartido publicado subido",
    },
    "make": {
        "en": "created added booked scheduled saved stored logged recorded filed reserved registered entered set",
        "de": "erstellt angelegt hinzugefügt gebucht reserviert gespeichert eingetragen eingerichtet erfasst notiert vermerkt vorgemerkt abgelegt angesetzt abgespeichert",
        "fr": "créé ajouté réservé enregistré noté inscrit planifié programmé sauvegardé",
        "it": "creato aggiunto prenotato salvato inserito annotato registrato segnato programmato pianificato fissato",
        "es": "creado añadido agregado reservado guardado anotado apuntado registrado agendado programado",
    },
    "change": {
        "en": "updated changed edited moved rescheduled postponed renamed marked completed ticked adjusted amended split merged corrected replaced extended closed reopened reassigned",
        "de": "aktualisiert geändert verschoben umbenannt markiert abgehakt angepasst korrigiert ergänzt ersetzt aufgeteilt zusammengelegt verlängert umgebucht verlegt abgeändert erledigt",
        "fr": "modifié mis déplacé reporté marqué changé corrigé actualisé décalé renommé coché ajusté adapté remplacé prolongé divisé",
        "it": "aggiornato modificato spostato rinominato segnato cambiato corretto rimandato posticipato adattato sostituito diviso spuntato",
        "es": "actualizado cambiado modificado movido aplazado marcado corregido ajustado renombrado sustituido dividido pospuesto adaptado",
    },
    "remove": {
        "en": "deleted removed cancelled canceled archived",
        "de": "gelöscht entfernt abgesagt storniert archiviert gestrichen annulliert",
        "fr": "supprimé annulé effacé retiré archivé",
        "it": "eliminato cancellato annullato rimosso archiviato disdetto",
        "es": "borrado eliminado cancelado anulado quitado archivado",
    },
    "pay": {
        "en": "paid bought purchased ordered transferred wired refunded",
        "de": "bezahlt gekauft bestellt überwiesen beglichen",
        "fr": "payé acheté commandé réglé versé",
        "it": "pagato comprato acquistato ordinato versato saldato",
        "es": "pagado comprado pedido encargado abonado",
    },
    "call": {
        "en": "called phoned contacted",
        "de": "angerufen telefoniert kontaktiert",
        "fr": "appelé téléphoné contacté",
        "it": "chiamato telefonato contattato",
        "es": "llamado telefoneado contactado",
    },
    "accept": {
        "en": "accepted agreed confirmed",
        "de": "angenommen akzeptiert zugesagt bestätigt zugestimmt eingewilligt",
        "fr": "accepté confirmé approuvé consenti",
        "it": "accettato confermato approvato",
        "es": "aceptado confirmado aprobado",
    },
    "decline": {
        "en": "declined refused rejected",
        "de": "abgelehnt abgesagt zurückgewiesen ausgeschlagen",
        "fr": "refusé décliné",
        "it": "rifiutato declinato",
        "es": "rechazado declinado",
    },
    "reply": {
        "en": "replied answered responded",
        "de": "geantwortet beantwortet zurückgeschrieben",
        "fr": "répondu",
        "it": "risposto",
        "es": "respondido contestado",
    },
    "read": {
        "en": "read seen opened",
        "de": "gelesen gesehen geöffnet",
        "fr": "lu vu ouvert",
        "it": "letto visto aperto",
        "es": "leído visto abierto",
    },
    "receive": {
        "en": "received gotten",
        "de": "erhalten bekommen",
        "fr": "reçu",
        "it": "ricevuto",
        "es": "recibido",
    },
    "approve": {
        "en": "approved authorised authorized",
        "de": "freigegeben genehmigt",
        "fr": "approuvé validé",
        "it": "approvato autorizzato",
        "es": "aprobado autorizado",
    },
    "run": {
        "en": "done completed executed performed carried made handled processed finished",
        "de": "erledigt ausgeführt durchgeführt gemacht vorgenommen umgesetzt abgeschlossen vollzogen getan erfolgt",
        "fr": "fait effectué exécuté accompli réalisé terminé achevé traité",
        "it": "fatto eseguito effettuato completato compiuto realizzato concluso svolto",
        "es": "hecho ejecutado realizado efectuado completado terminado cumplido",
    },
}  # fmt: skip
ANY = "run"
"""The sort of words that may tell of an act of any sort: "done"."""
OTHERS = ("accept", "decline", "reply", "read")
"""What somebody else does with what we sent them."""
RECEIVE, APPROVE = "receive", "approve"
OURS = tuple(sort for sort in _PARTICIPLES if sort not in OTHERS)

NAMING: dict[str, str] = {
    "send": "send sending email mail message text reply notify inform remind invite senden schicken nachricht erinnerung erinnern einladung einladen envoyer envoi rappel inviare invio spedire enviar envío mensaje messaggio prepare nudge reminder",
    "share": "forward share weiterleiten teilen transférer partager inoltrare condividere reenviar compartir",
    "make": "create add book booking schedule save store log record file reserve set erstellen anlegen buchen speichern eintragen créer ajouter réserver creare aggiungere prenotare crear añadir reservar",
    "change": "update change edit move reschedule rename mark complete check set ändern verschieben umbenennen modifier déplacer modificare spostare cambiar mover",
    "remove": "delete remove cancel archive löschen entfernen absagen supprimer annuler eliminare cancellare annullare borrar eliminar cancelar",
    "pay": "pay buy order bezahlen kaufen bestellen payer acheter commander pagare comprare ordinare pagar comprar",
    "call": "call anrufen appeler chiamare llamar",
    "accept": "accept acceptance agree confirm annehmen zusagen zusage accepter accettare aceptar",
    "decline": "decline absagen absage refuser rifiutare rechazar",
    "reply": "reply answer respond antworten antwort répondre réponse rispondere risposta responder respuesta",
}
"""Other words that tell a sort, so that a record of it is seen: infinitives and nouns."""

_FINITE: dict[str, dict[str, str]] = {
    "send": {"es": "envié mandé escribí avisé recordé informé notifiqué"},
    "make": {"es": "creé añadí reservé guardé anoté apunté agendé programé registré"},
    "change": {"es": "actualicé cambié moví modifiqué marqué aplacé"},
    "remove": {"es": "borré eliminé cancelé anulé"},
    "pay": {"es": "pagué compré pedí"},
    "call": {"es": "llamé contacté"},
}
"""Past tenses that hold their first person."""

_BY_ITSELF: dict[str, dict[str, str]] = {
    "send": {"es": "envió enviaron mandó mandaron entregó entregaron avisó notificó"},
    "make": {"es": "creó crearon reservó guardó añadió"},
    "change": {"es": "actualizó cambió movió"},
    "remove": {"es": "borró eliminó canceló"},
    "run": {"es": "realizó ejecutó hizo"},
}
"""Past tenses that are impersonal after "se"."""

GONE: dict[str, str] = {
    "en": "gone", "de": "raus draußen draussen unterwegs weg hinaus", "fr": "parti partie partis parties",
    "it": "partito partita partiti partite", "es": "salió salieron salido",
}  # fmt: skip
LEFT = frozenset(listed("salió salieron"))
"""How a thing of ours is said to have left: with a helping verb, or by itself."""
THINGS = frozenset(
    listed(
        "message messages email emails mail mails reminder reminders invitation invitations invite invites appointment appointments booking bookings reservation reservations letter letters reply replies",
        "nachricht nachrichten einladung einladungen erinnerung erinnerungen termin termine brief briefe antwort antworten buchung buchungen reservierung reservierungen",
        "courriel courriels rappel rappels invitations rendez réservation réservations lettre lettres réponse réponses mot envoi",
        "messaggio messaggi promemoria invito inviti appuntamento appuntamenti prenotazione prenotazioni lettera lettere risposta risposte invio",
        "mensaje mensajes correo correos recordatorio recordatorios invitación invitaciones cita citas reserva reservas carta cartas respuesta respuestas envío versand",
    )
)
"""What is ours to send or book: if it is said to be done, a receipt or a record shows it."""

FIRST: dict[str, frozenset[str]] = {
    "en": frozenset(listed("i i've i’ve we we've we’ve")),
    "de": frozenset(listed("habe hab")),
    "fr": frozenset(listed("ai j'ai j’ai l'ai l’ai t'ai t’ai avons")),
    "it": frozenset(listed("ho l'ho l’ho gliel'ho gliel’ho abbiamo")),
    "es": frozenset(listed("he hemos")),
}
SECOND: dict[str, frozenset[str]] = {
    "en": frozenset(listed("you you've you’ve")),
    "de": frozenset(listed("hast habt")),
    "fr": frozenset(listed("as avez t'as t’as")),
    "it": frozenset(listed("hai avete l'hai l’hai")),
    "es": frozenset(listed("has habéis")),
}
THIRD: dict[str, frozenset[str]] = {
    "en": frozenset(listed("has have had he's she's")),
    "de": frozenset(listed("hat haben hatte hatten")),
    "fr": frozenset(listed("a ont l'a l’a l'ont l’ont avait")),
    "it": frozenset(listed("ha hanno l'ha l’ha l'hanno l’hanno aveva")),
    "es": frozenset(listed("ha han había")),
}
PASSIVE: dict[str, frozenset[str]] = {
    "en": frozenset(listed("was were been got")),
    "de": frozenset(listed("wurde wurden worden")),
    "fr": frozenset(listed("été")),
    "it": frozenset(listed("stato stata stati state venne vennero")),
    "es": frozenset(listed("sido fue fueron")),
}
STATE: dict[str, frozenset[str]] = {
    "en": frozenset(listed("is are it's it’s that's")),
    "de": frozenset(listed("ist sind war waren")),
    "fr": frozenset(listed("est sont c'est c’est s'est s’est")),
    "it": frozenset(listed("è sono risulta risultano")),
    "es": frozenset(listed("está están queda quedan quedó")),
}
TO_COME: dict[str, frozenset[str]] = {
    "en": frozenset(
        listed("will would be being can could should may might must once when until before if unless i'll i’ll it'll")
    ),
    "de": frozenset(
        listed(
            "wird werden würde würden soll sollen kann können könnte muss müssen darf sobald wenn bis bevor falls sofern erst"
        )
    ),
    "fr": frozenset(
        listed("sera seront serait être peut pourra doit va vais aura auront aurez dès quand lorsque avant si")
    ),
    "it": frozenset(
        listed("va vanno sarà saranno sarebbe essere può possono deve devono verrà verranno quando appena finché prima")
    ),
    "es": frozenset(listed("será serán sería ser estar puede pueden podrá debe quedará estará cuando hasta antes si")),
}
"""Before a participle: what is still to come, or holds under a condition."""
SMALL = frozenset(
    listed(
        "have has had also now just already then successfully went ahead and both all up that is are was were been got it to so even finally automatically out off in up e"
    )
)
"""What may stand between an English subject and its verb."""

DENIALS = frozenset(listed("nessun nessuna nessuno niente nulla nadie nada rien personne ni né n't cannot"))
OPENERS = (
    "no problem",
    "no worries",
    "kein problem",
    "keine sorge",
    "pas de souci",
    "pas de problème",
    "nessun problema",
    "sin problema",
    "no hay problema",
    "not only",
)
"""What denies nothing."""
BREAKS = frozenset(listed("but so aber sondern daher deshalb mais donc alors ma però quindi perciò pero porque"))
"""Words after which another clause begins."""
PHRASES = (
    r"\b(?:i|we)(?:'ve| have)?(?: also| just| already| now)? let (?!you )(?:\w+ ){1,3}know\b", r"\b(?:i|we)(?:'ve| have)?(?: also| just)? checked (?:you |it )?(?:in|off)\b", r"\bmarked (?:it |them )?as sent\b", r"\bconsider it done\b", r"\bon (?:its|their) way to\b",
    r"\bbescheid (?:gegeben|gesagt)\b", r"\bai (?:fait savoir|mis au courant)\b", r"\bho (?:fatto sapere|messo al corrente)\b", r"\bhe (?:hecho saber|puesto al corriente)\b",
)  # fmt: skip
"""Other ways to say that somebody was told (folded)."""
FAILING = frozenset(
    listed(
        "fail failed failing failure fails error denied expired rejected unsuccessful unsuccessfully couldn't",
        "fehlgeschlagen fehlschlag fehler gescheitert abgelehnt abgebrochen misslungen schlug",
        "échoué échoue échec erreur refusé refusée impossible",
        "fallito fallita fallisce errore rifiutato rifiutata riuscito riuscita",
        "fallido fallida falló fallado error rechazado rechazada fracasado",
    )
)
WAITING = frozenset(
    listed(
        "draft drafted drafts prepared proposed proposal proposals queued waiting awaiting waits awaits pending approval",
        "entwurf entworfen vorbereitet vorschlag vorgeschlagen wartet warten freigabe ausstehend",
        "brouillon rédigé préparé proposé proposition attend attente accord validation",
        "bozza preparato preparata proposto proposta aspetta attesa approvazione",
        "borrador redactado preparado preparada propuesto propuesta espera pendiente aprobación",
    )
)
"""That a change waits, or was only made ready."""
FOR_APPROVAL = (
    "for approval",
    "for your approval",
    "for review",
    "for your review",
    "zur freigabe",
    "zur prufung",
    "zur bestatigung",
    "pour approbation",
    "pour validation",
    "pour accord",
    "per approvazione",
    "per l'approvazione",
    "per la tua approvazione",
    "para aprobacion",
    "para tu aprobacion",
    "para su aprobacion",
)
TURNS = (
    "went through", "went out", "took place", "that worked", "it worked", "all set", "all done", "taken care of", "consider it done", "on its way",
    "geklappt", "gelaufen", "durchgegangen", "stattgefunden", "ist durch", "alles klar",
    "eu lieu", "est passe", "est passee", "a marche", "a fonctionne", "c'est bon", "est parti", "est partie",
    "andato in porto", "andata in porto", "andato a buon fine", "andata a buon fine", "avvenuto", "avvenuta", "a posto", "ha funzionato", "tutto bene", "andato bene", "andata bene",
    "tuvo lugar", "tuvieron lugar", "ha funcionado", "ya esta", "ha salido bien", "salio bien", "se llevo a cabo", "llevado a cabo", "todo listo",
)  # fmt: skip
"""That something came about, in so many words (folded)."""
RAN = frozenset(listed("ran worked succeeded delivered"))
MARKS = "✅✔☑"
ANSWERS = frozenset(listed("done gesendet erledigt fertig sent saved booked fatto fait hecho listo fertig completed"))
"""Said alone, that what was asked for is done."""

_WORDS_OF_SORTS = {
    sort: listed(*by_language.values(), NAMING.get(sort, "")) for sort, by_language in _PARTICIPLES.items()
}


def _forms(language: str, word: str) -> tuple[str, ...]:
    endings = _INFLECTED.get(language, ())
    if not endings or (language == "fr" and word.endswith("s")):
        return (word, f"{word}e", f"{word}es") if language == "fr" else (word,)
    body = word if language == "fr" else word[:-1]
    return tuple(body + ending for ending in endings)


def _read(*tables: dict[str, dict[str, str]]) -> dict[str, dict[str, frozenset[str]]]:
    found: dict[str, dict[str, frozenset[str]]] = {}
    for sort, by_language in ((s, b) for table in tables for s, b in table.items()):
        for language, words in by_language.items():
            for form in (f for word in words.split() for f in _forms(language, word)):
                told = found.setdefault(form, {})
                told[language] = told.get(language, frozenset()) | {sort}
    return found


def _plainly(table: dict[str, dict[str, str]]) -> dict[str, frozenset[str]]:
    return {w: frozenset({sort}) for sort, words in table.items() for text in words.values() for w in text.split()}


PARTICIPLES = _read(_PARTICIPLES)
"""Each form, lower case: the languages in which it is a participle, and the sorts of act that it tells there."""
FINITE = _plainly(_FINITE)
BY_ITSELF = _plainly(_BY_ITSELF)
WENT = {word: language for language, words in GONE.items() for word in words.split()}
SORTS = {sort: words for sort, words in _WORDS_OF_SORTS.items() if sort != ANY}
NOUNS = frozenset(
    listed(
        "programme note partage archive livre publie reserve marque change coche regle cree ouvert aperto abierto set fixe"
    )
)
"""Plain forms of participles that are other words as well: in a record they tell no act."""
BASES = frozenset(listed("set split"))
"""Participles that are imperatives as well: without a helping verb they tell nothing."""
LIGHT = frozenset(listed("made gemacht fait fatto hecho realizado"))
"""Verbs that say little by themselves: "I've made a list" is no report."""
