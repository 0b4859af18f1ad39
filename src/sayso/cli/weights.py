"""What `sayso models` says of weights on this machine, and which models it recommends. Measures nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sayso.cli.stored import Proven
from sayso.models.local.engine import INSTALL, is_installed
from sayso.models.local.finding import WeightsFile, carried_weights, find_weights, usual_folders
from sayso.models.local.memory import free_memory

_LISTED = 12
_GOOD, _FAIR = 3_000_000_000, 800_000_000  # bytes: about 4 and 1 billion parameters as people quantize them
_BESIDE = 1 << 30  # of memory, for what a model needs beside its weights


def weights_here(environ: Mapping[str, str]) -> tuple[WeightsFile, ...]:
    """GGUF files in the usual folders, and the very small one that a package may have brought."""
    folders = [*usual_folders(environ, Path.home(), Path.cwd())]
    carried = carried_weights()
    return find_weights([*folders, carried.parent] if carried else folders)


def weights_lines(found: Sequence[WeightsFile]) -> Iterator[str]:
    """One line a file, and what to install where that is missing."""
    for weights in found[:_LISTED]:
        yield f"found on this machine: {_spec(weights, found)}  ({_size(weights)}: {_hint(weights)})"
    if len(found) > _LISTED:
        yield f"... and {len(found) - _LISTED} more GGUF files."
    if found and not is_installed():
        yield f"To ask them, {INSTALL}"


def recommended(found: Sequence[WeightsFile], proven: Mapping[str, Proven], free: int | None = None) -> Iterator[str]:
    """What was measured here; where nothing was, the largest file that fits."""
    measured = {spec: one.verdict for spec, one in proven.items() if one.verdict}
    for spec, verdict in measured.items():
        yield f"measured by `sayso probe`: {spec} {verdict}"
    if any("do not use" not in verdict for verdict in measured.values()):
        return
    free = free_memory() if free is None else free
    fitting = [w for w in found if w.size >= _FAIR and (free is None or w.size + _BESIDE <= free)]
    if fitting:
        best = max(fitting, key=lambda weights: weights.size)
        spec = _spec(best, found)
        yield f"recommended by its size: {spec}. Measure it: sayso probe --models {spec}"


def _spec(weights: WeightsFile, found: Sequence[WeightsFile]) -> str:
    """The name where it is the only one of that name, and can be typed; else the path."""
    alike = [one for one in found if weights.name.lower() in one.name.lower()]
    plain = len(alike) == 1 and " " not in weights.name and weights.path != carried_weights()
    return f"gguf:{weights.name if plain else weights.path}"


def _size(weights: WeightsFile) -> str:
    return f"{weights.size / 1e9:.1f} GB" if weights.size >= 1e9 else f"{weights.size / 1e6:.0f} MB"


def _hint(weights: WeightsFile) -> str:
    if weights.size >= _GOOD:
        return "may look up and answer well"
    if weights.size >= _FAIR:
        return "looks up; its answers need watching"
    return "very small: for trying out, its answers are poor"
