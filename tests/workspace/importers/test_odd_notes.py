"""Notes that nobody wrote by hand: one word of megabytes, signs without end, code that is not closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sayso.workspace.codec import search_texts
from sayso.workspace.importers.notes import CHUNK, LABEL, TAGS, front_matter_warning, read_document

Grows = Callable[[Callable[[int], object], int], None]
ODD = ["x", "ä", "a-", "A1b2", "[[", "[[a|", "![[", "[", "![", "`", "`a", "```\n", "~~~a\n", "<A ", "import a", "#a",
       "a b\n", "# a\n", "- ", "> ", "*a_ ", " ", "\n", "a" * 40 + " "]  # fmt: skip


def _indexed(text: str, path: str = "n.md") -> list[Any]:
    return list(search_texts(read_document(text, path, "folder:x")))


@pytest.mark.parametrize("path", ["n.md", "n.mdx"])
@pytest.mark.parametrize("part", ODD, ids=repr)
def test_reading_and_indexing_grow_with_the_text(part: str, path: str, grows_linearly: Grows) -> None:
    grows_linearly(lambda size: _indexed(part * (size // len(part)), path), 20_000)


@pytest.mark.parametrize("head", ["# ", "---\ntitle: x\n---\n", "#", ""], ids=repr)
def test_a_long_word_as_heading_or_tag_grows_with_the_text(head: str, grows_linearly: Grows) -> None:
    grows_linearly(lambda size: _indexed(head + "x" * size), 50_000)


def test_many_tags_stay_a_bounded_part_of_each_chunk() -> None:
    record = read_document(" ".join(f"#tag{n}" for n in range(5000)), "n.md", "folder:x")
    assert len(record.tags) == TAGS
    assert max(len(t.name) for t in search_texts(record)) < 10_000


def test_a_long_word_is_cut_and_none_of_it_is_lost() -> None:
    record = read_document("y" * 10_000, "n.md", "folder:x")
    assert "".join(c.text for c in record.chunks) == "y" * 10_000
    assert max(len(c.text) for c in record.chunks) <= CHUNK


def test_a_heading_as_long_as_a_page_is_cut_and_its_words_stay_in_the_text() -> None:
    words = "word " * 400 + "last"
    record = read_document(f"# {words}\nbelow", "n.md", "folder:x")
    assert len(record.title) == LABEL
    assert all(len(c.heading) <= LABEL for c in record.chunks)
    assert "last" in " ".join(c.text for c in record.chunks)


def test_a_fence_that_is_not_closed_goes_on_to_the_end() -> None:
    record = read_document("before #one\n```\n#two [[Three]]\n~~~\n#four", "n.md", "folder:x")
    assert (record.tags, record.links) == (("one",), ())
    assert "[[Three]]" in record.chunks[0].text


def test_code_fences_close_by_their_own_sign_and_length() -> None:
    record = read_document("````md\n```\n#inside\n```\n````\n#outside\n```inline```\n#after", "n.md", "folder:x")
    assert record.tags == ("outside", "after")


def test_front_matter_without_bound_is_taken_as_text_and_said() -> None:
    text = "---\nnotes: " + "[" * 50_000 + "\n---\nbody"
    assert "too long" in (front_matter_warning(text) or "")
    assert read_document(text, "n.md", "folder:x").chunks[-1].text.endswith("body")
    assert front_matter_warning("---\nonly a rule above") is None


def test_tags_that_repeat_each_other_without_end_are_left_out() -> None:
    bomb = "\n".join(["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))])
    record = read_document(f"---\n{bomb}\ntags: [*a11, kept]\n---\nbody", "n.md", "folder:x")
    assert record.tags == ("kept",)
