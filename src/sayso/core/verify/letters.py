"""Free text that a person is asked to approve (an e-mail's body, a note): which of its values have no source.

A letter may say what it likes; a person should see which of its dates, numbers, contacts and names
come neither from the records nor from what they said themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sayso.core.evidence import Evidence
from sayso.core.verify.holding import derives, holds, same
from sayso.core.verify.index import FactIndex
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
    index = FactIndex(evidence)
    index.sync()
    texts = [v for v in arguments.values() if isinstance(v, str) and len(v.split()) >= MIN_WORDS]
    return tuple(dict.fromkeys(words for text in texts for words in _unbacked(text, index, evidence, setting)))


def _unbacked(text: str, index: FactIndex, evidence: Evidence, setting: Setting) -> Iterator[str]:
    today = setting.now.date()
    yours = find_values(setting.user_message, today, quotes=False)
    for value in find_values(text, today, quotes=False):
        if not _is_small(value) and not any(same(value, y) for y in yours) and not _carried(value, index, setting):
            yield value.text.strip()
    told = Verifier(evidence, setting, whole_text=True).report(text).violations
    yield from (v.words for v in told if v.kind in _TOLD)


def _is_small(value: Value) -> bool:
    """A bare number up to twelve, or one in words: "two things", "in 3 steps"."""
    return value.kind is ValueKind.NUMBER and (value.spelled or all(n <= 12 for n in value.numbers))


def _carried(value: Value, index: FactIndex, setting: Setting) -> bool:
    records = [e for e in index.current if e.kind not in ("lookup", "proposal")]
    return any(holds(e, value) or derives([e], value, setting.now.date(), ()) for e in records)
