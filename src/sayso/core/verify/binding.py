# ruff: noqa: E501 (patterns and messages are easier to read on one line)
"""Which records a sentence is about: cited ones, named ones, or the last ones spoken of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sayso.core.verify.citations import Citation
from sayso.core.verify.declared.focus import NO_FOCUS, Focus
from sayso.core.verify.index import Entry, FactIndex
from sayso.core.verify.kind_words import field_words
from sayso.core.verify.lexicon import ALL, ARTICLES, DEFINITE, GOES_ON, IT, OF_ONE_LANGUAGE, PERSONAL, PRONOUN
from sayso.core.verify.segments import Piece, Shape
from sayso.core.verify.values import Value
from sayso.core.verify.words import Token, fold, phrase_in, stem, tokens


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the text so far was about; the only state between sentences."""

    subjects: tuple[Entry, ...] = ()
    recent: tuple[Entry, ...] = ()
    columns: tuple[str, ...] = ()  # the headings of the table that is being told
    in_letter: bool = False
    focus: Focus = NO_FOCUS
    dated: str = ""  # the last sentence that named a time
    asked: str = ""  # the short question right before ("Role? Not recorded.")
    nested: bool = False  # the next line is set in deeper
    told: tuple[Value, ...] = ()  # what was just worked out with the user's own numbers
    stranger: str = ""  # a name of no record that the last sentence was about
    images: tuple[str, ...] = ()  # the attached images that are told of


@dataclass(frozen=True)
class Binding:
    """`about`: cited, named or carried records (without one that is cited for another); `allowed`: they and
    the records about them; `before`: what the text before spoke of, the last first; `columns`: the headings over a row's cells."""

    cited: tuple[Entry, ...] = ()
    named: tuple[Entry, ...] = ()
    carried: tuple[Entry, ...] = ()
    unknown: tuple[tuple[str, int, int], ...] = ()
    allowed: tuple[Entry, ...] = ()
    about: tuple[Entry, ...] = ()
    before: tuple[Entry, ...] = ()
    columns: tuple[str, ...] = ()
    asked: str = ""

    @cached_property
    def subjects(self) -> tuple[Entry, ...]:
        return tuple({e.ref: e for e in self.about}.values())

    @cached_property
    def records(self) -> tuple[Entry, ...]:
        """The subjects that are records: no proposal, no receipt."""
        return tuple(e for e in self.subjects if e.is_record)

    @property
    def alone(self) -> Entry | None:
        """The first record, where the sentence is about no other of its kind."""
        first = self.records[0] if self.records else None
        return first if first and sum(e.kind == first.kind for e in self.records) == 1 else None

    @property
    def tight(self) -> bool:
        """Whether the sentence says itself what it is about."""
        return bool(self.cited or self.named or self.carried)


def bind(
    piece: Piece,
    clean: str,
    words: list[Token],
    cues: frozenset[str],
    found: Sequence[Citation],
    index: FactIndex,
    spoken: Spoken,
    language: str,
    lasting: frozenset[int] = frozenset(),
) -> Binding:
    """`lasting`: where words of lengths of time stand, which name no record ("three days" is no "Garden day")."""
    refs = [(ref, c.start, c.end) for c in found for ref in c.refs]
    cited = tuple({r: index.entries[r] for r, _, _ in refs if r in index.entries}.values())
    unknown = tuple(r for r in refs if r[0] not in index.entries)
    named = _picked(_expected(named_records(words, index), words, spoken), cited, words)
    if lasting:
        telling = {w for t in words if t.start not in lasting for w in (t.word, stem(t.text))}
        named = tuple(e for e in named if any(w in telling or w[:6] in telling for w in e.subject))
    several = any(e in named for e in cited if e.is_record)
    meant = tuple(e for e in cited if several or not _of_another(e, named, clean, spoken))
    apart = tuple(e for e in named if not _in_a_firm(e, words, clean, index))
    if len(apart) < len(named):
        others = apart or any(e.is_record for e in cited)
        named = apart if others or _carried(piece, clean, words, cues, index, spoken, language) else named
    tied = named or any(e.kind != "lookup" for e in cited)
    carried = () if tied else _carried(piece, clean, words, cues, index, spoken, language)
    subjects = [e for e in (*cited, *named, *carried) if e.kind != "lookup"]
    subjects = [e for e in subjects if e in meant or e not in cited]
    return Binding(
        cited,
        named,
        carried,
        unknown,
        (*meant, *_with_related(subjects, index, words)),
        tuple(subjects),
        spoken.recent,
        spoken.columns,
        spoken.asked,
    )


def _in_a_firm(entry: Entry, words: list[Token], clean: str, index: FactIndex) -> bool:
    """Whether a record is only named by a word within the name of a firm: "she works at Weber & Sons"."""
    said = [t for t in words if t.word in entry.subject]
    if len(said) >= len(entry.subject):
        return False
    folded = fold(clean)
    for firm in index.gathered.firms:
        at = phrase_in(firm, folded) if firm in folded else -1
        if at >= 0 and all(at <= t.start < at + len(firm) for t in said):
            return True
    return False


