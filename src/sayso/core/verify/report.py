"""What the verifier says of an answer: a verdict for each sentence, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    SUPPORTED = "supported"  # every claim follows
    CONTRADICTED = "contradicted"  # wrong, swapped, invented, a gap stated as known, a false "done"
    UNSUPPORTED = "unsupported"  # about a known record, nothing for or against it
    YOURS = "yours"  # follows from what the user said or pasted
    TALK = "talk"  # greeting, question, advice, general knowledge, creative text


class Profile(StrEnum):
    DEFAULT = "default"  # contradicted is withheld, unsupported marked
    STRICT = "strict"  # unsupported is withheld too


class ViolationKind(StrEnum):
    UNKNOWN_REF = "unknown_ref"  # cites what does not exist
    WRONG_VALUE = "wrong_value"  # a number, date, contact ... that the facts state otherwise
    SWAPPED_RECORD = "swapped_record"  # another record's value
    SWAPPED_FIELD = "swapped_field"  # the right record's value, given to another field
    STATED_GAP = "stated_gap"  # a field that is <not recorded>, stated as known
    INVENTED_NAME = "invented_name"
    INVENTED_CONTACT = "invented_contact"  # e-mail, phone, URL, path
    INVENTED_QUOTE = "invented_quote"
    MISPLACED_REF = "misplaced_ref"  # cites another record than the one that says so
    WRONG_COUNT = "wrong_count"
    FALSE_ABSENCE = "false_absence"
    FALSE_ACTION = "false_action"  # a report of action without a receipt
    UNATTRIBUTED = "unattributed"  # second-hand or reported words told as ours
    UNSUPPORTED = "unsupported"  # nothing for or against it


@dataclass(frozen=True, slots=True)
class Violation:
    """A claim that the evidence does not carry.

    `start` and `end` are offsets in the whole text; `nearest` the ref of the fact that comes
    closest; `instruction` one line for the repair.
    """

    kind: ViolationKind
    words: str
    start: int
    end: int
    instruction: str
    nearest: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """One sentence, list item, heading or table row with its verdict.

    `text` is the exact slice of the answer, with the white space that follows it, so that the
    texts of all judged pieces joined are the whole answer. `refs` are the existing refs it cites, or,
    where a supported one cites none, those of the records it names; `claims` how many checkable claims
    were found in it. `added` are those of `refs` that the text does not cite: the one record that carries it;
    `idle` the refs that it cites and that carry nothing of it. `second_opinion`: supported by that alone.
    """

    text: str
    start: int
    verdict: Verdict
    violations: tuple[Violation, ...] = ()
    refs: tuple[str, ...] = ()
    claims: int = 0
    added: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    second_opinion: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Report:
    """The verdicts of a whole draft."""

    sentences: tuple[Judged, ...]
    profile: Profile = Profile.DEFAULT

    @property
    def text(self) -> str:
        return "".join(s.text for s in self.sentences)

    @property
    def violations(self) -> tuple[Violation, ...]:
        return tuple(v for s in self.sentences for v in s.violations)

    @property
    def refs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(ref for s in self.sentences for ref in s.refs))

    def withheld(self, sentence: Judged) -> bool:
        """Whether the profile keeps this sentence from being an answer."""
        if sentence.verdict is Verdict.CONTRADICTED:
            return True
        return sentence.verdict is Verdict.UNSUPPORTED and self.profile is Profile.STRICT

    @property
    def clean(self) -> bool:
        return all(s.verdict not in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED) for s in self.sentences)
