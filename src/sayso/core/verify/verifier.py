# ruff: noqa: E501 (patterns and messages are easier to read on one line)
"""The verifier: sentences in, verdicts out; whole or streamed, the same verdicts. No model, no I/O."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sayso.core.evidence import Evidence
from sayso.core.facts import SECOND_HAND
from sayso.core.verify import lexicon
from sayso.core.verify.binding import Binding, Spoken, bind, named_records
from sayso.core.verify.citations import Citation, citations
from sayso.core.verify.cues import cues_of
from sayso.core.verify.declared.engine import NOTHING_READ, StatementEngine
from sayso.core.verify.declared.grounding import Grounding
from sayso.core.verify.declared.reading_rules import is_read_plainly
from sayso.core.verify.declared.series import is_calendar
from sayso.core.verify.holding import SIZES, same
from sayso.core.verify.index import Entry, FactIndex
from sayso.core.verify.report import Judged, Profile, Report, Verdict, Violation, ViolationKind
from sayso.core.verify.rules import GROUNDED_RULES, LAST_RULES, PLAIN, RULES, rules_for
from sayso.core.verify.rules_citations import idle_refs
from sayso.core.verify.rules_images import told_of_images
from sayso.core.verify.rules_unheld import DEEPER, unheld
from sayso.core.verify.segments import Piece, Segmenter, Shape, cells, without_mark
from sayso.core.verify.sentence import Checked, Sentence
from sayso.core.verify.setting import Setting
from sayso.core.verify.strangers import stranger_after
from sayso.core.verify.values import CONTACTS, MIN_QUOTE, Value, ValueKind, find_values, quote_key
from sayso.core.verify.words import Token, fold, tokens, word_set

_MILD = frozenset({ViolationKind.UNSUPPORTED, ViolationKind.UNATTRIBUTED})


class Verifier:
    """One per exchange. The evidence may grow between calls; each fact is read once.

    In an answer to "write me a letter" times and names are wording. `whole_text`: they are claims all the
    same, as in the text of a proposal.
    """

    def __init__(self, evidence: Evidence, setting: Setting, *, whole_text: bool = False) -> None:
        self._evidence, self._whole_text = evidence, whole_text
        self._own: Verifier | None = None
        self._index = FactIndex(evidence)
        self._setting = setting
        self._declared = StatementEngine(setting.lexicon.grammar) if setting.lexicon.declared.kinds else None
        self._ground = Grounding(setting)
        self._rules = {covers: rules_for(setting, declared=covers) for covers in (False, True)}
        self._yours = find_values(setting.user_message, setting.now.date(), quotes=False)
        self._your_words = word_set(setting.user_message)
        self._drafting = not whole_text and bool(lexicon.DRAFTING.search(setting.user_message))

    @property
    def profile(self) -> Profile:
        return self._setting.profile

    def report(self, text: str) -> Report:
        """The verdict of each sentence; the pieces joined are the text."""
        stream = self.stream()
        return Report((*stream.feed(text), *stream.end()), self._setting.profile)

    def stream(self) -> SentenceStream:
        return SentenceStream(self)

    def judge(self, piece: Piece, spoken: Spoken) -> tuple[Judged, Spoken]:
        """One sentence in the light of what was spoken of before, and what is spoken of after it."""
        judged, after = self._judge(piece, spoken)
        if judged.verdict is not Verdict.SUPPORTED or not self._index.others:
            return judged, after
        cited = tuple(self._index.entries[ref] for ref in judged.refs if ref in self._index.entries)
        others = [e for e in dict.fromkeys((*cited, *after.subjects)) if e.attributed]
        if not others or _says_who(piece.text, others) or self._stands_alone(piece, spoken):
            return judged, after
        told = _untold(piece.text.strip(), others[0], piece.start, piece.start + len(piece.text.rstrip()))
        return replace(judged, verdict=Verdict.UNSUPPORTED, violations=(told,)), after

    def _stands_alone(self, piece: Piece, spoken: Spoken) -> bool:
        """Whether a sentence would stand without what others say: a record of ours beside theirs lends it nothing."""
        mine = [n for n in self._evidence if not self._index.is_others(n.ref)]
        if self._own is None or len(self._own._evidence) != len(mine):
            self._own = Verifier(Evidence(mine), self._setting, whole_text=self._whole_text)
            self._own._index.sync()
        known = self._own._index.entries
        theirs = tuple(c for c in citations(piece.text) if all(self._index.is_others(ref) for ref in c.refs))
        subjects, recent = (
            tuple(known[e.ref] for e in es if e.ref in known) for es in (spoken.subjects, spoken.recent)
        )
        judged, _ = self._own._judge(
            replace(piece, text=_blanked(piece.text, theirs)), replace(spoken, subjects=subjects, recent=recent)
        )
        wrong = any(v.kind is not ViolationKind.UNKNOWN_REF for v in judged.violations)
        return not wrong and judged.verdict is not Verdict.TALK

    def _judge(self, piece: Piece, spoken: Spoken) -> tuple[Judged, Spoken]:
        self._index.sync()
        text = _visible(piece.text)
        found = citations(text)
        clean = _blanked(text, found)
        found, images = _apart(found, self._index.images)
        values = find_values(without_mark(clean), self._setting.now.date())
        clean, values = self._without_verbatim(clean, values, found)
        contacts = [v for v in values if v.kind in CONTACTS]
        words = tokens(clean)
        cues = cues_of(words)
        if contacts:
            words = [t for t in words if not any(v.start <= t.start < v.end for v in contacts)]
        durations = [v for v in values if v.kind is ValueKind.DURATION]
        lasting = frozenset(t.start for v in durations for t in words if v.start <= t.start < v.end)
        bound = bind(piece, clean, words, cues, found, self._index, spoken, self._setting.language, lasting)
        recent = tuple({e.ref: e for e in (*bound.subjects, *spoken.recent)}.values())[:8]
        in_letter = self._drafting and (spoken.in_letter or bool(lexicon.SALUTATION.search(clean)))
        header = piece.shape is Shape.ROW and not spoken.columns and not found
        columns = spoken.columns if piece.shape is Shape.ROW else ()
        if header:
            columns = tuple(clean[a:b].strip() for a, b in cells(clean))
        read = self._declared.read(clean, self._index.current, spoken.focus) if self._declared else NOTHING_READ
        dated = clean if any(v.kind is ValueKind.DATE and is_calendar(v.text) for v in values) else spoken.dated
        question = _is_question(clean)
        asked = clean if question and len(words) <= _FEW else ""
        after = Spoken(bound.subjects or spoken.subjects, recent, columns, in_letter, read.focus, dated, asked, DEEPER.search(text) is not None)  # fmt: skip
        if any(same(v, y) for y in self._yours for v in values):
            after = replace(after, told=tuple(v for v in values if v.kind in SIZES))
        if not (words or values) or header:
            return Judged(piece.text, piece.start, Verdict.TALK), after
        sentence = self._sentence(clean, words, cues, values, bound, in_letter, spoken)
        violations = _unknown_refs(piece, bound)
        rules = self._rules[read.covers]
        grounded = not read.covers and self._ground.applies(sentence)
        if grounded:
            rules = (*GROUNDED_RULES, self._ground.check)
        elif rules is RULES and is_read_plainly(sentence):
            rules = PLAIN
        checked = [] if question else [c for rule in rules for c in rule(sentence)]
        if read.checked and not question:
            checked = _once((*read.checked, *checked))
        violations += [c.violation for c in checked if c.violation]
        if not (violations or read.covers or grounded or question):
            violations += [c.violation for rule in LAST_RULES for c in rule(sentence) if c.violation]
            violations = violations or _mild(sentence, checked, inferred=rules is RULES)
        about = None
        if images or spoken.images or self._setting.images:
            violations, about = told_of_images(sentence, violations, images, spoken.images)
        if about is not None:
            shown = Verdict.YOURS if not violations else _verdict(violations, checked, ())
            return Judged(
                piece.text, piece.start, shown, tuple(_placed(v, piece.start) for v in violations), about, len(checked),
                added=() if images else about,
            ), replace(spoken, images=images or spoken.images or self._setting.images)  # fmt: skip
        after = replace(after, images=() if bound.cited or bound.named else spoken.images)
        stranger = stranger_after(sentence, goes_on=piece.shape is Shape.ITEM)
        after = replace(after, stranger=stranger) if stranger else after
        refs = (*dict.fromkeys(e.ref for e in bound.cited), *images)
        verdict = _verdict(violations, checked, refs)
        uncited = verdict is Verdict.SUPPORTED and not refs
        named = tuple(e.ref for e in bound.named if e.is_record) if uncited else ()
        return Judged(
            piece.text, piece.start, verdict, tuple(_placed(v, piece.start) for v in violations), refs or named,
            len(checked) + len(bound.unknown), added=named if len(named) == 1 else (), idle=idle_refs(sentence),
        ), after  # fmt: skip

    def _without_verbatim(
        self, clean: str, values: list[Value], found: tuple[Citation, ...]
    ) -> tuple[str, list[Value]]:
        """A quotation that a cited record holds to the letter is its own proof: what is in it is not judged again.

        The name of a record stays a name, in whatever marks.
        """
        quotes = [v for v in values if v.kind is ValueKind.QUOTE and len(v.key.split()) >= MIN_QUOTE]
        cited = [self._index.entries[r] for c in found for r in c.refs if r in self._index.entries] if quotes else []
        for quote in quotes:
            if any(quote.key in entry.quotes for entry in cited):
                if not any(quote.key == quote_key(entry.numbered.fact.subject) for entry in cited):
                    clean = clean[: quote.start] + " " * (quote.end - quote.start) + clean[quote.end :]
                values = [v for v in values if v is quote or not quote.start <= v.start < quote.end]
        return clean, values

    def entries(self) -> tuple[Entry, ...]:
        """The facts as they stand now, as the rules see them."""
        self._index.sync()
        return self._index.current

    def opening(self) -> Spoken:
        """Before the first sentence, the records that the user's message names are spoken of."""
        self._index.sync()
        named = tuple(e for e in named_records(tokens(self._setting.user_message), self._index) if e.is_record)
        return Spoken(named, named[:8], images=() if named else self._setting.images)

    def _sentence(
        self, clean: str, words: list[Token], cues: frozenset[str], values: list[Value], bound: Binding,
        in_letter: bool, spoken: Spoken,
    ) -> Sentence:  # fmt: skip
        asking = (p for p in (lexicon.ADVICE, lexicon.CONDITION) if p.may_match(cues))
        asked = any(p.search(clean) for p in asking) or _is_told_to(clean, words, cues, bound)
        suggestion = in_letter or asked
        advice = suggestion or (self._drafting and not bound.cited)
        folded = fold(clean)
        if len(folded) != len(clean):
            folded = "".join((fold(c) or " ")[0] for c in clean)
        return Sentence(
            clean, folded, words, cues, values, bound, self._index, self._setting, self._yours, self._your_words, advice,
            suggestion, spoken.dated, spoken.nested, spoken.told, spoken.stranger,
        )  # fmt: skip


