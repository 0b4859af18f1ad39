"""How figures and advice are put into words, for the terminal and the page alike."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from sayso.probe.figures import Figures
from sayso.probe.sample import Way
from sayso.probe.verdicts import Advice

CALLED: Mapping[Way, str] = {"native": "native tools", "text": "tools as text"}


def name_of(spec: str) -> str:
    """A spec as it is shown: of a file its name alone."""
    kind, _, place = spec.partition(":")
    return f"{kind}:{PurePath(place).name}" if kind in ("gguf", "scripted") else spec


def ways_of_calls(f: Figures) -> str:
    told = [f"{count} {name}" for name, count in (("natively", f.native), ("as text", f.text)) if count]
    return ", ".join(told) or "none"


def advice_told(advice: Advice) -> str:
    native = {True: "native tools on", False: "native tools off", None: ""}[advice.native_tools]
    parts = [
        native, f"{advice.steps} steps", f"{advice.profile} profile", f"{advice.max_output_tokens} tokens a reply",
    ]  # fmt: skip
    return ", ".join(part for part in parts if part)


def milliseconds(seconds: float | None) -> str:
    """ "240 ms", "2.4 s"; a dash where nothing came."""
    if seconds is None:
        return "–"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
