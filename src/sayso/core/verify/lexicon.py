# ruff: noqa: E501 (patterns and messages are easier to read on one line)
"""The function words and turns of phrase that rules look for: patterns over the five languages of `language`.

Nothing here belongs to a domain: the words of records and fields are declared by fact kinds.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sayso.core.verify.cues import Worded
from sayso.core.verify.language import listed
from sayso.core.verify.language.de import PHRASES as _GERMAN
from sayso.core.verify.language.en import PHRASES as _ENGLISH
from sayso.core.verify.language.es import PHRASES as _SPANISH
from sayso.core.verify.language.fr import PHRASES as _FRENCH
from sayso.core.verify.language.it import PHRASES as _ITALIAN
from sayso.core.verify.language.phrases import Phrases
from sayso.core.verify.words import fold, plain, stem

_I = re.IGNORECASE
_LANGUAGES = (_ENGLISH, _GERMAN, _FRENCH, _ITALIAN, _SPANISH)


def _of(part: Callable[[Phrases], str]) -> str:
    """The alternatives of every language."""
    return "|".join(part(language) for language in _LANGUAGES)


def _words(part: Callable[[Phrases], str]) -> frozenset[str]:
    """The words of every language, as they are and folded."""
    return frozenset(form for language in _LANGUAGES for word in part(language).split() for form in (word, fold(word)))


def _any(part: Callable[[Phrases], str]) -> Worded:
    return Worded(_of(part))


GAP = re.compile(rf"\b(?:{_of(lambda p: p.gap)})", _I)
NEGATION = re.compile(rf"\b(?:{_of(lambda p: p.negation)})\b|n't\b", _I)
ADVICE = Worded(_of(lambda p: p.advice_first), lead=r"^\W*", also=rf"\b(?:{_of(lambda p: p.advice)})\b")
DRAFTING = _any(lambda p: p.drafting)
ALL = _any(lambda p: p.all)
LATE = frozenset(
    [
        "overdue",
        "late",
        "slipped",
        "belated",
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
DENYING_WORDS = frozenset(plain(w) for p in _LANGUAGES for w in p.denying.split())
DENYING_STARTS = ("kein", "aucun", "ningun", "inconnu", "nessun", "sconosciut", "desconocid", "ignot", "vacio", "vuot")
"""Where none of these is said, nothing is denied, reported as done or told of all: the patterns need not be tried."""
LEFT = _any(lambda p: p.left)
SALUTATION = re.compile(
    rf"^\W*(?:(?:{_of(lambda p: p.greeting)})\b[^.!?\n]{{0,60}}[,:]|(?:subject|betreff|objet|oggetto|asunto)\s?:)", _I
)
STATING = re.compile(r"^(?:is|are|works|working|arbeitet|lives|born|met) \w+$")
IS = re.compile(r"\s?(?:of \w+ )?(?:is|:|ist|lautet|est|è|e|es|sono)\s")
IS_A = re.compile(r"(?:\b(?:is|be|as|ist|als)|['’]s) (?:an?|the|eine?|der|die) ")
IST_NOUN = re.compile(r"\bist (?:dort |da |jetzt |hier )?(?=[A-ZÄÖÜ][a-zäöüß])")
GENERIC = frozenset(plain(w) for p in _LANGUAGES for w in p.generic.split())
APPOSED = re.compile(
    r"\s?[,:]\s(?!(?:and|or|und|oder|et|ou|e|ed|y|o)\s|however|moreover|rather|later|either|together|other|over|after|never|aber|oder|immer|leider)(?P<role>(?:[a-zäöü][\w'’-]*\s){0,3}?[a-zäöü][\w'’-]*(?:er|or|ist|ian|ant|man|woman|ief|ead|ary|eur|euse|rin|ent))(?:,\s|\s(?:at|of|bei|von|am|an)\s)"
)
ATTRIBUTED = _any(lambda p: p.attributed)
ABSENT_ONE = re.compile(
    rf"\b(?:{_of(lambda p: p.nobody)})\b(?:[^.;]{{0,40}}?\b(?:{_of(lambda p: p.called)})| (?:for|für|pour|per|para))(?:\b|(?<=['’]))",
    _I,
)
NOTHING = Worded(rf"(?P<no>{_of(lambda p: p.no)})", end=r"(?:\b|(?<=['’]))")
NOTHING_AT_ALL = frozenset(["nothing", "nichts", "rien", "niente", "nulla", "nada"])
_RECORD = rf"(?:(?:{_of(lambda p: p.records)})\s)?(?:(?:{_of(lambda p: p.about)})\s?)?"
NO_SUCH = Worded(_of(lambda p: p.no_such), end=rf"\s?{_RECORD}[\"'“„«\s]{{0,3}}$")
_AMONG = rf"(?:{_of(lambda p: p.among)})\s\w+"
NOT_LIMITED = re.compile(rf"\W*(?:{_AMONG})?\W*(?:gefunden|finden|trouvée?|trovat[oa]|encontrad[oa])?\W*", _I)
IS_MISSING = re.compile(
    rf"\s(?:{_of(lambda p: p.is_not)})\s{_AMONG}\W*"
    r"|\s(?:was|wurde|n['’]a) (?:not|nicht|pas été) (?:found|gefunden|trouvée?)\W*"
    r"|\s(?:non è stat[oa] trovat[oa]|no se ha encontrado|no fue encontrad[oa])\W*",
    _I,
)
RESPECTIVELY = _any(lambda p: p.respectively)
PRONOUN = _any(lambda p: p.pronoun)
OF_ONE_LANGUAGE = {"son": "fr", "il": "fr", "es": "de"}
"""Pronouns that are other words in other languages: "las dos son", "il sito"."""
WORKS = Worded(_of(lambda p: p.works), end=r"\s+(?:(?:the|der|die|dem|la|le|il|el)\s)?")
AT = re.compile(r"\b(?:at|bei|chez|presso)\s")
BORN = _any(lambda p: p.born)
_NAME = r"[A-ZÄÖÜÉ][\w'’-]+ [A-ZÄÖÜÉ][\w'’-]+"
STRANGER = re.compile(
    rf"^\W*{_NAME} (?:(?:was|is) born|works? (?:at|for)|arbeitet (?:bei|für)|(?:wurde|ist) [^.]{{0,30}}geboren|can be reached)\b"
)
JOINING = _words(lambda p: p.joining) | {"spin"}
"""Small words that stand within the names of places and firms."""
LEGAL = frozenset(
    ["as", "ag", "gmbh", "ltd", "inc", "llc", "sa", "sarl", "co", "kg", "plc", "bv", "ab", "oy", "corp", "limited"]
)
STOP = _words(lambda p: p.stop)
_CLAUSE = (
    "i i've you we there here it this that is are was have has had do does",
    "ich du sie er es wir hier das ist sind war habe hast hat",
    "je tu vous il elle on voici ceci est sont ai as avez c'est j'ai",
    "io tu ecco questo è sono ho hai ha c'è",
    "yo tú esto es son está he has hay aquí",
)
SPEAKING = frozenset(plain(word) for words in _CLAUSE for word in words.split())
"""Words of a clause, which the name of a thing seldom has."""
FREE = _any(lambda p: p.free)
OUT_OF = re.compile(rf"\b(?:{_of(lambda p: p.of)})\s(?:(?:{_of(lambda p: p.yours)})\s)?$", _I)
FILLER = _words(lambda p: p.filler)
TEMPORAL = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "today", "tomorrow", "yesterday", "week", "pm", "am", "utc", "pacific", "i", "i'm", "ok", "okay", "yes", "no", "hello", "hi", "thanks"]) | _words(lambda p: p.titles)  # fmt: skip
IT = re.compile(r"^\W*(?:it|this|that|es|das|il|elle|ce|c'|esto|questo)\b", _I)
YOU = re.compile(r"\b(?:you|me|i|du|dir|dich|ich|mir|mich|ihnen|tu|te|toi|vous|moi|ti|tu|lei|mi|io|tú|usted|le)\b", _I)
BY = (" by", " von", " par", " da", " dal", " dalla", " por")
OVER = frozenset(["done", "cancelled", "canceled", "finished", "completed", "declined"])
"""Stored states of what is over: it is never the next one."""
DEFINITE = frozenset(["the", "that", "this", "der", "die", "das", "le", "la", "les", "il", "lo", "el", "los", "las"])
ARTICLES = DEFINITE | frozenset(["his", "her", "their", "its", "sein", "seine", "ihr", "ihre"])
"""What a noun phrase about something known begins with, folded."""
GOES_ON = _words(lambda p: p.goes_on)
"""Verbs that open a sentence whose subject was told before, in languages that leave it out."""
PERSONAL = re.compile(r"\b(?:he|she|him|her|his|hers|er|ihr|ihm|ihn|elle|lui|lei|él|ella)\b", _I)
NOW = frozenset(["today", "heute", "aujourd'hui", "oggi", "hoy"])
"""The day of the clock: by itself it states nothing ("37 days from today", "set it aside today")."""
TELLING = Worded(
    r"says?|said|reads?|states?|writes?|wrote|noted?|logs?|quotes?|words?|steht|stand|heisst|heißt|lautet|schreibt|schrieb|notiert|notiz|eintrag|zitat|dit|écrit|note|noté|dice|scrive|scritto|nota|escribe|escrito"
)
"""What leads in a quotation of somebody's words, rather than a title or a wording that is only suggested."""
IMPERATIVE = Worded(
    r"(?:please |then |so |and |just |bitte |dann |also )?(?:leave|ask|set|take|make|bring|check|call|treat|go|start|don't|do not|remember|use|put|add|plan|aim|block|send|write|book|get|give|be|have|stay|enjoy|wait|"
    r"review|focus|pick|choose|talk|see|look|avoid|drink|eat|spend|stop|split|break|begin|prepare|practi[sc]e|schedule|note that|"
    r"sight|order|pay|pack|double-check|confirm|connect|approve|chase|follow|join|let|mind|move|offer|pace|phone|ring|read|reply|ride|run|save|share|sit|skip|sleep|speak|stick|stretch|study|"
    r"switch|tell|thank|train|turn|update|visit|walk|warm|watch|wear|celebrate|allow|breathe|cut|drop|expect|fill|find|hold|limit|press|print|rehearse|repeat|rinse|serve|"
    r"store|swap|tidy|wash|water|weigh|wrap|listen|settle|reserve|decide|"
    r"frag|nimm|mach|plane|lass|bring|achte|denk|geh|fang|schreib|ruf|leg|stell|trink|iss|reserviere|prüfe|vermeide|beginne|starte|"
    r"demande|prends|fais|pense|évite|prévois|commence|prépare|chiedi|prendi|fai|pensa|evita|prova|comincia|prepara|pide|toma|haz|piensa|evita|prueba|empieza|prepara)",
    lead=r"^\W*",
)
TELLS_ALL_THE_SAME = re.compile(r"^\W*(?:note|remember|see|look|have|be|get|denk|achte|pense|pensa|piensa)\b", _I)
"""Imperatives after which something is stated ("Note that ...")."""
NOT_THIS = re.compile(
    r"\b(?:not|instead of|rather than|nicht(?: am| um)?|statt|anstatt|pas(?: le)?|au lieu du?|non(?: il)?|invece di|anziche|no(?: el)?|en vez de|en lugar de)\W{1,2}(?:on |at |am |um |le |il |el |a |las )?$"
)
"""Right before what a record denies, folded."""
INSTEAD = re.compile(
    r"\b(?:instead|rather|originally|previously|before|was|were|used to|moved|from|statt|anstatt|ursprunglich|vorher|war|von|au lieu|plutot|avant|etait|invece|anziche|prima|era|en vez|en lugar|antes)\b"
)
"""Words with which what was before is told as such."""
MOVED_FROM = re.compile(
    r"\b(?:mov|chang|shift|postpon|resched|push|brought|verschob|verleg|gewechselt|reporte|decale|deplace|spostat|rinviat|anticipat|movid|cambi|aplazad|trasladad)\w*\b[^.;]{0,40}\b(?:from|von|vom|du|de|dal|da|del|desde)\W(?:the |el |le )?$"
)
MOVED_TO = re.compile(r"\W{0,2}(?:to|auf|zum|au|a|al)\b")
CANCELLED = frozenset(
    ["cancelled", "canceled", "called off", "abgesagt", "annule", "annulee", "annullato", "cancelado"]
)
"""Stored states of what does not take place."""
CALLED_OFF = re.compile(
    r"\b(?:cancel\w*|called off|off|would have|was|were|no longer|abgesagt|entfallt|fallt aus|ware|war|annul\w+|aurait|etait|sarebbe|era|cancelad\w|anulad\w|habria|suspendid\w)\b"
)
COUNTED_FROM = re.compile(
    r"\b(?:from|since|until|till|as of|ab|seit|bis|von|à partir d'|compt\w{1,4} d'|depuis|d'ici|da|a partire da|desde|a partir de)\W{0,3}$",
    _I,
)
TOTAL = Worded(
    r"in all|in total|altogether|total(?:s|ling)?|sum|on average|average|combined|still need|left|remaining|to go|missing|that makes|adds up|insgesamt|zusammen|summe|im schnitt|durchschnitt(?:lich)?|fehlen|übrig|das macht|au total|en tout|en moyenne|moyenne|la media|il manque|manquent|reste|in tutto|in totale|in media|mancano|restano|en total|de media|faltan|quedan|promedio"
)
"""What is worked out over several records."""
AVERAGE = re.compile(
    r"\b(?:on average|average|mean|im schnitt|schnitt|durchschnitt(?:lich)?|en moyenne|moyenne|in media|la media|de media|promedio)\b",
    _I,
)
DEADLINE = frozenset(["due", "deadline", "target", "fallig", "frist", "echeance", "scadenza", "plazo"])
BY_WHEN = re.compile(
    r"\b(?:by|bis(?: zum)?|entro(?: il)?|d'ici(?: le| au)?|avant le|pour le|antes del|hasta(?: el)?|para el)\s(?!today|heute|now|jetzt|hoy|oggi|ahora)"
)
"""Before the day by which something is due, folded."""
NONE_CELL = re.compile(r"(?:[-–—*_/ ]{0,6}|n/?a|none|keine?|aucun|nessuno|ninguno)", _I)
"""What stands in a cell where nothing is held."""
_IF = r"if|once|when|whenever|unless|as soon as|provided|falls|wenn|sobald|sofern|si|dès que|quand|lorsque|se|quando|appena|cuando|en cuanto"
CONDITION = Worded(_IF, lead=r"^\W*", end=r"\b(?! (?:longest|highest))")
"""A sentence that says what holds under a condition states nothing."""
IF = Worded(_IF, lead=r"[,;:–(]\s?")
"""Within a sentence, where a condition begins: "three nights: if you count four days, it is 16"."""
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
COUNTED_ON = re.compile(r"\s?(?:in|over|dans|tra|fra|dentro de)\b", _I)
STILL = re.compile(
    r"\b(?:still (?:to|open)|lacks?|lacking|por hacer|da fare|residu[oi]|residual|aún|todavía|still needs?|is open|short of|rest|noch|offen|stehen aus|steht aus|fehlt|reste|restent|restant|manque|manquent|suspens|encore|resta|restano|manca|mancano|mancante|ancora|pendiente|queda|quedan|falta|faltan|restante|más|abierto|à faire|aussteht|ausstehen|hundert|cent|cento|cien|hundred)\b",
    _I,
)
"""Said of the part that is not yet done."""
MUST_BE = re.compile(
    r"\b(?:(?:should|to|must|will|shall) be|to have(?: been)?)\s$"
    r"|\b(?:va|vanno|da|debba|deve|dovrebbe|soll|sollte|muss|doit|devrait|debe|deba|debería)\s(?:essere |être |estar |quedar )?$",
    _I,
)
EMPTY = Worded(r"empty|blank|leer|vide|vuoto|vuota|vacío|vacía|rien|niente|nada|nichts|nothing")
TO_YOU = re.compile(r"\b(?:dir|euch|ihnen|te|ti|t'|vous l'|vous a\b|vous(?= ?$)|le ha)\W?(?:\w{1,6}\W){0,3}$")
YOU_DO = re.compile(r"\b(?:du|ihr|tu|tú|vous (?:l'|lui )?(?:avez|devez|aviez)|you)\b")
"""The user as the one to whom something is done, and as the one who does it, in folded text."""
WHOLE_FIRST = re.compile(
    r"\b(?:under|beneath|within|unter|hangt an|an|sous|sotto|bajo|dentro de|subgoals? of|teilziel von|for|fur)\W{0,4}$"
)
SUB = ("sub", "teil", "untergeordnet", "sous-", "sotto-")
"""How words begin, folded, that name the part of a whole: "subgoal"."""
HOLDING = re.compile(
    r"\b(?:contains?|includes?|umfasst|enthalt|beinhaltet|contient|comprend|contiene|comprende|include|incluye)\b"
)
"""Between two names: the first one is the whole."""
CONTAINS = re.compile(
    r"\b(?:contains?|includes?|has|umfasst|enthalt|comprend|contiene|comprende|incluye|with the subgoals?|is the parent of)\b"
)
LEFT_OF = re.compile(
    r"\b(?:left|remain(?:s|ing)?|to go|still to do|offen|verbleib\w*|aussteh\w*|stehen aus|steht aus|ubrig|fehlen|reste|restent|restant|manque|manquent|resta|restano|manca|mancano|mancante|queda|quedan|falta|faltan|restante|pendiente)\b"
)
DONE_SO_FAR = re.compile(
    r"\b(?:done|complete[d]?|finished|progress|reached|fertig|erledigt|erreicht|fortschritt|geschafft|fait|avancement|progression|atteint|fatto|completato|progresso|avanzamento|hecho|completado|avance)\b"
)
"""Of a share: what is left of it, and what is done, in folded text."""
CITING = re.compile(
    r"(?:\bcito\b|\bcita\b|\bcitando\b|je cite|\bzitiere\b|\bquote\b|wörtlich|textuellement|testualmente|textualmente)",
    _I,
)
PRESENTING = re.compile(
    r"^\W*(?:here(?:'s| is| are| you)|(?:this|that) is what|hier (?:ist|sind|hast)|das (?:ist|habe ich)|voici|voilà|ecco|questo è|esto es|aquí (?:está|están|tienes|va))\b",
    _I,
)
"""How something is shown, without saying more of it than that it is there."""
RECORDING = frozenset(
    map(
        stem,
        listed(
            "entry entries record item called named listed noted marked eintrag datensatz genannt vermerkt notiert geführt",
            "entrée fiche enregistrement appelé nommé noté voce scheda registrazione chiamato annotato segnato",
            "entrada ficha registro llamado anotado",
        ),
    )
)
"""Stems of what is said of any record: that it is one."""
LOOKED = re.compile(
    r"^\W*(?:I|ich|j['’]ai|je|ho|he)\b[^.]{0,90}\b(?:looked|checked|searched|found|went|reviewed|angeschaut|angesehen|überprüft|vérifié|verificato|esaminato|revisado|verificado|geschaut|nachgesehen|nachgeschlagen|nachgerechnet|geprüft|gesucht|gefunden|"
    r"regardé|cherché|trouvé|consulté|calculé|guardato|cercato|trovato|controllato|calcolato|mirado|buscado|encontrado|consultado|calculado)\b"
    r"|\b(?:did the maths?|worked it out|fait le calcul|fatto il conto|(?:hecho|echado) la cuenta|hecho el cálculo)\b"
    r"|^\W*(?:you ask|you asked|du fragst|sie fragen|tu demandes|vous demandez|chiedi|mi chiedi|preguntas)\b"
    r"|\b(?:deiner liste|deiner kartei|ta liste|votre liste|tes fiches|tua lista|tua rubrica|tu lista|tu agenda|your list|address book)\b",
    _I,
)
"""What we did to find out: no claim about a record."""
