"""The desk of threads of a running server: by which keys it seals, and whose continuations it takes."""

from __future__ import annotations

from collections.abc import Mapping

from sayso.config import Config
from sayso.inapp.assistant import Assistant
from sayso.inapp.threads import ContinuationKeys, ThreadDesk
from sayso.inference.keys import FixedKeys, OwnKeys, keys_at

PLACE = "SAYSO_INFERENCE_KEYS"
"""Names the inference service's public keys, a file or their address, where it runs apart."""


def desk_of(assistant: Assistant, settings: Config, environ: Mapping[str, str]) -> ThreadDesk:
    """Without a place the inference service's keys are those under this home, where it runs in this process too."""
    place = environ.get(PLACE, "").strip()
    folder = settings.home / "keys"
    own = OwnKeys(folder / "inference")
    keys: ContinuationKeys = keys_at(place) if place else FixedKeys(lambda: own().public)
    return ThreadDesk(
        assistant.threads, assistant.clock, OwnKeys(folder / "gateway"), keys, assistant.locale, assistant.profile
    )
