# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""How five languages say that somebody is or will be at something, over folded text. Data only."""

from __future__ import annotations

ATTENDS = (
    r"attends?|attending|takes? part|taking part|participates?|will be (?:there|present|attending|joining)|(?:is|are) (?:also )?(?:coming|invited|signed up|on the (?:guest )?list)|(?:will|to) join(?! us)|joins(?= (?:the|you|it|in)\b)",
    r"(?:nimmt|nehmen)\b[^.;,]{0,60}\bteil|teilnehmen|(?:ist|sind|wird|werden)\b[^.;,]{0,50}\b(?:dabei|eingeladen|anwesend)|(?:ist|sind)\b[^.;,]{0,40}\b(?:dort|zum|zur|fur den|fur die|fur das)\b[^.;,]{0,30}\beingetragen|(?:kommt|kommen)(?: \w+)? (?:zum|zur|mit|dazu|auch)\b",
    r"participe(?:nt|ra|ront)?|assiste(?:nt|ra|ront)?|(?:est|sont|sera|seront)(?: (?:aussi|egalement|bien))? (?:presente?s?|inscrite?s?|invitee?s?|de la partie|attendue?s?|la\b)|(?:vient|viennent|viendra|viendront)(?: aussi)? (?:au|a la|a l'|aux)|(?:sera|seront)(?: aussi)? (?:au|a la|a l')",
    r"partecipa(?:no)?|partecipera(?:nno)?|assiste|assistono|(?:e|sono|sara|saranno)(?: anche)? (?:presente|presenti|invitat[aoie]|attes[aoie])|ci (?:sara|saranno)|(?:viene|vengono|verra|verranno)(?: anche)? (?:al|alla|all')|(?:sara|saranno)(?: anche)? (?:al|alla|all')\b",
    r"asisten?|asistiran?|participan?|participaran?|acuden?|acudiran?|(?:esta|estan|estara|estaran)(?: tambien)? (?:presentes?|invitad[oa]s?|apuntad[oa]s?)|(?:va|van|viene|vienen|ira|iran|vendra|vendran) (?:tambien|a la|al|(?=[a-z]+ y [a-z]))",
)
"""Turns of phrase by language; none of them is said of things."""
