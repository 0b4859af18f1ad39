"""Reports of action: they rest on receipts, and on records that say so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sayso.core.verify import acts
from sayso.core.verify.acts import Act, Voice
from sayso.core.verify.index import Entry
from sayso.core.verify.language import acts as words
from sayso.core.verify.lexicon import PENDING
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.rules_names import NOT_NAMES
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import Value, ValueKind
from sayso.core.verify.words import Token, fold, phrase_in, plain, tokens

K = ViolationKind
_OURS = frozenset(words.OURS)


def check_actions(s: Sentence) -> Iterator[Checked]:
    """A report of action needs a receipt that ended well; a proposal is not one."""
    if s.suggestion and not is_impersonal(s):
        return
    spoken = _spoken_of(s)
    quotes = [v for v in s.values if v.kind is ValueKind.QUOTE]
    told = [a for a in s.acts if _is_told(a, spoken) and not _is_quoted(a, quotes)]
    if any(v.kind is ValueKind.PERCENT for v in s.values):
        told = [a for a in told if words.ANY not in a.sorts]  # "45% of it has been completed"
    if spoken and (
        any(e in s.bound.cited or e in s.bound.carried for e in spoken) or not any(_recorded(s, a) for a in told)
    ):
        yield from _of_changes(s, spoken, told)
        return
    for act in told:
        checked = _of_records(s, act)
        if checked is not None:
            yield checked
            return
    yield from _said_otherwise(s)


def is_impersonal(s: Sentence) -> bool:
    """ "Se ha enviado", "Se trata de ...": a Spanish passive, not an Italian "if"."""
    return s.setting.language == "es" and s.folded.lstrip(' -*•"«»').startswith("se ")


def _is_quoted(act: Act, quotes: list[Value]) -> bool:
    """Somebody's words, or a text that is only shown."""
    return any(v.start < act.token.start < v.end for v in quotes)


def _is_told(act: Act, spoken: list[Entry]) -> bool:
    """Whether it may be an act of ours, and not a word within a name."""
    if not act.sorts & _OURS or any(act.token.word in e.subject for e in spoken):
        return False
    if words.RECEIVE in act.sorts:
        return act.voice in (Voice.THIRD, Voice.BARE) and _thing_in(act) is not None
    if words.APPROVE in act.sorts:
        return act.voice is Voice.FIRST or (bool(spoken) and act.voice is Voice.PASSIVE)
    return True


def _spoken_of(s: Sentence) -> list[Entry]:
    """The proposals and receipts that it cites, or else names."""
    cited = [e for e in (*s.bound.cited, *s.bound.carried) if is_change(e)]
    if cited or any(e.is_record for e in s.bound.cited):
        return cited
    return [e for e in s.bound.named if is_change(e)]


def is_change(entry: Entry) -> bool:
    return entry.kind in ("proposal", "receipt")


def _of_changes(s: Sentence, spoken: list[Entry], told: list[Act]) -> Iterator[Checked]:
    """ "Site meeting: booked for 9 December [a proposal]": done is told of what only waits, or of what failed."""
    if any(p in s.folded for p in words.FOR_APPROVAL) or acts.failing(s.words):
        return
    cited = any(e in s.bound.cited or e in s.bound.carried for e in spoken)
    done = _claim([a for a in told if cited or _is_whole(s, a)], spoken) if told else _turn(s)
    if done is None:
        return
    start, end, sorts = done
    fitting = [e for e in spoken if cited or (_fits(e, s) and not _is_to_another(e, s))]
    if any(_ok(e) and acts.of_one_sort(sorts, _told_by(e)) for e in fitting):
        yield Checked()
        return
    near = next((e for e in spoken if not _ok(e)), spoken[0])
    why = f'{near.ref} does not show that it was "{s.clean[start:end]}": say what waits, or how it ended'
    yield wrong(s, K.FALSE_ACTION, start, end, why, near)


def _is_whole(s: Sentence, act: Act) -> bool:
    """Where a change is only named, what somebody else did is not told of it."""
    if act.voice is Voice.BARE:
        return _ends_clause(s, act) or _is_handled(act)
    return act.voice is not Voice.THIRD


_Claim = tuple[int, int, frozenset[str]]


def _claim(told: list[Act], spoken: list[Entry]) -> _Claim | None:
    """Where, and by what sort of act, something is told as done."""
    done = next((a for a in told if not _is_filing(a, spoken)), None)
    return (done.token.start, done.token.end, _sorts(done)) if done else None


