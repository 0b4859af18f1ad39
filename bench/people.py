"""People for the benchmark, each made from a name, so that no two exchanges tell of the same one.

The model server and the measured loops make the same person from the same name and share no state.
"""

from __future__ import annotations

from zlib import crc32

_SYLLABLES = ("ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wu", "za")
_FIRMS = ("Werke", "Verlag", "Labs", "Stiftung", "Partners", "Institute", "Foundation", "Systems")


def name_of(number: int) -> str:
    """A first and a last name; another one for each number below 16 ** 6, neighbours unlike."""
    mixed = number * 0x9E3779 & 0xFFFFFF
    spoken = "".join(_SYLLABLES[mixed >> 4 * place & 15] for place in range(6))
    return f"{spoken[:6].capitalize()}n {spoken[6:].capitalize()}r"


def firm_of(name: str) -> str:
    mark = crc32(name.encode())
    return f"{name_of(mark & 0xFFFFFF).split()[1]} {_FIRMS[mark >> 24 & 7]}"


def phone_of(name: str) -> str:
    digits = f"{crc32(name.encode(), 7) % 10**7:07}"
    return f"+41 79 {digits[:3]} {digits[3:5]} {digits[5:]}"


def neighbours(name: str) -> tuple[str, str]:
    """Two more people that a list holds beside this one."""
    mark = crc32(name.encode(), 11)
    return name_of(mark & 0xFFFFFF), name_of(mark >> 8)
