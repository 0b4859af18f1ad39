"""Labelled sets read, judged and summed up; and what is told of a set that is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sayso.core.verify.report import Judged, Profile, Report, Verdict, Violation, ViolationKind
from sayso.errors import ConfigError, DeclarationError, ImportFailed
from sayso.evaluation.answers import answer_figures, compared, labelled_answers
from sayso.evaluation.lexicons import chosen_lexicons
from sayso.evaluation.measuring import Quiet, figures, judging, measured, spans_scored
from sayso.evaluation.predicting import Predicted
from sayso.evaluation.records import Labelled, labelled_texts

FACTS = [{"id": "F1", "entity": "Ann Lee", "fields": {"points": 12, "rebounds": 7, "role": None}}]
TEXT = "Ann Lee scored 14 points [F1]. She had 7 rebounds [F1]. It rained."
SET = {
    "id": "t1", "domain": "sport", "facts": FACTS, "text": TEXT,
    "errors": [{"start": 15, "end": 17, "kind": "NUMBER"}, {"start": 56, "end": 66, "kind": "STYLE"}],
    "meta": {"label": "C"},
}  # fmt: skip
ANSWER = {
    "id": "a1", "lang": "en", "now": "2026-11-30T09:00", "user_message": "How did Ann do?",
    "facts": [{"ref": "F1", "kind": "person", "subject": "Ann Lee", "source": "people", "provenance": "own",
               "fields": {"name": "Ann Lee", "role": "<not recorded>", "last_interaction": "2026-02-26"}}],
    "answer": "Ann Lee was last seen on 26 February 2026 [F1]. Her e-mail is ann@lee.example [F1]. Anything else?",
    "sentences": [
        {"text": "Ann Lee was last seen on 26 February 2026 [F1].", "verdict": "supported"},
        {"text": "Her e-mail is ann@lee.example [F1].", "verdict": "supported"},
        {"text": "Anything else?", "verdict": "talk"},
    ],
}  # fmt: skip


def written(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


def whole(labelled: Labelled, profile: Profile) -> Report:
    """A verifier that finds a wrong number, and has nothing to say for the last sentence."""
    wrong = Violation(ViolationKind.WRONG_VALUE, "14", 15, 17, "it is 12", "F1")
    doubt = Violation(ViolationKind.UNSUPPORTED, "7", 39, 40, "leave it out")
    first, second, third = "Ann Lee scored 14 points [F1]. ", "She had 7 rebounds [F1]. ", "It rained."
    return Report(
        (
            Judged(first, 0, Verdict.CONTRADICTED, (wrong,)), Judged(second, 31, Verdict.UNSUPPORTED, (doubt,)),
            Judged(third, 56, Verdict.TALK),
        ), profile,
    )  # fmt: skip


def test_a_set_is_read_with_its_errors_and_its_label(tmp_path: Path) -> None:
    (text,) = labelled_texts(written(tmp_path / "s.jsonl", SET))
    assert (text.id, text.domain, text.errors) == ("t1", "sport", ((15, 17, "NUMBER"), (56, 66, "STYLE")))
    assert [n.ref for n in text.evidence] == ["F1"]


def test_figures_tell_recall_by_error_precision_by_violation_and_what_is_quiet(tmp_path: Path) -> None:
    (found,) = measured(labelled_texts(written(tmp_path / "s.jsonl", SET)), whole, profile=Profile.STRICT)
    assert found.found.as_json() == {"id": "t1", "spans": [[15, 17], [39, 40]], "kinds": ["wrong_value", "unsupported"]}
    result = figures([found])
    assert result.recall == {"NUMBER": (1, 1), "STYLE": (0, 1)}
    assert result.precision == {"unsupported": (0, 1), "wrong_value": (1, 1)}
    assert result.flagged == {"C": (1, 1)}
    assert result.quiet == Quiet(fine=1, withheld=0, marked=1)
    assert result.scores["span_precision"] == 0.5
    assert result.as_json()["default_profile"] == {"sentences_without_error": 1, "withheld": 0.0, "marked": 1.0}


def test_the_default_profile_finds_only_what_is_withheld(tmp_path: Path) -> None:
    texts = list(labelled_texts(written(tmp_path / "s.jsonl", SET)))
    (found,) = measured(texts, whole, profile=Profile.DEFAULT, kinds=None)
    assert found.found.spans == ((15, 17),)
    assert found.counts.annotated == 2


def test_a_set_is_judged_by_the_verifier(tmp_path: Path) -> None:
    texts = list(labelled_texts(written(tmp_path / "s.jsonl", SET)))
    (found,) = measured(texts, judging(chosen_lexicons(None, None, [])), profile=Profile.STRICT)
    assert (15, 17) in found.found.spans


def test_several_domains_are_told_apart(tmp_path: Path) -> None:
    texts = labelled_texts(written(tmp_path / "s.jsonl", SET, SET | {"id": "t2", "domain": "weather", "meta": None}))
    result = figures(list(measured(texts, whole, profile=Profile.STRICT)))
    assert list(result.domains) == ["sport", "weather"]


def test_a_lexicon_is_picked_by_domain(tmp_path: Path) -> None:
    (tmp_path / "phones.toml").write_text("")
    (tmp_path / "sport.toml").write_text("")
    (tmp_path / "domains.toml").write_text('gadgets = "phones"')
    chosen = chosen_lexicons(None, tmp_path, ["sport", "gadgets", "weather"])
    assert [chosen.of(d).name for d in ("sport", "gadgets", "weather", "")] == ["sport", "phones", "", ""]
    assert chosen_lexicons(tmp_path / "sport.toml", None, ["x"]).of("x").name == "sport"


def test_a_bad_choice_of_lexicons_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not both"):
        chosen_lexicons(tmp_path / "a.toml", tmp_path, [])
    with pytest.raises(ConfigError, match="is no folder"):
        chosen_lexicons(None, tmp_path / "none", [])
    (tmp_path / "x.toml").write_text("[unheard_of]\n")
    with pytest.raises(DeclarationError, match=r"x.toml: .*unheard_of"):
        chosen_lexicons(tmp_path / "x.toml", None, [])
    (tmp_path / "x.toml").write_text("= 3")
    with pytest.raises(DeclarationError, match="not TOML"):
        chosen_lexicons(tmp_path / "x.toml", None, [])
    (tmp_path / "domains.toml").write_text('x = "../secret"')
    with pytest.raises(DeclarationError, match="x is no file's name"):
        chosen_lexicons(None, tmp_path, ["x"])
    (tmp_path / "domains.toml").write_text("x")
    with pytest.raises(DeclarationError, match=r"domains.toml: not TOML"):
        chosen_lexicons(None, tmp_path, ["x"])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 2 is not JSON"), ("[]", "line 2 is not a JSON object"), ('{"text": 1}', 'line 2: it has no "text"'),
        ('{"text": "x"}', 'line 2: it has no "facts"'), ('{"text": "x", "facts": {}}', 'line 2: its "facts" is an object'),
        ('{"text": "x", "facts": [3]}', "line 2: fact 1 is a number"),
        ('{"text": "x", "facts": [], "errors": [{"start": 1}]}', 'line 2: an entry of "errors"'),
        ('{"text": "x", "text": "y", "facts": []}', "line 2: 'text' stands twice"),
        ("\udcff", "line 2 is not UTF-8"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"\n" + line.encode("utf-8", "surrogateescape") + b"\n")
    with pytest.raises(ImportFailed) as wrong:
        list(labelled_texts(path))
    assert told in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_labelled_answers_are_compared_sentence_by_sentence(tmp_path: Path) -> None:
    (answer,) = labelled_answers(written(tmp_path / "a.jsonl", ANSWER))
    found = compared(answer)
    assert [(c.label.value, c.verdict.value, c.treated_alike) for c in found] == [
        ("supported", "supported", True), ("supported", "contradicted", False), ("talk", "talk", True),
    ]  # fmt: skip
    result = answer_figures([found])
    assert result.shares == {"contradicted_found": (0, 0), "fine_withheld": (1, 3), "fine_marked": (0, 3)}
    assert result.table["all", "supported", "contradicted"] == result.table["en", "supported", "contradicted"] == 1
    assert [w.text for w in result.wrong] == ["Her e-mail is ann@lee.example [F1]."]
    told = result.as_json()
    assert told["figures"]["fine_withheld"]["count"] == 1
    assert told["wrong"][0]["reasons"][0].startswith(("invented_contact: 'ann@lee.example'", "stated_gap"))


def test_no_answers_give_no_figures() -> None:
    assert answer_figures([]).as_json()["figures"]["fine_marked"]["share"] == 0.0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"answer": 3}, 'it has no "answer"'), ({"now": "soon"}, "'soon' is no moment"), ({"sentences": 1}, '"sentences"'),
        ({"sentences": [{"text": "x", "verdict": "good"}]}, "one of supported"), ({"facts": None}, '"facts" is null'),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_told(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    with pytest.raises(ImportFailed, match="line 1") as wrong:
        list(labelled_answers(written(tmp_path / "a.jsonl", ANSWER | change)))
    assert told in str(wrong.value)


def test_anything_that_predicts_spans_can_be_scored(tmp_path: Path) -> None:
    texts = list(labelled_texts(written(tmp_path / "s.jsonl", SET)))
    found, ends = spans_scored(texts, lambda t: Predicted(t.id, ((15, 17), (31, 34)), ("number", "name")))
    assert (found["span_precision"], found["span_recall"]) == (0.5, 1.0)
    assert ends["span_recall"] == (1.0, 1.0)
