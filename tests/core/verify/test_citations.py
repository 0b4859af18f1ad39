"""How refs are written, ranges among them, and what is no citation."""

from __future__ import annotations

import pytest

from sayso.core.verify.citations import cited_refs
from sayso.core.verify.words import plain


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("a [F1].", ("F1",)), ("a 【f2】 (F 3)", ("F2", "F3")), ("a [F1, F2] [F1]", ("F1", "F2")),
        ("a [F1-F3]", ("F1", "F2", "F3")), ("a [F1–3]", ("F1", "F2", "F3")), ("a [F1 bis F2]", ("F1", "F2")),
        ("a [F5-F2]", ("F5", "F2")), ("a [F1-F900]", ("F1", "F900")), ("a [U1; F2]", ("U1", "F2")),
        ("a [see F4]", ("F4",)), ("a F1】", ("F1",)), ("a F1", ()), ("a [1]", ()), ("a [Fig 1]", ()),
    ],
)  # fmt: skip
def test_these_refs_are_cited(text: str, refs: tuple[str, ...]) -> None:
    assert cited_refs(text) == refs


@pytest.mark.parametrize(
    ("word", "form"),
    [("Weber's", "weber"), ("l'école", "ecole"), ("parties", "party"), ("ties", "tie"), ("boss", "boss"), ("Straße", "strasse"),
     ("teams'", "team"), ("meetings", "meeting"), ("gas", "gas")],
)  # fmt: skip
def test_a_word_has_one_plain_form(word: str, form: str) -> None:
    assert plain(word) == form
