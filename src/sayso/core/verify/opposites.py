# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""Words that say the opposite of each other, as data in five languages: each line is "one side / other side"."""

from __future__ import annotations

from functools import lru_cache

from sayso.core.verify.words import plain

_PAIRS = """
keep keeps kept keeping retain / drop drops dropped dropping replace replaced replacing remove removed removing abandon abandoned cancel cancelled sell sold
accept accepts accepted agree agreed agrees / reject rejects rejected decline declines declined refuse refuses refused
approve approves approved / reject rejected decline declined refuse refused
allow allows allowed permit permits permitted fine / ban banned forbid forbidden prohibit prohibited
raise raises raised increase increases increased rise rises rose / lower lowers lowered decrease decreases decreased reduce reduces reduced cut fall falls fell
start starts started begin begins began open opens opened / stop stops stopped end ends ended close closes closed
include includes included including / exclude excludes excluded excluding
win wins won / lose loses lost
buy buys bought / sell sells sold
add adds added / remove removes removed delete deleted
like likes liked love loves prefer prefers / dislike dislikes hate hates hated avoid avoids
faster quicker / slower
more / fewer less
early earlier / late later
cheap cheaper / expensive dearer
hire hires hired / fire fires fired dismiss dismissed
postpone postponed delay delayed / advance advanced
public / private
mandatory required compulsory / optional voluntary
behalten behält bleibt bleiben beibehalten / streichen gestrichen ersetzen ersetzt entfernen entfernt abgeschafft aufgeben aufgegeben entfällt entfallen
annehmen angenommen zugesagt zusagen genehmigt / ablehnen abgelehnt abgesagt absagen verweigert
erlaubt gestattet zulässig / verboten untersagt unzulässig
erhöhen erhöht steigen gestiegen steigt / senken gesenkt sinken gesunken sinkt gekürzt
beginnen beginnt begonnen öffnen geöffnet eröffnet / aufhören beendet schliessen schließen geschlossen
gewonnen gewinnt / verloren verliert
gekauft kaufen / verkauft verkaufen
eingebaut / ausgebaut
schneller / langsamer
mehr / weniger
früher / später
öffentlich / privat
inklusive inbegriffen / exklusive ausgenommen
garder gardé conserver conservé maintenir maintenu / supprimer supprimé remplacer remplacé abandonner abandonné retirer retiré
accepter accepté / refuser refusé décliner décliné
autorisé permis / interdit
augmenter augmenté hausse / baisser baissé baisse réduire réduit diminuer
commencer commencé ouvrir ouvert / arrêter arrêté fermer fermé
acheter acheté / vendre vendu
gagner gagné / perdre perdu
inclus compris / exclu
morning mornings / evening evenings afternoon afternoons
morgens vormittags vormittag / abends abend nachmittags nachmittag
matin matinée / soir soirée
mattino mattina / sera pomeriggio
tenere tenuto mantenere mantenuto / eliminare eliminato sostituire sostituito abbandonare abbandonato togliere tolto
accettare accettato / rifiutare rifiutato
permesso consentito / vietato proibito
aumentare aumentato aumento / ridurre ridotto diminuire diminuito
aprire aperto iniziare iniziato / chiudere chiuso smettere
comprare comprato / vendere venduto
incluso compreso / escluso
mantener mantenido conservar / eliminar eliminado sustituir sustituido abandonar abandonado quitar
aceptar aceptado / rechazar rechazado
permitido / prohibido
aumentar aumentado subir subido / reducir reducido bajar bajado
abrir abierto empezar empezado / cerrar cerrado parar
comprar comprado / vender vendido
incluido incluida / excluido excluida aparte
"""


def opposites(word: str) -> frozenset[str]:
    """The words, in their plain form, that say the opposite of a plain word; empty for most."""
    return _sides().get(word, frozenset())


def has_opposites(words: frozenset[str]) -> bool:
    """Whether any of these plain words has an opposite."""
    return not words.isdisjoint(_sides())


@lru_cache(maxsize=1)
def _sides() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _PAIRS.strip().splitlines():
        left, right = ([plain(w) for w in side.split()] for side in line.split(" / "))
        for words, against in ((left, right), (right, left)):
            for word in words:
                found[word] = found.get(word, frozenset()) | frozenset(against)
    return found
