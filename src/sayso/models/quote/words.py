"""Words of a question: folding, tokens, phrases, language. Knows English and German function words only."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(r"[^\W_]+(?:[-'’.@+&][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_ENDINGS = ("e", "en", "er", "es", "em", "s", "n")


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Lower case, no accents, ß as ss: how two spellings of one word compare."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _listed(words: str) -> frozenset[str]:
    return frozenset(fold(word) for word in words.split())


ENGLISH = _listed(
    """a an the is are was were be been am do does did have has had can could will would shall should may
    might must i me my mine we us our you your he him his she her hers it its they them their this that
    these those there here of to in on at by from with for about into over and or but not no any some
    all every each what which who whom whose when where why how many much please tell show give list
    find look up get know say says said need want let s t re ve ll d just also still now then than as if
    so too very most least more less next last latest first best highest lowest longest shortest soonest
    upcoming days day week weeks month today tomorrow yesterday currently right hey hi hello thing
    things anything something everything one ones me's what's who's how's when's where's details
    along coming doing getting progressing lately information info record records overview summary
    soon happening left got current people's remember mr mrs ms dr pls thanks
    called named between during within ago"""
)
GERMAN = _listed(
    """der die das den dem des ein eine einen einem einer eines ist sind war waren bin bist sein seine
    seinen seiner ihr ihre ihren ihrer habe hast hat haben hatte kann kannst können konnte wird werden
    soll sollte muss will möchte ich mich mir mein meine meinen meiner meines wir uns unser unsere du
    dich dir dein deine er ihn ihm sie es man dieser diese dieses diesen dort hier von vom zu zum zur in
    im an am auf aus bei beim mit für über um und oder aber nicht kein keine alle alles jeder was welche
    welcher welches welchen wer wen wem wessen wann wo warum wie viele viel bitte sag sage zeig zeige
    gib nenne liste finde such suche weiss weiß kennt kenne noch auch nur schon jetzt dann als wenn so
    sehr meisten wenigsten mehr weniger nächste nächster nächsten nächstes letzte letzten letzter tage
    tagen tag woche wochen monat heute morgen übermorgen gestern gerade denn mal etwas nichts heisst
    heißt frau herr herrn genannt steht stehen gibt unter nach vor seit läuft dessen deren
    hab machen mache tun tue gemacht getan"""
)
_DECIDING_DE = _listed(
    """der die das den dem ein eine einen ist sind bin ich mich mir mein meine wir du dich dir deine wer
    wen wem wann wie und oder nicht kein keine für über mit bei zu zum zur von vom am im auf was welche
    welcher welches wo heute morgen diese nächsten viele habe hast hat kann kannst bitte danke hallo hoi
    grüezi tschüss schreib schreibe erinnere erinner notiere plane erreiche zeig zeige gib heisst heißt
    projekt projekte ziele gewohnheit gewohnheiten aufgabe aufgaben termine notizen kontakte personen leute
    geburtstag nummer telefon telefonnummer fällig überfällig schulde erledigt
    kennst steht tage schick schicke hilfe guten servus moin vereinbare entwirf übersetze erkläre wegen
    dass lösch lösche entferne sag sage ändere setze markiere texte"""
)
_DECIDING_EN = _listed(
    """the is are am i me my we you your who whom what when where which how and or not for with about to of
    on at do does did have has can could please thanks thank hello hi hey write draft remind note
    schedule today tomorrow this that show tell list give help explain translate"""
)
WEAK = _listed(
    """about who whom when where with for from time times what how is are am until long end start date
    every often today heute wer wem wann wo mit bis wie oft going go far done called name state open
    page it im plan of to part many much met at läuft steht worum number wie-oft note notes update again
    days und"""
)
# What habits are named by, in the forms and the two languages in which people speak of them.
_DEEDS = {
    form: forms[0]
    for forms in (
        line.split()
        for line in (
            "swim swimming swam swum schwimmen schwimm schwimme geschwommen",
            "run running ran runs joggen jogging jog laufen gelaufen gejoggt lauf",
            "read reading lesen lese gelesen lekture",
            "write writing wrote written schreiben schreibe geschrieben",
            "stretch stretching dehnen gedehnt dehnubungen",
            "meditate meditating meditation meditieren meditiere meditiert",
            "walk walking spazieren spaziergang spaziert spazierengehen",
            "bike biking cycle cycling velofahren radfahren velo rad",
            "climb climbing klettern geklettert",
            "draw drawing drew drawn zeichnen gezeichnet",
            "sing singing sang sung singen gesungen",
            "dance dancing tanzen getanzt",
            "cook cooking kochen gekocht",
            "workout training trainieren trainiert exercise exercising",
        )
    )
    for form in forms
}
PRONOUNS = _listed(
    """she her hers he him his they them their it its ihr ihre ihren ihrer er ihn ihm sein seine seinen sie
    es"""
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it was written, where, and by what it compares (folded, without a possessive)."""

    text: str
    key: str
    start: int
    end: int

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()


