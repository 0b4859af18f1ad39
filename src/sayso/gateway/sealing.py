"""Seals: the gateway's signature on a catalogue and on each result, so that nobody else can make one.

Whoever checks needs the public keys only. A seal says for whom, of which call, and what it is the digest of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sayso.core.proposals import digest_of
from sayso.core.tools import Actor
from sayso.gateway.calls import Result, canonical_json
from sayso.signing.keys import Keyring
from sayso.signing.tokens import TokenKind, sign

CATALOGUE_SECONDS = 3600
RESULT_SECONDS = 15 * 60


@dataclass(frozen=True, slots=True)
class Sealer:
    """Signs for the gateway. `keyring` gives its private key, as it is now."""

    keyring: Callable[[], Keyring]

    def key_set(self) -> dict[str, Any]:
        """The public keys, as a JSON Web Key Set."""
        return self.keyring().public.as_set()

    def result(self, result: Result, actor: Actor, now: datetime) -> Result:
        claims = {
            "sub": actor.id, "owner": actor.owner, "call_id": result.call_id, "name": result.name,
            "arguments": result.arguments, "kind": result.kind.value,
            "digest": digest_of(canonical_json(result.sealed_part())),
        }  # fmt: skip
        return replace(result, seal=sign(self.keyring(), TokenKind.RESULT, claims, now, RESULT_SECONDS))

    def catalogue(self, declared: dict[str, Any], actor: Actor, now: datetime) -> str:
        """The seal of a catalogue's `kinds` and `tools`; also the person's proof of identity elsewhere."""
        claims = {"sub": actor.id, "owner": actor.owner, "digest": digest_of(canonical_json(declared))}
        return sign(self.keyring(), TokenKind.CATALOGUE, claims, now, CATALOGUE_SECONDS)
