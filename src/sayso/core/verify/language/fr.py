# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""French turns of phrase."""

from __future__ import annotations

from sayso.core.verify.language.phrases import Phrases

_STORED = r"(?:renseign|indiqu|enregistr|not|connu|mentionn|précis|communiqu|stock|saisi|document|inscri|trouv)\w*"

PHRASES = Phrases(
    gap=rf"non {_STORED}|pas (?:été |encore )?{_STORED}|aucune? [^.;]{{0,40}}\b{_STORED}|aucune? (?:information|donnée|mention|trace|indication)|inconnue?s?|(?:ne|n['’])\s?(?:figure|contien|dispos|apparaît|apparait|mentionn|indiqu|connai|sai|trouv|précis)\w* (?:pas|aucun)|manque(?:nt)?|(?:est|sont|reste) vides?|sans (?:indication|information|mention)|on ne sait pas",
    negation=r"pas|aucun\w*|jamais|rien|sans|ni|personne ne|ne \w+ plus",
    denying="pas aucun aucune jamais rien sans ni personne non inconnu inconnue manque manquent vide vides plus",
    no=r"aucune?s?|rien|pas d(?:e\b|['’])",
    nobody=r"personne|aucune? (?:contact|personne|fiche|entrée|résultat|enregistrement)",
    called=r"nommée?|appelée?|s['’]appelle|du nom d[e'’]|au nom d[e'’]|portant le nom",
    no_such=r"rien trouvé|(?:il n['’]y a|je n['’]ai(?: trouvé)?|vous n['’]avez|tu n['’]as|je ne (?:trouve|vois|connais)) (?:pas(?: d['’e])?|aucune?|personne)",
    records=r"contacts?|personnes?|fiches?|entrées?|enregistrements?",
    about=r"pour|sur|concernant|nommée?|appelée?|du nom de|au nom de|de|d['’]",
    among=r"(?:dans|parmi|chez)\s(?:vos|tes|mes|les|nos)",
    is_not=r"(?:n['’]est|ne figure|n['’]apparaît|n['’]apparait|ne se trouve) pas",
    advice_first=r"conseil|peut-être|suggestion|proposition de texte|je peux|je pourrais|tu peux|vous pouvez|tu pourrais|vous pourriez|puis-je|veux-tu|voulez-vous|souhaite(?:s|z)-(?:tu|vous)|si (?:tu|vous) (?:veux|voulez|souhait)|dis-moi|dites-moi|n['’]hésite|pense[sz]? à|pense|essaie|essayez|je vais|je propose",
    advice=r"pourrais|pourriez|si (?:tu veux|vous voulez|vous le souhaitez|tu le souhaites)|je (?:te|vous) (?:propose|suggère|conseille)|dites-le-moi|dis-le-moi",
    drafting=r"rédig\w*|tradui\w*|résum\w*|reformul\w*|écri(?:s|vez|re)|brouillon|poème|haïku|réponds",
    all=r"toute?s?|tous|les deux|chaque|chacune?",
    left=r"reste(?:nt)?|restante?s?|manque(?:nt)?",
    greeting=r"bonjour|bonsoir|salut|cher|chère|madame|monsieur",
    attributed=r"selon|d['’]après|suivant|dit|affirme|rapporte|indique|signale|écrit|mentionne|annonce",
    respectively=r"respectivement|chacune?",
    pronoun=r"il|elle|ils|elles|son|sa|ses|lui|leurs?",
    goes_on="",
    works=r"travaille(?:nt)? (?:chez|pour|à|au|aux)|représente|employée? (?:chez|par|de)|est (?:en poste )?chez",
    born=r"est née?|naissance le",
    free=r"(?:agenda|calendrier|journée|planning)\b[^.;]{0,20}\best (?:libre|vide)|rien (?:de prévu|au programme|à l['’]agenda)",
    of=r"sur|de|des|parmi",
    yours=r"vos|tes|les|mes|ces",
    stop="le la les un une de et ou est sont avec pour dans sur du des au aux ce cet cette ces que qui votre vos tes mes nous vous je elle ils elles ne pas par mais dont ont avez avons était aussi très chez entre sans sous leur leurs",
    generic="personne contact ami amie collegue membre femme homme bon bonne",
    filler="avez avons aucun aucune rien enregistre enregistree prevu prevue actuellement moment liste dans trouve",
    joining="de du des la le les et sur sous aux au l d",
    titles="monsieur madame mademoiselle m mme mlle maitre me docteur",
)
