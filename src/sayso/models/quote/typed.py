"""How people type, and what they mean: short forms and turns of phrase, put as a plain question."""

from __future__ import annotations

import re
import unicodedata

MAX_QUESTION = 2_000  # characters; the rest of a pasted text says nothing about what is asked

# A request for a brief asks for what is due.
_TYPED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(shape, re.IGNORECASE), plain)
    for shape, plain in (
        (r"^(\W*)what['’]?s\b", r"\1what is"),
        (r"^(\W*)who['’]?s\b(?! )", r"\1who is"),
        (r"^(\W*)whos\b", r"\1who is"),
        (r"^(\W*)whens\b", r"\1when is"),
        (r"^(\W*)wheres\b", r"\1where is"),
        (r"^(\W*)hows\b", r"\1how is"),
        (r"\bwas gibt['’]?s\b", "was gibt es"),
        (r"\btel\b\.?", "telefon"),
        (r"\bkontaktdaten\b", "kontakt"),
        (r"\bget (?:a )?hold of\b|\bget in touch with\b", "reach"),
        (r"^(\W*)where does (.{2,40}?) work\b", r"\1where does \2 work at"),
        (r"^(\W*)wo arbeitet\b", r"\1arbeitet bei"),
        (r"\bwhat does (.{2,40}?) do (?:for (?:a living|work)|professionally)\b", r"\1 works as"),
        (r"\bwas (?:macht|arbeitet|ist) (.{2,40}?) (?:beruflich|von beruf)\b", r"\1 arbeitet als"),
        (r"\bb-?day\b", "birthday"),
        (r"^(\W*)how old (?:is|are)\b", r"\1when is the birthday of"),
        (r"^(\W*)wie alt (?:ist|sind|wird)\b", r"\1wann ist der Geburtstag von"),
        (r"\b(?:what|anything) (?:do i|must i|should i|i) (?:still )?(?:have to|need to)? ?do for\b", "what do I owe"),
        (r"\b(?:what|anything) did i promise\b(?: to)?", "what do I owe"),
        (r"\bwas muss ich (?:noch )?f(?:ü|ue)r (.{2,40}?) (?:noch )?(?:tun|machen|erledigen)\b", r"was schulde ich \1"),
        (
            r"^(\W*)who(?:['’]?s| is| are| all is) (?:all )?"
            r"(?:(?:coming|invited|attending|expected)(?: to| at| for)?|"
            r"going to(?= (?:the|our|my|a|dinner|lunch)\b))\b",
            r"\1attendees of",
        ),
        (
            r"^(\W*)wer (?:kommt|geht|ist(?=.* (?:dabei|eingeladen)\W*$))(?: alles)? "
            r"(?:zu[mr]?|ans?|beim?|in die) (.{2,60}?)(?: dabei| eingeladen)?(\W*)$",
            r"\1Teilnehmer von \2\3",
        ),
        (
            r"^(\W*)(?:who|whom) (?:have ?n['’]?t|have) i (?:not )?"
            r"(?:talked|spoken|written|met|seen|called|heard)\b.*$",
            r"\1who is last interaction",
        ),
        (
            r"^(\W*)(?:wen|mit wem|von wem) habe? ich (?:schon )?(?:so )?"
            r"(?:lange|am längsten|ewig|länger) (?:nicht|nichts).*$",
            r"\1wen ist last interaction",
        ),
        (
            r"^(\W*)(list|show|show me|liste|zeig|zeige) (?:everyone|everybody|them all|alle|jeden)(\W*)$",
            r"\1\2 people\3",
        ),
        (r"\bwas habe ich (.{2,40}?) versprochen\b", r"was schulde ich \1"),
    )
)
_BRIEF = re.compile(r"^\W*(?:(?P<en>plan my day|brief me)|plane? (?:mir )?(?:mein\w*|den) tag)\W*$", re.IGNORECASE)


def plainly(text: str) -> str:
    """The question without the short forms in which people type."""
    text = unicodedata.normalize("NFC", text[:MAX_QUESTION])
    text = _BRIEF.sub(lambda m: "what is due today" if m["en"] else "was ist heute fällig", text)
    for shape, plain in _TYPED:
        text = shape.sub(plain, text)
    return text
