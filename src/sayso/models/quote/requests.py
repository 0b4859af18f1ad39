"""Plain requests for a change, read into the arguments of a propose tool.

It knows the shapes of requests in English and German; which parameters exist, the tool's schema says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from sayso.core.tools import Tool, ToolKind
from sayso.models.quote.letters import as_recorded, own_words, plain_letter, subject_of
from sayso.models.quote.moments import find_moment


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: a type of change, and what was said about it."""

    type: str
    person: str | None = None
    about: str | None = None
    text: str | None = None
    when: str = ""
    habit: str | None = None
    prep: str = "about"
    german: bool = False
    clause: bool = False  # the text is a clause after "dass"
    asks: bool = False  # the text is a question
    tentative: bool = False  # it may be meant otherwise where the tool finds nothing by it
    target: str | None = None  # by what the tool tells a namesake; else the person's name

    @property
    def of_pronoun(self) -> str | None:
        """The word for somebody who was spoken of before: "remind me to call him"."""
        found = _SPOKEN_OF.search(self.about or "") if self.type in {"commitment", "event"} else None
        return found.group() if found else None

    @property
    def to_pronoun(self) -> bool:
        """Whether it is for somebody who was spoken of before: "write to him"."""
        return self.person is not None and self.person.lower() in _PRONOUNS


TYPES = ("message", "email", "event", "commitment", "follow_up", "note", "check_in")

_MESSAGE = (
    r"(?:an? |eine[nr]? |ein )?(?:short |quick |kurze |kleine )?"
    r"(?P<what>message|e-?mail|mail|text|note|letter|nachricht|notiz|brief)"
)
_ABOUT = (
    r"(?:[,:]?\s*(?:(?P<that>that|saying|dass|:)|(?P<prep>about|regarding|concerning|re|because of|on|wegen|über|ueber|"
    r"bezüglich|betreffend|zu[mr]?|zum thema))\s+(?P<about>.+))?$"
)
_STOP = r"(?!about\b|regarding\b|concerning\b|that\b|saying\b|wegen\b|über\b|dass\b|to\b|an?\b|eine?n?\b)"
_PERSON = rf"(?P<person>[^\s,:]+(?:\s+{_STOP}[^\s,:]+){{0,3}}?)"
_NAME = r"(?P<person>[^\s,:]+(?:\s+(?-i:[A-ZÄÖÜÉ])[^\s,:]*)*)"

_SPOKEN_OF = re.compile(r"\b(?:him|her|ihn|ihm)\b(?! \w+(?:s|ing)\b)", re.IGNORECASE)
_PRONOUNS = frozenset({"him", "her", "them", "ihm", "ihr", "ihnen"})
_OPENS = (
    r"(?:i|i['’]?m|i['’]?ll|i['’]?ve|i['’]?d|we|we['’]?re|we['’]?ll|we['’]?ve|you|your|you['’]?re|can|could|would|will|"
    r"are|is|do|does|did|have|has|please|my|our|it|it['’]?s|sorry|thanks?|happy|let['’]?s|don['’]?t|see|there|this|"
    r"when|where|what|how|why|yes|no|ok|hi|hello|congratulations|good)"
)
_OPENS_DE = (
    r"(?:ich|wir|du|bitte|kannst|könntest|könnt|bist|hast|habt|ist|kommst|willst|magst|es|danke|heute|morgen|bis|wann|"
    r"wo|wie|was|warum|alles|sorry|treffen)"
)
_STOP_HERE = (
    r"(?!about\b|regarding\b|concerning\b|that\b|saying\b|wegen\b|über\b|dass\b|to\b|ob\b|if\b|whether\b|asking\b)"
)


def _somebody_before(opens: str) -> str:
    """One to three words that are a name, up to one with which a sentence opens."""
    word = rf"(?!{opens}\b)[^\s,:]+"
    return rf"(?P<person>{word}(?:\s+{_STOP_HERE}{word}){{0,2}}?)[,:]?\s+(?P<said>{opens}\b.+)$"


