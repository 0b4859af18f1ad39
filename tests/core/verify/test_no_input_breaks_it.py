"""Nothing that a model may write breaks the verifier: it never raises, judges every character once, in linear time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso.core.evidence import Evidence
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Judged
from sayso.workspace.kinds import COMMITMENT, PERSON

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
Grows = Callable[[Callable[[int], object], int], None]
FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

MEGABYTE = 1_000_000
UNITS = {
    "one word": "x", "digits": "1", "letters of no alphabet": "😀", "open brackets": "[", "both brackets": "[]",
    "round brackets": "(", "bars": "|", "quotation marks": '"', "quotation marks that differ": "“",
    "new lines": "\n", "blanks": " ", "broken refs": "F1][", "hidden marks": "\u202e", "stars": "**",
    "hashes": "#", "backslashes": "\\", "zeros": "\0",
}  # fmt: skip
"""Each is repeated until the answer has a megabyte."""

DEAR = {
    "refs": "[F1] ", "open refs": "[F1", "rows": "| a |\n", "combining marks": "e\u0301", "addresses": "a@b.ch ", "days": "1 January 2026 to ", "numbers": "9 ", "items": "- x\n",
    "table": "| Marc | 7 |\n", "names": "Elena Weber is ", "denials": "not no nothing ", "decimals": "1,", "dots": "a.b ",
    "paths": "https://a/", "hyphens": "a-", "counts": "two commitments ", "acts": "I have sent it. ", "both": "both and ",
}  # fmt: skip
"""Each makes the rules work; four times as much of it takes about four times as long."""


def whole_of(evidence: Evidence, text: str, locale: str = "en", message: str = "Who is Elena?") -> tuple[Judged, ...]:
    """The verdicts; the pieces joined are the text, and every place lies within its piece."""
    sentences = Verifier(evidence, Setting(NOW, locale, message)).report(text).sentences
    assert "".join(s.text for s in sentences) == text
    at = 0
    for sentence in sentences:
        assert (sentence.start, sentence.end) == (at, at + len(sentence.text))
        at = sentence.end
        for violation in sentence.violations:
            assert sentence.start <= violation.start <= violation.end <= sentence.end
    return sentences


@FEW
@given(st.text(max_size=400), st.text(max_size=60), st.sampled_from(["en", "de", "fr", "it", "es", "ja", "xx", ""]))
def test_no_text_breaks_it(evidence: Evidence, text: str, message: str, locale: str) -> None:
    whole_of(evidence, text, locale, message)


@FEW
@given(st.lists(st.sampled_from([*UNITS.values(), *DEAR.values(), ". ", "[F2]", "Elena"]), max_size=60).map("".join))
def test_no_heap_of_marks_breaks_it(evidence: Evidence, text: str) -> None:
    whole_of(evidence, text)


@FEW
@given(st.text(min_size=1, max_size=80), st.text(max_size=80), st.text(max_size=200))
def test_no_record_breaks_it(name: str, note: str, text: str) -> None:
    evidence = Evidence()
    if name.strip():
        evidence.add(PERSON.fact({"name": name, "notes": note}, source="people", key="1", as_of=NOW))
    whole_of(evidence, f"{name} {note}. {text}")


@pytest.mark.parametrize("unit", UNITS)
def test_a_megabyte_is_judged(evidence: Evidence, unit: str) -> None:
    whole_of(evidence, (UNITS[unit] * (MEGABYTE // len(UNITS[unit]) + 1))[:MEGABYTE])


@pytest.mark.parametrize("unit", UNITS)
def test_marks_take_linear_time(evidence: Evidence, unit: str, grows_linearly: Grows) -> None:
    part = UNITS[unit]
    grows_linearly(lambda size: whole_of(evidence, part * (size // len(part))), 5_000)


@pytest.mark.parametrize("unit", DEAR)
def test_what_the_rules_work_on_takes_linear_time(evidence: Evidence, unit: str, grows_linearly: Grows) -> None:
    part = DEAR[unit]
    grows_linearly(lambda size: whole_of(evidence, part * (size // len(part))), 2_000)


def many(size: int) -> Evidence:
    """People and what is owed to them, who share first names, places and days."""
    evidence = Evidence()
    for number in range(size // 2):
        name = f"{('Elena', 'Marc', 'Ilya')[number % 3]} Weber{number}"
        place = f"Institute {number % 7}"
        evidence.add(PERSON.fact({"name": name, "affiliation": place}, source="people", key=str(number), as_of=NOW))
        owed = {"title": f"Send budget {number}", "due": date(2026, 12, 1) + timedelta(days=number % 90)}
        values = owed | {"counterparty": name, "status": ("open", "done")[number % 2]}
        evidence.add(COMMITMENT.fact(values, source="commitments", key=str(number), as_of=NOW))
    return evidence


SAID = (
    "Elena Weber3 works at Institute 3 [F7]. She is a surgeon. Marc Weber1 was born in 1981. Nothing is due today.\n"
    "You have 7 open commitments. Both are done. I have sent the budget. Send budget 4 is due on 5 December 2026.\n"
    "| person | place |\n| Elena Weber0 | Institute 0 |\nNobody called Peter is in your records."
)


def test_ten_thousand_facts_are_judged_against() -> None:
    evidence = many(10_000)
    assert len(evidence) == 10_000
    whole_of(evidence, SAID)


def test_many_facts_take_linear_time(grows_linearly: Grows) -> None:
    stored = {size: many(size) for size in (500, 2_000)}
    grows_linearly(lambda size: whole_of(stored[size], SAID), 500)


ANSWERS = (
    "Elena Weber is at SINGA Switzerland [F2]. Her phone is +41 77 473 00 93 [F2]; she is a surgeon [F99].\n\nMarc "
    "Müller (Hochschule Luzern) [F1-F4] 【F3】.",
    "| name | role |\n|---|---|\n| Elena Weber | Programme lead [F2] |\n| Marc Müller | surgeon |\n\nThat is all.",
    "## People\n\n1. **Elena Weber**: Programme lead 🎉 [F2].\n2. **Marc Müller**: due 3 Dec. 2026!\n   - no phone\n- [F4]",
    "Dr. Weber wrote: “The board meets on 1 December at 14:30.” [F5] 🚀🚀 Shall I send it? I have sent it... Done!",
    "Elena est programme lead chez SINGA. Elle n'a pas de numéro。エレナ。【F2】 Am 12. März, ca. 40 % von CHF 1'200.-",
    "Hi! 👩‍🚀 It's due at 3 p.m. tomorrow [F6]\n[F7]. e.g. the projector (F7), www.example.org/a?b=c. No.\u202e Nothing",
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(ANSWERS), st.data())
def test_a_stream_says_the_same_wherever_it_is_cut(evidence: Evidence, text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(1, len(text) - 1), max_size=len(text) // 2)))
    stream = Verifier(evidence, Setting(NOW, "en", "Who is Elena?")).stream()
    edges = [0, *cuts, len(text)]
    parts = [j for a, b in pairwise(edges) for j in stream.feed(text[a:b])]
    assert (*parts, *stream.end()) == whole_of(evidence, text)


@pytest.mark.parametrize("text", ANSWERS)
def test_a_stream_cut_once_anywhere_says_the_same(evidence: Evidence, text: str) -> None:
    verifier = Verifier(evidence, Setting(NOW, "en", "Who is Elena?"))
    whole = whole_of(evidence, text)
    for cut in range(1, len(text)):
        stream = verifier.stream()
        assert (*stream.feed(text[:cut]), *stream.feed(text[cut:]), *stream.end()) == whole
