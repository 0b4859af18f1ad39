# ruff: noqa: E501 (patterns and messages are easier to read on one line)
"""The function words and turns of phrase that rules look for, as data: English and German, some French and Spanish.

Nothing here belongs to a domain: the words of records and fields are declared by fact kinds.
"""

from __future__ import annotations

import re

from sayso.core.verify.words import plain

_I = re.IGNORECASE
GAP = re.compile(
    r"\b(?:(?:is|are|isn't|aren't|was)?\s?(?:not|n't|never|no|none|nothing)\b[^.;]{0,40}\b(?:record(?:ed)?|stored|known|noted|listed|on file|"
    r"on record|given|available|set|mentioned|saved|specified)|unrecorded|unknown|no (?:\w+ ){1,4}(?:is|are|was|recorded|noted|on)\b|"
    r"(?:don't|do not|doesn't|does not|couldn't|could not) (?:know|have|say|show|list|mention|see|find|name|appear)|isn't|not recorded|"
    r"nicht (?:erfasst|bekannt|hinterlegt|eingetragen|notiert|vermerkt|angegeben)|keine? (?:angaben?|eintr|\w+ (?:erfasst|hinterlegt|bekannt|notiert))|"
    r"weiss ich nicht|weiß ich nicht|unbekannt|fehlt|non (?:renseign|indiqu|enregistr)|pas (?:enregistr|indiqu|renseign)|inconnu|no consta|sin registrar)",
    _I,
)
NEGATION = re.compile(r"\b(?:not|no|neither|nor|weder|never|none|nobody|nothing|without|hasn't|haven't|isn't|aren't|wasn't|didn't|doesn't|don't|won't|yet to|"
                      r"nichts?|kein\w*|nie|ohne|noch nicht|pas|aucun\w*|jamais|sin|ningun\w*)\b|n't\b", _I)  # fmt: skip
ADVICE = re.compile(
    r"^\W*(?:tip|tipp|conseil|maybe|perhaps|vielleicht|possible wording|wording|vorschlag|suggestion|shall|would you|do you|let me|let's|feel free|"
    r"want|consider(?! it done)|try|you could|you can|you may|you might|i'd|i would|i can|i could(?! not|n['’]t)|i'll|i will|happy to|tell me|ich kann|ich könnte|soll ich|"
    r"du könntest|du kannst|pense|keep|good luck|if you)\b|\b(?:you could|you might|you should|du könntest|du solltest|i can|i could(?! not|n['’]t)|i'll|i suggest|"
    r"would you like|if you (?:want|like)|let me know|pourrais|podrías)\b",
    _I,
)
DRAFTING = re.compile(r"\b(?:draft|write|rewrite|translate|summari[sz]e|haiku|poem|reply|wording|compose|rephrase|entwurf|schreib\w*|"
                      r"übersetz\w*|formulier\w*|fasse|gedicht|line for|rédige|traduis|escribe|traduce)\b", _I)  # fmt: skip
ALL = re.compile(r"\b(?:all|both|each|every|alle|beide|jede[rs]?|toutes?|tous|les deux|todos|todas|ambos)\b", _I)
_DID = (r"sent|emailed|messaged|texted|forwarded|reminded|notified|informed|booked|scheduled|cancelled|canceled|created|added|saved|stored|"
        r"updated|changed|edited|deleted|removed|renamed|moved|marked|logged|recorded|completed|submitted|invited|called|paid|ordered|"
        r"rescheduled|archived|checked in|approved|confirmed|replied|posted|shared|set up|filed")  # fmt: skip
_TAT = (r"gesendet|gesandt|geschickt|verschickt|versendet|gebucht|gespeichert|erstellt|angelegt|hinzugefügt|aktualisiert|geändert|gelöscht|"
        r"entfernt|abgesagt|verschoben|eingetragen|erinnert|weitergeleitet|informiert|benachrichtigt|erledigt|bezahlt|storniert|umbenannt|"
        r"geschrieben|gemailt|angerufen|bescheid gesagt|bescheid gegeben")  # fmt: skip
