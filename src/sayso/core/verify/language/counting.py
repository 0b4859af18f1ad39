# ruff: noqa: E501 (patterns are easier to read on one line)
"""How five languages tell how many there are. Data only."""

from __future__ import annotations

ARE = (
    r"there (?:are|is|were)|you (?:have|know)|i (?:see|found|count)|in total|in all|altogether|all in all|number of|how many|that makes|comes to|"
    r"es gibt|gibt es|es sind|sind es|du hast|du kennst|insgesamt|zusammen|das macht|alles in allem|anzahl|zahl der|wie viele|"
    r"il y a|il y en a|ca fait|au total|en tout|tout compris|nombre d|combien|vous avez|vous connaissez|tu as|tu connais|"
    r"ci sono|ce ne sono|in totale|in tutto|nel complesso|fanno|numero di|quanti|quante|hai|conosci|avete|"
    r"hay|son|en total|en conjunto|eso hace|numero de|cuantos|cuantas|tienes|conoces|tiene"
)
"""What leads in how many there are (folded)."""
SUM = (
    r"in all|in total|altogether|together|combined|insgesamt|zusammen|zusammengenommen|au total|en tout|reunis|reunies|ensemble|"
    r"in totale|in tutto|insieme|complessivamente|en total|en conjunto|juntos|juntas|sumados"
)
"""That what several look-ups found is added up (folded)."""
PART = (
    r"of (?:them|these|those|which)|davon|darunter|von (?:ihnen|diesen|denen)|d'entre (?:eux|elles)|dont|di (?:loro|questi|cui)|"
    r"de (?:ellos|ellas|estos|los cuales)"
)
"""That some of those spoken of are meant (folded)."""
OF = r"(?:of|von|de|di|dei|degli|delle|del|des)\s"
YOURS = r"(?:(?:your|the|my|our|these|those|deiner?|deinen|ihrer|meiner|den|vos|tes|mes|les|tuoi|tue|miei|tus|mis|los|las)\s)?"
SPELLED = {"dix-sept": 17, "dix-huit": 18, "dix-neuf": 19, "sono sei": 6}
FIRST_WORDS = ("due", "sei", "otto", "sette", "dos", "once", "tres")
"""Numbers that are other words in other languages, unless "of your" follows."""
