"""The gateway role over an assembled assistant: the dispatcher that serves its tools to callers elsewhere.

Apart from `wiring`, so that whoever serves no caller needs no signing key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sayso.core.facts import FactKind, kinds_by_name
from sayso.core.pages import PAGE
from sayso.gateway.dispatch import Dispatcher
from sayso.gateway.sealing import Sealer
from sayso.inapp.assistant import Assistant
from sayso.signing.keys import Keyring
from sayso.workspace.kinds import WORKSPACE_KINDS


def dispatcher_of(
    assistant: Assistant, keyring: Callable[[], Keyring], kinds: Iterable[FactKind] = (*WORKSPACE_KINDS, PAGE)
) -> Dispatcher:  # fmt: skip
    """`keyring` gives the keys that seal, as they are now; `kinds` are those that results may hold beside what the
    tools cover."""
    covered = (tool.covers for tool in assistant.calls.registry if tool.covers)
    return Dispatcher(
        registry=assistant.calls.registry,
        offered=frozenset(tool.name for tool in assistant.registry),
        kinds=kinds_by_name((*kinds, *covered)),
        runner=assistant.calls,
        ledger=assistant.ledger,
        sealer=Sealer(keyring),
        gateway=assistant.gateway,
        proposals=assistant.proposals,
        seeds=assistant.seeds,
    )