def _carried(
    piece: Piece, clean: str, words: list[Token], cues: frozenset[str], index: FactIndex, spoken: Spoken, language: str
) -> tuple[Entry, ...]:
    """Whom a sentence without a name or a ref goes on about."""
    everyone = ALL.search(clean) if ALL.may_match(cues) else None
    if everyone and everyone.start() < 8 and not any(t.word in index.kind_words for t in words):
        told_of_all = _all_of(spoken, index)
        if told_of_all:
            return told_of_all
    label = 0 < clean.find(":") < 30 and _is_known(clean[: clean.find(":")], index, spoken)
    noun = None if piece.shape is Shape.ITEM else _noun_of(words)
    of_noun = _by_noun(noun, index, spoken) if noun else ()
    if of_noun:
        return of_noun
    goes_on = piece.shape is Shape.ITEM or label or _has_pronoun(clean, language) or spoken.asked
    if goes_on or _of_a_field(clean, words, spoken):
        return (_with_field(clean, spoken) if label else ()) or _spoken_of(clean, spoken)
    known = [e for e in index.gathered.holding_any((noun.word,)) if e.is_record][:2] if noun else []
    return tuple(known) if len(known) == 1 and spoken.recent else ()


def _of_a_field(clean: str, words: list[Token], spoken: Spoken) -> bool:
    """ "The log says ...", "You last spoke on ...": told of a field of the one record that is spoken of."""
    head = [fold(t.text) for t in words[:3]]
    if len(head) < 2 or len(spoken.subjects) != 1:
        return False
    if not GOES_ON.isdisjoint(head):
        return True
    phrases = {p for f in spoken.subjects[0].numbered.fact.kind.fields for p in field_words(f)}
    if head[0] in ARTICLES and not phrases.isdisjoint((head[1], " ".join(head[1:]))):
        return True
    folded = fold(clean)
    return any(" " in p and phrase_in(p, folded) >= 0 for p in phrases)


def _by_noun(noun: Token, index: FactIndex, spoken: Spoken) -> tuple[Entry, ...]:
    """ "The meeting lasts ...", "L'atelier ...": the last record of that kind, or the one that is spoken of if its text
    has the word."""
    kind = index.kind_words.get(noun.word)
    if kind is not None:
        return tuple(e for e in spoken.recent if e.kind == kind)[:1]
    alone = len(spoken.subjects) == 1 and noun.word[:6] in spoken.subjects[0].stems
    return spoken.subjects if alone else ()


def _noun_of(words: list[Token]) -> Token | None:
    """The first word after an article, near the start of a sentence."""
    return next((n for n in map(_noun_at, words[:3], words[1:4]) if n is not None), None)


def _noun_at(first: Token, second: Token) -> Token | None:
    """The word after an article, or with one: "la caution", "l'atelier"."""
    noun = first if first.text[1:2] in ("'", "’") else second if fold(first.text) in DEFINITE else None
    return noun if noun is not None and len(noun.word) > 3 else None


def _has_pronoun(clean: str, language: str) -> bool:
    """Whether a word stands for somebody; "son" and "il" do so in one language only."""
    return any(OF_ONE_LANGUAGE.get(fold(m.group()), language) == language for m in PRONOUN.finditer(clean))


def _of_another(cited: Entry, named: Sequence[Entry], clean: str, spoken: Spoken) -> bool:
    """Whether a cited record is not the one that the sentence names: "Pavel is a lecturer [Sam's record]"."""
    peers = [e for e in named if e.kind == cited.kind and e.is_record]
    return bool(peers) and cited not in named and cited not in spoken.subjects and not PRONOUN.search(clean)


def _spoken_of(clean: str, spoken: Spoken) -> tuple[Entry, ...]:
    """Whom "she" and what "it" mean: people for the one, the last other record for the other."""
    if PERSONAL.search(clean) and not any(e.is_someone for e in spoken.subjects):
        return tuple(e for e in spoken.recent if e.is_someone)[:1] or spoken.subjects
    if IT.match(clean) and all(e.is_someone for e in spoken.subjects):
        return tuple(e for e in spoken.recent if e.is_record and not e.is_someone)[:1] or spoken.subjects
    return spoken.subjects


def _all_of(spoken: Spoken, index: FactIndex) -> tuple[Entry, ...]:
    """Whom "both" and "all" mean: the records just spoken of, or, where that was one, all of its kind."""
    records = tuple(e for e in spoken.subjects if e.is_record)
    return records if len(records) > 1 else tuple(index.of_kind(records[0].kind) if records else ())


