# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""Sorts of act, as data in five languages: that a message was sent does not show that something was booked."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

from sayso.core.verify.words import plain

_SORTS = """
send sent sending email emailed mail mailed message messaged text texted wrote written reply replied notify notified inform informed remind reminded invite invited gesendet gesandt geschickt verschickt versendet senden geschrieben gemailt benachrichtigt informiert erinnert eingeladen weitergeleitet nachricht envoyé envoyée écrit informé prévenu rappelé inviato inviata scritto informato avvisato enviado enviada escrito informado avisado mensaje messaggio delivered
forward forwarded share shared weitergeleitet transféré partagé inoltrato condiviso reenviado compartido
create created add added book booked schedule scheduled save saved store stored log logged record recorded file filed reserve reserved set erstellt angelegt hinzugefügt gebucht reserviert gespeichert eingetragen geplant notiert erfasst créé créée ajouté ajoutée réservé réservée enregistré enregistrée noté planifié creato creata aggiunto aggiunta prenotato prenotata salvato salvata inserito inserita annotato registrato creado creada añadido añadida reservado reservada guardado guardada anotado apuntado registrado agendado
update updated change changed edit edited move moved reschedule rescheduled rename renamed mark marked complete completed check checked set aktualisiert geändert verschoben umbenannt markiert abgehakt erledigt modifié modifiée mis mise déplacé reporté marqué aggiornato aggiornata modificato modificata spostato rinominato segnato actualizado actualizada cambiado modificado movido aplazado marcado
delete deleted remove removed cancel cancelled canceled archive archived gelöscht entfernt abgesagt storniert archiviert supprimé supprimée annulé annulée effacé eliminato eliminata cancellato cancellata annullato borrado borrada eliminado cancelado cancelada
pay paid buy bought order ordered bezahlt gekauft bestellt payé acheté commandé pagato comprato ordinato pagado comprado pedido
call called angerufen telefoniert appelé téléphoné chiamato telefonato llamado telefoneado
"""


def of_one_sort(verb: str, words: Set[str]) -> bool:
    """Whether words tell an act of the same sort as a verb; an unknown verb, or none among the words, says nothing against it."""
    sorts = _known()
    told = sorts.get(plain(verb))
    shown = [sorts[w] for w in words if w in sorts]
    return told is None or not shown or any(told & sort for sort in shown)


def tells(verb: str, words: Set[str]) -> bool:
    """Whether some of the words tell an act of the verb's sort."""
    return any(w in _known() for w in words) and plain(verb) in _known() and of_one_sort(verb, words)


@lru_cache(maxsize=1)
def _known() -> dict[str, frozenset[int]]:
    found: dict[str, frozenset[int]] = {}
    for number, line in enumerate(_SORTS.strip().splitlines()):
        for word in map(plain, line.split()):
            found[word] = found.get(word, frozenset()) | {number}
    return found
