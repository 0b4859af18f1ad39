"""Gateway, workspace and inference as three real processes over the sample workspace, with a scripted model."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from processes import Served, free_port, sayso
from scripted_server import Script, Step, model_server, ref_of

PERSON, TASK, DENIED, AFTER = (
    "Who is Elena Weber, and which projects are active? Take me to the proposals.",
    "Remind me to call Elena Weber on Friday.",
    "Remind me to send Mara Lindt the plan.",
    "What did you do for me?",
)


@dataclass(slots=True)
class Services:
    """The three processes. `token` is an API token of the one person; `home` is the gateway's and the workspace's."""

    gateway: Served
    workspace: Served
    inference: Served
    token: str
    script: Script
    home: Path

    @property
    def bearer(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"}

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the database holds, read beside the processes."""
        path = next(self.home.glob("*.db"))
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            return connection.execute(query, values).fetchall()
        finally:
            connection.close()


def conversation() -> Script:
    """Two reads and a navigation at once; a write that is edited and approved; one that is denied; a look back."""
    return Script(
        {
            PERSON: [
                Step(
                    calls=[
                        ("search_people", {"query": "Elena Weber"}),
                        ("list_projects", {"status": "active"}),
                        ("navigate", {"path": "/proposals"}),
                    ]
                ),
                Step(says=lambda text: (
                    f"Elena Weber works at SINGA Switzerland [{ref_of(text, 'person: Elena Weber')}]. "
                )),
            ],
            TASK: [
                Step(calls=[("propose_action", {"type": "commitment", "person": "Elena Weber", "title": "Call Elena Weber", "due": "Friday"})]),
                Step(says=lambda text: f"I have created the commitment [{ref_of(text, 'receipt: ')}]."),
            ],
            DENIED: [
                Step(calls=[("propose_action", {"type": "commitment", "person": "Mara Lindt", "title": "Send the plan"})]),
                Step(says="All right: nothing was created."),
            ],
            AFTER: [
                Step(says=lambda text: f"Yes: I have created the commitment [{ref_of(text, 'receipt: Commitment: Ring Elena Weber')}]."),
            ],
        }
    )  # fmt: skip


@contextmanager
def three_services(folder: Path, script: Script | None = None, **environ: str) -> Iterator[Services]:
    script = script or conversation()
    home, own = folder / "application", folder / "inference"
    gateway = Served(home, ("--role", "gateway", "--sample"), environ, port=free_port())
    inference_port = free_port()
    with model_server(script) as model:
        keys = f"{gateway.url}/api/v1/system/keys"
        inference = Served(
            own, ("--role", "inference", "--model", model, "--gateway-keys", keys), environ, port=inference_port
        )
        told = {**environ, "SAYSO_INFERENCE_KEYS": f"{inference.url}/api/v1/ai/keys"}
        workspace = Served(home, ("--role", "workspace", "--sample"), told)
        started: list[Served] = []
        try:
            for service in (gateway, inference, workspace):
                started.append(service)
                service.start()
            made = sayso("tokens", "add", "test", "--scope", "*", "--sample", home=home)
            assert made.returncode == 0, made.stderr
            yield Services(gateway, workspace, inference, made.stdout.strip(), script, home)
        finally:
            for service in reversed(started):
                service.stop()
