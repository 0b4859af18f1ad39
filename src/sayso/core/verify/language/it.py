# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""Italian turns of phrase."""

from __future__ import annotations

from sayso.core.verify.language.phrases import Phrases

_STORED = r"(?:registrat|indicat|specificat|annotat|riportat|salvat|inserit|menzionat|memorizzat|documentat|trovat|disponibil|not)\w*"

PHRASES = Phrases(
    gap=rf"non (?:\w+ ){{0,3}}{_STORED}|non (?:risulta|risultano|figura|figurano|compare|c['’]è|ci sono|so\b|conosco|trovo|vedo)|nessun\w* [^.;]{{0,40}}\b{_STORED}|nessun['’ao]? ?(?:informazione|dato|indicazione|traccia)|sconosciut\w*|manca(?:no)?|(?:è|sono|resta) vuot\w*|senza (?:indicazione|informazioni)|ignot\w*",
    negation=r"non|nessun\w*|niente|nulla|senza",
    denying="non nessun nessuno nessuna niente nulla senza né sconosciuto sconosciuta manca mancano vuoto vuota ignoto ignota",
    no=r"nessun[oa]?\b|niente|nulla|non (?:ci sono|c['’]è|hai|ha|ho|risultano|risulta|esistono|esiste|vedo|trovo)",
    nobody=r"nessun[oa]?(?: (?:contatto|persona|scheda|voce|risultato))?",
    called=r"di nome|chiamat[oa]|si chiam[ai]|a nome|con il nome|con questo nome",
    no_such=r"(?:trovo|trovato) (?:nulla|niente)|non (?:c['’]è|ci sono|ho(?: trovato)?|hai|trovo|vedo|esiste)(?: (?:alcun\w*|nessun\w*))?|nessun\w*",
    records=r"contatt[oi]|person[ae]|sched[ae]|voc[ei]|registrazion[ei]",
    about=r"per|su|di nome|chiamat[oa]|a nome di|di",
    among=r"(?:nei|tra i|fra i|nelle|tra le)\s(?:tuoi|miei|suoi|nostri|tue)",
    is_not=r"non (?:è|figura|compare|risulta|si trova)",
    advice_first=r"consiglio|suggerimento|forse|magari|posso|potrei|puoi|può|potresti|potrebbe|vuoi|vuole|desideri|se (?:vuoi|vuole|ti serve|preferisci)|dimmi|mi dica|fammi sapere|prova|ti consiglio|proposta di testo|ti va",
    advice=r"potresti|potrebbe|se (?:vuoi|vuole|preferisci)|ti (?:propongo|suggerisco|consiglio)|fammi sapere",
    drafting=r"scriv\w*|redig\w*|bozza|traduc\w*|riassum\w*|riformul\w*|poesia|rispondi",
    all=r"tutt[ie]|entramb[ie]|ogni|ciascun\w*",
    left=r"rimane|rimangono|resta(?:no)?|manca(?:no)?|rimanent\w*",
    greeting=r"ciao|buongiorno|buonasera|salve|gentile|car[oa]|egregi[oa]|spettabile",
    attributed=r"secondo|stando a|dice|riferisce|riporta|scrive|segnala|afferma|sostiene|indica",
    respectively=r"rispettivamente|ciascun\w*",
    pronoun=r"lui|lei|loro|egli|ella|suo|sua|suoi|sue",
    goes_on="dura durano compie lavora vive vuole voleva preferisce chiede chiedeva paga insegna abita studia inizia comincia termina finisce scade costa guida gestisce dirige rappresenta arriva parte",
    works=r"lavora(?:no)? (?:presso|per|da|alla|al|in)|impiegat[oa] (?:presso|da|di)|è (?:attiv[oa] )?presso",
    born=r"è nat[oa]|nascita il",
    free=r"(?:agenda|calendario|giornata)\b[^.;]{0,20}\bè (?:liber[oa]|vuot[oa])|niente in (?:programma|agenda)|nulla in (?:programma|agenda)",
    of=r"su|di|dei|delle|degli|tra",
    yours=r"tuoi|tue|i|le|gli|miei|mie|suoi|sue",
    stop="il gli di dei degli delle del della dello dal dalla nel nella nelle sul sulla che per con tra fra sono hai hanno era erano suo sua suoi sue tuo tua tuoi tue questo questa questi queste anche più non è ed un uno una presso alle agli",
    generic="persona contatto amico amica collega membro donna uomo buono buona",
    filler="hai ha sono nessun nessuna nessuno niente nulla registrato registrata previsto prevista programmato attualmente momento elenco trovato",
    joining="di del della dello dei degli delle da la le il e lo al alla",
    titles="signor signora signorina sig sigra dott dottssa dottor dottoressa ing avv arch",
)
