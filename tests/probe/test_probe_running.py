"""In which order it is asked, what is asked again, and what a file keeps of it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probe.kinds import Gone, Native
from sayso.core.ports import TextChunk
from sayso.errors import ConfigError
from sayso.models.scripted import Scripted, call, say
from sayso.probe.recording import as_json, new_record, read_record, write_record
from sayso.probe.replayed import Replayed
from sayso.probe.running import Plan, probed
from sayso.probe.sample import Sample
from sayso.probe.scenarios import SCENARIOS
from sayso.probe.wording import name_of
from sayso.probe.world import World


def test_a_short_probe_hears_both_languages() -> None:
    places = list(Plan(("m",), samples=1, quick=True, ways=("text",)).places())
    languages = {s.name: s for s in SCENARIOS}
    assert {languages[p.scenario].wordings[p.wording].language for p in places} == {"en", "de"}
    assert len(places) == 5


def test_a_long_one_asks_each_wording_before_it_asks_one_again() -> None:
    places = [p for p in Plan(("m",), samples=6).places() if (p.scenario, p.way) == ("gap", "native")]
    assert [(p.wording, p.turn) for p in places] == [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1)]
    assert len(set(Plan(("a", "b"), samples=6).places())) == Plan(("a", "b"), samples=6).size


def test_weights_under_a_grammar_are_asked_as_text_only() -> None:
    plan = Plan(("gguf:/models/tiny.gguf", "ollama:m"), samples=1, only=("gap",))
    assert [(p.model[:4], p.way) for p in plan.places()] == [("gguf", "text"), ("olla", "native"), ("olla", "text")]
    assert plan.size == 3


def test_one_that_takes_too_long_has_failed(probe: Any) -> None:
    class Endless(Native):
        async def stream(self, request: Any) -> Any:
            yield TextChunk("I am sorry. ")
            await asyncio.Event().wait()

    record = probe(lambda _: Endless(), only=("gap",), ways=("text",), seconds=0.3)
    assert [(s.failed, s.error) for s in record.samples] == [(True, "model_timeout")]
    assert "did not end within the time" in record.verdicts[0].words


def test_all_situations_come_before_any_comes_again() -> None:
    first = list(Plan(("m",), samples=2).places())[: len(SCENARIOS)]
    assert [p.scenario for p in first] == [s.name for s in SCENARIOS]


def test_what_was_asked_is_not_asked_again(world: World) -> None:
    plan = Plan(("m",), samples=1, quick=True)
    done = list(plan.places())[:7]

    async def rest() -> list[Sample]:
        return [s async for s in probed(plan, world, lambda *_: Native(), done)]

    assert [s.place for s in asyncio.run(rest())] == list(plan.places())[7:]


def test_each_question_has_a_workspace_of_its_own(probe: Any) -> None:
    """A proposal of one sample must not be the "already waiting" of the next."""
    record = probe(lambda _: Native(), samples=4, quick=True, ways=("native",))
    drafts = [s for s in record.samples if s.place.scenario == "draft"]
    assert [(s.proposals, s.judged.right_proposal) for s in drafts] == [(1, True)] * 4


def test_a_script_begins_anew_with_each_question(probe: Any) -> None:
    def load() -> Scripted:
        return Scripted([call("list_habits"), say("The streak of Italian vocabulary is 12 days.")])

    record = probe(lambda _: Replayed(load, "scripted:x"), samples=2, quick=True, ways=("native",))
    assert {s.error for s in record.samples} == {""}
    assert [s.judged.right for s in record.samples if s.place.scenario == "one_read"] == [True, True]


def test_a_script_that_ends_too_early_is_a_fault_of_one_sample(probe: Any) -> None:
    record = probe(lambda _: Replayed(lambda: Scripted([call("list_habits")]), "s"), quick=True, ways=("text",))
    assert {s.error for s in record.samples} == {"AssertionError"}


def test_a_long_conversation_is_sent_along(world: World) -> None:
    plan, lengths = Plan(("m",), samples=1, ways=("native",)), dict[str, int]()

    class Counting(Native):
        async def stream(self, request: Any) -> Any:
            exchanges = {m.exchange_id for m in request.messages}
            lengths[request.messages[-1].text[:14]] = len(exchanges)
            async for event in super().stream(request):
                yield event

    async def run() -> None:
        async for _ in probed(plan, world, lambda *_: Counting()):
            pass

    asyncio.run(run())
    assert max(lengths.values()) > 15
    assert sorted(lengths.values())[:3] == [1, 1, 1]


def test_a_record_is_read_back_without_what_failed(probe: Any, tmp_path: Path) -> None:
    record = probe(lambda way: Native() if way == "native" else Gone(), quick=True)
    write_record(tmp_path / "p.json", record)
    again = read_record(tmp_path / "p.json")
    assert again == replace(record, samples=tuple(s for s in record.samples if not s.failed))
    assert len(again.samples) == 5
    assert list(tmp_path.glob("*.part")) == []


def test_half_a_character_of_a_model_costs_no_file(probe: Any, tmp_path: Path) -> None:
    record = probe(lambda way: Native(), quick=True)
    sample = replace(record.samples[0], answer="a\ud800b")
    write_record(tmp_path / "p.json", replace(record, samples=(sample,)))
    assert read_record(tmp_path / "p.json").samples[0].answer == "a\ufffdb"


def test_a_file_tells_rates_with_their_intervals(probe: Any) -> None:
    told = json.loads(json.dumps(as_json(probe(lambda _: Native(), quick=True))))
    assert told["whole"] is True
    assert told["figures"][0]["rates"]["driven"] == {
        "count": 4, "of": 4, "share": 1.0, "interval_95": [pytest.approx(0.51, abs=0.01), pytest.approx(1.0)],
    }  # fmt: skip
    assert told["verdicts"][0]["words"] == "drives natively"
    assert {s["place"]["scenario"] for s in told["samples"]} == {"one_read", "two_reads", "gap", "draft", "injection"}


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": "sayso-probe-1"}', "not json", '"x"', "[" * 100_000])
def test_what_is_no_probes_file_is_said_to_be_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(ConfigError, match="not the file of a probe"):
        read_record(tmp_path / "x.json")


def test_figures_of_other_questions_are_not_gone_on_with(tmp_path: Path) -> None:
    write_record(tmp_path / "x.json", replace(new_record(Plan(("m",)), "now"), questions="others"))
    with pytest.raises(ConfigError, match="other questions"):
        read_record(tmp_path / "x.json")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.json cannot be read"):
        read_record(tmp_path / "none.json")


def test_files_are_shown_by_their_name() -> None:
    assert [name_of(s) for s in ("gguf:/home/x/tiny.gguf", "scripted:a/b.json", "ollama:m", "http://h:1/v1#org/m")] == [
        "gguf:tiny.gguf", "scripted:b.json", "ollama:m", "http://h:1/v1#org/m",
    ]  # fmt: skip