def _is_told_to(clean: str, words: list[Token], cues: frozenset[str], bound: Binding) -> bool:
    """ "Ask the caterer", "Leave ten minutes early": nothing is told of a record that is not named to the letter."""
    if bound.cited or not lexicon.IMPERATIVE.may_match(cues) or lexicon.IMPERATIVE.search(clean) is None:
        return False
    named = [e for e in bound.named if e.numbered.fact.subject in clean or words[0].word in e.subject]
    return not bound.named or not (named or lexicon.TELLS_ALL_THE_SAME.match(clean))


class SentenceStream:
    """Feed deltas; take each sentence, judged, once no further text can change it."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self._cutter = Segmenter()
        self._spoken: Spoken | None = None

    def feed(self, delta: str) -> tuple[Judged, ...]:
        return self._judge(self._cutter.feed(delta))

    def end(self) -> tuple[Judged, ...]:
        return self._judge(self._cutter.end())

    def _judge(self, pieces: list[Piece]) -> tuple[Judged, ...]:
        judged: list[Judged] = []
        for piece in pieces:
            spoken = self._spoken or self._verifier.opening()
            verdict, self._spoken = self._verifier.judge(piece, spoken)
            judged.append(verdict)
        return tuple(judged)


def _visible(text: str) -> str:
    """Characters that nobody sees ("s\u200bent") hide no word: left out, each word of the same length by spaces after it."""
    if text.isascii() or _HIDDEN.search(text) is None:
        return text
    return _HIDING.sub(lambda m: (shown := _HIDDEN.sub("", m.group())) + " " * (len(m.group()) - len(shown)), text)


_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_HIDING = re.compile(f"[^\\s]*{_HIDDEN.pattern}[^\\s]*")


def _blanked(text: str, found: tuple[Citation, ...]) -> str:
    for c in found:
        text = text[: c.start] + " " * (c.end - c.start) + text[c.end :]
    return _FOOTNOTE.sub(lambda m: " " * len(m.group()), text)


_FOOTNOTE = re.compile(r"\[\d{1,3}\]")


def _apart(found: tuple[Citation, ...], images: set[str]) -> tuple[tuple[Citation, ...], tuple[str, ...]]:
    """The citations of records, and the images that are cited."""
    cited = tuple(dict.fromkeys(ref for c in found for ref in c.refs if ref in images)) if images else ()
    if not cited:
        return found, ()
    return tuple(replace(c, refs=tuple(r for r in c.refs if r not in images)) for c in found), cited


def _once(checked: Sequence[Checked]) -> list[Checked]:
    """What several rules find at one place is one violation, the first one's."""
    wrong = {(v.start, v.end): c for c in reversed(checked) if (v := c.violation)}
    return [*(wrong[place] for place in sorted(wrong)), *(c for c in checked if not c.violation)]


