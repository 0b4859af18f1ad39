"""Curves side by side as an SVG page of plain lines; the axes are logarithmic, so that what is linear is straight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10

Points = Sequence[tuple[int, float]]
WIDTH, HEIGHT, LEFT, TOP = 300, 220, 64, 40


def page(panels: Sequence[tuple[str, str, Points]]) -> str:
    """`panels` are (title, what the horizontal axis counts, points); the dashed line grows exactly with the size."""
    width, height = len(panels) * (WIDTH + LEFT + 24), HEIGHT + TOP + 56
    body = "\n".join(line for place, panel in enumerate(panels) for line in _panel(place, *panel))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="11">\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n{body}\n</svg>\n'
    )


def _panel(place: int, title: str, counts: str, points: Points) -> Iterator[str]:
    x0, y0 = place * (WIDTH + LEFT + 24) + LEFT, TOP
    across = _Axis([float(x) for x, _ in points], x0, x0 + WIDTH)
    up = _Axis([y for _, y in points], y0 + HEIGHT, y0)
    yield f'<text x="{x0}" y="{TOP - 16}" font-size="13" font-weight="bold">{title}</text>'
    for tick in across.ticks():
        x = across.at(tick)
        yield f'<path d="M{x:.1f} {y0}V{y0 + HEIGHT}" stroke="#ddd"/>'
        yield f'<text x="{x:.1f}" y="{y0 + HEIGHT + 16}" text-anchor="middle">{tick:,.0f}</text>'
    for tick in up.ticks():
        y = up.at(tick)
        yield f'<path d="M{x0} {y:.1f}H{x0 + WIDTH}" stroke="#ddd"/>'
        yield f'<text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:,g} ms</text>'
    yield f'<text x="{x0 + WIDTH / 2}" y="{y0 + HEIGHT + 36}" text-anchor="middle">{counts}</text>'
    (last, most) = points[-1]
    start = max(points[0][0], last * 10 ** floor(log10(points[0][1])) / most)
    straight = [(start, most * start / last), (float(last), most)]
    yield f'<path d="{_path(straight, across, up)}" stroke="#999" stroke-dasharray="4 4" fill="none"/>'
    yield f'<path d="{_path(points, across, up)}" stroke="#0b5fad" stroke-width="2" fill="none"/>'
    for x, y in points:
        told = f"<title>{x:,}: {y:,g} ms</title>"
        yield f'<circle cx="{across.at(x):.1f}" cy="{up.at(y):.1f}" r="3" fill="#0b5fad">{told}</circle>'


def _path(points: Sequence[tuple[float, float]], across: _Axis, up: _Axis) -> str:
    return "M" + "L".join(f"{across.at(x):.1f} {up.at(y):.1f}" for x, y in points)


class _Axis:
    """Places of values between two ends, by their powers of ten."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self._low, self._high = floor(log10(min(values))), ceil(log10(max(values)))
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        share = (log10(value) - self._low) / max(self._high - self._low, 1)
        return self._start + share * (self._end - self._start)

    def ticks(self) -> list[float]:
        return [10.0**power for power in range(self._low, self._high + 1)]