ACTION = re.compile(
    rf"\bI(?:'ve|’ve| have| just)?(?: (?:also|now|just|already|successfully|then)){{0,2}} (?P<a>{_DID})\b"
    rf"|\b(?:has|have|was|were|is now|are now)(?: (?:also|now|just|already|successfully|all)){{0,2}} (?:been (?:\w+ly )?)?(?P<b>{_DID})\b(?! (?:as (?!requested|asked)|in your|on your|with))"
    rf"|\b(?P<c>went out|(?:has|have) gone out|is sent|been delivered|was delivered)\b|^\W*(?P<d>done|all done|all set|erledigt|fertig|gesendet|sent|saved|booked)\s?(?:[!.,✅✔]|$)"
    rf"|\b(?:ich habe|habe ich|wurden?|ist|sind)\b[^.;]{{0,80}}?\b(?P<e>{_TAT})\b"
    rf"|\bj'ai (?:bien )?(?P<f>envoyé|ajouté|créé|supprimé|modifié|enregistré|réservé|mis à jour)|\b(?:he|ya he) (?P<g>enviado|creado|añadido|borrado|guardado)",
    _I,
)
_THING = (r"messages?|e-?mails?|mails?|reminders?|invitations?|invites?|appointments?|bookings?|reservations?|letters?|repl(?:y|ies)|"
          r"nachricht(?:en)?|einladung(?:en)?|erinnerung(?:en)?|termine?|briefe?|antwort(?:en)?")  # fmt: skip
