"""The desk of threads of a running server: by which keys it seals, and whose continuations it takes."""

from __future__ import annotations

from sayso.config import Config
from sayso.inapp.assistant import Assistant
from sayso.inapp.threads import ContinuationKeys, ThreadDesk
from sayso.inference.keys import FixedKeys, keys_at
from sayso.signing.keys import OwnKeys


def desk_of(assistant: Assistant, settings: Config) -> ThreadDesk:
    """Without `inference_keys` in the settings the inference service's keys are those under this home, where it runs in
    this process too."""
    place = settings.inference_keys
    folder = settings.home / "keys"
    own = OwnKeys(folder / "inference")
    keys: ContinuationKeys = keys_at(place) if place else FixedKeys(lambda: own().public)
    return ThreadDesk(
        assistant.threads, assistant.clock, OwnKeys(folder / "gateway"), keys, assistant.locale, assistant.profile,
        assistant.proposals,
    )  # fmt: skip