def _turn(s: Sentence) -> _Claim | None:
    """A turn of phrase or a tick by which something is told to have come about."""
    if acts.denied(s.words) or acts.waiting(s.words):
        return None
    tick = next((i for i, c in enumerate(s.clean) if c in words.MARKS), -1)
    if tick >= 0:
        return tick, tick + 1, frozenset({words.ANY})
    for turn in words.TURNS:
        at = phrase_in(turn, s.folded)
        if at >= 0:
            return at, at + len(turn), frozenset({words.ANY})
    word = next((t for t in s.words if t.text.casefold() in _DONE and not _to_come(s, t)), None)
    return (word.start, word.end, frozenset({words.ANY})) if word else None


_DONE = words.RAN | words.ANSWERS


def _to_come(s: Sentence, token: Token) -> bool:
    before = [t.text.casefold() for t in s.words if t.start < token.start]
    return any(w in table for w in before for table in words.TO_COME.values())


def _is_filing(act: Act, spoken: list[Entry]) -> bool:
    """ "I've saved a draft for your approval": that a proposal waits is no more than is so."""
    waits = any(e.kind == "proposal" for e in spoken)
    return waits and bool(act.sorts & {"make", "change"} or act.token.word in _WRITTEN) and acts.waiting(act.span)


_WRITTEN = frozenset(map(plain, ("written", "wrote", "geschrieben", "écrit", "scritto", "escrito")))


def _of_records(s: Sentence, act: Act) -> Checked | None:
    """An act that is told of no proposal or receipt: any of the exchange, or a record, may carry it."""
    if not _is_ours(s, act):
        return None
    changes = s.index.gathered.changes
    first = act.voice is Voice.FIRST
    pending = _still_to_do(s, act)
    if _is_carried(s, act, changes) or (first and _is_filing(act, changes)):
        return Checked()
    if not first and pending is None and _is_shown(s, act):
        return Checked()
    if first or pending or _is_handled(act) or _acted_on(s, act, changes) or _on_records(s, act):
        why = f'nothing shows that it was "{act.token.text}": say what waits for approval'
        near = pending or next(iter(changes), None)
        return wrong(s, K.FALSE_ACTION, act.token.start, act.token.end, why, near)
    return None


def _is_shown(s: Sentence, act: Act) -> bool:
    """Whether a record shows it; what was done to all of a kind is not shown by any that happens to say so."""
    if _on_records(s, act) and not s.bound.tight:
        return False
    return _recorded(s, act) or _is_a_record(s, act)


def _is_carried(s: Sentence, act: Act, changes: list[Entry]) -> bool:
    """Whether a receipt carries it, and no change that only waits, or failed, is nearer to what is told."""
    shown = [_shared(e, s) for e in changes if _ok(e) and _done_by(e, s, act)]
    others = [_shared(e, s) for e in changes if not _ok(e) and acts.of_one_sort(_sorts(act), _told_by(e))]
    return bool(shown) and max(shown) >= max(others, default=0)


def _is_ours(s: Sentence, act: Act) -> bool:
    """Whether it may be our act at all: "I've made a list" and a text that was changed are talk."""
    asked = acts.sorts_of(s.your_words) - {"reply", "read"}
    changes = bool(s.index.gathered.changes)
    if act.is_plain:
        light = act.voice is Voice.FIRST and act.token.text.casefold() in words.LIGHT and len(act.clause) > 3
        return act.voice is not Voice.STATE and changes and not light
    if not s.index.current and _is_your_text(s, act):
        return False
    text_only = not s.index.current and act.sorts <= {"make", "change", "remove", "share"}
    return not text_only or _thing_in(act) is not None or bool(asked & act.sorts and not s.advice)


def _is_your_text(s: Sentence, act: Act) -> bool:
    """A pasted text that is given back, corrected or rewritten."""
    pasted = any(mark in s.setting.user_message for mark in ':«»„“”"')
    yours = {w[:4] for w in s.your_words}
    told = [t.word[:4] for t in act.clause if len(t.text) > 3]
    return pasted and sum(1 for w in told if w in yours) * 2 > len(told)


def _is_handled(act: Act) -> bool:
    """ "The message was sent", "E-mail sent", "Die Nachricht ist raus": a thing of ours, said to be on its way."""
    thing = _thing_in(act)
    if thing is None:
        return False
    if act.voice is Voice.STATE:
        return "send" in act.sorts
    if act.voice is Voice.BARE and words.RECEIVE not in act.sorts:
        return thing.start < act.token.start and act.is_fragment
    return act.voice in (Voice.PASSIVE, Voice.GONE) or words.RECEIVE in act.sorts


