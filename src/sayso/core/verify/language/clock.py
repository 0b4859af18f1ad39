# ruff: noqa: E501 (patterns and tables are easier to read on one line)
"""How five languages tell the time of day beside "14:30"."""

from __future__ import annotations

from sayso.core.verify.language import listed

NAMED = {
    "noon": 720, "midday": 720, "midi": 720, "mezzogiorno": 720, "mediodía": 720, "mediodia": 720,
    "midnight": 0, "mitternacht": 0, "minuit": 0, "mezzanotte": 0, "medianoche": 0,
}  # fmt: skip
SPOKEN = frozenset(
    listed(
        "past half halb viertel dreiviertel heure heures demie quart quarto mezza cuarto media las alle ore uhr moins meno ",
        "menos quarter clock",
    )
)
"""Where none of these is said, no time is told in words."""
AFTERNOON = ("pm", "nachmittags", "abends", "nachts", "afternoon", "evening", "après-midi", "soir", "pomeriggio", "sera",
             "tarde", "noche")  # fmt: skip
MORNING = ("am", "morgens", "früh", "vormittags", "morning", "matin", "mattina", "mattino", "mañana", "madrugada")
ZONES = "CET|CEST|UTC|GMT|MEZ|MESZ|EST|EDT|CST|CDT|MST|MDT|PST|PDT|BST|HEC|HAEC|CT|ET|PT"
