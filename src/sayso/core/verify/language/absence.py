# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""How five languages say that something is not recorded, or that nothing was found; folded, as data.

No field, kind or record is known here: kinds declare the words for theirs.
"""

from __future__ import annotations

import re

from sayso.core.verify.words import plain

_KEPT = {
    "en": "recorded|stored|(?:wr[oi]te|written|put|noted) down|known|noted|listed|given|set|saved|specified|filled(?: in| out)?|fill(?: in| out)?|entered|mentioned|provided|stated|"
    "available|defined|indicated|registered|documented|logged|added|present|on file|on record|in (?:your|my|the) \\w+",
    "de": "erfasst|hinterlegt|bekannt|eingetragen|notiert|vermerkt|angegeben|gespeichert|gesetzt|festgelegt|ausgefullt|verzeichnet|vorhanden|"
    "festgehalten|aufgefuhrt|genannt|definiert|dokumentiert|abgelegt|bestimmt|zu finden",
    "fr": "(?:renseigne|enregistre|indique|note|precise|mentionne|saisi|rempli|specifie|fixe|inscrit|consigne|defini|connu|communique)e?s?|disponibles?",
    "it": "(?:registrat|indicat|memorizzat|annotat|specificat|compilat|impostat|inserit|definit|salvat|riportat|segnat|scritt|precisat|conosciut|not)[oaie]|"
    "disponibil[ei]|present[ei]|noti|compar[ei]|risulta(?:no)?(?: \\w+[oaie])?",
    "es": "(?:registrad|indicad|anotad|apuntad|guardad|especificad|rellenad|definid|fijad|conocid|escrit|precisad|recogid|puest)[oa]s?|disponibles?|"
    "consta(?:n)?|aparecen?|figuran?",
}  # fmt: skip
"""What is said of something that is held."""

_NOT = {
    "en": r"(?:\bnot|n't|\bnever)(?: (?:yet|been|currently|actually|ever|even)){0,2}",
    "de": r"\b(?:nicht|nie|nirgends)(?: (?:mehr|dabei|dazu))?",
    "fr": r"\b(?:pas|non|jamais|nulle part)(?: (?:ete|encore))?",
    "it": r"\bnon(?: (?:e|ha|viene|sono|e stat[oaie]|ancora|vi e)){0,2}",
    "es": r"\b(?:no|sin)(?: (?:esta|estan|se ha|ha sido|viene|ha|todavia|se)){0,2}",
}
_EMPTY = {
    "en": r"n/a|not aware of|unknown|unrecorded|unspecified|undocumented|blank|empty|missing|unset|undefined|nothing|none|silent|leaves? \w+ (?:open|out)|"
    r"no (?:data|information|info|entry|entries|value|details?|mention)|(?:\w{2,6}n't|not) \w+ (?:\w+ )?anything",
    "de": r"unbekannt|leer|fehlt|fehlen|fehlend\w*|offen gelassen|nichts|keine? (?:angaben?|daten|informationen|info|eintrag|eintrage|hinweis|wert|erwahnung)|"
    r"keinen (?:eintrag|hinweis|wert)|steht\b[^.;:!?]{1,60}?\bnicht|nennt\b[^.;:!?]{1,100}?\bnicht|gibt es (?:\w+ )?nicht|kenn\w* (?:ich|du|wir) nicht",
    "fr": r"inconnue?s?|vides?|manqu(?:e|ent|ante?s?)|rien|aucune? (?:donnee|indication|information|mention|entree|info|valeur)|restee?s? ouverte?s?|"
    r"(?:precise|mentionne|dit|contient|donne|indique|comporte|cite|figure|apparait) pas",
    "it": r"sconosciut[oaie]|vuot[oaie]|manca(?:no)?|mancant[ei]|nulla|niente|nessun[ao]? (?:dato|indicazione|informazione|voce|valore)|in bianco|"
    r"lascia(?:to|no)? apert[oa]|non (?:precisa|dice|menziona|indica|riporta|specifica|cita|figura)\w*",
    "es": r"desconocid[oa]s?|vaci[oa]s?|faltan?|nada|ningun[oa]? (?:dato|indicacion|informacion|registro|valor)|sin (?:datos?|registrar|indicar|definir|especificar|anotar|rellenar|precisar)|en blanco|deja\w* (?:\w+ )?abiert[oa]|"
    r"no (?:precisa|dice|menciona|indica|recoge|especifica|cita|muestra)\w*",
}  # fmt: skip
_LESS = r"(?! (?:as|to|by|among|since|als|seit|comme|depuis|come|da|como|desde)\b)"
UNRECORDED = re.compile(
    "|".join(
        [
            *(rf"{_NOT[x]} (?:{_KEPT[x]})\b{_LESS}" for x in _KEPT),
            *(rf"\b(?:{_EMPTY[x]})\b(?: (?:\w{{1,4}} ){{0,2}}(?:{_KEPT[x]})\b)?" for x in _KEPT),
        ]
    )
)
"""That something is not held: "not recorded", "leer", "rien", "non risulta", "en blanco"."""
MORE = re.compile(
    r"\b(?:else|other|further|more|since|year|sonst|weiter\w*|seither|jahr|autre\w*|plus|depuis|annee|altro|altra|altri|piu|anno|mas|otr[oa]s?|ano)\b"
)
"""Nothing else, nothing since, not the year: what is told stays held."""
NEAR = 16  # characters: how far from the word of lacking it may stand

LACKING = re.compile(
    r"(?:\b(?:no|nor|neither|without|lacks?|lacking|keine?[mnrs]?|ohne|weder|noch|aucune?|sans|pas (?:de|du|d'une?)|nessun[ao]?|senza|ne|ningun[oa]?|sin|ni|"
    r"(?:don't|do not|doesn't|does not|can't|cannot|couldn't|didn't|could not) (?:know|have|find|see|list|show|hold|include|give|name|mention)|"
    r"non (?:ha|c'e|ci sono|ho|conosco|vedo|trovo|so)|no (?:tiene|hay|tengo|conozco|veo|encuentro|se)|(?:connais|trouve|vois|sais|ai|a) pas)"
    r"(?: (?:an?|any|the|his|her|their|its|une?|la|le|les|lo|il|gli|sa|son|ses|su|sus|el|los|las|de))?"
    r"(?: (?:recorded|known|stored|listed|erfasste[nrs]?|bekannte[nrs]?))?(?: l'|[ ])?|\b(?:pas|aucun) (?:de l'|d')|\bnessun')[\W_]{0,3}$"
)
"""What stands right before that which is lacking: "no ", "doesn't have a ", "kein ", "pas d'", "non ha un ", "sin "."""
_OF = r"(?:for|of|on|fur|zu|bei|von|uber|pour|de|chez|sur|per|di|su|para|sobre)"
_IN = r"(?:in|on|auf|im|dans|en|nei|nel|nella)"
LIMITLESS = re.compile(
    rf"[\"'”“»*)_\s]{{0,40}}(?:$|[.,;:!)\]|–—]|\s?-\s|(?:(?:is|are|was|were|has been|ist|sind|wurden?|n'est|e|est|esta) )?(?:(?:on|in) (?:file|record)|{'|'.join(_KEPT.values())})\b|"
    rf"{_OF} |d'|(?:liegt|liegen|vor)\b|{_IN} (?:your|my|the|the|deinen|meinen|ihren|den|vos|tes|mes|tus|mis|tuoi|miei|suoi) |(?:but|aber|mais|ma|pero|though|yet)\b)"
)
"""What may follow it: not "from Elena", "in this project"."""
LISTED = re.compile(
    r"[\"'”“«»*_]{0,2}\s?(?:[,/&]|(?:, )?\b(?:and|or|nor|und|oder|noch|et|ou|ni|ed?|o|y|u)\b)\s?"
    r"(?:(?:no|keine?[mnrs]?|pas (?:de|d')|nessun[ao]?|ningun[oa]?|sin|an?|the|her|his|ein\w{0,2}|une?|le|la|el|il|l'|son|sa|su)\s?)?[\"'”“«»*_]{0,2}"
)
"""What stands between the members of a list of fields."""
BLANK = re.compile(
    r"[\s*_()–—-]{0,6}(?:[-–—]|n/?a|none|nil|keine?|keiner|aucune?|nessun[oa]?|ningun[oa]?|nothing|nichts|rien|nulla|niente|nada)?[\s*_().–—-]{0,6}"
)
"""All that is said of a field that is left blank: "Role: –"."""
CLAUSE = re.compile(
    r"[.;!?]\s|,\s|\b(?:but|though|although|however|while|whereas|because|aber|sondern|wahrend|weil|obwohl|mais|tandis que|alors que|parce que|ma|pero|mientras|"
    r"mentre|perche|porque|aunque|pero)\b"
)
_WEAK = (
    "who whom with under sous sotto unter bajo for owe when where long every often today done open far about going latest reach meet met known times total how many what state time start end "
    "begin until born age date number-of wer wem mit wann wo bis oft weit fertig heute erledigt offen zuletzt letzter prozent percent läuft stand erreiche erreichen "
    "getroffen geboren kennengelernt avec qui quand né née connu connue rencontré rencontrée joindre début décidé nato nata chi entro fatto incontrato incontrata "
    "conosciuto conosciuta inizio deciso quién nació nacido nacida hoy oggi conocido conocida conociste conocí conocimos decidido says decide about part"
)
WEAK = frozenset(plain(w) for w in _WEAK.split())
"""Words that ask for a field but are no names for it: "when", "done", "born"."""
_VERBS = "work works working is are employed holds has serves does do belongs arbeitet ist gehört travaille est occupe fait lavora ricopre fa trabaja está es ocupa forma se"
VERBS = frozenset(plain(w) for w in _VERBS.split())
"""With these begin the phrases that state a field rather than name it: "works at", "arbeitet als"."""

NONE_FOUND = re.compile(
    r"\b(?:found|find|see|there is|there's) no\b|\b(?:found|brought up|turned up|find|gave|returned|yielded|have|see|there is|there's|had) nothing\b|\bnothing (?:was |is |has been )?(?:found|turned up|came up|recorded|stored|noted|about|for|on)\b|"
    r"(?:n't|not|never) (?:find|found|see|have|exist|locate|be found|be located|turn up|appear|show up|come up|mention|contain|list|know of|include)\w*\b|\b(?:no|zero|not a single) (?:\w+ )?(?:results?|match(?:es)?|hits?|entry|entries|records?|contacts?|person|people|trace|one)\b|"
    r"\bno ?one\b|\bnobody\b|\bnone of\b|\bwithout (?:a |any )?(?:match|success|results?|hits?)\b|(?:n't|not) (?:in|among|part of|on|one of) \w+|\bnot that i can see\b|\bunsuccessful\w*|\bc[ao]me up empty\b|\berfolglos\b|\bergebnislos\b|"
    r"\bnichts (?:\w+ )?(?:gefunden|ergeben|gebracht|bekannt|gespeichert|hinterlegt|notiert)\b|\b(?:finde|fand|sehe|habe|gibt es|ergab) (?:\w+ )?nichts\b|\bergab\w* nichts|\bkeine? (?:ergebnisse?|treffer|eintrag|eintrage|kontakte?|person|resultate?|fund\w*)\b|"
    r"\bkeinen? (?:eintrag|treffer|kontakt)\b|\bniemand\w*|\bkeine[rs]? der\b|\bohne (?:treffer|erfolg|ergebnis|resultat)\b|\b(?:nicht|nie) (?:dabei|gefunden|finden|enthalten|vor|vorhanden|verzeichnet|auffindbar|zu finden|erwahnt|aufgefuhrt|in|unter|bekannt)\b|"
    r"\b(?:erwahn|enthalt|find|kenn|seh|gibt)\w*\b[^.;:!?]{1,100}?\bnicht\b|"
    r"\brien (?:trouve|donne|vu|vois|ramene|sur|pour|de)\b|\b(?:trouve|vois|donne|trouver) rien\b|\baucune? (?:resultat|entree|fiche|contact|personne|correspondance|trace|mention)\b|\baucune? des\b|\bpas d'entree\b|"
    r"\bpersonne (?:ne |n'|du nom|nomme|de ce nom)|\bsans (?:succes|resultat)\b|\b(?:n'y (?:est|figure)|n'apparai\w+|apparait|mentionnent|mentionne|figure|trouve|existe|contiennent|contient|correspond) pas\b|\bzero (?:reponse|resultat|correspondance)\w*\b|\bintrouvable\w*|"
    r"\bnon (?:ho |ha |hanno )?(?:trovato|prodotto|dato|trovo|vedo|risulta|portato)\w* (?:nulla|niente|nessun\w*)|\b(?:trovato|prodotto|dato|vedo|trovo) (?:nulla|niente)\b|\bnessun[oa']?\b|\bnon (?:ha|hanno) (?:dato|prodotto|portato) (?:risultat\w+|esit\w+)\b|\bsenza (?:esito|successo|risultat\w+)\b|\bzero (?:riscontri|risultati)\b|"
    r"\bnon (?:compar\w+|appar\w+|c'e|figura\w*|menziona\w*|risulta\w*|esiste|contien\w+|ci sono|si trova|e (?:in|tra|fra|presente|nei|nella))\b|"
    r"\bno (?:he |ha |hemos |han )?(?:encontr\w+|hall\w+|ve\w+|dio|dado|arroj\w+|produj\w+)\b|\bno (?:aparec\w+|figur\w+|menciona\w*|consta\w*|existe\w*|hay|esta|contien\w+|lo veo|la veo|se encuentra)\b|\bningun[oa]?\b|\bnadie\b|\bsin (?:exito|resultados?|coincidencias?)\b|\bcero (?:coincidencias|resultados)\b|"
    r"\b0 (?:of|out of|von|sur|su|de|di|results?|matches|hits|treffer|ergebnisse|resultats?|risultati|resultados|coincidencias)\b"
)
"""That a search found nothing, or that nobody is called so."""
NAMING = re.compile(r"\b(?:called|named|by (?:the|that) name|with (?:the|that) name|namens|mit (?:dem|diesem) namen|heisst|heissen|s'appelle\w*|nommee?s?|du nom|de nome|di nome|dal nome|si chiama\w*|chiamat[oaie]|llamad[oa]s?|se llama\w*|de nombre|con el nombre)\b")  # fmt: skip
"""That it is a name which is missing."""
_SEARCHING = {
    "en": "a came empty located locate could find exist all among an any anybody anyone anything anywhere appear appears at bring brought but by called came checked contain containing contains correspond database did directory "
    "entries entry exact examined exist exists far find fit fits for found from gave get got has have hit hits i identified in is it least list listed look looked looking lookup match matched "
    "matches matching mention mentions my name named no nobody none not nothing of on one only or our out over overall people person please record records result results return returned say "
    "search searched searches searching see seem seen show shown shows sorry success that the them there these this those through to trace turn turned turns unable under unfortunately "
    "unsuccessful up was were what which who with without you your zero afraid couldnt cant dont doesnt isnt didnt arent wasnt hasnt havent regret exists address book entries' yielded known know at present",
    "de": "adressbuch aber alle kontakte kontakten konnte konnten blieb erfolglos ergebnislos allem auf auffindbar aufgeführt bei bisher brachte da dabei darin darunter das dazu dein deine deinem deinen deiner dem den der des die diese diesem diesen dieser dort "
    "durchsucht durchsuchten ein eine einem einen einer eintrag einträge einträgen enthalten enthält entspricht ergab ergeben ergebnis ergebnisse ergebnissen er erwähnen erwähnt es existiert finde finden "
    "fund für gab geben gefunden genannt geprüft gesehen gespeichert gesucht gibt habe haben hat heisst heißt hier ich im in ist jedenfalls kein keine keinen keiner keines kenne kennt kommt leid leider "
    "liste man mein meine meinen mich mir namen namens nach nicht nichts niemand niemanden nirgends noch nur ohne passt passende person personen resultat resultate sehe sich sieht sind so steht "
    "suche such suchen sucht tauchte taucht treffer tut und unter unterlagen verzeichnet verzeichnis von vor vorhanden vorkommt war was wurde wurden zu zum daten datensatz datensätze datensätzen bekannt auf mit dem",
    "fr": "a ai ainsi ait avez avons ont annuaire apparaît apparaissent aucun aucune au aux base car carnet ce ceci cela ces cet cette chez cherche cherché chercher connais contient contiennent correspond correspondance "
    "correspondances correspondant dans de des désolé désolée dernier données du elle en entrée entrées est et examinées examiné existe fiche fiches figure figurent fichier il ils je jusqu la le les leur liste "
    "ma malheureusement mais me mentionne mentionnent mes moi moins mon ne ni nom nommé nommée nommées non nos notre nous nulle on ou où par parcouru parcourue parmi part pas personne personnes peux "
    "pour qui que quoi rapporté réponse réponses recherche recherché recherches registre répertoire résultat résultats retourné rien s'appelle appelle sans se ses si soit sont sous succès sur tes ton trace trouve trouvé "
    "trouver tu un une va vain vois voir vos votre vous y zéro introuvable contact contacts donné n'a n'est n'y du",
    "it": "a ad ai al alla alle almeno abbiamo avete anagrafica appare archivio c'è cercato che chi chiama chiamato chiamata ci ciò come compaiono compare con contengono contiene controllate controllato corrisponde "
    "corrispondenza corrispondenze corrispondono cosa da dai dal dalla dati dato del della delle di dispiace dove e è elenco esaminate esaminato esiste esistono esito fatto figura fra ha hai hanno ho i il in io la le "
    "li lista lo ma me menziona menzionano mi miei mia nei nel nella nelle nessun nessuna nessuno niente no nome non nostri nulla o ora per però persona persone presente prodotto purtroppo qua quanto quella quello "
    "questa questi questo qui registrata registro ricerca ricerche riscontri riscontro risulta risultano risultati risultato rubrica scheda schede se senza si sia so sono spiacente sta stato su sui sul successo "
    "traccia tra trovato trovo tua tue tuo tuoi un una uno vedo vi voce voci zero contatto contatti tutti tutte portato",
    "es": "a agenda al algo tenemos tenéis alguna alguno aparece aparecen archivo aunque base buscado búsqueda búsquedas busqué cero coincide coinciden coincidencia coincidencias como con conocido contactos contacto contiene "
    "contienen corresponde cuyo datos dato de del di dio dado directorio e el ella en encaja encajan encontrado encontré encuentra encuentro entrada entradas entre es esa ese eso esta está estas este esto existe éxito "
    "ficha fichas figura figuran ha hallado hallé han hay he la las lista llama llamada llamado lo los lamentablemente lamento me mencionan menciona menos mi mis nada nadie ni ningún ninguna ninguno no nombre o "
    "para pero persona personas por producido que quien quién registro registros resultado resultados resultó revisadas revisado se siento sin sobre son su sus tampoco tengo tiene tienes todas todos "
    "tu tus un una uno veo ya y",
}
SEARCHING = frozenset(plain(w) for words in _SEARCHING.values() for w in words.split())
"""The words of searching and not finding: beside them and the name, nothing limits what was not found."""
_TRIGGERS = (
    "aware erfolglos ergebnislos not no never none nothing nobody noone nor neither without unknown unrecorded unspecified undocumented blank empty missing unset undefined silent lack lacks lacking leaves leave cannot zero "
    "nicht nichts nie niemand niemanden nirgends unbekannt leer fehlt fehlen offen ohne weder "
    "pas non jamais nulle rien personne inconnu inconnue vide vides manque manquent aucun aucune sans ouvert ouverte introuvable "
    "nulla niente nessun nessuno nessuna manca mancano vuoto vuota vuoti aperto aperta senza bianco blanco "
    "sin nada nadie ningún ninguno ninguna falta faltan vacío vacía abierto abierta cero 0 na"
)
TRIGGERS = frozenset(plain(w) for w in _TRIGGERS.split())
TRIGGER_STARTS = ("kein", "sconosciut", "desconocid", "unsuccess")
"""Without one of these nothing is denied, and the patterns need not be tried."""
DASHED = re.compile(r"[:|)*]\s{0,3}[-–—](?:\s|$)")
"""A dash in the place of a value."""
