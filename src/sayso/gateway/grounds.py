"""What a change rests on, as it was when it was filed: the user's words, and the facts that it takes its values from.

From these a card says which records speak for a change, and whether anybody asked for it. It judges words only;
what was said in the chat never decides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from sayso.core.evidence import Numbered
from sayso.core.facts import Fact, Provenance
from sayso.core.proposals import Change
from sayso.workspace.names import index_words

_TRACES = frozenset({"lookup", "proposal", "receipt"})
MAX_REASONS = 6
_SHORTEST, _ROOT = 3, 4  # letters of a word that names something; letters that two forms of it share


@dataclass(frozen=True, slots=True)
class Reason:
    """A fact that a change rests on; `ref` is its citation in the thread, "" where it has none."""

    ref: str
    kind: str
    subject: str
    source: str
    key: str
    provenance: str


@dataclass(frozen=True, slots=True)
class Grounds:
    """`words` are the user's messages, the newest first; `asked` whether the target was asked for by them, None
    where nobody can tell; `reasons` the facts that the change takes its values from."""

    words: tuple[str, ...] = ()
    asked: bool | None = None
    reasons: tuple[Reason, ...] = ()

    def document(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=True)


def read_grounds(body: str | None) -> Grounds:
    """What was kept; empty grounds where nothing was, or nothing that can be read."""
    try:
        document = json.loads(body or "{}")
        reasons = tuple(Reason(**reason) for reason in document.get("reasons", ()))
        return Grounds(tuple(document.get("words", ())), document.get("asked"), reasons)
    except (ValueError, TypeError, AttributeError):
        return Grounds()


def grounds_of(
    change: Change, words: Sequence[str], facts: Iterable[Numbered], record: tuple[str, str] | None = None
) -> Grounds:
    """The grounds of a change: `words` are the user's messages, `record` the page's open one (kind, key)."""
    known = [n for n in facts if n.fact.kind.name not in _TRACES]
    reasons = tuple(_reason(n) for n in known if _speaks_for(n.fact, change))[:MAX_REASONS]
    return Grounds(tuple(words)[:20], _asked(change, words, [n.fact for n in known], record), reasons)


def cited_as(found: Iterable[Numbered], thread: Sequence[Numbered]) -> tuple[Numbered, ...]:
    """Facts under the refs that their thread knows them by: the gateway numbers none itself.

    `found` are those of the exchange, `thread` those of its stored transcript, the newest first. A fact that is in no
    transcript yet, or says something else there, has no ref.
    """
    known = {n.fact.identity: n for n in reversed(thread)}
    named = {**known, **{n.fact.identity: _named_as(n.fact, known.get(n.fact.identity)) for n in found}}
    return tuple(named.values())


def _named_as(fact: Fact, known: Numbered | None) -> Numbered:
    return known if known is not None and known.fact.same_content(fact) else Numbered("", fact)


def cards_asked_for(message: str) -> int:
    """How many changes a message asks for, generously: its parts, the numbers in it; any number where it says "all"."""
    words = message.casefold()
    if _EVERY.search(words):
        return _ANY
    numbers = [int(n) for n in re.findall(r"\b\d{1,2}\b(?![:.\d%])", words)]
    numbers += [count for word, count in _COUNTS.items() if re.search(rf"\b{word}\b", words)]
    parts = 1 + len(re.findall(r",|;|\n|\b(?:and|und|et|e|y|also|then|dann|auch|plus)\b", words))
    return max([parts, *(n for n in numbers if n <= 20)])


_ANY = 1000
_EVERY = re.compile(
    r"\b(?:all|each|every|everyone|everybody|alle[nrms]?|jede[nrms]?|tous|toutes|chaque|tutti|ogni|todos|todas|cada)\b"
)
_COUNTS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "zwei": 2,
    "drei": 3,
    "vier": 4,
    "fünf": 5,
    "deux": 2,
    "trois": 3,
}


def _asked(
    change: Change, words: Sequence[str], facts: Sequence[Fact], record: tuple[str, str] | None
) -> bool | None:  # fmt: skip
    """Whether the target occurs in the user's words, or in own facts that the user named.

    A change without a target is about what its texts say: it is marked only where they come from a record's text.
    """
    said = _tokens(" ".join(words))
    if not said:
        return None
    target = change.target
    if target is not None and record == (target.kind, target.key):
        return True
    own = [fact for fact in facts if fact.provenance is Provenance.OWN and _named(fact.subject, said)]
    about = target.name if target else _recipient(change)
    if about is not None:
        address = about.casefold() in " ".join(words).casefold()
        return address or _named(about, said) or any(index_words(about) in index_words(_texts(f)) for f in own)
    told = _tokens(" ".join(v for v in change.arguments.values() if isinstance(v, str)))
    if not told or _share(told, said):
        return True
    elsewhere = any(_share(told, _tokens(_texts(fact)), most=True) for fact in facts if fact not in own)
    return False if elsewhere else None


def _recipient(change: Change) -> str | None:
    for name in ("address", "recipient", "to", "counterparty"):
        value = change.arguments.get(name)
        if isinstance(value, str) and value:
            return value
    return None


def _tokens(text: str) -> set[str]:
    return {w for w in index_words(text).split() if len(w) >= _SHORTEST}


def _named(name: str, said: set[str]) -> bool:
    """Whether any word of a name was said, perhaps in another form ("Elenas", "meditiert" of "Meditate")."""
    return any(_alike(word, other) for word in _tokens(name) for other in said)


def _alike(word: str, other: str) -> bool:
    if word == other:
        return True
    for form in (other, other.removeprefix("ge")):
        shared = next(
            (n for n, (a, b) in enumerate(zip(word, form, strict=False)) if a != b), min(len(word), len(form))
        )
        if shared >= _ROOT and shared * 2 > max(len(word), len(form)):
            return True
    return False


def _share(told: set[str], said: set[str], *, most: bool = False) -> bool:
    shared = sum(any(_alike(word, other) for other in said) for word in told)
    return shared * 2 > len(told) if most else shared > 0


def _speaks_for(fact: Fact, change: Change) -> bool:
    if change.target is not None and fact.key == change.target.key:
        return True
    held = index_words(_texts(fact))
    return any(
        index_words(value) and f" {index_words(value)} " in f" {held} " for value in _short_values(change.arguments)
    )  # fmt: skip


def _short_values(arguments: Mapping[str, Any]) -> Iterable[str]:
    """The values that are taken over as they are: names, addresses; not letters and remarks."""
    for value in arguments.values():
        items = cast(list[Any], value) if isinstance(value, list) else [value]
        for item in items:
            if isinstance(item, str) and _SHORTEST <= len(item) <= 80 and not _DAY.match(item):
                yield item


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def _texts(fact: Fact) -> str:
    texts: list[str] = [fact.subject]
    for value in fact.values.values():
        texts += value if isinstance(value, tuple) else [value] if isinstance(value, str) else []
    return " . ".join(texts)


def _reason(numbered: Numbered) -> Reason:
    fact = numbered.fact
    return Reason(numbered.ref, fact.kind.name, fact.subject, fact.source, fact.key, fact.provenance.value)
