"""Markdown, MDX and text files to documents, chunked by heading. Knows nothing of other files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any, cast

import frontmatter  # pyright: ignore[reportMissingTypeStubs]
from markdown_it import MarkdownIt

from sayso.workspace.records import Chunk, DocumentRecord

CHUNK = 1500
LABEL = 300
"""Characters of a title or heading; what is longer is a paragraph with a mark before it."""
TAGS, TAG = 300, 100
"""How many tags a document has, and how long one is."""
FRONT = 16_000
"""Characters of front matter; reading YAML takes the square of its length."""
# None of these tries a place twice: where a sign may begin a match, the match before it ends.
_EMBED = re.compile(r"!\[\[[^\[\]\n]*\]\]")
_LINK = re.compile(r"\[\[([^\[\]|#\n]*)(?:#[^\[\]|\n]*)?(?:\|([^\[\]\n]*))?\]\]")
_TAG = re.compile(r"(?<![\w/#&])#([^\W\d_][\w/-]*|\d+[^\W\d_][\w/-]*)")
_FENCE = re.compile(r" {0,3}(`{3,}+(?!.*`)|~{3,})(.*)")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_CODE = re.compile(r"`[^`\n]*`")
_MODULE = re.compile(r"^(?:import\s.+?from\s.+|import\s+['\"].+|export\s.+)$\n?", re.M)
_JSX = re.compile(r"</?[A-Z][\w.]*(?:\s[^<>]*)?/?>|<>|</>")
_FRONT_RULES = re.compile(r"^---[ \t]*$\n?", re.M)
_SPACES = re.compile(r"\s*")
_DATE = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")


def front_matter_warning(text: str) -> str | None:
    """What is odd about a document that is imported all the same."""
    return _front_matter(text)[2]


def read_document(text: str, path: str, source: str) -> DocumentRecord:
    meta, body, _ = _front_matter(text)
    suffix = PurePosixPath(path).suffix.lower()
    if suffix == ".mdx":
        body = _outside_code(body, lambda part: _JSX.sub("", _MODULE.sub("", part)))
    plain = _CODE.sub("", "".join(part for part, code in _parts(body) if not code))
    links = _unique(m[1].strip() for m in _LINK.finditer(_EMBED.sub("", plain)))
    tags = _unique(t for t in (*_meta_tags(meta), *_TAG.findall(_LINK.sub("", plain))) if len(t) <= TAG)[:TAGS]
    body = _outside_code(body, _plain_links)
    headings = [] if suffix == ".txt" else list(_headings(body))
    sections = _sections(body, headings)
    chunks = tuple(Chunk(heading, piece) for heading, part in sections for piece in _pieces(part))
    stem = PurePosixPath(path).stem
    first = next((words for _, _, level, words in headings if level == 1 and words), None)
    title = _short(_word(meta.get("title")) or first or stem)
    return DocumentRecord(title, path, chunks, tags, links, _date(meta, stem), source, path)


def _front_matter(text: str) -> tuple[Mapping[str, Any], str, str | None]:
    if not text.startswith("---"):
        return {}, text, None
    if "\n---" not in text[3:FRONT]:
        return {}, text, "front matter not read (it is too long); taken as text" if "\n---" in text else None
    try:
        post = frontmatter.loads(text)  # pyright: ignore[reportUnknownMemberType]
        meta = cast("dict[str, Any]", dict(post.metadata))
    except Exception as error:  # YAML errors come in many classes
        return {}, _FRONT_RULES.sub("", text, count=2), f"front matter not read ({type(error).__name__}); taken as text"
    return meta, post.content, None


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    return "".join(part if code else change(part) for part, code in _parts(text))


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The text in parts, and whether each is fenced code; a fence that is not closed goes on to the end."""
    held: list[str] = []
    fence = ""
    for line in _LINES.findall(text):
        found = _FENCE.match(line)
        if found and not fence:
            yield "".join(held), False
            held, fence = [line], found[1]
            continue
        held.append(line)
        if found and found[1].startswith(fence) and not found[2].strip():
            yield "".join(held), True
            held, fence = [], ""
    yield "".join(held), bool(fence)


def _plain_links(text: str) -> str:
    return _LINK.sub(lambda m: (m[2] or m[1]).strip(), _EMBED.sub("", text))


def _headings(text: str) -> Iterator[tuple[int, int, int, str]]:
    """(first line, line after, level, words) of each heading; never from inside code.

    Only blocks are parsed: links and emphasis within a line are not needed, and can take the square of its length.
    """
    tokens = MarkdownIt("commonmark").disable(["inline", "text_join"]).parse(text)
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.map and token.level == 0:
            yield token.map[0], token.map[1], int(token.tag[1]), inline.content.strip()


def _sections(text: str, headings: Iterable[tuple[int, int, int, str]]) -> Iterator[tuple[str, str]]:
    lines = text.split("\n")
    stack: list[tuple[int, str]] = []
    start = 0
    for first, after, level, words in headings:
        yield " / ".join(w for _, w in stack), "\n".join(lines[start:first])
        stack = [item for item in stack if item[0] < level] + [(level, _short(words))]
        start = after if len(words) <= LABEL else first
    yield " / ".join(w for _, w in stack), "\n".join(lines[start:])


def _short(words: str) -> str:
    return words if len(words) <= LABEL else words[: LABEL - 1] + "…"


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
    start = 0
    while len(paragraph) - start > CHUNK:
        end = start + CHUNK
        at = max(paragraph.rfind("\n", start + 1, end), paragraph.rfind(" ", start + 1, end))
        at = at if at > start + CHUNK // 2 else end
        yield paragraph[start:at]
        rest = _SPACES.match(paragraph, at)
        start = rest.end() if rest else at
    if paragraph[start:].strip():
        yield paragraph[start:]


def _word(value: Any) -> str | None:
    return str(value).strip() or None if isinstance(value, (str, int, float, date)) else None


def _meta_tags(meta: Mapping[str, Any]) -> list[str]:
    value = meta.get("tags", meta.get("tag"))
    items = re.split(r"[,\s]+", value) if isinstance(value, str) else value
    listed = cast("list[Any]", items) if isinstance(items, list) else []
    return [word.lstrip("#") for item in listed if (word := _word(item))]


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
