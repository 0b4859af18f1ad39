"""What the inference service needs from outside, and what its requests become. It names no store and no tool."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sayso.core.actors import Actor
from sayso.core.images import Attachment
from sayso.core.ports import Clock, Ids, Model
from sayso.core.progress import Limits
from sayso.core.verify.report import Profile
from sayso.core.verify.second_opinion import SecondOpinion
from sayso.signing.keys import Keyring, PublicKeys

Images = Callable[[Actor, Sequence[str]], Awaitable[Mapping[str, Attachment]]]
"""Gives uploaded images by their ids; where there is none, an image cannot be attached by its id."""
CALLER_STEPS = 8


class GatewayKeys(Protocol):
    """The public keys that seals are checked by."""

    async def for_token(self, token: str) -> PublicKeys:
        """The keys as they are now; looked up anew where the token names one that is not known yet."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What a service is made of. `keyring` gives the keys that sign continuations, as they are now.

    Without `gateway_keys` nothing that comes in can be checked: then every fact is merely reported. `seconds` is how
    long an exchange may wait for its results, `proof_seconds` how long its transcript can be shown to be ours.
    """

    model: Model
    clock: Clock
    ids: Ids
    keyring: Callable[[], Keyring]
    gateway_keys: GatewayKeys | None
    limits: Limits = field(default_factory=lambda: Limits(steps=CALLER_STEPS))
    locale: str = "en"
    profile: Profile = Profile.DEFAULT
    instructions: str = ""
    second_opinion: SecondOpinion | None = None
    images: Images | None = None
    seconds: int = 15 * 60
    proof_seconds: int = 30 * 24 * 3600
