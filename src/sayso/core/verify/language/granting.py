# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""How five languages say that something is granted or denied, and how old somebody is or turns; folded. Data only."""

from __future__ import annotations

import re

from sayso.core.verify.words import plain

_GRANTED = """
allowed permitted fine ok okay possible covered included reimbursed refunded provided welcome required needed necessary mandatory bring
erlaubt gestattet okay möglich inbegriffen inklusive gedeckt abgedeckt erstattet nötig notwendig erforderlich mitbringen dabei
autorisé autorisée autorisés permis permise compris comprise inclus incluse couvert couverte remboursé remboursée possible nécessaire obligatoire
permesso permessa consentito consentita compreso compresa incluso inclusa coperto coperta rimborsato rimborsata possibile necessario necessaria obbligatorio
permitido permitida incluido incluida cubierto cubierta reembolsado reembolsada posible necesario necesaria obligatorio
"""
GRANTED = frozenset(plain(w) for w in _GRANTED.split())
_REFUSED = """
excluded forbidden banned prohibited ausgeschlossen verboten untersagt exclu exclue exclus interdit interdite interdits escluso esclusa vietato vietata proibito excluido excluida prohibido prohibida
"""
REFUSED = frozenset(plain(w) for w in _REFUSED.split())
_NO = """
no not never without none kein keine keinen keinem keiner nicht nie ohne aucun
aucune pas jamais sans nessun nessuna nessuno non mai senza ningun ninguna sin nunca
"""
NO = frozenset(_NO.split())
LIMIT = re.compile(
    r"\b(?:before|until|till|unless|except|without|after|above|over|below|more than|from|vor|bis|ausser|ohne|nach|ab|uber|avant|jusqu\w*|sauf|sans|apres|prima|fino|tranne|senza|dopo|oltre|antes|hasta|salvo|sin|despues|mas de)\b"
)
"""What limits a denial: "no running before 20 July"."""
UNTIL = re.compile(r"\b(?:before|until|till|vor|bis|avant|jusqu\w*|prima|fino|antes|hasta)\b")
TURNS = re.compile(
    r"\b(?:turns?|turning|turned|will be|'ll be|going to be|wird|werde|feiert|aura|fete|fetera|compie|compira|fa|cumple|cumplira|hara)\W{1,2}(?:already |their |his |her |son |ses |seinen |ihren )?$"
)
IS_OLD = re.compile(r"\b(?:already|aged|age|bereits|schon|deja|gia|ya)\W{1,2}(?:of |is |con |de )?$")
