"""Local weights: a GGUF file answers in this process, held by a grammar. Spec: `gguf:PATH` or `gguf:NAME`."""

from __future__ import annotations

from sayso.models.local.choosing import local_model
from sayso.models.local.finding import WeightsFile, carried_weights, find_weights
from sayso.models.local.model import LocalModel

__all__ = ["LocalModel", "WeightsFile", "carried_weights", "find_weights", "local_model"]