def _is_question(clean: str) -> bool:
    return clean.rstrip(" \n\t*_\"'”)").endswith(("?", "？"))


_FEW = 6  # words of a question that names what its answer is about


def _unknown_refs(piece: Piece, bound: Binding) -> list[Violation]:
    return [
        Violation(ViolationKind.UNKNOWN_REF, piece.text[a:b], a, b, f"there is no {ref}: cite only refs of the records")
        for ref, a, b in bound.unknown
    ]


def _mild(s: Sentence, checked: list[Checked], *, inferred: bool) -> list[Violation]:
    """What is only marked: told without attribution, or nothing for or against it."""
    records = [e for e in s.bound.cited if e.kind != "lookup"]
    if records and all(e.attributed for e in records) and not _says_who(s.clean, records):
        return [_untold(s.clean.strip(), records[0], 0, len(s.clean))]
    claims = [c for c in checked if not c.slight]
    if (
        s.advice
        or (claims and any(not c.violation for c in claims) and not s.bound.carried)
        or (checked and not inferred)
    ):
        return []
    return unheld(s, checked)


def _says_who(text: str, others: Sequence[Entry]) -> bool:
    """Whether a sentence says that these are another's words, or whose."""
    if lexicon.ATTRIBUTED.search(text):
        return True
    speakers = {w for e in others if e.kind == SECOND_HAND.name for w in e.subject}
    names = {w for e in others for w in word_set(e.numbered.fact.source) if len(w) > 2} | speakers
    return bool(names & word_set(text))


def _untold(words: str, entry: Entry, start: int, end: int) -> Violation:
    why = f"say who says so ({entry.numbered.fact.subject})"
    return Violation(ViolationKind.UNATTRIBUTED, words, start, end, why, entry.ref)


def _verdict(violations: list[Violation], checked: list[Checked], refs: tuple[str, ...]) -> Verdict:
    if any(v.kind not in _MILD for v in violations):
        return Verdict.CONTRADICTED
    if violations:
        return Verdict.UNSUPPORTED
    if checked and all(c.yours for c in checked):
        return Verdict.YOURS
    return Verdict.SUPPORTED if checked or refs else Verdict.TALK


def _placed(v: Violation, offset: int) -> Violation:
    return replace(v, start=v.start + offset, end=v.end + offset)
