"""That nothing was found, where and for which days; and how many records there are. Each by its look-up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sayso.core.evidence import Numbered
from sayso.core.facts import FactKind
from sayso.models.quote.days import Days
from sayso.models.quote.found import Outcome
from sayso.models.quote.phrases import counted, dative_of, joined, plural_of, refs_of, text, value_of
from sayso.models.quote.question import Question


@dataclass(frozen=True, slots=True)
class Absence:
    """Tells of look-ups that found nothing that bears on one question."""

    question: Question
    now: datetime

    def say(self, key: str, **values: object) -> str:
        return text(self.question.language, key, **values)

    def of(self, outcomes: Sequence[Outcome]) -> str:
        return self.one(outcomes[0]) if len(outcomes) == 1 else self.over_several(outcomes)

    def one(self, outcome: Outcome) -> str:
        lookup = outcome.lookup
        kind = outcome.tool.covers if outcome.tool else None
        if lookup is None:
            return self.say("untold")
        if kind and self.counts_all(kind):
            return self.count_of_all(kind, lookup)
        timed = self.question.month or self.question.on
        if kind and outcome.tool and outcome.tool.required and not self.question.rest and not timed:
            return f"{self.count_of_all(kind, lookup)} {self.say('no_data')}"
        values = {
            "searched": lookup.fact.values.get("searched", 0),
            "kinds": dative_of(kind, self.question.language) if kind else self.say("records"),
            "ref": refs_of([lookup.ref]),
        }
        tool = outcome.tool
        name = outcome.arguments.get(tool.takes_name) if tool and tool.takes_name else None
        topic = outcome.arguments.get(tool.takes_text) if tool and tool.takes_text else None
        if name and kind and self.question.asks_who:
            return self.say("absent_name", query=name, **values)
        if name or topic:
            return self.say("absent_thing", query=str(name or topic).replace('"', "'"), **values)
        if self.question.on:
            return self.say("absent_days", days=self.spoken(self.question.on), **values)
        return self.say("absent", **values)

    def over_several(self, outcomes: Sequence[Outcome]) -> str:
        """One sentence over several look-ups that found nothing; of kinds with no records nothing is said."""
        language, told = self.question.language, list[str]()
        filled = [o for o in outcomes if o.lookup and o.lookup.fact.values.get("searched")] or outcomes
        if len(filled) == 1:
            return self.one(filled[0])
        for kind, lookup in ((o.tool.covers if o.tool else None, o.lookup) for o in filled):
            searched = lookup.fact.values.get("searched", 0) if lookup else 0
            told.append(counted(searched, kind, language) if kind else f"{searched} {self.say('records')}")
        query = next((str(o.arguments[n]) for o in filled if o.tool for n in (o.tool.takes_text, o.tool.takes_name)
                      if n and o.arguments.get(n)), "")  # fmt: skip
        ref = refs_of(lookup.ref for o in filled if (lookup := o.lookup))
        kinds = joined(list(dict.fromkeys(told)), language)
        return self.say("absent_all" if query else "absent_any", query=query.replace('"', "'"), kinds=kinds, ref=ref)

    def spoken(self, on: Days) -> str:
        """The days as they are written in a sentence."""
        if not on.first:
            return self.say("next_days", days=on.last) if on.last else self.say("today")
        if on.week:
            return self.say("next_week" if on.first > 0 else "last_week")
        return value_of(on.dates[0], self.question.language, self.now) if on.single else self.say("those_days")

    def counts_all(self, kind: FactKind) -> bool:
        return self.question.asks_count and not self.question.rest and self.question.asks_for(kind)

    def count_of_all(self, kind: FactKind, lookup: Numbered) -> str:
        """How many records there are, by the number that a look-up searched."""
        kinds = plural_of(kind, self.question.language)
        searched = lookup.fact.values.get("searched", 0)
        return self.say("all", matched=searched, kinds=kinds, ref=refs_of([lookup.ref]))
