# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""How five languages say that two times lie apart, or that a time is another place's. Data only, folded."""

from __future__ import annotations

import re

APART = re.compile(
    r"\s?(?:\b(?:before|after|afterwards|later|earlier|apart|ahead of|beforehand|vor|nach|vorher|davor|zuvor|danach|spater|fruher|auseinander|avant|apres|plus tard|plus tot|auparavant|"
    r"d'ecart|prima|dopo|piu tardi|di distanza|antes|despues|mas tarde)\b)"
)
"""Right after a length of time: "eight days before it", "vier Minuten vorher"."""
BETWEEN = re.compile(r"\b(?:between|in between|apart|dazwischen|zwischen|entre|tra|fra|auseinander|d'ecart)\b")
ZONED = re.compile(
    r"\s?\(?(?:[A-Z]\w{1,20}(?:er)? (?:time|Zeit)\b|(?:in|à|en|a|ad) [A-Z]\w{1,20}|(?:(?:local|your|his|her|their) time|Ortszeit|heure de|ora di|hora de|de hora)\b)"
)
"""After a time of day: by which place's clock it is told."""
ZONE_NAME = re.compile(r"(?:er)? (?:time|Zeit)\b")
"""After the name of a place: the time there."""
ARRIVING = re.compile(
    r"\b(?:arriv(?:e|es|ing|al)|lands?|landing|gets? in|getting in|gets? back|(?:be|are|is|am) (?:back|home)|back (?:at|by|home|in)|finish(?:es|ed)?|over (?:at|by)|out (?:at|by)|lasts? (?:until|till)|till|"
    r"komm\w* [^.;]{0,24}?\b(?:an|zuruck)|ank\w+|land(?:et|est|en)|zuruck|fertig|aus um|vorbei|dauert|arriv\w+|atterri\w+|rentr\w+|de retour|fini\w*|jusqu\w*|atterra\w*|torn\w+|rientr\w+|di ritorno|llega\w*|aterriza\w*|vuelv\w+|de vuelta|regres\w+)\b"
)
"""Said of when something is over: the end of a journey is when one arrives."""