def _thing_in(act: Act) -> Token | None:
    return next((t for t in act.clause if t.text.casefold() in words.THINGS), None)


def _acted_on(s: Sentence, act: Act, changes: list[Entry]) -> bool:
    """An act of the sort that waits or was tried: told as done."""
    if act.voice is Voice.STATE or (act.voice is Voice.BARE and not _ends_clause(s, act)):
        return False
    if act.voice is Voice.BARE and act.at == 0 and changes and not (s.bound.cited or s.bound.carried):
        return True  # an item of what was done
    return any(acts.tells(act.sorts, _told_by(e)) for e in changes) or (act.is_plain and act.voice is Voice.PASSIVE)


def _ends_clause(s: Sentence, act: Act) -> bool:
    """ "- messaged Ann", "Angebot an Quirin verschickt": as in a list of things done; not "Ann wrote"."""
    if act.at not in (0, len(act.clause) - 1) or not act.is_fragment:
        return False
    names = {w for e in s.bound.named if e.is_record for w in e.subject}
    return act.at == 0 or any(t.word not in names for t in act.clause[: act.at])


def _on_records(s: Sentence, act: Act) -> bool:
    """ "All contacts have been deleted": done to records, by nobody but us."""
    been = any(t.text.casefold() in _PERFECT for t in act.clause)
    return act.voice is Voice.PASSIVE and been and any(t.word in s.index.kind_words for t in act.clause)


_PERFECT = frozenset(("been", "worden", "wurden", "été", "stato", "stati", "state", "stata", "sido"))


def _sorts(act: Act) -> frozenset[str]:
    """What is received was sent; what was approved may be anything."""
    if words.RECEIVE in act.sorts:
        return frozenset({"send"})
    return frozenset({words.ANY}) if words.APPROVE in act.sorts else act.sorts


def _done_by(receipt: Entry, s: Sentence, act: Act) -> bool:
    if act.sorts & _TO_SOMEBODY and _is_to_another(receipt, s):
        return False
    return acts.of_one_sort(_sorts(act), _told_by(receipt)) and (_fits(receipt, s) or _is_of_it(receipt, s, act))


_TO_SOMEBODY = frozenset(("send", "share", "call"))


def _is_to_another(receipt: Entry, s: Sentence) -> bool:
    """Whether the sentence names people, none of whom the receipt names."""
    people = [e for e in s.bound.named if e.is_someone]
    return bool(people) and all(receipt.words.isdisjoint(e.subject) for e in people)


def _told_by(change: Entry) -> frozenset[str]:
    """What a record says in its own words, not by the nouns of its kind."""
    return frozenset[str](change.subject).union(*(f.words for f in change.fields.values()))


@lru_cache(maxsize=512)
def _outcome(text: str) -> bool:
    said = tokens(text)
    return not acts.failing(said) and not acts.denied(said)


def _ok(receipt: Entry) -> bool:
    if receipt.kind != "receipt":
        return False
    return _outcome(" ".join(f.text for n, f in receipt.fields.items() if n in ("outcome", "state", "status")))


def _fits(receipt: Entry, s: Sentence) -> bool:
    """Whether a receipt is of what the sentence speaks of: cited, or by its words."""
    return len(s.said - NOT_NAMES) <= 2 or _shared(receipt, s) > 0


def _shared(change: Entry, s: Sentence) -> int:
    """How many words of a change the sentence has, by their beginnings."""
    mine = {w for w in change.words if len(w) > 2} - {"done", "action"}
    return len({w[:4] for w in mine} & {w[:4] for w in s.said if len(w) > 3 and w not in NOT_NAMES})


def _is_of_it(receipt: Entry, s: Sentence, act: Act) -> bool:
    """Told in another language, of nothing else that is known."""
    others = [e for e in s.bound.named if not e.name & receipt.words]
    return acts.tells(act.sorts, _told_by(receipt)) and not others and s.setting.language != "en"


def _recorded(s: Sentence, act: Act) -> bool:
    """Whether a record says so: by the same word, by one of the sort in another language, or by its state."""
    word = act.token.word
    records = [e for e in s.bound.allowed if not is_change(e)]
    if not records:
        untold = not s.bound.tight and not act.is_plain
        return untold and any(e.is_record and word in e.words for e in s.index.current)
    return any(word in e.words or acts.participle_sorts(_told_by(e)) & act.sorts or _is_done(e, act) for e in records)


