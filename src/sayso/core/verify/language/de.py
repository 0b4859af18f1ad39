# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""German turns of phrase."""

from __future__ import annotations

from sayso.core.verify.language.phrases import Phrases

PHRASES = Phrases(
    gap=r"(?:nicht|nie) (?:\w+ )?(?:erfasst|bekannt|hinterlegt|eingetragen|notiert|vermerkt|angegeben|gespeichert|vorhanden|festgehalten|dokumentiert|verzeichnet|aufgeführt|gefunden)|keine? (?:angaben?|eintr|informati|daten|hinweis|\w+ (?:erfasst|hinterlegt|bekannt|notiert|eingetragen|gespeichert|vorhanden|vermerkt))|weiss ich nicht|weiß ich nicht|unbekannt|fehlt|fehlen|liegt nicht vor|liegen nicht vor|steht (?:nicht|nichts)|(?:ist|sind|bleibt) leer|ohne (?:angabe|eintrag)",
    negation=r"nichts?|kein\w*|nie|niemals|niemand\w*|ohne|noch nicht|weder",
    denying="weder nicht nichts nie niemals niemand niemandem niemanden ohne weiss weiß unbekannt fehlt fehlen leer",
    no=r"keine?|keinen|keiner|keinem|nichts",
    nobody=r"niemand\w*|keine person|keinen? kontakt|keinen? eintrag|keinen? treffer",
    called=r"namens|mit dem namen|heisst|heißt|unter dem namen",
    no_such=r"(?:finde|fand|habe)(?: ich)?(?: leider)? nichts|(?:es gibt|ich (?:habe|finde|fand|sehe)|du hast)\skein\w*|finde ich kein\w*|gibt es kein\w*|habe ich kein\w*",
    records=r"eintrag|einträge|kontakt|kontakte|person|personen|treffer",
    about=r"zu|für|von|namens|über",
    among=r"(?:in|unter|bei)\s(?:deinen|meinen|den|unseren|ihren)",
    is_not=r"ist nicht|steht nicht|findet sich nicht|taucht nicht",
    advice_first=r"tipp|vielleicht|vorschlag|ich kann|ich könnte|soll ich|du könntest|du kannst|möchtest du|willst du|wenn du|sag (?:mir )?bescheid|gern(?:e)? kann|lass (?:mich|uns)|am besten|ich würde|ich werde",
    advice=r"du könntest|du solltest|du kannst (?:gern|auch)|wenn du (?:willst|möchtest|magst)|ich schlage vor|sag mir(?: einfach)? bescheid",
    drafting=r"entwurf|entwirf|schreib\w*|übersetz\w*|formulier\w*|fasse|gedicht|verfass\w*|umschreib\w*|zusammenfass\w*",
    all=r"alle|beide|jede[rs]?|sämtliche\w*",
    left=r"übrig|fehl(?:t|en)|verbleib\w*|noch offen|bleib(?:t|en)|ausstehend\w*",
    greeting=r"hallo|liebe[rs]?|guten tag|guten morgen|sehr geehrte[rs]?|grüezi|moin|servus",
    attributed=r"laut|gemäss|gemäß|zufolge|meldet|sagt|berichtet|schreibt|nach angaben|angeblich|behauptet",
    respectively=r"beziehungsweise|bzw|jeweils",
    pronoun=r"er|sie|ihr\w*|sein\w*|ihm|ihn|es",
    goes_on="",
    works=r"arbeite(?:t|n) (?:bei|für)|ist (?:jetzt )?bei|(?:angestellt|tätig|beschäftigt) (?:bei|für)",
    born=r"geboren",
    free=r"(?:kalender|tag|terminkalender)\b[^.;]{0,20}\bist (?:frei|leer)|nichts (?:vor|geplant|los)",
    of=r"von|der|deiner",
    yours=r"deinen|deiner|den|meinen|ihren",
    stop="davor danach vorher nachher zuvor tag der die das den dem des ein eine einen einem einer und oder ist sind war mit von zu zum zur im am auf für bei nicht sie er es ihr sein du dein deine hat habe haben wird als aus nach vor über unter bis seit wie auch noch nur schon sehr mehr waren wurde wurden werden kann können dass wenn aber dieser diese dieses sich ihre ihren ihrem seine seinen seinem deinen deinem deiner meine meinen wir uns beim vom ins um",
    generic="kontakt freund freundin kollege kollegin mitglied frau mann gut ende anfang mitte teil person",
    filler="hast gibt keine keinen nicht nichts erfasst eingetragen gespeichert geplant derzeit aktuell momentan gerade mehr liste vorhanden hinterlegt",
    joining="und am an im in zu zum zur der die das dem den fur von vom beim",
    titles="herr frau dr prof fraulein dipl ing",
)
