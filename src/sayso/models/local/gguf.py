"""What a GGUF file says about itself: its family, its size, how much it reads. Loads no weights.

Only the header is read (the first few hundred kilobytes at most); the format is llama.cpp's, versions 2 and 3.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from sayso.errors import ConfigError

_MAGIC = b"GGUF"
_FIXED: Mapping[int, str] = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d",
}  # fmt: skip
_STRING, _ARRAY = 8, 9
_MOST_KEYS = 4_096
_LONGEST = 1 << 20  # bytes of one text: a chat template has some ten thousand
_LARGEST = 1 << 40  # bytes of one list: more than any file of weights
_NO_CHAT = ("bert", "nomic-bert", "jina-bert", "clip", "t5encoder", "whisper", "diffusion", "flux", "wavtokenizer")

Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Header:
    """`context`: tokens that it was trained to read; `cell`: bytes of memory that each token of context takes."""

    architecture: str
    name: str
    context: int
    cell: int
    template: bool

    @property
    def chats(self) -> bool:
        return not any(self.architecture.startswith(other) for other in _NO_CHAT)


class _Damaged(ValueError):
    pass


def read_header(path: Path) -> Header:
    """Raises ConfigError, which says what is wrong with the file and what to do."""
    try:
        with path.open("rb") as file:
            if file.read(4) != _MAGIC:
                raise ConfigError(
                    f"{path} is no GGUF file: its name does not matter, its first bytes do; fetch it anew"
                )
            return _header(_values(file), path)
    except (ValueError, struct.error, RecursionError) as wrong:
        raise ConfigError(f"{path} is damaged or not whole: fetch it anew") from wrong
    except OSError as wrong:
        reason = wrong.strerror or str(wrong)
        raise ConfigError(
            f"{path} cannot be read ({reason}): check the path; `sayso models` lists what is found"
        ) from wrong


def _header(values: Mapping[str, Value], path: Path) -> Header:
    family = str(values.get("general.architecture", ""))

    def number(key: str, otherwise: int) -> int:
        value = values.get(f"{family}.{key}", otherwise)
        return value if isinstance(value, int) and value > 0 else otherwise

    layers, width, heads = (
        number("block_count", 32),
        number("embedding_length", 4096),
        number("attention.head_count", 32),
    )
    per_head = width // heads
    keys, texts = number("attention.key_length", per_head), number("attention.value_length", per_head)
    cell = 2 * layers * number("attention.head_count_kv", heads) * (keys + texts)  # 16 bits each
    name = str(values.get("general.name") or path.stem)
    return Header(family, name, number("context_length", 4096), cell, "tokenizer.chat_template" in values)


def _values(file: BinaryIO) -> dict[str, Value]:
    version, _, count = _number(file, "<I"), _number(file, "<Q"), _number(file, "<Q")
    if version not in (2, 3) or count > _MOST_KEYS:
        raise _Damaged
    values: dict[str, Value] = {}
    for _ in range(count):
        key, kind = _text(file), _number(file, "<I")
        value = _value(file, kind)
        if value is not None:
            values[key] = value
    return values


def _value(file: BinaryIO, kind: int) -> Value | None:
    if kind == _STRING:
        return _text(file)
    if kind == _ARRAY:
        _skip_array(file)
        return None
    return _unpacked(file, _form(kind))


def _skip_array(file: BinaryIO) -> None:
    """Lists of words make most of a header, and tell nothing here."""
    kind, count = _number(file, "<I"), _number(file, "<Q")
    if kind == _STRING:
        for _ in range(count):
            _skip(file, _number(file, "<Q"))
    elif kind == _ARRAY:
        for _ in range(count):
            _skip_array(file)
    else:
        _skip(file, struct.calcsize(_form(kind)) * count)


def _skip(file: BinaryIO, size: int) -> None:
    if size > _LARGEST:
        raise _Damaged
    file.seek(size, 1)


def _form(kind: int) -> str:
    if kind not in _FIXED:
        raise _Damaged
    return _FIXED[kind]


def _text(file: BinaryIO) -> str:
    length = _number(file, "<Q")
    if length > _LONGEST:
        raise _Damaged
    return file.read(length).decode("utf-8", "replace")


def _number(file: BinaryIO, form: str) -> int:
    return int(_unpacked(file, form))


_UNPACK: Callable[[str, bytes], tuple[Value, ...]] = struct.unpack


def _unpacked(file: BinaryIO, form: str) -> Value:
    return _UNPACK(form, file.read(struct.calcsize(form)))[0]
