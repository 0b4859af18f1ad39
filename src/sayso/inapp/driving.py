"""The inference service in the process of an assistant: the same model, and tools that a caller runs.

Its runs are kept with those of the assistant, and it takes seals of this process's own gateway.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sayso.core.actors import Actor
from sayso.core.images import Attachment
from sayso.inapp.assistant import Assistant
from sayso.inference.keys import FixedKeys
from sayso.inference.ports import CALLER_STEPS, Parts
from sayso.inference.service import ChatService
from sayso.serving.runs import Runs
from sayso.signing.keys import Keyring


def driven_service(
    assistant: Assistant, gateway: Callable[[], Keyring], own: Callable[[], Keyring], runs: Runs,
    steps: int = CALLER_STEPS,
) -> ChatService:  # fmt: skip
    """`gateway` gives the keys by which seals are made, `own` those that sign continuations."""

    async def uploads(actor: Actor, digests: Sequence[str]) -> Mapping[str, Attachment]:
        return {digest: await assistant.images.get(actor.desk, digest) for digest in digests}

    parts = Parts(
        assistant.model, assistant.clock, assistant.ids, own, FixedKeys(lambda: gateway().public),
        replace(assistant.limits, steps=steps), assistant.locale, assistant.profile, assistant.instructions,
        assistant.second_opinion, uploads,
    )  # fmt: skip
    return ChatService(parts, runs)
