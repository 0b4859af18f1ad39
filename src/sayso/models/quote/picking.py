"""Which read tools to ask, with which arguments: by declared words alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sayso.core.evidence import Numbered
from sayso.core.tools import Tool, ToolKind
from sayso.models.quote.focus import denies, state_of
from sayso.models.quote.found import Outcome
from sayso.models.quote.german import VALUES
from sayso.models.quote.phrases import plural_of
from sayso.models.quote.question import Question
from sayso.models.quote.requests import choices
from sayso.models.quote.words import fold, is_weak, keys, matches, said

MAX_CALLS = 4
_TIMES = frozenset({"days", "when"})  # arguments that take a window of days, and a day or a week
_ENOUGH = 1.0
_SAYS_NOTHING = frozenset({"about", "what", "was", "who", "wer", "is", "ist", "with", "mit", "for", "worum"})
_WEAK_WORD, _FIELD, _KIND, _TOOL = 0.3, 1.0, 3.0, 3.0


@dataclass(frozen=True, slots=True)
class Pick:
    tool: Tool
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Score:
    points: float
    used: frozenset[int]


def pick_reads(question: Question, tools: Sequence[Tool], known: Iterable[Numbered]) -> tuple[Pick, ...]:
    """The calls that answer the question; several when it has parts or may mean a name or a topic."""
    reads = [t for t in tools if t.kind is ToolKind.READ and not t.can_leave and _can_fill(t, question)]
    if whole := _whole_kind(question, tools, reads):
        return (whole,)
    named = _kinds_named(question, known)
    chosen: list[Tool] = []
    masked = list(question.masked)
    while reads and len(chosen) < MAX_CALLS:
        scores = [(_score(tool, masked, question, named, first=not chosen), tool) for tool in reads]
        best, tool = max(scores, key=lambda item: item[0].points)
        if best.points < (_ENOUGH if not chosen else _KIND):
            break
        chosen.append(tool)
        reads.remove(tool)
        masked = ["" if i in best.used else key for i, key in enumerate(masked)]
    if not chosen and question.days is not None and not question.rest:
        chosen = [t for t in reads if not _properties(t).keys().isdisjoint(_TIMES)][:MAX_CALLS]
    if not chosen and not question.rest:
        chosen = [t for t in reads if _state_argument(t, question) and _has_state(t, question)][:MAX_CALLS]
    if not chosen and question.rest:
        return tuple(Pick(tool, _searching(tool, question)) for tool in _undeclared(question, reads, named, known))
    return tuple(Pick(tool, arguments_of(tool, question)) for tool in chosen)


def going_on(pick: Pick, listed: Mapping[str, int]) -> Mapping[str, Any]:
    """The arguments by which the look-up goes on after what was listed of its kind, where it can."""
    seen = listed.get(pick.tool.covers.name, 0) if pick.tool.covers else 0
    return {**pick.arguments, "skip": seen} if seen and "skip" in _properties(pick.tool) else pick.arguments


def paged_kinds(tools: Iterable[Tool]) -> frozenset[str]:
    """The kinds whose look-ups can leave out what was listed already."""
    return frozenset(t.covers.name for t in tools if t.covers and "skip" in _properties(t))


def _undeclared(
    question: Question, reads: Sequence[Tool], named: frozenset[str], known: Iterable[Numbered]
) -> list[Tool]:
    """Where to look when the question uses no declared word but weak ones."""
    masked = ["" if key in _SAYS_NOTHING else key for key in question.masked]
    points = {t.name: _score(t, masked, question, named, first=True).points for t in reads if not t.required}
    weak = sorted((t for t in reads if points.get(t.name, 0) > 0), key=lambda t: -points[t.name])
    chosen = [*_by_name_or_topic(question, reads, weak, known), *(() if question.asks_who else weak)]
    return list({t.name: t for t in chosen}.values())[:MAX_CALLS]


def more_reads(question: Question, tools: Sequence[Tool], outcomes: Sequence[Outcome]) -> tuple[Pick, ...]:
    """Nothing that was found bears on the question: its words once as a topic, then among what can be listed.

    What was listed without a name is searched by it.
    """
    if question.asks_who or not question.about:
        return ()
    asked = {o.call.name for o in outcomes if o.tool and (not o.tool.takes_name or o.arguments.get(o.tool.takes_name))}
    reads = [t for t in tools if t.kind is ToolKind.READ and not t.can_leave and t.name not in asked]
    reads = [t for t in reads if _can_fill(t, question)]
    topics = [t for t in reads if t.takes_text][:1]
    again = {o.call.name for o in outcomes}
    lists = [
        t for t in reads
        if not t.required and t not in topics and (t.name in again or not question.asks_what or question.names)
    ]  # fmt: skip
    return tuple(Pick(tool, _searching(tool, question)) for tool in [*topics, *lists][:MAX_CALLS])


def _searching(tool: Tool, question: Question) -> dict[str, Any]:
    """The arguments by which a list is searched for what the question names."""
    filled = arguments_of(tool, question)
    if tool.takes_name and not filled.get(tool.takes_name):
        filled[tool.takes_name] = question.about
    return filled


def _whole_kind(question: Question, tools: Sequence[Tool], reads: Sequence[Tool]) -> Pick | None:
    """ "How many people are there?", "list my contacts", "birthdays in May": the look-up of that kind.

    Each look-up says how many records it searched; one that needs a name or a topic is asked for the kind
    by its noun, after the field that is wanted of all of them.
    """
    if question.rest:
        return None
    best: tuple[float, Pick] | None = None
    for tool in tools:
        argument = tool.takes_name or tool.takes_text
        if tool.kind is ToolKind.READ and tool not in reads and not tool.can_leave and tool.covers and argument:
            asked = [" ".join(phrase) for phrase, _ in matches(tool.covers.words, question.masked)]
            asked += [" ".join(phrase) for phrase, _ in matches(tool.words, question.masked) if not is_weak(phrase)]
            words = [word for field in tool.covers.fields for word in field.words]
            fields = [" ".join(phrase) for phrase, _ in matches(words, question.masked) if not is_weak(phrase)]
            noun = question.month_name or plural_of(tool.covers, "en")
            asked += [f"{word} {noun}" for word in fields]
            points = _score(tool, list(question.masked), question, frozenset(), first=True).points
            if asked and set(tool.required) <= {argument} and (best is None or points > best[0]):
                best = points, Pick(tool, {argument: asked[0]})
    others = [_score(t, list(question.masked), question, frozenset(), first=True).points for t in reads]
    return best[1] if best and best[0] > max(others, default=0.0) else None


def _by_name_or_topic(
    question: Question, reads: Sequence[Tool], weak: Sequence[Tool], known: Iterable[Numbered]
) -> list[Tool]:
    """Nothing declared was said: a name is looked up as a name, anything else as a topic, or as both.

    What goes on ("how is the marathon going?") is looked for in lists first, unless a known record is named.
    """
    names = [t for t in reads if _required_name(t)][:1]
    topics = [t for t in reads if t.takes_text and t not in names][:1]
    lists = [t for t in reads if not t.required and t not in topics]
    if question.asks_who:
        return names or topics
    if question.asks_progress and lists and not _names_known(question, known):
        return [*list({t.name: t for t in (*weak, *lists)}.values())[: MAX_CALLS - 1], *topics]
    filters = [t for t in lists if t.takes_name][:2]
    if question.asks_what and not question.names:
        return [*topics, *filters] or names
    return [*names, *topics, *weak, *filters]


def _names_known(question: Question, known: Iterable[Numbered]) -> bool:
    wanted = {t.key for t in question.rest}
    return any(said(wanted, keys(n.fact.subject)) for n in known)


def _score(tool: Tool, masked: list[str], question: Question, named: frozenset[str], *, first: bool) -> _Score:
    points, used = 0.0, set[int]()
    covers = tool.covers
    for words, weight in ((tool.words, _TOOL), (covers.words if covers else (), _KIND)):
        gained, places = _gain(words, masked, weight)
        points, used = points + gained, used | places
    if not first:
        return _Score(points, frozenset(used))
    for declared in covers.fields if covers else ():
        points += _gain(declared.words, masked, _FIELD)[0]
    if covers and covers.name in named:
        points += 2.0
    if question.days is not None and not _properties(tool).keys().isdisjoint(_TIMES) and points >= _ENOUGH:
        points += 1.5
    if question.rest and points and (_required_name(tool) or tool.takes_text):
        points += 0.6
    if question.asks_who and _required_name(tool) and question.rest:
        points += 1.0
    return _Score(points, frozenset(used))


def _gain(words: Iterable[str], masked: list[str], weight: float) -> tuple[float, set[int]]:
    """Points for the longest declared word that occurs; each place counts once."""
    points, used = 0.0, set[int]()
    for phrase, place in matches(words, masked):
        if not used & set(place):
            worth = _WEAK_WORD * min(weight, 1.0) if is_weak(phrase) else weight * (1 + 0.5 * (len(phrase) - 1))
            points = points + worth if points < worth else points + worth / 4
            used |= set(place)
    return points, used


def _kinds_named(question: Question, known: Iterable[Numbered]) -> frozenset[str]:
    places = set(question.keys)
    return frozenset(n.fact.kind.name for n in known if set(keys(n.fact.subject)) <= places and n.fact.subject)


def _properties(tool: Tool) -> Mapping[str, Mapping[str, Any]]:
    return cast("Mapping[str, Mapping[str, Any]]", tool.schema.get("properties", {}))


def _required_name(tool: Tool) -> bool:
    return bool(tool.takes_name) and tool.takes_name in tool.required


def _can_fill(tool: Tool, question: Question) -> bool:
    """Whether each required argument can be had from the question."""
    fillable = {tool.takes_name, tool.takes_text} if question.rest else set[str | None]()
    return all(name in fillable or name == "days" or _enum_value(tool, name, question) for name in tool.required)


def arguments_of(tool: Tool, question: Question) -> dict[str, Any]:
    """The name or topic, the window of days, and values of enumerations that the question names."""
    properties, filled = _properties(tool), dict[str, Any]()
    about = " ".join(question.names) or question.about
    if tool.takes_name and about and (tool.takes_name in tool.required or _fits_name(tool, question)):
        filled[tool.takes_name] = about
    if tool.takes_text and tool.takes_text not in filled and question.about and tool.takes_text in properties:
        filled[tool.takes_text] = question.about
    if "when" in properties and question.on and question.on.first:
        filled["when"] = question.on.written()
    elif "days" in properties and (question.days is not None or "days" in tool.required):
        filled["days"] = _within(properties["days"], 7 if question.days is None else question.days)
    if state := _state_argument(tool, question):
        filled[state[0]] = state[1]
    for name in properties:
        if name not in filled and (value := _enum_value(tool, name, question)):
            filled[name] = value
    return filled


def _state_argument(tool: Tool, question: Question) -> tuple[str, str] | None:
    """The state by which a tool can filter, where the question is about all records in it ("done tasks")."""
    field = state_of(tool.covers) if tool.covers else None
    if field is None or field.name not in _properties(tool) or question.rest or denies(question):
        return None
    word = " ".join(question.masked)
    for state, german in VALUES.items():
        if any(re.search(rf"\b{re.escape(fold(told))}", word) for told in (state, german)):
            return field.name, state
    return None


def _has_state(tool: Tool, question: Question) -> bool:
    """Whether the kind's own words for its state include the one that was said ("what is open?")."""
    field = state_of(tool.covers) if tool.covers else None
    return bool(field and any(w not in {"status", "state"} for w in field.words if matches((w,), question.masked)))


def _fits_name(tool: Tool, question: Question) -> bool:
    """An optional name is filled only where it is surely one: a filter too many hides records."""
    return bool(tool.takes_name) and (bool(question.names) or question.asks_due)


def _within(declared: Mapping[str, Any], wanted: int) -> int:
    """The number, as near as the declared bounds allow."""
    options = cast("Sequence[Mapping[str, Any]]", declared.get("anyOf", (declared,)))
    least = max((int(option.get("minimum", 0)) for option in options), default=0)
    most = min((int(option["maximum"]) for option in options if "maximum" in option), default=wanted)
    return max(least, min(wanted, most))


def _enum_value(tool: Tool, name: str, question: Question) -> str | None:
    for value in choices(_properties(tool).get(name, {}), tool.schema):
        if fold(value.replace("_", " ")) in " ".join(question.masked):
            return value
    return None
