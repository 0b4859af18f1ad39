"""Plots as inline SVG that follow the page's width and colours.

Positions are shares of the width, so nothing is stretched. It draws numbers that it is given and knows no model.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

HEIGHT = 22
_MIDDLE = HEIGHT / 2


def _at(share: float) -> str:
    """A position from 0 to 1, with room for half a mark at both ends."""
    return f"{1.5 + 97 * min(max(share, 0.0), 1.0):.2f}%"


def _svg(inner: str, told: str) -> str:
    """One row; `told` is what somebody hears who does not see it, and holds no mark-up."""
    return f'<svg class="plot" width="100%" height="{HEIGHT}" role="img" aria-label="{told}">{inner}</svg>'


def _line(x1: str, x2: str, css: str, y: float = _MIDDLE) -> str:
    return f'<line class="{css}" x1="{x1}" x2="{x2}" y1="{y:g}" y2="{y:g}"/>'


def _upright(x: str, css: str, half: float) -> str:
    return f'<line class="{css}" x1="{x}" x2="{x}" y1="{_MIDDLE - half:g}" y2="{_MIDDLE + half:g}"/>'


def interval(share: float, low: float, high: float, css: str, told: str) -> str:
    """A share as a dot on a line from 0 to 1, with its interval."""
    grid = "".join(_upright(_at(x), "grid", 4) for x in (0, 0.25, 0.5, 0.75, 1))
    ends = _upright(_at(low), f"range {css}", 4) + _upright(_at(high), f"range {css}", 4)
    dot = f'<circle class="dot {css}" cx="{_at(share)}" cy="{_MIDDLE:g}" r="5.5"/>'
    return _svg(_line(_at(0), _at(1), "axis") + grid + _line(_at(low), _at(high), f"range {css}") + ends + dot, told)


def strip(values: Sequence[float], middle: float, most: float, css: str, told: str) -> str:
    """Each value as a faint dot from 0 to `most`, with the middle one marked."""
    scale = most or 1.0
    dots = "".join(f'<circle class="faint {css}" cx="{_at(v / scale)}" cy="{_MIDDLE:g}" r="4"/>' for v in values)
    return _svg(_line(_at(0), _at(1), "axis") + dots + _upright(_at(middle / scale), f"middle {css}", 9), told)


def round_up(value: float) -> float:
    """The end of an axis: 1, 2 or 5 times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value * 0.999)
