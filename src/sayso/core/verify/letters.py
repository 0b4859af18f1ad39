"""Free text that a person is asked to approve (an e-mail's body, a note): which of its values have no source.

A letter may say what it likes; a person should see which of its dates, numbers, contacts and names
come neither from the records nor from what they said themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sayso.core.evidence import Evidence
from sayso.core.verify.holding import derives, holds, same
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.setting import Setting
from sayso.core.verify.values import Value, ValueKind, find_values
from sayso.core.verify.verifier import Verifier

MIN_WORDS = 4  # fewer are a name or a title, not free text
_TOLD = frozenset(
    [ViolationKind.SWAPPED_RECORD, ViolationKind.SWAPPED_FIELD, ViolationKind.STATED_GAP, ViolationKind.INVENTED_NAME]
)


def unbacked_words(arguments: Mapping[str, Any], evidence: Evidence, setting: Setting) -> tuple[str, ...]:
    """The words in the free texts of a proposal that neither the records nor the user carry, each once."""
    verifier = Verifier(evidence, setting, whole_text=True)
    today = setting.now.date()
    yours = find_values(setting.user_message, today, quotes=False)
    records = [e for e in verifier.entries() if e.kind not in ("lookup", "proposal")]

    def has_source(value: Value) -> bool:
        return any(same(value, y) for y in yours) or any(
            holds(e, value) or derives([e], value, today, ()) for e in records
        )

    def unbacked(text: str) -> Iterator[str]:
        values = find_values(text, today, quotes=False)
        yield from (v.text.strip() for v in values if not _is_small(v) and not has_source(v))
        yield from (v.words for v in verifier.report(text).violations if v.kind in _TOLD)

    texts = [v for v in arguments.values() if isinstance(v, str) and len(v.split()) >= MIN_WORDS]
    return tuple(dict.fromkeys(words for text in texts for words in unbacked(text)))


def _is_small(value: Value) -> bool:
    """A bare number up to twelve, or one in words: "two things", "in 3 steps"."""
    return value.kind is ValueKind.NUMBER and (value.spelled or all(n <= 12 for n in value.numbers))
