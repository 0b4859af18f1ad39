"""What the operator chose by command: the model to use, the keys that may be used, and what a probe found to suit
each model. One small file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from sayso.config import Config
from sayso.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Proven:
    """What `sayso probe --apply` found to suit one model. `native_tools` None: tried, and given up when refused."""

    native_tools: bool | None = None
    steps: int = 3
    profile: str = "default"
    max_output_tokens: int = 2048
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """`model` is a spec or None; `consented` are providers whose key may be used; `proven` goes by spec."""

    model: str | None = None
    consented: tuple[str, ...] = ()
    proven: Mapping[str, Proven] = field(default_factory=dict[str, Proven])


_PROVEN = TypeAdapter(dict[str, Proven])


def read_stored(home: Path) -> Stored:
    path = home / "models.json"
    if not path.exists():
        return Stored()
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
        proven = _PROVEN.validate_python(document.get("proven", {}))
        return Stored(document.get("model"), tuple(document.get("consented", ())), proven)
    except (ValueError, AttributeError, OSError) as wrong:
        raise ConfigError(f"{path} cannot be read ({wrong}); delete it and choose again: sayso models use") from wrong


def write_stored(home: Path, stored: Stored) -> None:
    """Replaces the file in one step, so that a stop in between loses nothing."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = home / "models.json.new"
    proven = {spec: asdict(one) for spec, one in stored.proven.items()}
    document = {"model": stored.model, "consented": list(stored.consented), "proven": proven}
    fresh.unlink(missing_ok=True)  # one that a stop left may be readable by others
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(json.dumps(document, ensure_ascii=False))
    os.replace(fresh, home / "models.json")


def suited(settings: Config, proven: Proven | None) -> Config:
    """The settings with what suits the model, where nobody has set anything else."""
    if proven is None:
        return settings
    free = {n: getattr(proven, n) for n in ("steps", "profile") if settings.origins.get(n) == "default"}
    return replace(settings, **free, origins={**settings.origins, **dict.fromkeys(free, "sayso probe --apply")})
