"""vCard 2.1, 3.0 and 4.0 to people. Each card stands alone: a broken one costs only itself."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

import vobject  # pyright: ignore[reportMissingTypeStubs]

from sayso.workspace.importers.plans import BadValue, Rejected, bounded
from sayso.workspace.records import Channel, PersonRecord

_HEAVY = re.compile(r"^(?:[\w-]+\.)?(?:PHOTO|LOGO|KEY|SOUND)(?:[;:]|$)", re.I)
_PROPERTY = re.compile(r"^(?:[\w-]+\.)?[A-Za-z][\w-]*(?:;[^:]*)?:")
_PROSE = re.compile(r"^((?:[\w-]+\.)?(?:FN|NOTE|NICKNAME|TITLE|ROLE|ORG)(?:;[^:]*)?:)(.*)$", re.I)
_COMMA = re.compile(r"(?<!\\),")
_BIRTHDAY = re.compile(r"^(\d{4}|--)-?(\d{2})-?(\d{2})(?:$|[T ])")
_MESSENGERS = {"x-whatsapp": "whatsapp", "x-signal": "signal", "x-telegram": "telegram", "x-skype": "skype"}
_SILENT_TYPES = {"internet", "pref", "voice", "x400"}


@dataclass(frozen=True, slots=True)
class Card:
    number: int
    line: int
    text: str
    closed: bool


def split_cards(text: str) -> Iterator[Card]:
    """The cards of a file, by BEGIN and END; nested cards (AGENT) stay within theirs."""
    lines: list[str] = []
    start = number = depth = 0
    for index, line in enumerate(text.split("\n"), 1):
        mark = line.strip().upper().replace(" ", "")
        if mark == "BEGIN:VCARD":
            if depth and not (lines and lines[-1].upper().startswith("AGENT")):
                yield Card(number, start, "\n".join(lines), closed=False)
                depth = 0
            if not depth:
                lines, start, number = [], index, number + 1
            depth += 1
        if depth:
            lines.append(line)
        if mark == "END:VCARD" and depth:
            depth -= 1
            if not depth:
                yield Card(number, start, "\n".join(lines), closed=True)
    if depth:
        yield Card(number, start, "\n".join(lines), closed=False)


def read_cards(text: str, path: str, source: str) -> Iterator[PersonRecord | Rejected | BadValue]:
    seen: dict[str, int] = {}
    for card in split_cards(text):
        place = f"card {card.number}, line {card.line}"
        try:
            person, unread = _person(card, source, seen)
        except Exception as error:  # the parser raises many kinds on broken input
            reason = str(error) or type(error).__name__
            yield Rejected(path, place, bounded(reason), bounded(card.text))
        else:
            yield person
            if unread:
                reason = f'"{unread[:40]}" is no birthday; write 1979-02-03; left empty'
                yield BadValue(path, place, "BDAY", reason)


def without_heavy(text: str) -> str:
    """Pictures, sounds and keys go before parsing, with their folded or bare base64 lines."""
    kept: list[str] = []
    dropping = False
    for line in text.split("\n"):
        if dropping and line and (line[0] in " \t" or not _PROPERTY.match(line)):
            continue
        dropping = bool(_HEAVY.match(line))
        if not dropping and line.strip():
            kept.append(line)
    return "\n".join(kept) + "\n"


def with_commas(text: str) -> str:
    """Bare commas of prose are escaped: the parser would take them as the end of the value."""
    out: list[str] = []
    prose = False
    for line in text.split("\n"):
        found = _PROSE.match(line)
        prose = bool(found) or (prose and not _PROPERTY.match(line))
        head, rest = (found[1], found[2]) if found else ("", line)
        out.append(head + _COMMA.sub(r"\\,", rest) if prose else line)
    return "\n".join(out)


def _person(card: Card, source: str, seen: dict[str, int]) -> tuple[PersonRecord, str]:
    """The person, and a birthday that cannot be read."""
    if not card.closed:
        raise ValueError("the card has no END:VCARD; the file may be cut")
    parser = cast("Any", vobject)  # it has no types
    parsed = next(iter(parser.readComponents(with_commas(without_heavy(card.text)), allowQP=True)), None)
    contents = cast("dict[str, list[Any]]", getattr(parsed, "contents", {}))
    kind = _first(contents, "kind") or _first(contents, "x-addressbookserver-kind")
    if kind and kind.lower() == "group":
        raise ValueError("a group, not a person; its members are imported on their own")
    channels = tuple(_channels(contents))
    affiliation = _organisation(contents)
    mail = next((c.value for c in channels if c.kind == "email"), None)
    name = _first(contents, "fn") or _built_name(contents) or affiliation or mail
    if not name:
        raise ValueError("no name, organisation or e-mail address")
    born = _first(contents, "bday") or ""
    person = PersonRecord(
        name=name,
        affiliation=affiliation,
        role=_first(contents, "title") or _first(contents, "role"),
        channels=channels,
        birthday=birthday(born),
        notes="\n".join(_texts(contents, "note")) or None,
        nicknames=_other_names(contents, name),
        source=source,
        source_key=_key(_first(contents, "uid"), name, channels, seen),
    )
    return person, "" if person.birthday else born


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(filter(None, (_text(v) for v in cast("list[Any]", value))))
    return str(value).strip() if value is not None else ""


def _texts(contents: dict[str, list[Any]], name: str) -> list[str]:
    return [text for line in contents.get(name, ()) if (text := _text(line.value))]


def _first(contents: dict[str, list[Any]], name: str) -> str | None:
    return next(iter(_texts(contents, name)), None)


def _built_name(contents: dict[str, list[Any]]) -> str | None:
    for line in contents.get("n", ()):
        value = line.value
        parts = [_text(getattr(value, p, "")) for p in ("prefix", "given", "additional", "family", "suffix")]
        joined = " ".join(p.replace(",", "") for p in parts if p)
        if joined:
            return joined
    return None


def _other_names(contents: dict[str, list[Any]], name: str) -> tuple[str, ...]:
    """Nicknames, and the full name as the card writes it in other languages."""
    nicknames = (n.strip() for v in _texts(contents, "nickname") for n in v.split(","))
    return tuple(dict.fromkeys(n for n in (*nicknames, *_texts(contents, "fn")) if n and n != name))


def _organisation(contents: dict[str, list[Any]]) -> str | None:
    return _first(contents, "org")


def birthday(text: str | None) -> str | None:
    """The day in ISO form, "--02-03" without a year; None for what is no day of the calendar."""
    found = _BIRTHDAY.match((text or "").strip())
    if not found:
        return None
    year, month, day = found.groups()
    known = year not in ("--", "0000", "1604")
    try:
        date(int(year) if known else 2000, int(month), int(day))  # 2000 had a 29th of February
    except ValueError:
        return None
    return f"{year}-{month}-{day}" if known else f"--{month}-{day}"


def _channels(contents: dict[str, list[Any]]) -> Iterator[Channel]:
    labels = {line.group: _text(line.value).strip("_$!<>") for line in contents.get("x-ablabel", ()) if line.group}
    seen: set[tuple[str, str]] = set()
    for name, lines in contents.items():
        for line in lines:
            pair = _channel(name, line)
            if pair and pair not in seen:
                seen.add(pair)
                yield Channel(*pair, label=labels.get(line.group) or _label(line))


def _channel(name: str, line: Any) -> tuple[str, str] | None:
    if name == "adr":
        parts = [_text(getattr(line.value, p, "")) for p in ("box", "extended", "street")]
        city = f"{_text(getattr(line.value, 'code', ''))} {_text(getattr(line.value, 'city', ''))}".strip()
        parts += [city, _text(getattr(line.value, "region", "")), _text(getattr(line.value, "country", ""))]
        value = ", ".join(" ".join(p.split()) for p in parts if p)
        return ("address", value) if value else None
    value = _text(line.value)
    if not value:
        return None
    if name == "tel":
        return "phone", re.sub(r"^tel:", "", value, flags=re.I).split(";")[0]
    if name == "email":
        return "email", re.sub(r"^mailto:", "", value, flags=re.I)
    if name == "url":
        return "url", value.replace("\\:", ":")
    if name == "impp":
        scheme, colon, rest = value.partition(":")
        return (scheme.lower(), rest) if colon and rest else ("im", value)
    return (_MESSENGERS[name], value) if name in _MESSENGERS else None


def _label(line: Any) -> str | None:
    types = [str(t).lower() for t in line.params.get("TYPE", [])]
    types += [str(t).lower() for t in line.singletonparams]
    flat = [part for t in types for part in t.strip('"').split(",")]
    return next((t for t in flat if t and t not in _SILENT_TYPES), None)


def _key(uid: str | None, name: str, channels: tuple[Channel, ...], seen: dict[str, int]) -> str:
    basis = f"{name}\n{channels[0].value if channels else ''}"
    key = uid or hashlib.sha256(basis.encode("utf-8", "replace")).hexdigest()[:24]
    seen[key] = seen.get(key, 0) + 1
    return key if seen[key] == 1 else f"{key}#{seen[key]}"
