"""Word lists, folded: words that carry no meaning in a query, names that are ordinary words too, and
nouns of work that English and German notes write differently."""

from __future__ import annotations

_STOP = """a about above after again all am an and any are as at be been before being but by can could did do does
    doing done down during each for from further get give had has have having he her here hers him his how i if in
    into is it its just know let list look lookup me more most my need no nor not now of off on once only or other
    our out over own please remind said say same search see should show so some such tell than that the their them
    then there these they thing this those through to too under until up us very was we were what whats when where
    which while who whom whose whos why will with would yes you your find
    aber als am an auch auf aus bei bin bis bist da damit dann das dass dein deine dem den denn der des dich die dies
    diese diesem diesen dieser dir doch du durch ein eine einem einen einer eines er es etwas euch euer fur gegen
    gibt hab habe haben hat hatte hier ich ihm ihn ihr ihre im in ist ja jede jeder kann kannst kein keine konnen
    man mehr mein meine mich mir mit muss nach nicht noch nun nur ob oder ohne schon sehr sein seine sich sie sind so
    soll uber um und uns unser unsere unter vom von vor war waren warum was weil welche welcher wem wen wenn wer
    wessen wie wieder wir wird wo woher wurde zeig zeige zu zum zur zwischen haben sagen sag bitte finde suche
    """

_COMMON = """
    abend aber april art august bach bank bar baum bear bell berg best bill bird black blue bond book brook brown
    bush case cash chance chase clay cook crystal day dale dawn drew duke earl east eve faith field fish forest ford
    fox frank fuchs gene glen gold golden good grace grant gray green grey guy gross hall hand hart heather herbst hill
    hope holiday holly iris jahr joy judge july june jung juli juni junge kaiser king klein koch kurz lance lane lang
    lily long love luck mai major march mark marks may miles mill monday montag moon morgen neu noble north olive page
    pat park parks pearl peace penny piper pool poppy price prince prior rain ray reich rich richter ritter rob robin
    rock rose rosen rot ruby rush sage sand sandy sauer schwarz short skip sky smart snow sommer sonntag spring star
    stein stern stone storm strong sue summer sun sunny swan swift tiger trinity turner victory violet vogel wade wall
    ward waters weiss wells west white will winter wise wolf wood woods young zimmer
    call email mail meet meeting message note task project goal habit draft write plan phone week month year time
    """

STOP_WORDS = frozenset(_STOP.split())
COMMON_WORDS = frozenset(_COMMON.split())

_SAME = """
    database datenbank; lease mietvertrag; rent miete; landlord vermieter; contract vertrag; price preis;
    prices preise; cost kosten; licence license lizenz; invoice rechnung; salary lohn gehalt; deposit kaution;
    meeting sitzung besprechung treffen; workshop werkstatt kurs; backup backups sicherung datensicherung;
    search suche; hiring einstellung anstellung; office buro; holiday holidays ferien urlaub; expenses spesen;
    kitchen kuche; garden garten; travel reise; flight flug; doctor arzt; school schule; house haus;
    key schlussel; keys schlussel; lift elevator aufzug; hours arbeitszeit arbeitszeiten; board vorstand;
    customer customers kunde kunden; launch start; translation ubersetzung; security sicherheit;
    privacy datenschutz; insurance versicherung; tax taxes steuer steuern; server servers; roof dach;
    terrace terrasse; larch larche; wood holz; language sprache; goal ziel; budget budget; agreement vereinbarung
"""


def _sets(text: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in text.replace("\n", " ").split(";"):
        words = tuple(dict.fromkeys(line.split()))
        for word in words:
            found[word] = tuple(dict.fromkeys((*found.get(word, ()), *(w for w in words if w != word))))
    return found


OTHER_WORDS = _sets(_SAME)
"""A folded noun to those that mean the same in notes, in either language."""
