# ruff: noqa: E501 (patterns and tables are easier to read on one line)
"""Number words of English, German, French, Italian and Spanish: what each adds or multiplies.

German and Italian write numbers below a thousand as one word, so these are made here. How words join
is in `numerals`; ordinal words ("second", "third") are left out: too often they are no numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from sayso.core.verify.language import listed


class Part(IntEnum):
    ADDS = 0
    TIMES = 1  # hundred, thousand, dozen ...
    ONE = 2  # an article as well: a number only beside other number words


_ONES_DE = listed("ein zwei drei vier fünf sechs sieben acht neun")
_TENS_DE = listed("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
_TEENS_DE = listed("zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn")
_ONES_IT = listed("uno due tre quattro cinque sei sette otto nove")
_TEENS_IT = listed("dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove")
_TENS_IT = listed("venti trenta quaranta cinquanta sessanta settanta ottanta novanta")

_PLAIN = {
    0: "zero null zéro cero", 2: "two deux dos zwo", 3: "three trois tres", 4: "four quatre cuatro",
    5: "five cinq cinco", 6: "six seis", 7: "seven sept siete", 8: "eight huit ocho", 9: "nine neuf nueve",
    10: "ten dix diez", 11: "eleven onze once", 12: "twelve douze doce", 13: "thirteen treize trece",
    14: "fourteen quatorze catorce", 15: "fifteen quinze quince", 16: "sixteen seize dieciséis",
    17: "seventeen diecisiete", 18: "eighteen dieciocho", 19: "nineteen diecinueve", 20: "twenty vingt vingts veinte",
    21: "veintiuno veintiún veintiuna", 22: "veintidós", 23: "veintitrés", 24: "veinticuatro", 25: "veinticinco",
    26: "veintiséis", 27: "veintisiete", 28: "veintiocho", 29: "veintinueve", 30: "thirty trente treinta",
    40: "forty fourty quarante cuarenta", 50: "fifty cinquante cincuenta", 60: "sixty soixante sesenta",
    70: "seventy septante setenta", 80: "eighty huitante ochenta", 90: "ninety nonante noventa",
    100: "cien ciento", 200: "doscientos doscientas", 300: "trescientos trescientas",
    400: "cuatrocientos cuatrocientas", 500: "quinientos quinientas", 600: "seiscientos seiscientas",
    700: "setecientos setecientas", 800: "ochocientos ochocientas", 900: "novecientos novecientas",
}  # fmt: skip
_TIMES = {
    12: "dozen dutzend douzaine dozzina docena", 100: "hundred cent cents", 1000: "thousand mille mil mila tausend",
    1_000_000: "million millionen millions milione milioni millón millones",
    1_000_000_000: "billion billions milliarde milliarden milliard milliards miliardo miliardi",
}  # fmt: skip
_ONE = "one un une uno una ein eins eine einen einer einem"


def _german() -> Iterator[tuple[str, int]]:
    below = [(word, n) for n, word in enumerate(_TEENS_DE, 10)]
    for ten, word in enumerate(_TENS_DE, 2):
        below += [(word, 10 * ten), *((f"{one}und{word}", 10 * ten + n) for n, one in enumerate(_ONES_DE, 1))]
    yield from ((word, n) for n, word in enumerate(_ONES_DE[1:], 2))
    yield from below
    low = [("", 0), ("eins", 1), *((word, n) for n, word in enumerate(_ONES_DE[1:], 2)), *below]
    for n, head in enumerate(("", *_ONES_DE)):
        for word, rest in low:
            yield f"{head}hundert{word}", 100 * max(n, 1) + rest
            if word:
                yield f"{head}hundertund{word}", 100 * max(n, 1) + rest
    yield from ((f"{word}hundert", 100 * n) for n, word in enumerate(_TEENS_DE[1:], 11))


def _italian() -> Iterator[tuple[str, int]]:
    below = [*((word, n) for n, word in enumerate(_ONES_IT, 1)), *((word, n) for n, word in enumerate(_TEENS_IT, 10))]
    for ten, word in enumerate(_TENS_IT, 2):
        below.append((word, 10 * ten))
        for n, one in enumerate(_ONES_IT, 1):
            head = word[:-1] if one[0] in "uo" else word
            below.append((head + one.replace("tre", "tré"), 10 * ten + n))
            if n == 1:
                below.append((f"{head}un", 10 * ten + 1))
    yield from below[1:]
    for n, head in enumerate(("", *_ONES_IT[1:]), 1):
        yield f"{head}cento", 100 * n
        yield from ((f"{head}cento{word}", 100 * n + rest) for word, rest in below)


def _spellings(word: str) -> Iterator[str]:
    """A word as it is and as keyboards without its letters write it."""
    yield word
    yield word.replace("ß", "ss")
    yield word.replace("ü", "ue").replace("ö", "oe").replace("ß", "ss")
    yield word.translate(_BARE)


_BARE = str.maketrans("áéíóú", "aeiou")


def _all() -> Iterator[tuple[str, tuple[int, Part]]]:
    yield from ((w, (n, Part.TIMES)) for n, words in _TIMES.items() for w in words.split())
    yield from ((w, (1, Part.ONE)) for w in _ONE.split())
    plain = ((w, n) for n, words in _PLAIN.items() for w in words.split())
    for pairs in (plain, _german(), _italian()):
        yield from ((spelling, (n, Part.ADDS)) for word, n in pairs for spelling in _spellings(word))


NUMERALS: dict[str, tuple[int, Part]] = dict(_all())
AND = frozenset(["and", "et", "y", "e", "und"])
ALONE = frozenset(
    ["hundred", "cent", "dozen", "dutzend", "douzaine", "dozzina", "docena", "tausend", "thousand", "mille"]
)
"""Of the words that multiply, those that are a number by themselves ("a hundred"), where no digit is before them."""

AMBIGUOUS = {
    "due": "it", "sei": "it", "otto": "it", "mila": "it", "once": "es", "dos": "es", "mil": "es", "sept": "fr",
    "neuf": "fr", "cent": "fr", "cents": "fr",
}  # fmt: skip
"""Words of another language or sense as well: read only where the text has other words of their own language."""

MARKS = {
    "it": frozenset(listed(
    "il lo gli di che è sono per con nel nella della dei delle del alle ha hai ho una un tra fra giorni ore mesi anni ", "settimane euro obiettivi attività contatti persone eventi impegni progetti abitudini volte e le i"
)),
    "es": frozenset(listed(
    "el los las de que es son para con en y del al hay tiene tienes una un hace dentro días horas meses años semanas ", "euros objetivos tareas contactos personas eventos proyectos veces la"
)),
    "fr": frozenset(listed(
    "le les des du est sont pour avec dans et il elle vous tu une un au aux jours heures mois ans semaines euros à ", "objectifs tâches contacts personnes projets fois la de pour"
)),
}  # fmt: skip
ENGLISH = frozenset(listed("the is are of and you your was has have by with on this that not be it"))

COUNTED = {
    word: number
    for word, (number, part) in NUMERALS.items()
    if part is Part.ADDS and (number <= 20 or number in (30, 40, 50, 60, 70, 80, 90)) and word not in AMBIGUOUS
} | {"hundred": 100}
"""The short, plain ones: what a count is usually told by."""