HANDLED = re.compile(
    rf"\b(?P<t1>{_THING})\b[^.;!?]{{0,60}}?\b(?:has|have) (?:now |just |already )?been (?P<a>{_DID})\b"
    rf"|\b(?P<t2>{_THING})\b[^.;!?]{{0,40}}?\b(?:is|was|are|were)(?: now)? (?P<b>sent|delivered|on its way)\b"
    rf"|\b(?P<t3>{_THING})\b[^.;!?]{{0,60}}?\bist (?:schon |jetzt |nun |bereits )?(?P<c>raus|draussen|draußen|unterwegs|weg)\b"
    rf"|^\W*(?:your |the |deine |die |der )?(?P<t4>{_THING})\b(?: (?:to|for|an|für) [^.;!?]{{1,40}}?)?\s(?P<d>sent|delivered|booked|saved|gesendet|verschickt|gebucht)\b"
    rf"|\b(?P<e>received) (?:the|your|my) (?P<t5>{_THING})\b"
    rf"|\b(?P<f>consider it done|marked as sent|went ahead and \w+|let \w+(?: \w+)? know)\b",
    _I,
)
"""A thing of ours that is said to be on its way, by whatever words: only a receipt or a record can carry it."""
FILING = frozenset(["saved", "stored", "created", "added", "filed", "set up", "recorded", "logged", "scheduled", "submitted", "gespeichert", "erstellt", "angelegt", "eingetragen", "hinzugefügt"])  # fmt: skip
OTHERS_ACT = re.compile(r"\b(?:he|she|they|\w+) (?:has|have)(?: already)? (?P<v>read|accepted|declined|replied|answered|agreed|confirmed|responded|seen)\b", _I)  # fmt: skip
PROPOSED = re.compile(r"\b(?:draft\w*|prepar\w*|propos\w*|queued|waiting|awaiting|pending|approval|vorbereitet|entworfen|vorschlag|vorgeschlagen|wartet)\b", _I)  # fmt: skip
LATE = frozenset(
    [
        "overdue",
        "late",
        "uberfallig",
        "retard",
        "depasse",
        "depassee",
        "depassees",
        "ritardo",
        "scaduto",
        "scaduta",
        "vencido",
        "vencida",
        "retraso",
        "atrasado",
        "atrasada",
    ]
)
_ACTED = (
    f"{_DID} {_TAT} went sent delivered done set erledigt fertig gesendet saved booked envoyé ajouté créé supprimé modifié "
    "enregistré réservé mis enviado creado añadido borrado guardado gone raus draussen draußen unterwegs weg received consider "
    "marked ahead know way"
)
ACTION_WORDS = frozenset(plain(w) for w in re.findall(r"[^\W_]+", _ACTED))
DENYING_WORDS = frozenset(plain(w) for w in ["neither", "nor", "weder", "not", "no", "never", "none", "nobody", "nothing", "without", "hasn't", "haven't", "isn't", "aren't", "wasn't", "didn't", "doesn't", "don't", "won't", "couldn't", "yet", "nicht", "nichts", "nie", "ohne", "pas", "jamais", "sin", "unrecorded", "unknown", "weiss", "weiß", "unbekannt", "fehlt", "non", "inconnu", "consta"])  # fmt: skip
DENYING_STARTS = ("kein", "aucun", "ningun", "inconnu")
"""Where none of these is said, nothing is denied, reported as done or told of all: the patterns need not be tried."""
LEFT = re.compile(r"\b(?:left|remaining|remains?|to go|outstanding|missing|übrig|fehlen|verbleib\w*|noch offen)\b", _I)
SALUTATION = re.compile(
    r"^\W*(?:hi|hello|dear|hey|hallo|liebe[rs]?|guten tag|sehr geehrte[rs]?|grüezi|bonjour|hola|subject:|betreff:)\b[^.!?\n]{0,60}[,:]",
    _I,
)
STATING = re.compile(r"^(?:is|are|works|working|arbeitet|lives|born|met) \w+$")
IS = re.compile(r"\s?(?:is|:|ist|lautet)\s")
IS_A = re.compile(r"\b(?:is|as|ist|als) (?:an?|the|eine?|der|die) ")
IST_NOUN = re.compile(r"\bist (?=[A-ZÄÖÜ][a-zäöüß])")
GENERIC = frozenset(["person", "contact", "contacts", "kontakt", "friend", "freund", "freundin", "colleague", "kollege", "kollegin", "member", "mitglied", "woman", "man", "frau", "mann", "good", "great", "best", "right", "gut", "one", "only", "first", "same", "match", "fit", "choice", "owner", "ende", "anfang", "mitte", "teil", "part"])  # fmt: skip
APPOSED = re.compile(
    r"\s?[,:]\s(?!however|moreover|rather|later|either|together|other|over|after|never|aber|oder|immer|leider)(?P<role>(?:[a-zäöü][\w'’-]*\s){0,3}?[a-zäöü][\w'’-]*(?:er|or|ist|ian|ant|man|woman|ief|ead|ary|eur|euse|rin|ent))(?:,\s|\s(?:at|of|bei|von|am|an)\s)"
)
FAILED = re.compile(r"\b(?:fail\w*|error|denied|unknown|expired|not sent|cancel\w*|reject\w*|fehl\w*|abgelehnt)\b", _I)
ATTRIBUTED = re.compile(r"\b(?:according to|says?|said|reports?|reported|claims?|told|writes|mentions?|as per|per|laut|gemäss|gemäß|zufolge|meldet|sagt|berichtet|schreibt|selon|d'après|según)\b", _I)  # fmt: skip
ABSENT_ONE = re.compile(r"\b(?:no one|nobody|no (?:person|contact|record|people|contacts|records|entry|match)|niemand\w*|keine person|keinen kontakt)\b(?:[^.;]{0,40}?\b(?:called|named|by the name|with the name|namens|mit dem namen|heisst|heißt)| for)\b", _I)  # fmt: skip
NOTHING = re.compile(r"\b(?P<no>nothing|no|keine?|keinen|nichts)\b", _I)
_RECORD = r"(?:(?:contacts?|persons?|people|records?|entry|entries|eintrag|kontakt|person|match)\s)?(?:(?:for|of|on|about|called|named|zu|für|von|namens)\s)?"
NO_SUCH = re.compile(rf"\b(?:(?:there(?:'s|’s| is| are| was)|i (?:have|found|find|see)|you have|es gibt|ich (?:habe|finde|fand)|du hast)\s(?:no|kein\w*)"
                     rf"|(?:could not|couldn't|couldn’t|did not|didn't|didn’t|cannot|can't|can’t) find(?:\s(?:an?|any))?)\s{_RECORD}$", _I)  # fmt: skip
