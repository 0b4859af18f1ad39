"""Markdown, MDX and text files to documents, chunked by heading. Knows nothing of other files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any, cast

import frontmatter  # pyright: ignore[reportMissingTypeStubs]
from markdown_it import MarkdownIt

from sayso.workspace.records import Chunk, DocumentRecord

CHUNK = 1500
_EMBED = re.compile(r"!\[\[[^\]\n]*\]\]")
_LINK = re.compile(r"\[\[([^\]|#\n]*)(?:#[^\]|\n]*)?(?:\|([^\]\n]*))?\]\]")
_TAG = re.compile(r"(?<![\w/#&])#([^\W\d_][\w/-]*|\d+[^\W\d_][\w/-]*)")
_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1[`~]*\s*$", re.M | re.S)
_CODE = re.compile(r"`[^`\n]*`")
_MODULE = re.compile(r"^(?:import\s.+?from\s.+|import\s+['\"].+|export\s.+)$\n?", re.M)
_JSX = re.compile(r"</?[A-Z][\w.]*(?:\s[^<>]*)?/?>|<>|</>")
_FRONT_RULES = re.compile(r"^---[ \t]*$\n?", re.M)
_DATE = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")


def front_matter_warning(text: str) -> str | None:
    """What is odd about a document that is imported all the same."""
    return _front_matter(text)[2]


def read_document(text: str, path: str, source: str) -> DocumentRecord:
    meta, body, _ = _front_matter(text)
    suffix = PurePosixPath(path).suffix.lower()
    if suffix == ".mdx":
        body = _outside_code(body, lambda part: _JSX.sub("", _MODULE.sub("", part)))
    plain = _CODE.sub("", _FENCE.sub("", body))
    links = _unique(m[1].strip() for m in _LINK.finditer(_EMBED.sub("", plain)))
    tags = _unique([*_meta_tags(meta), *_TAG.findall(_LINK.sub("", plain))])
    body = _outside_code(body, _plain_links)
    sections = [("", body)] if suffix == ".txt" else list(_sections(body))
    chunks = tuple(Chunk(heading, piece) for heading, part in sections for piece in _pieces(part))
    stem = PurePosixPath(path).stem
    title = _word(meta.get("title")) or _first_heading(body, suffix) or stem
    return DocumentRecord(title, path, chunks, tags, links, _date(meta, stem), source, path)


def _front_matter(text: str) -> tuple[Mapping[str, Any], str, str | None]:
    if not text.startswith("---"):
        return {}, text, None
    try:
        post = frontmatter.loads(text)  # pyright: ignore[reportUnknownMemberType]
        meta = cast("dict[str, Any]", dict(post.metadata))
    except Exception as error:  # YAML errors come in many classes
        return {}, _FRONT_RULES.sub("", text, count=2), f"front matter not read ({type(error).__name__}); taken as text"
    return meta, post.content, None


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    out: list[str] = []
    end = 0
    for fence in _FENCE.finditer(text):
        out += [change(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*out, change(text[end:])])


def _plain_links(text: str) -> str:
    return _LINK.sub(lambda m: (m[2] or m[1]).strip(), _EMBED.sub("", text))


def _headings(text: str) -> Iterator[tuple[int, int, int, str]]:
    """(first line, line after, level, words) of each heading; never from inside code."""
    tokens = MarkdownIt("commonmark").parse(text)
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.map and token.level == 0:
            yield token.map[0], token.map[1], int(token.tag[1]), inline.content.strip()


def _sections(text: str) -> Iterator[tuple[str, str]]:
    lines = text.split("\n")
    stack: list[tuple[int, str]] = []
    start = 0
    for first, after, level, words in _headings(text):
        yield " / ".join(w for _, w in stack), "\n".join(lines[start:first])
        stack = [item for item in stack if item[0] < level] + [(level, words)]
        start = after
    yield " / ".join(w for _, w in stack), "\n".join(lines[start:])


def _first_heading(text: str, suffix: str) -> str | None:
    if suffix == ".txt":
        return None
    return next((words for _, _, level, words in _headings(text) if level == 1 and words), None)


def _pieces(text: str) -> Iterator[str]:
    held = ""
    for paragraph in re.split(r"\n\s*\n", text):
        for part in _cut(paragraph.strip("\n")):
            if held and len(held) + len(part) + 2 > CHUNK:
                yield held
                held = ""
            held = f"{held}\n\n{part}" if held else part
    if held:
        yield held


def _cut(paragraph: str) -> Iterator[str]:
    """A paragraph in parts that fit, cut at a line or a word where there is one."""
    while len(paragraph) > CHUNK:
        at = max(paragraph.rfind("\n", 1, CHUNK), paragraph.rfind(" ", 1, CHUNK))
        at = at if at > CHUNK // 2 else CHUNK
        yield paragraph[:at]
        paragraph = paragraph[at:].lstrip()
    if paragraph.strip():
        yield paragraph


def _word(value: Any) -> str | None:
    return str(value).strip() or None if isinstance(value, (str, int, float, date)) else None


def _meta_tags(meta: Mapping[str, Any]) -> list[str]:
    value = meta.get("tags", meta.get("tag"))
    items = re.split(r"[,\s]+", value) if isinstance(value, str) else value
    listed = cast("list[Any]", items) if isinstance(items, list) else []
    return [str(item).strip().lstrip("#") for item in listed if item is not None]


def _date(meta: Mapping[str, Any], stem: str) -> date | None:
    for value in (meta.get("date"), meta.get("created"), stem):
        if isinstance(value, datetime):
            return value.date()
        if isinstance(value, date):
            return value
        found = _DATE.search(value) if isinstance(value, str) else None
        if found:
            try:
                return date.fromisoformat(found[1])
            except ValueError:
                continue
    return None


def _unique(items: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for item in items if item))
