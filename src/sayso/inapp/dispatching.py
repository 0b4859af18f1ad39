"""The gateway role over an assembled assistant: the dispatcher that serves its tools to callers elsewhere.

Apart from `wiring`, so that whoever serves no caller needs no signing key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sayso.core.facts import FactKind
from sayso.core.pages import PAGE
from sayso.gateway.dispatch import Dispatcher
from sayso.gateway.live import LiveKinds, LiveNames
from sayso.gateway.sealing import Sealer
from sayso.inapp.assistant import Assistant
from sayso.signing.keys import Keyring
from sayso.workspace.kinds import WORKSPACE_KINDS


def dispatcher_of(
    assistant: Assistant, keyring: Callable[[], Keyring], kinds: Iterable[FactKind] = (*WORKSPACE_KINDS, PAGE)
) -> Dispatcher:  # fmt: skip
    """`keyring` gives the keys that seal, as they are now; `kinds` are those that results may hold beside what the
    tools cover."""
    registry = assistant.calls.registry
    return Dispatcher(
        registry=registry,
        offered=LiveNames(assistant.registry),
        kinds=LiveKinds(kinds, lambda: registry.kinds),
        runner=assistant.calls,
        ledger=assistant.ledger,
        sealer=Sealer(keyring),
        gateway=assistant.gateway,
        proposals=assistant.proposals,
        seeds=assistant.seeds,
    )