_AMONG = r"(?:in|among|under|unter|bei)\s(?:your|my|the|our|deinen|meinen|den|unseren)\s\w+"
NOT_LIMITED = re.compile(rf"\W*(?:{_AMONG})?\W*(?:gefunden|finden)?\W*", _I)
IS_MISSING = re.compile(
    rf"\s(?:(?:is|are) not|isn't|isn’t|ist nicht|steht nicht)\s{_AMONG}\W*|\s(?:was|wurde) (?:not|nicht) (?:found|gefunden)\W*",
    _I,
)
RESPECTIVELY = re.compile(
    r"\b(?:respectively|each other|beziehungsweise|bzw|jeweils|respectivement|respectivamente)\b", _I
)
PRONOUN = re.compile(r"\b(?:he|she|they|him|her|his|hers|their|them|it|its|er|sie|ihr\w*|sein\w*|ihm|ihn|es|il|elle|ils|elles|son|sa|ses|su|ella|él)\b", _I)  # fmt: skip
WORKS = re.compile(r"(?:works? (?:at|for)|working (?:at|for)|employed (?:at|by)|is with|she's with|he's with|contact at|(?:holds|has) a chair at|arbeitet (?:bei|für)|travaille (?:chez|pour)|ist (?:jetzt )?bei|represents|représente|trabaja en)\s+(?:the\s|der\s|la\s)?", _I)  # fmt: skip
BORN = re.compile(r"\b(?:was born|is born|geboren|est né|nació)\b", _I)
_NAME = r"[A-ZÄÖÜÉ][\w'’-]+ [A-ZÄÖÜÉ][\w'’-]+"
STRANGER = re.compile(
    rf"^\W*{_NAME} (?:(?:was|is) born|works? (?:at|for)|arbeitet (?:bei|für)|(?:wurde|ist) [^.]{{0,30}}geboren|can be reached)\b"
)
JOINING = frozenset(
    [
        "de",
        "du",
        "des",
        "del",
        "della",
        "di",
        "da",
        "la",
        "le",
        "les",
        "of",
        "and",
        "und",
        "et",
        "y",
        "e",
        "am",
        "an",
        "im",
        "in",
        "zu",
        "zum",
        "zur",
        "der",
        "die",
        "das",
        "dem",
        "den",
        "the",
        "for",
        "fur",
        "free",
        "off",
        "spin",
    ]
)
"""Small words that stand within the names of places and firms."""
LEGAL = frozenset(
    ["as", "ag", "gmbh", "ltd", "inc", "llc", "sa", "sarl", "co", "kg", "plc", "bv", "ab", "oy", "corp", "limited"]
)
STOP = frozenset(
    ["a", "an", "the", "of", "to", "for", "in", "on", "at", "by", "with", "and", "or", "is", "are", "was", "were", "be", "been", "has", "have", "had", "it", "its", "this", "that", "these", "those", "you", "your", "i", "my", "me", "we", "our", "he", "she", "they", "him", "her", "his", "their", "them", "not", "no", "as", "from", "but", "also", "so", "if", "than", "then", "there", "here", "about", "into", "over", "up", "out", "do", "does", "did", "will", "would", "can", "could", "may", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "und", "oder", "ist", "sind", "war", "mit", "von", "zu", "zum", "zur", "im", "am", "auf", "für", "bei", "nicht", "sie", "er", "es", "ihr", "sein", "du", "dein", "deine", "hat", "habe", "haben", "wird", "le", "la", "les", "un", "une", "de", "et", "ou", "est", "sont", "avec", "pour", "dans", "sur", "el", "los", "las", "y", "con", "por", "en", "su"]
)  # fmt: skip
FREE = re.compile(
    r"\b(?:calendar|kalender|schedule|day|tag)\b[^.;]{0,20}\b(?:is|ist) (?:free|clear|empty|frei|leer)\b|\bnothing (?:on|planned|scheduled)\b|\bnichts (?:vor|geplant)\b",
    _I,
)
OUT_OF = re.compile(r"\b(?:of|von)\s(?:(?:your|the|my|our|these|those|deinen|den|meinen)\s)?$", _I)
FILLER = frozenset(["hast", "gibt", "keine", "keinen", "nicht", "nichts", "nothing", "record", "recorded", "list", "listed", "stored", "saved", "scheduled", "planned", "currently", "right", "now", "moment", "left", "any", "all", "at", "coming", "up", "erfasst", "eingetragen", "gespeichert", "geplant", "derzeit", "aktuell", "momentan", "gerade", "mehr", "liste"])  # fmt: skip
TEMPORAL = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "today", "tomorrow", "yesterday", "week", "pm", "am", "utc", "pacific", "i", "i'm", "ok", "okay", "yes", "no", "hello", "hi", "thanks"])  # fmt: skip
IT = re.compile(r"^\W*(?:it|this|that|es|das|il|elle|ce|c'|esto|questo)\b", _I)
YOU = re.compile(r"\b(?:you|me|i|du|dir|dich|ich|mir|mich|ihnen|tu|te|toi|vous|moi|ti|tu|lei|mi|io|tú|usted|le)\b", _I)
BY = (" by", " von", " par", " da", " dal", " dalla", " por")
OVER = frozenset(["done", "cancelled", "canceled", "finished", "completed", "declined"])
"""Stored states of what is over: it is never the next one."""
ARTICLES = frozenset(
    [
        "the",
        "that",
        "this",
        "der",
        "die",
        "das",
        "le",
        "la",
        "les",
        "il",
        "lo",
        "el",
        "los",
        "las",
        "his",
        "her",
        "their",
        "its",
        "sein",
        "seine",
        "ihr",
        "ihre",
    ]
)
"""What a noun phrase about something known begins with, folded."""
PERSONAL = re.compile(r"\b(?:he|she|him|her|his|hers|er|ihr|ihm|ihn|elle|lui|lei|él|ella)\b", _I)
NOW = frozenset(["today", "heute", "aujourd'hui", "oggi", "hoy"])
"""The day of the clock: by itself it states nothing ("37 days from today", "set it aside today")."""
TELLING = re.compile(
    r"\b(?:says?|said|reads?|states?|writes?|wrote|noted?|logs?|quotes?|words?|steht|stand|heisst|heißt|lautet|schreibt|schrieb|notiert|notiz|eintrag|zitat|dit|écrit|note|noté|dice|scrive|scritto|nota|escribe|escrito)\b",
    _I,
)
"""What leads in a quotation of somebody's words, rather than a title or a wording that is only suggested."""
IMPERATIVE = re.compile(
    r"^\W*(?:please |then |so |and |just |bitte |dann |also )?(?:leave|ask|set|take|make|bring|check|call|treat|go|start|don't|do not|remember|use|put|add|plan|aim|block|send|write|book|get|give|be|have|stay|enjoy|wait|"
    r"review|focus|pick|choose|talk|see|look|avoid|drink|eat|spend|stop|split|break|begin|prepare|practi[sc]e|schedule|note that|"
    r"frag|nimm|mach|plane|lass|bring|achte|denk|geh|fang|schreib|ruf|leg|stell|trink|iss|reserviere|prüfe|vermeide|beginne|starte|"
    r"demande|prends|fais|pense|évite|prévois|commence|prépare|chiedi|prendi|fai|pensa|evita|prova|comincia|prepara|pide|toma|haz|piensa|evita|prueba|empieza|prepara)\b",
    _I,
)
COUNTED_FROM = re.compile(
    r"\b(?:from|since|until|till|as of|ab|seit|bis|von|à partir d'|depuis|d'ici|da|a partire da|desde|a partir de)\W{0,3}$",
    _I,
)
TOTAL = re.compile(
    r"\b(?:in all|in total|altogether|total(?:s|ling)?|sum|on average|average|combined|still need|left|remaining|to go|missing|that makes|adds up|insgesamt|zusammen|summe|im schnitt|durchschnitt(?:lich)?|fehlen|übrig|das macht|au total|en tout|en moyenne|moyenne|il manque|manquent|reste|in tutto|in totale|in media|mancano|restano|en total|de media|faltan|quedan|promedio)\b",
    _I,
)
"""What is worked out over several records."""
DEADLINE = frozenset(["due", "deadline", "target", "fallig", "frist", "echeance", "scadenza", "plazo"])
NONE_CELL = re.compile(r"(?:[-–—*_/ ]{0,6}|n/?a|none|keine?|aucun|nessuno|ninguno)", _I)
"""What stands in a cell where nothing is held."""
CONDITION = re.compile(
    r"^\W*(?:if|once|when|whenever|unless|as soon as|provided|falls|wenn|sobald|sofern|si|dès que|quand|lorsque|se|quando|appena|cuando|en cuanto)\b(?! (?:longest|highest))",
    _I,
)
"""A sentence that says what holds under a condition states nothing."""
TO_COME = re.compile(
    r"\b(?:will|would|once|when|until|before|after|to be|can be|could be|should be|ready to|wird|werden|würde|sobald|wenn|bis|soll|kann|sera|serait|dès|quand|pourra|sarà|quando|appena|será|cuando|puede)\b",
    _I,
)
PENDING = frozenset(
    [
        "open",
        "overdue",
        "pending",
        "planned",
        "todo",
        "to do",
        "offen",
        "ouvert",
        "en cours",
        "aperto",
        "abierto",
        "pendiente",
    ]
)
"""Stored states of what is still to be done."""
DONE_WORDS = frozenset(
    plain(w)
    for w in f"{_DID} {_TAT} done delivered booked sent envoyé envoyée créé créée ajouté ajoutée réservé réservée inviato inviata creato creata inserito inserita prenotato enviado enviada creado creada reservado reservada erledigt".replace(
        "|", " "
    ).split()
)
COUNTED_ON = re.compile(r"\s?(?:in|over|dans|tra|fra|dentro de)\b", _I)
STILL = re.compile(
    r"\b(?:still to|still needs?|is open|short of|rest|noch|offen|stehen aus|steht aus|fehlt|restent?|restant|manque|manquent|suspens|encore|resta|restano|manca|mancano|mancante|ancora|pendiente|queda|quedan|falta|faltan|restante|más)\b",
    _I,
)
"""Said of the part that is not yet done."""
MUST_BE = re.compile(
    r"\b(?:should|to|must|will|shall) be\s$|\b(?:va|vanno|da|soll|sollte|muss|doit|devrait|debe|debería)\s(?:être |estar |quedar )?$",
    _I,
)
EMPTY = re.compile(r"\b(?:empty|blank|leer|vide|vuoto|vuota|vacío|vacía|rien|niente|nada|nichts|nothing)\b", _I)
UNTIL = re.compile(r"(?:\b(?:until|till|to|bis|jusqu'a|a|à|fino alle?|hasta(?: las)?|and|und|et|e|y)|[-–—→])\s?$")
"""What leads to the end of a span, before folded text."""
