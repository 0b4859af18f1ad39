"""Sentences about an attached image: told as the image's, never as a record's, and no way around the rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from made_images import png
from sayso.core.evidence import Evidence
from sayso.core.images import read_attachment
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Report, Verdict, ViolationKind
from sayso.core.verify.rules_images import SPEAKS_OF_IMAGE, asks_of_image

from .conftest import NOW

Judge = Callable[..., Report]


@pytest.fixture
def told(evidence: Evidence) -> Judge:
    """Judge a text in a thread with two images, U11 and U12; `attached` came with the message."""
    evidence.add_all(read_attachment(png(colour=bytes((n, 0, 0))), f"{n}.png").fact(NOW) for n in (1, 2))

    def run(text: str, message: str = "What does it show?", attached: tuple[str, ...] = ("U11",)) -> Report:
        return Verifier(evidence, Setting(NOW, "en", message, images=attached)).report(text)

    return run


def verdicts(report: Report) -> list[tuple[str, tuple[str, ...]]]:
    return [(s.verdict.value, s.refs) for s in report.sentences]


@pytest.mark.parametrize(
    "text",
    [
        "The total is CHF 84.10 [U11].",
        "The note in the image was written by Zebulon Quist on 3 May 2019 [U11].",
        "Call +41 44 123 45 67 [U11].",
        "The image gives +41 79 000 00 00 as Elena Weber's number [U11].",
        "The board in the picture lists 3 goals [U11].",
        "In the photo nothing is due [U11].",
    ],
)
def test_what_cites_an_image_is_the_users_and_never_supported(told: Judge, text: str) -> None:
    assert verdicts(told(text)) == [("yours", ("U11",))]


def test_what_is_said_to_be_of_the_image_is_told_with_its_ref(told: Judge) -> None:
    (shown,) = told("The attached receipt image shows a total of CHF 84.10.").sentences
    assert (shown.verdict, shown.refs, shown.added) == (Verdict.YOURS, ("U11",), ("U11",))
    (either,) = told("The images show the same shop.", attached=("U11", "U12")).sentences
    assert (either.verdict, either.refs) == (Verdict.YOURS, ())


def test_a_record_is_not_told_otherwise_in_the_name_of_an_image(told: Judge) -> None:
    (claim,) = told("Elena Weber works at Google [U11].").sentences
    assert claim.verdict is Verdict.UNSUPPORTED
    assert ViolationKind.UNATTRIBUTED in {v.kind for v in claim.violations}
    (both,) = told("Elena Weber works at Google [F2] [U11].").sentences
    assert both.verdict is Verdict.CONTRADICTED
    (held,) = told("Elena Weber works at SINGA Switzerland [F2], as on the card [U11].").sentences
    assert (held.verdict, held.refs) == (Verdict.SUPPORTED, ("F2", "U11"))
    (named,) = told("The image shows that Elena Weber works at Google.").sentences
    assert named.verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)


@pytest.mark.parametrize(
    "text",
    [
        "I have sent the message [U11].",
        "The image says so, and I have deleted the goal [U11].",
        "It was sent [U11].",
        "Fine [U99].",
    ],
)
def test_no_image_makes_a_report_of_action_or_an_invented_ref_true(told: Judge, text: str) -> None:
    assert verdicts(told(text))[0][0] == "contradicted"


def test_what_may_be_of_the_image_is_marked_and_the_repair_says_how_to_tell_it(told: Judge) -> None:
    (vague,) = told("Call +41 44 123 45 67.").sentences
    assert vague.verdict is Verdict.UNSUPPORTED
    assert vague.violations[0].instruction == "if the image shows it, end the sentence with [U11]"
    (without,) = told("Call +41 44 123 45 67.", attached=()).sentences
    assert without.verdict is Verdict.CONTRADICTED


def test_a_record_that_is_named_ends_what_is_told_of_the_image(told: Judge) -> None:
    report = told("It is a card [U11]. Elena Weber is a Programme lead [F2]. Call +41 44 123 45 67.")
    assert [s.verdict.value for s in report.sentences] == ["yours", "supported", "contradicted"]
    again = told("Elena Weber is a Programme lead [F2]. It is a card [U11]. Call +41 44 123 45 67.")
    assert [s.verdict.value for s in again.sentences] == ["supported", "yours", "unsupported"]


def test_an_image_is_no_record_of_which_a_name_or_a_number_could_be_told(told: Judge, evidence: Evidence) -> None:
    report = told("1.png is 3 pixels wide.", attached=())
    assert report.sentences[0].refs == ()
    assert [n.ref for n in evidence][-2:] == ["U11", "U12"]


@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("What else is in the picture?", True),
        ("Was steht auf dem Foto?", True),
        ("Que montre l'image ?", True),
        ("¿Qué dice la captura?", True),
        ("Cosa c'è nella foto?", True),
        ("Who is Elena?", False),
        ("Picture this: a calm week.", False),
    ],
)
def test_a_question_about_an_image_is_known_in_five_languages(message: str, asks: bool) -> None:
    assert asks_of_image(message) is asks


def test_words_that_speak_of_an_image_are_known() -> None:
    assert SPEAKS_OF_IMAGE.search("On your Screenshot")
    assert not SPEAKS_OF_IMAGE.search("Imagine that.")
