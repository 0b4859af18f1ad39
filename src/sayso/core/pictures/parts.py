"""What the formats have in common: a picture's size and its bound, and what is wrong with bytes. It knows no format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

Part = TypeVar("Part")

MAX_SIDE = 8000
"""Pixels, of the longer side of a picture and of each frame in it."""
CUT = "it ends too early"
NO_HEADER = "it has no header"
NO_PICTURE = "it holds no picture"
TWO_HEADERS = "it has more than one header"


class Damaged(ValueError):
    """The bytes end early, or are not what their beginning says."""


class OutOfBounds(ValueError):
    """A picture or one of its frames has no pixels, or more than MAX_SIDE on a side."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(f"{width} × {height}")


class Picture(NamedTuple):
    """Pixels, and the bytes to keep."""

    width: int
    height: int
    data: bytes


def checked_size(width: int, height: int) -> tuple[int, int]:
    """Raises OutOfBounds."""
    if not 0 < width <= MAX_SIDE or not 0 < height <= MAX_SIDE:
        raise OutOfBounds(width, height)
    return width, height


def at_most(parts: Iterable[Part], most: int) -> Iterator[Part]:
    """The parts; a file of nothing but parts would cost seconds. Raises Damaged after `most`."""
    for number, part in enumerate(parts):
        if number >= most:
            raise Damaged("it has too many parts")
        yield part
