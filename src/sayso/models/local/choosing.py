"""The model of a spec `gguf:PATH` or `gguf:NAME`: finds the file, reads its header, fits it into the memory."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from sayso.errors import ConfigError
from sayso.models.local.engine import INSTALL, Engine, is_installed
from sayso.models.local.finding import file_at, find_weights, usual_folders, weights_named
from sayso.models.local.gguf import read_header
from sayso.models.local.memory import fitting_context, free_memory
from sayso.models.local.model import LocalModel

SMALL = 800 << 20  # bytes: about a billion parameters; below that a model looks nothing up by itself
_SHORT = 400  # tokens: what a very small model writes after that repeats itself


def local_model(name: str, environ: Mapping[str, str] | None = None, *, held: bool = True) -> LocalModel:
    """Loads nothing yet. `SAYSO_MODEL_THREADS` and `SAYSO_MODEL_CONTEXT` (tokens) overrule what is measured.

    Raises ConfigError (no such file, no GGUF, the package is missing) or ModelUnreachable (not enough memory).
    """
    environ = os.environ if environ is None else environ
    path = _path(name, environ)
    header = read_header(path)
    if not header.chats:
        raise ConfigError(f"{path} holds no chat model ({header.architecture}): choose another file")
    if not is_installed():
        raise ConfigError(INSTALL)
    size = path.stat().st_size
    context = _number(environ, "SAYSO_MODEL_CONTEXT") or fitting_context(
        path.name, header.context, header.cell, size, free_memory()
    )
    engine = Engine(path, context, _number(environ, "SAYSO_MODEL_THREADS"))
    told = f" ({size / 1e6:,.0f} MB)"
    small = size < SMALL
    longest = _SHORT if small else 4_096
    return LocalModel(f"gguf:{path.stem}", engine, size=told, held=held, looks_up_first=small, longest=longest)


def _path(name: str, environ: Mapping[str, str]) -> Path:
    if (direct := file_at(name)) is not None:
        return direct
    return weights_named(name, find_weights(usual_folders(environ, Path.home(), Path.cwd())))


def _number(environ: Mapping[str, str], key: str) -> int | None:
    value = environ.get(key, "").strip()
    if value and (not value.isdecimal() or not int(value)):
        raise ConfigError(f"{key} is {value!r}: write a whole number above 0")
    return int(value) if value else None
