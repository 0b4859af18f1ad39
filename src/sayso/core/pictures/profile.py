"""An ICC colour profile without what it tells: names, makers, times and texts go, colours stay. It knows no format."""

from __future__ import annotations

_HEADER, _ENTRY = 128, 12
_KEPT_OF_HEADER = (slice(8, 24), slice(36, 40), slice(64, 80))  # version, class and spaces; mark; intent, white
_COLOURS = frozenset(
    b"rXYZ gXYZ bXYZ wtpt rTRC gTRC bTRC kTRC chad cicp A2B0 A2B1 A2B2 B2A0 B2A1 B2A2 gamt"
    b" D2B0 D2B1 D2B2 D2B3 B2D0 B2D1 B2D2 B2D3".split()
)


def colours_alone(profile: bytes) -> bytes:
    """The profile with its tags of colour only; b"" where it is no profile that can be read."""
    if len(profile) < _HEADER + 4 or profile[36:40] != b"acsp":
        return b""
    tags = _colours(profile)
    spans = list(dict.fromkeys(tags.values()))  # tags that share a value go on sharing it
    if not tags or sum(size for _, size in spans) > len(profile):
        return b""
    start = _HEADER + 4 + _ENTRY * len(tags)
    places: dict[tuple[int, int], int] = {}
    for span in spans:
        places[span] = start
        start += span[1] + -span[1] % 4
    table = b"".join(name + _four(places[span]) + _four(span[1]) for name, span in tags.items())
    values = b"".join(profile[place : place + size] + bytes(-size % 4) for place, size in spans)
    header = bytearray(_HEADER)
    for place in _KEPT_OF_HEADER:
        header[place] = profile[place]
    header[:4] = _four(start)
    return bytes(header) + _four(len(tags)) + table + values


def _colours(profile: bytes) -> dict[bytes, tuple[int, int]]:
    """Each name with the place and size of its value; a name again, and values outside, are left out."""
    count = min(int.from_bytes(profile[_HEADER : _HEADER + 4], "big"), 100)
    tags: dict[bytes, tuple[int, int]] = {}
    for at in range(_HEADER + 4, _HEADER + 4 + _ENTRY * count, _ENTRY):
        name = profile[at : at + 4]
        place, size = (int.from_bytes(profile[at + n : at + n + 4], "big") for n in (4, 8))
        if name in _COLOURS and size and place + size <= len(profile):
            tags.setdefault(name, (place, size))
    return tags


def _four(number: int) -> bytes:
    return number.to_bytes(4, "big")
