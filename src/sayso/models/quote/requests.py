"""Plain requests for a change, read into the arguments of a propose tool.

It knows the shapes of requests in English and German; which parameters exist, the tool's schema says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sayso.core.tools import Tool, ToolKind
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
    ("message", rf"(?P<what>message|e-?mail|text) {_PERSON}{_ABOUT}"),
    ("message", rf"(?:write|reply) to {_PERSON}{_ABOUT}"),
    ("message", rf"(?:tell|let) {_PERSON} (?:know )?(?P<that>that) (?P<about>.+)$"),
    ("message", rf"(?:entwirf|verfasse|schreibe?|schicke?|sende?)(?: mir)? {_MESSAGE} (?:an|für) {_PERSON}{_ABOUT}"),
    ("message", rf"(?:schreibe?|schicke?|sende?) (?:an )?{_PERSON}(?: {_MESSAGE})?{_ABOUT}"),
    ("check_in", r"(?:check|log|tick)(?:[- ]?in| off)(?: (?:for|on|to))?:? (?:my |the )?(?P<habit>.+)$"),
    ("check_in", r"(?:check|tick) (?:my |the )?(?P<habit>.+?) (?:in|off)$"),
    ("check_in", r"(?:log|record) (?:my |the )?(?P<habit>.+)$"),
    ("check_in", r"(?:mark|set) (?:my |the )?(?P<habit>.+?) (?:as )?done(?: today)?$"),
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
    r"^(a|an|the|my|this|that|it|them|him|her|me|us|ein|eine|einen|das|die|der|den|dies|mir|uns|ihm|ihr|down|to|in|off|box"
    r"|about|for|address|adresse|addresses|of|from|von|number|nummer|haiku|poem|code|function|something|story|gedicht|etwas)$",
    re.IGNORECASE,
)  # fmt: skip


def read_request(text: str, german: bool) -> Request | None:
    """The change that is asked for in plain words, or None."""
    if len(text) > 2_000 or _ASKS_LAST.search(text) or (text.rstrip().endswith("?") and _QUESTION.match(text)):
        return None
    plain = _POLITE.sub("", text.strip()).rstrip(" .!?")
    for kind, shape in _COMPILED:
        if (match := shape.match(plain)) and (request := _request(kind, match, german)):
            return request
    return None


def _request(kind: str, match: re.Match[str], german: bool) -> Request | None:
    found: Mapping[str, str | None] = match.groupdict()
    person = found.get("person")
    if person and _NOT_A_PERSON.match(person.split()[0]):
        return None
    rest = (found.get("rest") or "").strip(" .")
    if kind == "message":
        what = (found.get("what") or "").lower()
        about = (found.get("about") or "").strip() or None
        said = about if found.get("that") else None
        prep = (found.get("prep") or "").lower() or ("wegen" if german else "about")
        prep = "about" if prep in {"re", "on"} else prep
        kind = "email" if what.replace("-", "") in {"email", "mail"} else "message"
        return Request(kind, person, None if said else about, said, prep=prep, german=german)
    if kind == "check_in":
        habit = re.sub(r"\s*\b(today|for today|heute)\b\s*", " ", found.get("habit") or "", flags=re.IGNORECASE).strip()
        return Request(kind, habit=habit, german=german) if habit and len(habit) < 80 else None
    if kind == "note":
        return Request(kind, text=rest, about=rest, german=german)
    return Request(kind, person, rest or None, when=rest, german=german)


def _person_in(rest: str) -> str | None:
    match = _WITH.search(rest) or _CALLEE.search(rest) or _CALLEE_DE.search(rest)
    person = match.group("person") if match else None
    return None if person is None or _NOT_A_PERSON.match(person.split()[0]) else person


def arguments_for(request: Request, tool: Tool, now: datetime) -> dict[str, Any] | None:
    """The tool's arguments for this request, or None when it has no place for it."""
    properties = cast("Mapping[str, Mapping[str, Any]]", tool.schema.get("properties", {}))
    allowed = _choices(properties.get("type", {}), tool.schema)
    if not properties.get("type") and not _named_for(tool, request.type):
        return None
    kind = request.type if not allowed or request.type in allowed else "other" if "other" in allowed else None
    if kind is None:
        return None
    filled = {k: v for k, v in _values(request, kind, tool, now).items() if v and k in properties}
    return filled if all(name in filled for name in tool.required) else None


def _values(request: Request, kind: str, tool: Tool, now: datetime) -> dict[str, str | None]:
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
    person = request.person or _person_in(moment.rest if moment else "")
    values: dict[str, str | None] = {
        "type": kind, "person": person, "habit": request.habit, "due": due, "starts": starts,
        "title": _title(request, about), "text": _body(request),
    }  # fmt: skip
    if tool.takes_name and tool.takes_name not in values:
        values[tool.takes_name] = request.person or request.habit
    if tool.takes_text and tool.takes_text not in values:
        values[tool.takes_text] = values["text"] or values["title"]
    if "text" in tool.required and not values["text"]:
        values["text"] = values["title"]
    return values


def _title(request: Request, about: str) -> str:
    match request.type:
        case "message" | "email":
            noun = (
                ("E-Mail" if request.german else "E-mail")
                if request.type == "email"
                else ("Nachricht" if request.german else "Message")
            )
            base = f"{noun} {'an' if request.german else 'to'} {request.person}"
            return f"{base} {request.prep} {request.about}" if request.about else base
        case "check_in":
            return f"{'Eintrag' if request.german else 'Check in'}: {request.habit}"
        case "follow_up":
            base = f"{'Nachfassen bei' if request.german else 'Follow up with'} {request.person}"
            return f"{base} {about}" if about else base
        case _:
            return about[:1].upper() + about[1:119]


def _body(request: Request) -> str | None:
    """The words to send or keep: the person's own where given, else one plain sentence on the subject."""
    if request.text and request.german and request.type in {"message", "email"}:
        return f"Hallo {request.person}, ich möchte dir sagen, dass {request.text}."
    if request.text:
        return request.text[:1].upper() + request.text[1:]
    if request.type not in {"message", "email"}:
        return None
    about = f"{request.prep} {request.about}" if request.about else ""
    if request.german:
        spoken = (
            f"ich möchte mit dir {about} sprechen." if request.prep in {"über", "ueber"} else f"ich melde mich {about}."
        )
        return f"Hallo {request.person}, {spoken if about else 'ich melde mich bei dir.'}"
    return f"Hello {request.person}, {f'I am writing {about}.' if about else 'I wanted to get in touch.'}"


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


def propose_call(request: Request, tools: Iterable[Tool], now: datetime) -> tuple[Tool, dict[str, Any]] | None:
    """The first propose tool that has a place for the request, with its arguments."""
    for tool in tools:
        if tool.kind is ToolKind.PROPOSE and (arguments := arguments_for(request, tool, now)):
            return tool, arguments
    return None
