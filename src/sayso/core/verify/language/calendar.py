# ruff: noqa: E501 (tables are easier to read on one line)
"""Months, weekdays, near days and periods in five languages. Lower case; folded where `folded` says so."""

from __future__ import annotations

from sayso.core.verify.language import listed


def _numbered(*rows: str, first: int) -> dict[str, int]:
    return {name: number for number, names in enumerate(rows, first) for name in names.split()}


MONTHS = _numbered(
    "january jan januar jänner janvier janv enero gennaio", "february feb februar feber février fevrier févr fevr febrero febbraio",
    "march mar märz maerz mär mars marzo", "april apr avril avr abril aprile", "may mai mayo maggio",
    "june jun juni juin junio giugno", "july jul juli juillet juil julio luglio", "august aug août aout agosto",
    "september sept sep septembre septiembre setiembre settembre", "october oct oktober okt octobre octubre ottobre",
    "november nov novembre noviembre", "december dec dezember dez décembre decembre déc diciembre dicembre",
    first=1,
)  # fmt: skip
SHORT_MONTHS = {
    "gen": 1,
    "ene": 1,
    "abr": 4,
    "mag": 5,
    "giu": 6,
    "lug": 7,
    "ago": 8,
    "set": 9,
    "sett": 9,
    "ott": 10,
    "dic": 12,
}
"""Short forms that are words as well: read only between a day and a full stop or a year."""
VERBS = frozenset(["may", "march"])
"""No months in small letters before another word: "3 may come"."""
WEEKDAYS = _numbered(
    "monday mon montag lundi lunes lunedì lunedi", "tuesday tue tues dienstag mardi martes martedì martedi",
    "wednesday wed mittwoch mercredi miércoles miercoles mercoledì mercoledi",
    "thursday thu thurs donnerstag jeudi jueves giovedì giovedi", "friday fri freitag vendredi viernes venerdì venerdi",
    "saturday sat samstag sonnabend samedi sábado sabado sabato", "sunday sun sonntag dimanche domingo domenica",
    first=0,
)  # fmt: skip
SHORT_DAYS = frozenset(["sun", "sat", "mon", "wed", "fri", "tue", "thu"])
"""Days only with a capital and no small word after them ("Mon projet", "Sat down")."""
NEAR = {
    "today": 0, "tonight": 0, "heute": 0, "aujourd'hui": 0, "ce soir": 0, "oggi": 0, "stasera": 0, "stanotte": 0, "hoy": 0,
    "esta noche": 0, "tomorrow": 1, "morgen": 1, "demain": 1, "domani": 1, "mañana": 1,
    "yesterday": -1, "gestern": -1, "hier": -1, "ieri": -1, "ayer": -1, "last night": -1, "anoche": -1,
    "day after tomorrow": 2, "übermorgen": 2, "uebermorgen": 2, "après-demain": 2, "dopodomani": 2, "pasado mañana": 2,
    "day before yesterday": -2, "vorgestern": -2, "avant-hier": -2, "l'altro ieri": -2, "altro ieri": -2, "altroieri": -2,
    "anteayer": -2, "antes de ayer": -2,
}  # fmt: skip
MORNINGS = (
    "am ",
    "jeden ",
    "guten ",
    "diesen ",
    "heute ",
    "gestern ",
    "vom ",
    "nächsten ",
    "la ",
    "esta ",
    "ogni ",
    "cada ",
)
"""Before "morgen" and "mañana": the morning, not the day after."""
FRENCH = frozenset(listed("le la les est il elle vous avez avec et une pour était j l"))
UNITS = {
    word: unit
    for unit, words in {
        "day": "day days tag tage tagen jour jours giorno giorni día días dia dias",
        "week": "week weeks woche wochen semaine semaines settimana settimane semana semanas",
        "month": "month months monat monate monaten monats mois mese mesi mes meses",
        "year": "year years jahr jahre jahren jahres an ans année années anno anni año años",
        "quarter": "quarter quartal quartals trimestre",
        "weekend": "weekend wochenende week-end fin de semana fine settimana",
    }.items()
    for word in (words.split() if unit != "weekend" else ["weekend", "wochenende", "week-end", "fin de semana", "fine settimana"])
}  # fmt: skip
SMALL = frozenset(listed("a an one einem einer einen eine un une una uno un'"))
"""One, before a unit of time: "a week ago", "vor einem Monat"."""
MODIFIERS = {
    **dict.fromkeys(listed("this diese dieser diesem diesen dieses cette ce cet questa questo quest' esta este"), 0),
    **dict.fromkeys(
        listed(
            "next coming following nächste nächster nächsten nächstem nächstes naechste naechsten kommende kommender kommenden "
            "kommendes prochain prochaine prossimo prossima próximo próxima proximo proxima viene"
        ),
        1,
    ),
    **dict.fromkeys(
        listed(
            "last past previous letzte letzter letzten letztem letztes vergangene vergangenen vergangenes vorige vorigen voriges "
            "dernier dernière derniere passé passée passe passee scorso scorsa passato passata pasado pasada"
        ),
        -1,
    ),
}
AFTER = frozenset(
    listed("prochain prochaine dernier dernière derniere passé passée prossimo prossima scorso scorsa passato passata",
           "próximo próxima pasado pasada viene")
)  # fmt: skip
"""Those that stand after the unit or the day."""
BEGIN = frozenset(["early", "beginning", "start", "anfang", "début", "inizio", "inizi", "principios", "comienzos"])
MIDDLE = frozenset(["mid", "middle", "mitte", "mi", "milieu", "metà", "mediados"])
END = frozenset(["late", "end", "ende", "fin", "fine", "finales", "finale"])
ORDERED = {
    word: number
    for number, words in enumerate(
        ("first erstes ersten premier primo primer", "second zweites zweiten deuxième secondo segundo",
         "third drittes dritten troisième terzo tercer", "fourth viertes vierten quatrième quarto cuarto"), 1
    )
    for word in words.split()
}  # fmt: skip
WEEK = frozenset(["week", "woche", "semaine", "settimana", "semana", "kalenderwoche", "kw", "cw", "w"])
QUARTER = frozenset(["q", "t", "quarter", "quartal", "trimestre"])
