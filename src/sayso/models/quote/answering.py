"""From facts to an answer: template sentences by field type, each with its citation. Never empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import groupby

from sayso.core.evidence import Numbered
from sayso.core.facts import FactKind, Field, FieldType, value_text
from sayso.core.messages import CallStatus, ResultReason
from sayso.models.quote.absent import Absence
from sayso.models.quote.claims import before_value
from sayso.models.quote.describing import attributed, best_excerpt, describe, list_line, tell_fields, telling_fields
from sayso.models.quote.focus import (
    asked_fields,
    asked_state,
    asked_switch,
    asks_for_open,
    concerning,
    coverage,
    extreme,
    filter_value,
    holding,
    in_month,
    named,
    on_days,
    state_of,
    still_open,
    strong_fields,
)
from sayso.models.quote.found import Outcome
from sayso.models.quote.german import german_outcome
from sayso.models.quote.passages import prose_field, tell_passages
from sayso.models.quote.phrases import (
    capital,
    dative_of,
    label_of,
    plural_of,
    quoted,
    refs_of,
    singular_of,
    text,
    value_of,
)  # fmt: skip
from sayso.models.quote.question import Question
from sayso.models.quote.words import is_weak, keys, matches, said

MAX_LISTED = 12
_MAX_VALUES = 3  # values beside each name in a list


@dataclass(frozen=True, slots=True)
class Teller:
    """Answers one question in its language, from what its look-ups brought."""

    question: Question
    now: datetime
    already: Mapping[str, int] = field(default_factory=dict[str, int])
    paged: frozenset[str] = frozenset()  # kinds of which a look-up can bring the next ones

    def from_outcomes(self, outcomes: Sequence[Outcome]) -> str:
        """All outcomes in turn. A failed read is unknown; of several look-ups only the fruitful ones are told."""
        told = [self.proposal(o) for o in outcomes if o.proposes]
        reads = [o for o in outcomes if not o.proposes]
        fruitful = self.nearest([o for o in reads if o.records and (len(reads) == 1 or self.fruitful(o))])
        empty = [o for o in reads if not o.records and o.lookup]
        told += [self.records(o.records, o) for o in fruitful]
        if (self.question.on or self.question.month) and not any(told):  # what was found is of other days
            empty += fruitful
            fruitful = []
        if not fruitful and empty:
            told.append(self.absent.of(empty))
        if any(o.failed for o in reads):
            told.append(self.say("failed"))
        return "\n\n".join(dict.fromkeys(part for part in told if part)) or self.say("untold")

    def nearest(self, outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
        """Those that the question calls for, or that hold the most of what it names; named records come first.

        A passage that only mentions a record says nothing beside that record.
        """
        if len(outcomes) < 2 or not self.question.rest:
            return outcomes
        most = max(coverage(o.records, self.question) for o in outcomes)
        alone = [o for o in outcomes if len(found := named(o.records, self.question)) == 1 and self.unsaid(found[0])]
        if len(alone) == 1 and most < len(self.question.rest) and not any(map(self.called_for, outcomes)):
            return alone
        near = [o for o in outcomes if self.called_for(o) or coverage(o.records, self.question) == most]
        told = [o for o in near if self.tells_field(o)]
        near = [o for o in near if o in told or not told or self.called_for(o) or not prose_field(o.records)]
        whole = any(self.is_named(o) for o in near)
        near = [o for o in near if not whole or self.is_named(o) or self.called_for(o) or not prose_field(o.records)]
        return sorted(near, key=lambda o: (not named(o.records, self.question), bool(prose_field(o.records))))

    def is_named(self, outcome: Outcome) -> bool:
        """Whether a record's name holds all that the question names."""
        wanted = {t.key for t in self.question.rest}
        return any(said(wanted, keys(n.fact.subject)) == len(wanted) for n in outcome.records)

    def misses(self, outcomes: Sequence[Outcome]) -> bool:
        """Whether no look-up was called for and none holds all that the question names."""
        wanted = {t.key for t in self.question.rest}
        if len(wanted) < 2 or any(o.proposes or o.failed or self.called_for(o) for o in outcomes):
            return False
        return max((coverage(o.records, self.question) for o in outcomes), default=0) < len(wanted)

    def called_for(self, outcome: Outcome) -> bool:
        """Whether a word of the question, and no weak one, asks for this look-up."""
        words = (
            (*outcome.tool.words, *(outcome.tool.covers.words if outcome.tool.covers else ())) if outcome.tool else ()
        )
        return any(not is_weak(phrase) for phrase, _ in matches(words, self.question.masked))

    def tells_field(self, outcome: Outcome) -> bool:
        found = () if prose_field(outcome.records) else named(outcome.records, self.question)
        return bool(found and asked_fields(found[0].fact.kind, self.question))

    def fruitful(self, outcome: Outcome) -> bool:
        """Whether its records bear on the question: by their words, or as the tool searched for its words."""
        tool = outcome.tool
        searched = tool is not None and any(outcome.arguments.get(n) for n in (tool.takes_name, tool.takes_text) if n)
        return bool(outcome.records) and (searched or self.relevant(outcome.records))

    def relevant(self, records: Sequence[Numbered]) -> bool:
        """Whether records of one of several look-ups bear on what the question names."""
        if not self.question.rest or named(records, self.question) or holding(records, self.question):
            return True
        kind = records[0].fact.kind
        return bool(prose_field(records) or filter_value(records, kind, self.question) or self.question.asks_for(kind))

    @property
    def absent(self) -> Absence:
        return Absence(self.question, self.now)

    def say(self, key: str, **values: object) -> str:
        return text(self.question.language, key, **values)

    def proposal(self, outcome: Outcome) -> str:
        if found := outcome.receipt or outcome.proposal:
            key, ended = ("receipt" if outcome.receipt else "proposed"), str(found.fact.values.get("outcome"))
            ended = german_outcome(ended) if self.question.language == "de" else ended
            return self.say(key, title=found.fact.subject, outcome=ended, ref=refs_of([found.ref]))
        if outcome.result.reason is ResultReason.NEEDS_CHOICE or outcome.records:
            lines = [self.line(n, ()) for n in outcome.records[:MAX_LISTED]]
            return "\n".join([self.say("choice"), *lines, "", self.say("which")])
        if outcome.result.reason is ResultReason.NO_TARGET:
            return self.say("no_target")
        denied = outcome.result.status is CallStatus.DENIED
        return self.say("denied" if denied else "not_proposed")

    def records(self, records: Sequence[Numbered], outcome: Outcome | None) -> str:
        """By kind, in the order of arrival; the kind that was searched answers first."""
        tool = outcome.tool if outcome else None
        if (
            outcome
            and tool
            and tool.required
            and tool.covers
            and outcome.lookup
            and self.absent.counts_all(tool.covers)
        ):
            return self.absent.count_of_all(tool.covers, outcome.lookup)
        second_hand = [self.second_hand(n) for n in records if attributed(n.fact)]
        own = sorted((n for n in records if not attributed(n.fact)), key=lambda n: n.fact.kind.name)
        groups = [tuple(group) for _, group in groupby(own, key=lambda n: n.fact.kind.name)]
        covers = outcome.tool.covers.name if outcome and outcome.tool and outcome.tool.covers else ""
        filtered = [g for g in groups if filter_value(g, g[0].fact.kind, self.question)]
        filtered = filtered or [g for g in groups if self.question.asks_for(g[0].fact.kind)]
        groups = filtered if filtered and len(groups) > 1 else groups
        bearing = [g for g in groups if named(g, self.question) or concerning(g, self.question)[0]]
        groups = bearing if self.question.rest and bearing else groups
        if asks_for_open(self.question) and any(state_of(g[0].fact.kind) for g in groups):
            groups = [g for g in groups if state_of(g[0].fact.kind)]
        groups.sort(key=lambda g: g[0].fact.kind.name != covers)
        counted = len(groups) == 1 and groups[0][0].fact.kind.name == covers  # a look-up counts what it covers
        lookup = outcome.lookup if outcome and counted else None
        skipped = bool(outcome and outcome.arguments.get("skip"))
        told = [self.one_kind(self.unlisted(group, skipped), lookup) for group in groups]
        return "\n\n".join([*(t for t in told if t), *second_hand])

    def unlisted(self, facts: Sequence[Numbered], skipped: bool) -> Sequence[Numbered]:
        """Those that come after what earlier answers listed; a look-up may have left them out itself."""
        return facts if skipped else facts[self.already.get(facts[0].fact.kind.name, 0) :]

    def second_hand(self, numbered: Numbered) -> str:
        fact = numbered.fact
        value = next((str(v) for k, v in reversed(list(fact.values.items())) if k != fact.kind.subject), "")
        excerpt = best_excerpt(value, [t.key for t in self.question.rest])
        return self.say(
            "second", subject=fact.subject, value=quoted(excerpt, self.question.language), ref=refs_of([numbered.ref])
        )

    def one_kind(self, facts: Sequence[Numbered], lookup: Numbered | None) -> str:
        if not facts:
            return ""
        kind, question = facts[0].fact.kind, self.question
        state = state_of(kind) if asks_for_open(question) else None
        if state and not still_open(facts, state):
            return self.nothing_open(facts, state)
        kept = self.narrowed(facts, kind, state)
        if not kept:
            return ""
        whole = lookup is not None and lookup.fact.values.get("matched") == len(facts)
        counts = len(kept) == len(facts) and (whole or not question.on)
        facts, lookup = kept, lookup if counts else None
        if prose := prose_field(facts):
            lists = [f for f in strong_fields(kind, question) if f.type is FieldType.LIST]
            if lists and (titled := named(facts, question)):
                return tell_fields(titled[0], lists, question.language, self.now)
            if question.rest or not lookup or matches(prose.words, question.masked):
                return tell_passages(facts, prose, question, self.now)
        return self.chosen(facts, kind, lookup)

    def narrowed(self, facts: Sequence[Numbered], kind: FactKind, state: Field | None) -> Sequence[Numbered]:
        """What is still open, where that is asked for; of the day or the month that the question names."""
        question = self.question
        facts = still_open(facts, state) if state else facts
        if question.on and (question.on.single or question.on.first):
            kept = on_days(facts, kind, question.on, self.now)
            meant = named(facts, question) if question.rest else ()
            other = question.rest and (not kept or (meant and not {n.ref for n in meant} & {n.ref for n in kept}))
            facts = facts if other else kept
        if not question.month:
            return facts
        return in_month(facts, question.month) or (facts if question.rest or prose_field(facts) else ())

    def chosen(self, facts: Sequence[Numbered], kind: FactKind, lookup: Numbered | None) -> str:
        """The records that the question names, those that hold its topic, or all."""
        together, field = concerning(facts, self.question)
        if field and (first := extreme(together, self.question, self.now)):
            return self.first(*first)
        if field and (len(together) > 1 or asks_for_open(self.question)):
            return self.listed(together, kind, lookup if len(together) == len(facts) else None, (field,))
        picked = named(facts, self.question)
        if len(picked) == 1:
            return self.one(picked[0])
        if picked and self.question.rest:
            return self.several(picked, kind, lookup)
        held = holding(facts, self.question) if self.question.rest else ()
        if held and not filter_value(facts, kind, self.question):
            return self.listed([n for n, _ in held], kind, lookup if len(held) == len(facts) else None, (held[0][1],))
        return self.selected(facts, kind, lookup)

    def nothing_open(self, facts: Sequence[Numbered], state: Field) -> str:
        """That none of them is open, and what they are instead."""
        head = self.say("none_open", ref=refs_of(n.ref for n in facts))
        return "\n".join([head, *(self.line(n, (state,)) for n in facts[:MAX_LISTED])])

    def one(self, numbered: Numbered) -> str:
        fields = asked_fields(numbered.fact.kind, self.question)
        if (last := self.last_time(numbered)) and not strong_fields(numbered.fact.kind, self.question):
            return last
        if not fields and (unsaid := self.unsaid(numbered)):
            ref = refs_of([numbered.ref])
            head = self.say("unsaid", words=unsaid, subject=numbered.fact.subject, ref=ref)
            return f"{head} {describe(numbered, self.question.language, self.now)}"
        asked = [f for f in fields if self.question.claimed or not self.stated(numbered, f)]
        if fields and not asked and not self.question.asks_who:
            return self.one_selected(numbered, numbered.fact.kind, fields[0])
        fields = tuple(asked)
        if fields and not self.question.asks_who:
            question = self.question
            before = before_value(numbered, fields, question.text, question.claimed, question.language)
            return before + tell_fields(numbered, fields, question.language, self.now)
        return describe(numbered, self.question.language, self.now)

    def last_time(self, numbered: Numbered) -> str | None:
        """When it was last, where the question is whether it was on a past day; yes only where it was that day."""
        on, kind = self.question.on, numbered.fact.kind
        days = (f for f in kind.fields if f.type is FieldType.DATE and "last" in keys(f.title))
        field = next((f for f in days if f.name in numbered.fact.values), None)
        if on is None or on.first >= 0 or field is None:
            return None
        told = self.one_selected(numbered, kind, field)
        value = numbered.fact.values[field.name]
        held = on.hold(value, self.now)
        before = isinstance(value, date) and value < on.dates[0]  # of a later one nothing follows for that day
        if not self.question.asks_whether or not (held or before):
            return told
        return f"{capital(self.say('yes' if held else 'no'))}, {told}"

    def unsaid(self, numbered: Numbered) -> str:
        """The one or two words for what is asked of a named record that it says nothing of ("earn"); else ""."""
        own = keys(" ".join((numbered.fact.subject, *map(value_text, numbered.fact.values.values()))))
        left = [t.text for t in self.question.rest if not said((t.key,), own)]
        asks = self.question.asks_value and 0 < len(left) <= 2 and len(left) < len(self.question.rest)
        return " ".join(left) if asks and not any('"' in word for word in left) else ""

    def stated(self, numbered: Numbered, field: Field) -> bool:
        """Whether the question itself states the field's value: then it is not what is asked for."""
        value = numbered.fact.values.get(field.name)
        held = set(keys(value)) if isinstance(value, str) else set[str]()
        return bool(field.refers_to and held & {t.key for t in self.question.rest})

    def several(self, facts: Sequence[Numbered], kind: FactKind, lookup: Numbered | None) -> str:
        """Namesakes: each with what tells them apart, and the question which one is meant."""
        heading = self.say(
            "several" if self.question.spelt else "several_bare", kinds=plural_of(kind, self.question.language),
            query=self.question.spelt, ref=refs_of([lookup.ref] if lookup else [n.ref for n in facts]),
        )  # fmt: skip
        fields = asked_fields(kind, self.question)
        gaps = fields or tuple(f for f in telling_fields(kind) if f.type is FieldType.TEXT)[:2]
        lines = [self.line(n, fields, gaps) for n in facts[:MAX_LISTED]]
        return "\n".join([heading, *lines, "", self.say("which")])

    def selected(self, facts: Sequence[Numbered], kind: FactKind, lookup: Numbered | None) -> str:
        language = self.question.language
        if found := filter_value(facts, kind, self.question):
            field, value = found
            if value == "open" and field == state_of(kind):  # what is overdue is open too
                kept = still_open(facts, field)
                return self.listed(kept, kind, lookup if len(kept) == len(facts) else None, (field,))
            facts = [n for n in facts if n.fact.values.get(field.name) == value]
            if len(facts) > 1 or self.question.asks_count:
                return self.with_value(facts, kind, field, value)
            return self.one_selected(facts[0], kind, field)
        if switch := asked_switch(kind, self.question):
            return self.switched(facts, kind, lookup, *switch)
        if state := asked_state(kind, self.question):
            field, value = state
            ref = refs_of([lookup.ref] if lookup else [n.ref for n in facts])
            kinds, label = plural_of(kind, language), label_of(field, language)
            value = value_of(value, language, self.now)
            return self.say("none_with", kinds=kinds, label=label, value=value, ref=ref)
        if first := extreme(facts, self.question, self.now):
            return self.first(*first)
        if len(facts) == 1 and self.question.rest and lookup and lookup.fact.values.get("matched") == 1:
            return self.one(facts[0])
        return self.listed(facts, kind, lookup, asked_fields(kind, self.question))

    def switched(
        self, facts: Sequence[Numbered], kind: FactKind, lookup: Numbered | None, field: Field, on: bool
    ) -> str:
        """Those that are (or are not): "which habits are not done?"."""
        kept = [n for n in facts if n.fact.values.get(field.name) is on]
        value = value_of(on, self.question.language, self.now)
        if kept:
            return "\n".join(self.line(n, (field,)) for n in kept[:MAX_LISTED])
        ref = refs_of([lookup.ref] if lookup else [n.ref for n in facts])
        kinds, label = plural_of(kind, self.question.language), label_of(field, self.question.language)
        return self.say("none_with", kinds=kinds, label=label, value=value, ref=ref)

    def first(self, numbered: Numbered, field: Field) -> str:
        value = value_of(numbered.fact.values[field.name], self.question.language, self.now)
        others = [f for f in telling_fields(numbered.fact.kind) if f != field]
        if field.type in (FieldType.DATE, FieldType.DATETIME):
            return list_line(numbered, (field, *others), self.question.language, self.now)[2:] + "."
        label, ref = label_of(field, self.question.language), refs_of([numbered.ref])
        return self.say("extreme", subject=numbered.fact.subject, label=label, value=value, ref=ref)

    def one_selected(self, numbered: Numbered, kind: FactKind, field: Field) -> str:
        others = tuple(f for f in telling_fields(kind) if f != field)
        return list_line(numbered, (field, *others), self.question.language, self.now)[2:] + "."

    def with_value(self, facts: Sequence[Numbered], kind: FactKind, field: Field, value: str) -> str:
        head = self.say(
            "filtered_one" if len(facts) == 1 else "filtered",
            count=len(facts),
            kinds=singular_of(kind) if len(facts) == 1 else plural_of(kind, self.question.language),
            label=label_of(field, self.question.language),
            value=value_of(value, self.question.language, self.now),
            ref=refs_of(n.ref for n in facts),
        )
        others = tuple(f for f in telling_fields(kind) if f != field)
        return "\n".join([head, *(self.line(n, (field, *others)[:_MAX_VALUES]) for n in facts[:MAX_LISTED])])

    def listed(
        self, facts: Sequence[Numbered], kind: FactKind, lookup: Numbered | None, fields: Sequence[Field]
    ) -> str:
        """A count from the look-up, then the records, and how many are left."""
        language, before = self.question.language, self.already.get(kind.name, 0)
        lines = [self.line(n, fields) for n in facts[:MAX_LISTED]]
        matched = lookup.fact.values.get("matched", 0) if lookup else 0
        searched = lookup.fact.values.get("searched", 0) if lookup else 0
        left = max(int(matched) if isinstance(matched, int) else 0, len(facts) + before) - before - len(lines)
        if left > 0:
            goes_on = len(facts) > MAX_LISTED or kind.name in self.paged
            lines += ["", self.say("more" if goes_on else "more_by_name", count=left)]
        if lookup is None or before or not isinstance(matched, int) or matched < len(facts):
            return "\n".join(lines)
        whole = matched == searched
        kinds = plural_of(kind, language) if whole else dative_of(kind, language)
        head = self.say(
            "all" if whole else "some_one" if matched == 1 else "some",
            matched=matched, searched=searched, kinds=kinds, ref=refs_of([lookup.ref]),
        )  # fmt: skip
        return "\n".join([head, *lines])

    def line(self, numbered: Numbered, fields: Sequence[Field], gaps: Sequence[Field] = ()) -> str:
        kind = numbered.fact.kind
        shown = [f for f in fields if f.name in numbered.fact.values]
        shown += [f for f in telling_fields(kind) if f not in shown and f.name in numbered.fact.values]
        return list_line(numbered, shown[:_MAX_VALUES], self.question.language, self.now, gaps=gaps)
