"""Who is at something: a person that is told to take part must be among those whom the record lists."""

from __future__ import annotations

from collections.abc import Iterator

from sayso.core.facts import Field
from sayso.core.verify import lexicon
from sayso.core.verify.binding import mentions
from sayso.core.verify.cues import Worded
from sayso.core.verify.index import Entry
from sayso.core.verify.language.attending import ATTENDS
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import ValueKind
from sayso.core.verify.words import fold

K = ViolationKind
_ATTENDS = Worded("|".join(ATTENDS), end="")


def check_attending(s: Sentence) -> Iterator[Checked]:
    """ "Ben takes part", "Ana y Leo asisten": of the meeting that is cited, named or was just spoken of."""
    told = _ATTENDS.search(s.folded) if _ATTENDS.may_match(s.cues) and not s.advice else None
    if told is None or s.denies:
        return
    spoken = s.bound.before if lexicon.PERSONAL.search(s.clean) else ()
    people = [e for e in (*s.bound.named, *s.bound.carried) if e.is_someone]
    people = people or [e for e in spoken if e.is_someone][:1]
    found = _meeting(s, people[0].kind) if people else None
    if found is None:
        return
    meeting, declared = found
    held = meeting.fields.get(declared.name)
    places = mentions(people, s.words) or [(told.start(), told.end(), people[0])]
    for start, end, person in places:
        said = {t.word for t in s.words if start <= t.start < end and t.word in person.subject} or set(person.subject)
        if said <= meeting.words or _is_yours(s, said):
            yield Checked()
            continue
        kind = K.WRONG_VALUE if held else K.STATED_GAP
        why = f"{declared.title} of {meeting.ref}: {held.text[:80] if held else 'not recorded'}"
        yield wrong(s, kind, start, end, why, meeting)


def _meeting(s: Sentence, kind: str) -> tuple[Entry, Field] | None:
    """The record with a time of day and a field for people: of several that are named, none."""
    own = [e for e in dict.fromkeys((*s.bound.cited, *s.bound.named)) if _guests(e, kind)]
    found = own or [e for e in s.bound.before if _guests(e, kind)][:1]
    guests = _guests(found[0], kind) if len(found) == 1 else None
    return (found[0], guests) if guests else None


def _guests(entry: Entry, kind: str) -> Field | None:
    """The field that lists people of this kind, of a record that tells a time of day."""
    if not any(v.kind is ValueKind.TIME for v in entry.values):
        return None
    return next((f for f in entry.numbered.fact.kind.fields if f.refers_to == kind), None)


def _is_yours(s: Sentence, said: set[str]) -> bool:
    """Whether the user told it ("Ben kommt auch mit"), rather than asked."""
    message = fold(s.setting.user_message)
    told = _ATTENDS.search(message) if "?" not in message else None
    return told is not None and any(0 <= message.find(w) < told.start() for w in said)