def _is_done(entry: Entry, act: Act) -> bool:
    """Whether it is in a state of being done, by this very act."""
    over = any(f.folded == "done" for f in entry.fields.values() if f.declared.options)
    return over and (act.is_plain or acts.tells(act.sorts, entry.name))


def _head(verb: str) -> str:
    folded = fold(verb)
    return (folded.removesuffix("ed") if len(folded) > 5 else folded)[:5]


def _is_a_record(s: Sentence, act: Act) -> bool:
    """Whether the thing itself is a record that is spoken of ("the appointment")."""
    thing = _thing_in(act)
    kind = s.index.kind_words.get(thing.word) if thing else None
    return kind is not None and any(e.kind == kind for e in s.bound.allowed)


def _still_to_do(s: Sentence, act: Act) -> Entry | None:
    """The record spoken of by which this very act is still to be done."""
    if act.voice is Voice.BARE or (act.voice is Voice.THIRD and not s.bound.tight):
        return None
    return next((e for e in s.bound.allowed if is_pending(e) and _is_of(act, e, s)), None)


def _is_of(act: Act, entry: Entry, s: Sentence) -> bool:
    """Whether a record is of that very act, or the one thing that is said to be done."""
    if acts.names(act.sorts, entry.name):
        return True
    return words.ANY in act.sorts and act.voice is Voice.STATE and s.bound.subjects == (entry,)


def is_pending(entry: Entry) -> bool:
    """Whether a record says of something that it is still to be done."""
    states = [
        f for f in entry.fields.values() if f.declared.options and f.declared.name != entry.numbered.fact.kind.subject
    ]
    return any(f.folded in PENDING for f in states)


def _said_otherwise(s: Sentence) -> Iterator[Checked]:
    """ "I let Karl know", and "Done!", said of what was asked for."""
    changes = s.index.gathered.changes
    if any(_ok(e) for e in changes) or acts.denied(s.words):
        return
    match = _PHRASES.search(s.folded) if s.index.current else None
    if match is not None:
        yield wrong(s, K.FALSE_ACTION, match.start(), match.end(), "nothing shows it: say what waits for approval")
        return
    said = [t.text.casefold() for t in s.words if t.text.casefold() not in ("all", "c'est", "c’est")]
    asked = acts.sorts_of(s.your_words) & _ASKED
    ours = said[:1] and said[0] in words.PARTICIPLES and s.index.current
    if 0 < len(said) < 3 and said[0] in words.ANSWERS and (changes or asked or ours):
        first = s.words[0]
        yield wrong(s, K.FALSE_ACTION, first.start, s.words[-1].end, "nothing shows it: say what waits for approval")


_PHRASES = re.compile("|".join(words.PHRASES))
_ASKED = frozenset(("send", "make", "change", "remove", "pay", "call", "share"))


def check_others_acts(s: Sentence) -> Iterator[Checked]:
    """ "He has accepted": what somebody did with what they were sent; a record or a receipt says so."""
    changes = s.index.gathered.changes
    if s.suggestion or not (s.bound.subjects or changes):
        return
    asked = bool(s.acts) and s.setting.user_message.rstrip().endswith("?")
    for act in s.acts:
        sorts = act.sorts & _OTHERS
        if not sorts or not _is_somebodys(act) or (act.sorts & acts.sorts_of(s.your_words) and not asked):
            continue
        head = _head(act.token.text)
        shown = any(w.startswith(head) for e in s.index.current for w in e.words)
        if not shown and not any(acts.tells(sorts, _told_by(e)) for e in _not_of_others(s)):
            near = next(iter((*s.bound.subjects, *changes)))
            yield wrong(s, K.FALSE_ACTION, act.token.start, act.token.end, f'no record says "{act.token.text}"', near)
            return


def _not_of_others(s: Sentence) -> Iterator[Entry]:
    """The facts, without those of people that the sentence does not speak of."""
    allowed = {e.ref for e in s.bound.allowed}
    return (e for e in s.index.current if e.ref in allowed or not e.is_someone)


_OTHERS = frozenset(words.OTHERS)
_PRONOUNS = frozenset(("he", "she", "they"))


def _is_somebodys(act: Act) -> bool:
    if act.voice is Voice.THIRD:
        return True
    before = [t.text.casefold() for t in act.clause[: act.at]]
    return act.voice is Voice.BARE and not _PRONOUNS.isdisjoint(before[-3:] + before[:2])