_ASKS = re.compile(
    r"^(?:are|is|am|can|could|will|would|shall|should|may|do|does|did|have|has|what|when|where|who|how|why|which|"
    r"bist|ist|sind|seid|kannst|könntest|könnt|kann|können|willst|wollt|wollen|magst|möchtest|darf|soll|sollen|hast|"
    r"habt|haben|kommst|kommt|gehst|geht|passt|wann|wo|wie|was|wer|warum|welche\w*|wohin|woher)\b",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^\W*(?:(?:please|bitte|can you|could you|would you|kannst du|könntest du|i(?:'d| would) like (?:you )?to|"
    r"hey|hi|hello|hallo|ok|sayso)\b[ ,]*)+",
    re.IGNORECASE,
)
# "Plan my day" asks for a brief; it is no event.
_NO_PERIOD = (
    r"(?!(?:(?:my|the|mein\w*|den|die) )?(?:day|week|morning|afternoon|today|tomorrow|tag|woche|heute|morgen)\W*$)"
)
_SHAPES: tuple[tuple[str, str], ...] = (
    ("commitment", r"remind me (?:to |about |of |that )?(?P<rest>.+)$"),
    ("commitment", r"set (?:me )?(?:a |an )?(?:new )?(?:reminder|alarm|to-?do|task) (?:to |for |about )?(?P<rest>.+)$"),
    ("commitment", r"(?:erinnere?|erinner) mich,? (?P<rest>.+)$"),
    (
        "commitment",
        r"(?:add|create|make) (?:a |an )?(?:new )?(?:task|to-?do|commitment|reminder)(?: to| for)?:? (?P<rest>.+)$",
    ),
    ("commitment", r"(?:neue aufgabe|aufgabe):? (?P<rest>.+)$"),
    ("commitment", rf"i (?:have )?promised {_PERSON} (?:to |that )(?P<rest>.+)$"),
    ("commitment", rf"ich habe {_PERSON} versprochen,? (?P<rest>.+)$"),
    ("follow_up", rf"(?:a )?follow[- ]?up with {_NAME}(?: (?P<rest>.+))?$"),
    ("follow_up", rf"(?:fass|fasse|hak|hake) (?:bei )?{_PERSON} nach(?: (?P<rest>.+))?$"),
    ("message", rf"(?:draft|write|send|compose|prepare) {_MESSAGE} (?:to|for) {_PERSON}{_ABOUT}"),
    ("message", rf"(?:draft|write|send|compose) {_PERSON} {_MESSAGE}{_ABOUT}"),
    ("message", rf"(?P<what>message|e-?mail|text|tell) {_somebody_before(_OPENS)}"),
    ("message", rf"tell {_PERSON} (?P<prep>about) (?P<about>.+)$"),
    ("message", rf"let {_PERSON} know(?:,|:| that)? (?P<said>.+)$"),
    (
        "message",
        rf"(?:sage?|schreibe?|schicke?|texte?)(?: bitte)?(?: dem| der)? (?!mir\b|mal\b){_somebody_before(_OPENS_DE)}",
    ),
    (
        "message",
        rf"(?:sage?|richte?|texte?)(?: bitte)?(?: dem| der)? {_PERSON},?(?: aus,?)? (?P<that>dass) (?P<about>.+)$",
    ),
    ("message", rf"{_PERSON} (?:sagen|schreiben|ausrichten|mitteilen),? (?P<that>dass) (?P<about>.+)$"),
    ("message", rf"(?P<what>message|e-?mail|text) {_PERSON}{_ABOUT}"),
    ("message", rf"(?:write|reply) to {_PERSON}{_ABOUT}"),
    ("message", rf"(?:tell|let) {_PERSON} (?:know )?(?P<that>that) (?P<about>.+)$"),
    ("message", rf"(?:entwirf|verfasse|schreibe?|schicke?|sende?)(?: mir)? {_MESSAGE} (?:an|für) {_PERSON}{_ABOUT}"),
    ("message", rf"(?:schreibe?|schicke?|sende?) (?:an )?{_PERSON}(?: {_MESSAGE})?{_ABOUT}"),
    ("check_in", r"(?:check|log|tick)(?:[- ]?in| off)(?: (?:for|on|to))?:? (?:my |the )?(?P<habit>.+)$"),
    ("check_in", r"(?:check|tick) (?:my |the )?(?P<habit>.+?) (?:in|off)$"),
    ("check_in", r"(?:log|record) (?:my |the )?(?P<habit>.+)$"),
    ("done", r"(?:mark|set|tick) (?:my |the )?(?P<habit>.+?) (?:as |off as )?(?:done|complete|completed)(?: today)?$"),
    ("done", r"(?:markiere?|setze?) (?:mein[e]?[ns]? |das |die |den )?(?P<habit>.+?) (?:als|auf) (?:erledigt|fertig)$"),
    ("check_in", r"(?:hake?|checke?) (?:mein[e]?[ns]? |das |die |den )?(?P<habit>.+?) (?:ab|ein)$"),
    ("check_in", r"trage? (?:mein[e]?[ns]? |das |die |den )?(?P<habit>.+?) als erledigt ein$"),
    ("note", r"(?:make |take |add |write |save )?(?:a )?note(?: down)?(?: that|:| to self:?| saying)\s*(?P<rest>.+)$"),
    ("note", r"note (?:that |down )(?P<rest>.+)$"),
    ("note", r"(?:notiere?|notier)(?: dir| mir)?[:,]?(?: dass)? (?P<rest>.+)$"),
    ("note", r"(?:notiz|halte fest)[:,](?: dass)? (?P<rest>.+)$"),
    ("event", rf"(?:schedule|plan|book|arrange|set up|organi[sz]e) {_NO_PERIOD}(?:an? |the )?(?P<rest>.+)$"),
    (
        "event",
        r"(?:add|create|put) (?:an? |the )?(?P<rest>(?:event|meeting|appointment|lunch|dinner|call|coffee)\b.+)$",
    ),
    (
        "event",
        rf"(?:plane?|vereinbare?|organisiere?) {_NO_PERIOD}(?:mir )?(?:einen? |ein |das |die |den )?(?P<rest>.+)$",
    ),
    (
        "event",
        r"(?P<rest>(?:neuer |new )?(?:termin|treffen|meeting|lunch|dinner|coffee|call|anruf|kaffee|mittagessen) "
        r"(?:mit|with) .+"
        r"(?:\d{1,2}[:.]\d{2}|\d uhr|\d ?[ap]m|\b(?:um|at) \d).*)$",
    ),
    ("event", r"trage? (?:mir )?(?:einen? |ein |das |die |den )?(?P<rest>.+?) ein$"),
)
_COMPILED = tuple((kind, re.compile(shape, re.IGNORECASE | re.DOTALL)) for kind, shape in _SHAPES)
_WITH = re.compile(r"\b(?:with|mit) (?P<person>[^\s,]+(?:\s+[A-ZÄÖÜÉ][^\s,]*)*)")
_CALLEE = re.compile(
    r"\b(?:call|phone|ring|e-?mail|message|meet|ask|tell|pay|thank|visit) (?P<person>[A-ZÄÖÜÉ]\S*(?:\s+[A-ZÄÖÜÉ]\S*)*)"
)
_CALLEE_DE = re.compile(
    r"\b(?P<person>[A-ZÄÖÜÉ][^\s,]*(?:\s+[A-ZÄÖÜÉ][^\s,]*)?) "
    r"(?:anzurufen|anrufen|zu schreiben|zu fragen|fragen|zurückzurufen)"
)
_QUESTION = re.compile(
    r"^\W*(what|who|when|where|which|how|is|are|do|does|did|was|wer|wann|wo|wie|welche\w*)\b", re.IGNORECASE
)
_ASKS_LAST = re.compile(r"\b(when|where|who|wann|wo|wer)\s*\?\W*$", re.IGNORECASE)
_NOT_A_PERSON = re.compile(
    r"^(a|an|the|my|this|that|it|them|him|her|me|us|ein|eine|einen|das|die|der|den|dies|mir|uns|ihm|ihr|down|to|in|off|box|mal"
    r"|about|for|address|adresse|addresses|of|from|von|number|nummer|haiku|poem|code|function|something|story|gedicht|etwas)$",
    re.IGNORECASE,
)  # fmt: skip


def read_request(text: str, german: bool) -> Request | None:
    """The change that is asked for in plain words, or None."""
    if len(text) > 2_000 or _ASKS_LAST.search(text) or (text.rstrip().endswith("?") and _QUESTION.match(text)):
        return None
    plain = _POLITE.sub("", text.strip()).rstrip(" .!?")
    asks, polite = text.rstrip().endswith("?"), _ASKS.match(text.strip(" ,!"))
    for kind, shape in _COMPILED:
        if (match := shape.match(plain)) and (request := _request(kind, match, german)):
            return replace(request, asks=asks and not (polite and not _ASKS.match(request.text or "")))
    return None


def _request(kind: str, match: re.Match[str], german: bool) -> Request | None:
    found: Mapping[str, str | None] = match.groupdict()
    person = found.get("person")
    pronoun = kind == "message" and person is not None and person.lower() in _PRONOUNS
    if person and not pronoun and _NOT_A_PERSON.match(person.split()[0]):
        return None
    rest = (found.get("rest") or "").strip(" .")
    if kind == "message":
        what = (found.get("what") or "").lower()
        about = (found.get("said") or found.get("about") or "").strip() or None
        said = about if found.get("that") or found.get("said") else None
        clause = (found.get("that") or "").lower() == "dass"
        prep = (found.get("prep") or "").lower() or ("wegen" if german else "about")
        prep = "about" if prep in {"re", "on"} else prep
        kind = "email" if what.replace("-", "") in {"email", "mail"} else "message"
        return Request(kind, person, None if said else about, said, prep=prep, german=german, clause=clause)
    if kind in {"check_in", "done"}:
        habit = re.sub(r"\s*\b(today|for today|heute)\b\s*", " ", found.get("habit") or "", flags=re.IGNORECASE).strip()
        if not habit or len(habit) >= 80:
            return None
        return Request("check_in", habit=habit, german=german, tentative=kind == "done")
    if kind == "note":
        return Request(kind, text=rest, about=rest, german=german)
    return Request(kind, person, rest or None, when=rest, german=german)


def _person_in(rest: str) -> str | None:
    match = _WITH.search(rest) or _CALLEE.search(rest) or _CALLEE_DE.search(rest)
    person = match.group("person") if match else None
    return None if person is None or _NOT_A_PERSON.match(person.split()[0]) else person


def arguments_for(request: Request, tool: Tool, now: datetime, names: Sequence[str] = ()) -> dict[str, Any] | None:
    """The tool's arguments for this request, or None when it has no place for it."""
    properties = cast("Mapping[str, Mapping[str, Any]]", tool.schema.get("properties", {}))
    allowed = _choices(properties.get("type", {}), tool.schema)
    if not properties.get("type") and not _named_for(tool, request.type):
        return None
    kind = request.type if not allowed or request.type in allowed else "other" if "other" in allowed else None
    if kind is None:
        return None
    filled = {k: v for k, v in _values(request, kind, tool, now, names).items() if v and k in properties}
    return filled if all(name in filled for name in tool.required) else None


def _values(request: Request, kind: str, tool: Tool, now: datetime, names: Sequence[str]) -> dict[str, str | None]:
    properties = cast("Mapping[str, Mapping[str, Any]]", tool.schema.get("properties", {}))
    moment = find_moment(request.when, now) if request.when else None
    about = moment.rest if moment else request.about or ""
    about = about if kind == "follow_up" else _plain_title(about, request.german)
    starts = moment.iso(now) if moment and kind == "event" else None
    due = (moment.iso(now) or moment.day.isoformat()) if moment and moment.day and not starts else None
    if due and properties.get("due", {}).get("format") == "date":
        due = due[:10]
    if starts and "starts" not in properties:
        due = starts
    person = request.target or request.person or _person_in(moment.rest if moment else "")
    values: dict[str, str | None] = {
        "type": kind, "person": person, "habit": request.habit, "due": due, "starts": starts,
        "day": due, "title": _title(request, about, names), "text": _body(request, names),
    }  # fmt: skip
    if tool.takes_name and tool.takes_name not in values:
        values[tool.takes_name] = request.person or request.habit
    if tool.takes_text and tool.takes_text not in values:
        values[tool.takes_text] = values["text"] or values["title"]
    if "text" in tool.required and not values["text"]:
        values["text"] = values["title"]
    return values


def _title(request: Request, about: str, names: Sequence[str]) -> str:
    name = as_recorded(request.person or "", names)
    match request.type:
        case "email":
            return subject_of(_body(request, names) if request.text else None, request.about, german=request.german)
        case "message":
            base = f"Nachricht an {name}" if request.german else f"Message to {name}"
            return f"{base} {request.prep} {request.about}" if request.about else base
        case "check_in":
            return f"{'Eintrag' if request.german else 'Check in'}: {request.habit}"
        case "follow_up":
            base = f"{'Nachfassen bei' if request.german else 'Follow up with'} {name}"
            return f"{base} {about}" if about else base
        case _:
            return about[:1].upper() + about[1:119]


def _body(request: Request, names: Sequence[str]) -> str | None:
    """The words to send or keep."""
    if request.type not in {"message", "email"}:
        return request.text[:1].upper() + request.text[1:] if request.text else None
    if request.text:
        return own_words(request.text, clause=request.clause, asks=request.asks)
    name = as_recorded(request.person or "", names)
    return plain_letter(name, request.about, request.prep, german=request.german)


def _plain_title(text: str, german: bool) -> str:
    text = re.sub(r"^an (?:den|die|das|dem|der)\s+", "", text.strip(" ,."), flags=re.IGNORECASE) if german else text
    text = re.sub(r"^(?:to|about|that|daran|an|dass|,)\s+", "", text.strip(" ,."), flags=re.IGNORECASE)
    text = re.sub(r"^(?:daran|dass)\b[, ]*", "", text, flags=re.IGNORECASE)
    text = _infinitive(text) if german else text
    text = re.sub(r"^(?:an?|einen?|eine)\s+", "", text, flags=re.IGNORECASE)
    return re.sub(r"\s+(?:on|at|by|am|um|bis)$", "", text).strip(" ,.") if text else text


_JOINT = re.compile(
    r"\b(an|ab|auf|aus|bei|durch|ein|fest|fort|frei|her|heim|hin|los|mit|nach|um|vor|vorbei|weg|weiter|wieder|zu|zurück|"
    r"zusammen)zu(\w{2,}n)$",
    re.IGNORECASE,
)


def _infinitive(text: str) -> str:
    """What is to be done, without "zu": "Marco anzurufen" is "Marco anrufen", "das Rad zu putzen" "das Rad putzen"."""
    return re.sub(r"\bzu (\w{2,}n)$", r"\1", _JOINT.sub(r"\1\2", text))


def _named_for(tool: Tool, kind: str) -> bool:
    """Whether a tool without a `type` is for this type, by its name and words."""
    told = " ".join((tool.name, tool.title, *tool.words)).lower().replace("-", "_")
    return kind in told or kind.replace("_", " ") in told


def _choices(declared: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The allowed values of a parameter: an enumeration, written in place or under a name."""
    if "enum" in declared:
        return tuple(str(value) for value in declared["enum"])
    if "const" in declared:
        return (str(declared["const"]),)
    if reference := declared.get("$ref"):
        return _choices(schema.get("$defs", {}).get(str(reference).rsplit("/", 1)[-1], {}), schema)
    options = cast("Iterable[Mapping[str, Any]]", declared.get("anyOf", ()))
    return tuple(choice for option in options for choice in _choices(option, schema))


choices = _choices


def kinds_of_change(tools: Iterable[Tool]) -> frozenset[str]:
    """The types of request for which some propose tool has a place."""
    proposing = [t for t in tools if t.kind is ToolKind.PROPOSE]
    declared = [t.schema.get("properties", {}).get("type", {}) for t in proposing]
    allowed = {choice for t, d in zip(proposing, declared, strict=True) for choice in _choices(d, t.schema)}
    return frozenset(
        k
        for k in TYPES
        if k in allowed or any(_named_for(t, k) for t, d in zip(proposing, declared, strict=True) if not d)
    )


def propose_call(
    request: Request, tools: Iterable[Tool], now: datetime, names: Sequence[str] = ()
) -> tuple[Tool, dict[str, Any]] | None:
    """The first propose tool that has a place for the request, with its arguments; `names` are known ones."""
    for tool in tools:
        if tool.kind is ToolKind.PROPOSE and (arguments := arguments_for(request, tool, now, names)):
            return tool, arguments
    return None