def tokens(text: str) -> tuple[Token, ...]:
    found: list[Token] = []
    for match in _TOKEN.finditer(unicodedata.normalize("NFC", text)):
        key = fold(_POSSESSIVE.sub("", match.group().replace("’", "'")))
        found.append(Token(match.group(), key or fold(match.group()), match.start(), match.end()))
    return tuple(found)


@lru_cache(maxsize=4096)
def keys(text: str) -> tuple[str, ...]:
    return tuple(t.key for t in tokens(text))


_FUNCTION_WORDS = ENGLISH | GERMAN


def is_function_word(key: str) -> bool:
    return key in _FUNCTION_WORDS or len(key) < 2


def is_weak(phrase: Sequence[str]) -> bool:
    """Whether a declared word says little about what is asked ("when", "about")."""
    return all(word in WEAK or word in _FUNCTION_WORDS for word in phrase)


@lru_cache(maxsize=16384)
def same_word(key: str, declared: str) -> bool:
    """Equal, or one is a plain plural or a German inflection of the other."""
    if key == declared:
        return True
    short, long = sorted((key, declared), key=len)
    return len(short) >= 4 and long.startswith(short) and long[len(short) :] in _ENDINGS


def find_phrase(phrase: Sequence[str], within: Sequence[str]) -> range | None:
    """The first place where the phrase's words follow each other."""
    size = len(phrase)
    if not size:
        return None
    firsts = {word for word in set(within) if same_word(word, phrase[0])}
    if not firsts:
        return None
    for at in range(len(within) - size + 1):
        if within[at] in firsts and all(same_word(within[at + i], phrase[i]) for i in range(1, size)):
            return range(at, at + size)
    return None


def matches(words: Iterable[str], within: Sequence[str]) -> tuple[tuple[tuple[str, ...], range], ...]:
    """Each declared word that occurs, longest first."""
    return _matches(tuple(words), tuple(within))


# One question is held against the same declarations many times: for each tool, field and list.
@lru_cache(maxsize=4096)
def _matches(words: tuple[str, ...], within: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], range], ...]:
    found: list[tuple[tuple[str, ...], range]] = []
    for word in words:
        phrase = keys(word)
        place = find_phrase(phrase, within)
        if place is not None:
            found.append((phrase, place))
    return tuple(sorted(found, key=lambda item: -len(item[0])))


def said(wanted: Iterable[str], held: Iterable[str]) -> int:
    """How many of the wanted words are held, in any inflection ("marcos" is "marco", "stretch" "stretching")."""
    known = frozenset(held)
    return sum(word in known or any(_one_word(word, other) for other in known) for word in frozenset(wanted))


def _one_word(key: str, other: str) -> bool:
    short, long = sorted((key, other), key=len)
    deed = _DEEDS.get(key)
    alike = deed is not None and deed == _DEEDS.get(other)
    return same_word(key, other) or alike or (len(short) >= 4 and long == f"{short}ing")


def language_of(words: Sequence[str], locale: str) -> str:
    """ "de" or "en", by function words; the locale decides a tie."""
    german = sum(w in _DECIDING_DE and w not in _DECIDING_EN for w in words)
    english = sum(w in _DECIDING_EN and w not in _DECIDING_DE for w in words)
    if german != english:
        return "de" if german > english else "en"
    return "de" if locale.lower().startswith("de") else "en"
