"""GIF: the size of its screen and frames, and a copy of the frames. It keeps no comments, texts and unknown parts."""

from __future__ import annotations

from struct import Struct

from sayso.core.pictures.parts import CUT, NO_PICTURE, Damaged, Picture, checked_size

_SCREEN, _FRAME = Struct("<HH"), Struct("<HHHH")
_MOST = 65_536  # parts, sub-blocks among them
_END, _DRAWN, _BESIDE, _FILLER = 0x3B, 0x2C, 0x21, 0x00
_TIMING, _PROGRAM = 0xF9, 0xFF
_LOOPS = (b"\x0bNETSCAPE2.0\x03\x01", b"\x0bANIMEXTS1.0\x03\x01")
_LOOP_SIZE = 17  # with its end


def read_gif(data: bytes) -> Picture:
    """The size is that of the screen, or of a frame that reaches beyond it. Raises Damaged and OutOfBounds."""
    if len(data) < 14:
        raise Damaged(CUT)
    size = checked_size(*_SCREEN.unpack_from(data, 6))
    return _Reading(data, size).picture()


class _Reading:
    """Goes through the parts once."""

    def __init__(self, data: bytes, size: tuple[int, int]) -> None:
        self._data, self._size = data, size
        self._at = 13 + _table(data[10])
        self._kept = [data[: self._at]]
        self._parts = self._frames = 0

    def picture(self) -> Picture:
        while self._at < len(self._data) and (kind := self._byte()) != _END:  # some have no end
            if kind == _DRAWN:
                self._frame()
            elif kind == _BESIDE:
                self._extension()
            elif kind != _FILLER:
                raise Damaged("its parts do not fit together")
        if not self._frames:
            raise Damaged(NO_PICTURE)
        return Picture(*self._size, b"".join(self._kept) + bytes((_END,)))

    def _byte(self) -> int:
        self._count()
        if self._at >= len(self._data):
            raise Damaged(CUT)
        self._at += 1
        return self._data[self._at - 1]

    def _count(self) -> None:
        self._parts += 1
        if self._parts > _MOST:
            raise Damaged("it has too many parts")

    def _frame(self) -> None:
        start = self._at - 1
        if self._at + 10 > len(self._data):
            raise Damaged(CUT)
        left, top, width, height = _FRAME.unpack_from(self._data, self._at)
        checked_size(width, height)
        self._size = checked_size(max(self._size[0], left + width), max(self._size[1], top + height))
        self._at += 9 + _table(self._data[self._at + 8]) + 1  # and the size of the first code
        if self._blocks():
            self._frames += 1
            self._kept.append(self._data[start : self._at])

    def _extension(self) -> None:
        start, label = self._at - 1, self._byte()
        self._blocks()
        piece = self._data[start : self._at]
        timed = label == _TIMING and len(piece) == 8
        loops = label == _PROGRAM and len(piece) == 2 + _LOOP_SIZE and piece[2:].startswith(_LOOPS)
        if timed or loops:
            self._kept.append(piece)

    def _blocks(self) -> bool:
        """Past the sub-blocks; whether there was one."""
        start = self._at
        while length := self._byte():
            self._at += length
        return self._at > start + 1


def _table(flags: int) -> int:
    """The bytes of a table of colours."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0
