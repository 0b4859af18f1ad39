# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""Spanish turns of phrase."""

from __future__ import annotations

from sayso.core.verify.language.phrases import Phrases

_STORED = (
    r"(?:registrad|indicad|especificad|anotad|guardad|mencionad|documentad|encontrad|disponible|conocid|apuntad)\w*"
)

PHRASES = Phrases(
    gap=rf"no (?:\w+ ){{0,3}}{_STORED}|no (?:consta|constan|figura|figuran|aparece|aparecen|hay|tengo|sé|conozco|encuentro|veo)|sin (?:registrar|datos|especificar|indicar|información|anotar)|ning[uú]n\w* [^.;]{{0,40}}\b{_STORED}|ning[uú]na? (?:información|dato|indicación)|desconocid\w*|se desconoce|falta(?:n)?|(?:está|queda) vací\w*",
    negation=r"no|sin|ning[uú]n\w*|nada|nadie|nunca|jamás|tampoco|ni",
    denying="no sin ningun ninguno ninguna nada nadie nunca jamás tampoco ni consta desconocido desconocida desconoce falta faltan vacío vacía",
    no=r"ning[uú]n[oa]?\b|nada|no (?:hay|tienes|tiene|tengo|veo|encuentro|existen?|constan?)",
    nobody=r"nadie|ning[uú]n[oa]? (?:contacto|persona|registro|ficha|resultado|entrada)",
    called=r"llamad[oa]|se llam[ae]|de nombre|con el nombre|con ese nombre",
    no_such=r"(?:encuentro|encontré|encontrado) nada|no (?:hay|tengo|tienes|encuentro|encontré|veo|existe|he encontrado)(?: (?:ning[uú]n\w*|a))?",
    records=r"contactos?|personas?|registros?|fichas?|entradas?",
    about=r"para|sobre|llamad[oa]|de nombre|a nombre de|de",
    among=r"(?:en|entre)\s(?:tus|mis|sus|los|nuestros)",
    is_not=r"no (?:está|figura|aparece|consta|se encuentra)",
    advice_first=r"consejo|sugerencia|quizás?|tal vez|puedo|podría|podrías|puedes|puede|quieres|quiere|deseas|si (?:quieres|quiere|prefieres|lo deseas)|dime|dígame|avísame|prueba|te sugiero|te propongo|propuesta de texto|si te",
    advice=r"podrías|si (?:quieres|quiere|prefieres|lo deseas)|te (?:propongo|sugiero|aconsejo)|házmelo saber",
    drafting=r"escrib\w*|redact\w*|borrador|traduc\w*|resum\w*|reformul\w*|poema|responde",
    all=r"tod[oa]s|amb[oa]s|cada|los dos|las dos",
    left=r"queda(?:n)?|falta(?:n)?|restantes?",
    greeting=r"hola|querid[oa]|estimad[oa]|buenos días|buenas tardes",
    attributed=r"según|dice|afirma|informa|indica|escribe|señala|menciona|de acuerdo con",
    respectively=r"respectivamente|cada un[oa]",
    pronoun=r"su|sus|ella|él|ellos|ellas",
    goes_on="dura duran cumple trabaja vive quiere queria prefiere pide pedia pidio paga ensena estudia empieza comienza termina acaba vence cuesta dirige representa llega sale tiene",
    works=r"trabaja(?:n)? (?:en|para)|empleado (?:en|de)|empleada (?:en|de)",
    born=r"nació|nacid[oa]",
    free=r"(?:agenda|calendario|día)\b[^.;]{0,20}\bestá (?:libre|vací[oa])|nada (?:programado|previsto|planeado|en la agenda)",
    of=r"de|sobre|entre",
    yours=r"tus|los|las|mis|sus|estos|estas",
    stop="el los las con por en su y es son está están del al que se tus sus este esta estos estas pero más muy han hay tiene tienes fue sin sobre también desde hasta según",
    generic="persona contacto amigo amiga colega miembro mujer hombre bueno buena",
    filler="hay tienes tiene ningun ninguna nada registrado registrada previsto programado actualmente momento lista encontrado",
    joining="de del la las los el y e al",
    titles="señor señora señorita sr sra srta don doña lic",
)
