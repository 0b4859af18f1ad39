"""Where the loop asks for a second opinion: after the draft, before a repair, and never about what was told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import pytest

from sayso.core.events import TextDelta, UsageReport, Verified
from sayso.core.messages import Usage
from sayso.core.verify.report import Verdict
from sayso.core.verify.second_opinion import Doubt, Opinion
from sayso.models.scripted import Scripted, call, cut, say

pytestmark = pytest.mark.anyio

Run = Callable[..., Any]
HELD = "Mara Lindt is an architect [F3]."
OPEN = "Mara designs buildings [F3]."
EVERYONE = call("list_people")


class Judge:
    def __init__(self, *yes: str) -> None:
        self._yes, self.asked = yes, list[str]()

    async def weigh(self, doubts: Sequence[Doubt], *, now: datetime, seconds: float) -> Opinion:
        self.asked += [d.sentence for d in doubts]
        return Opinion(tuple(d.sentence in self._yes for d in doubts), Usage(7, 1))


async def test_without_one_an_unsupported_sentence_is_marked(run: Run) -> None:
    with Scripted([EVERYONE, say(f"{HELD} {OPEN}"), say(f"{HELD} {OPEN}")]) as model:
        ran = await run(model, "Who is Mara?")
    assert ran.answer.text == f"{HELD} {OPEN} (not in your records)"


async def test_a_yes_saves_the_sentence_and_the_repair(run: Run) -> None:
    judge = Judge(OPEN)
    with Scripted([EVERYONE, say(f"{HELD} {OPEN}")]) as model:
        ran = await run(model, "Who is Mara?", second_opinion=judge)
    assert ran.answer.text == f"{HELD} {OPEN}"
    assert judge.asked == [OPEN]
    report = ran.of(Verified)[0].report
    assert [(s.verdict, s.second_opinion) for s in report.sentences] == [
        (Verdict.SUPPORTED, False), (Verdict.SUPPORTED, True),
    ]  # fmt: skip
    assert ran.of(UsageReport)[0].usage == Usage(7, 1)


async def test_what_was_streamed_already_is_not_asked_about(run: Run) -> None:
    judge = Judge(OPEN)
    with Scripted([EVERYONE, say(f"{HELD} {OPEN} {HELD}", chunks=9)]) as model:
        ran = await run(model, "Who is Mara?", second_opinion=judge)
    deltas = [delta.text for delta in ran.of(TextDelta)]
    assert deltas[0].strip() == HELD
    assert "".join(deltas) == ran.answer.text == f"{HELD} {OPEN} {HELD}"
    assert judge.asked == [OPEN]


async def test_a_no_leaves_the_repair_which_is_weighed_as_well(run: Run) -> None:
    judge = Judge(OPEN)
    wrong = "Mara likes tennis [F3]."
    with Scripted([EVERYONE, say(f"{HELD} {wrong}"), say(OPEN)]) as model:
        ran = await run(model, "Who is Mara?", second_opinion=judge)
    assert judge.asked == [wrong, OPEN]
    assert ran.answer.text == f"{HELD} {OPEN}"
    assert ran.of(Verified)[0].repaired


async def test_a_contradicted_sentence_is_never_shown_to_it(run: Run) -> None:
    lie = "Mara Lindt works as an engineer [F3]."
    judge = Judge(lie)
    with Scripted([EVERYONE, say(lie), say(lie)]) as model:
        ran = await run(model, "Who is Mara?", second_opinion=judge)
    assert judge.asked == []
    assert "engineer" not in ran.answer.text


async def test_a_clean_or_a_cut_reply_asks_nobody(run: Run) -> None:
    judge = Judge(OPEN)
    for reply in (say(HELD), cut(f"{HELD} {OPEN} She")):
        with Scripted([EVERYONE, reply]) as model:
            await run(model, "Who is Mara?", second_opinion=judge)
    assert judge.asked == []
