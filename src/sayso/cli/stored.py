"""What the operator chose by command: the model to use, and the keys that may be used. One small file."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Stored:
    """`model` is a spec or None; `consented` are providers whose key may be used."""

    model: str | None = None
    consented: tuple[str, ...] = ()


def read_stored(home: Path) -> Stored:
    path = home / "models.json"
    if not path.exists():
        return Stored()
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
        return Stored(document.get("model"), tuple(document.get("consented", ())))
    except (ValueError, AttributeError, OSError) as wrong:
        raise ConfigError(f"{path} cannot be read ({wrong}); delete it and choose again: sayso models use") from wrong


def write_stored(home: Path, stored: Stored) -> None:
    """Replaces the file in one step, so that a stop in between loses nothing."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = home / "models.json.new"
    fresh.write_text(json.dumps({"model": stored.model, "consented": list(stored.consented)}), encoding="utf-8")
    os.replace(fresh, home / "models.json")