def _expected(named: tuple[Entry, ...], words: list[Token], spoken: Spoken) -> tuple[Entry, ...]:
    """Of records that share a part of a name, the one that is spoken of is meant: "Luca" after "Luca Bernasconi"."""
    said = frozenset(t.word for t in words)

    def meant(entry: Entry) -> Entry:
        mine = said & entry.name
        if mine == entry.name or entry in spoken.subjects:
            return entry
        known = (e for e in spoken.subjects if e.kind == entry.kind and mine and mine <= e.name)
        return next(known, entry)

    return tuple({e.ref: e for e in map(meant, named)}.values())


def _picked(named: tuple[Entry, ...], cited: Sequence[Entry], words: list[Token]) -> tuple[Entry, ...]:
    """Of records that answer to the same words, the cited one is meant."""
    said = frozenset(t.word for t in words)

    def meant(entry: Entry) -> bool:
        mine = said & entry.name
        return not any(c.kind == entry.kind and c.ref != entry.ref and mine <= c.name for c in cited)

    return tuple(e for e in named if e in cited or meant(e))


def mentions(entries: Sequence[Entry], words: list[Token]) -> list[tuple[int, int, Entry]]:
    """Where records are named in a sentence, in order: start, end, record. Words that several share are skipped."""
    found: list[tuple[int, int, Entry]] = []
    owners: dict[str, list[Entry]] = {}
    for entry in entries:
        for word in entry.name:
            owners.setdefault(word, []).append(entry)
    for token in words if owners else ():
        own = owners.get(token.word)
        if own is None or len(own) != 1:
            continue
        if found and found[-1][2] is own[0] and token.start - found[-1][1] <= 2:
            found[-1] = (found[-1][0], token.end, own[0])
        else:
            found.append((token.start, token.end, own[0]))
    return found


def _is_known(label: str, index: FactIndex, spoken: Spoken) -> bool:
    """Whether a label is of the records or their fields: "Ingredients:" leads to something else."""
    said = tokens(label)
    stems = frozenset[str]().union(*(e.stems | index.words_of(e).stems for e in spoken.recent))
    return any(t.word in index.kind_words or t.word[:6] in stems for t in said)


def _with_field(clean: str, spoken: Spoken) -> tuple[Entry, ...]:
    """ "Status: ..." speaks of the last record that declares such a field."""
    name = fold(clean[: clean.find(":")]).strip(" *-_•").replace(" ", "_")
    fitting = [e for e in spoken.recent if e.numbered.fact.kind.field(name)]
    return tuple(fitting[:1])


def named_records(words: list[Token], index: FactIndex) -> tuple[Entry, ...]:
    """Records whose names occur: the longest name takes its words; a part counts where it is telling."""
    present = {t.word for t in words}
    stems = dict.fromkeys([stem(t.text) for t in words])  # in their order, so that each run finds the same
    loose = {s for t in words if not _is_exact(t.word, s := stem(t.text), index)}
    candidates = {e.ref: e for s in stems if s in index.by_word for e in index.by_word[s]}
    scored: list[tuple[int, float, Entry]] = []
    for entry in candidates.values():
        exact = hits = 0
        for word, cut in zip(entry.subject, entry.shortened, strict=True):
            if word in present:
                exact += 1
                hits += 1
            elif (len(word) > 4 or not entry.is_like_a_person) and cut in loose:
                hits += 1
        scored.append((exact, hits / len(entry.subject), entry))
    scored.sort(key=lambda s: (-s[1] if s[1] == 1 else 0, -s[0], -s[1], not s[2].is_someone))
    taken: set[str] = set()
    chosen: list[Entry] = []
    for exact, share, entry in scored:
        mine = {w for w, cut in zip(entry.subject, entry.shortened, strict=True) if w in present or cut in loose}
        rest = mine - taken
        if not rest and not (chosen and entry.name == chosen[-1].name):
            continue
        telling = share >= 0.5 or any(
            len(w) >= 5 and w in present and len(index.by_word.get(w[:6], ())) == 1 for w in rest
        )
        if telling or (exact and entry.is_someone):
            taken |= mine if share >= 0.5 else set()
            chosen.append(entry)
    return tuple(chosen)


def _is_exact(word: str, stemmed: str, index: FactIndex) -> bool:
    """Whether a word is one of a name to the letter: "Aurelio" is then no "Aurelia"."""
    return any(word in e.subject for e in index.by_word.get(stemmed, ()))


def _with_related(subjects: Sequence[Entry], index: FactIndex, words: list[Token]) -> tuple[Entry, ...]:
    """The subjects, and records of other kinds that name them or that they name; "Ms Diaz" as the sentence names her."""
    found = {e.ref: e for e in subjects}
    said = {t.word for t in words}
    for subject in subjects:
        for other in index.gathered.related(subject):
            found.setdefault(other.ref, other)
        own = [w for w in subject.subject if w in said and len(index.by_word.get(w[:6], ())) == 1]
        for other in index.gathered.holding_any(own if subject.is_someone else ()):
            if other.kind != subject.kind:
                found.setdefault(other.ref, other)
    return tuple(found.values())
