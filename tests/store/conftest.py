"""Both stores, for one suite."""

import pytest

from sayso.store.database import open_database
from sayso.store.memory import MemoryProposals, MemoryThreads
from sayso.store.proposals import Proposals
from sayso.store.threads import Threads
from sayso.workspace.kinds import WORKSPACE_KINDS


@pytest.fixture
def database(tmp_path):
    opened = open_database(f"sqlite:///{tmp_path}/data/sayso.db", busy_seconds=0.2)
    yield opened
    opened.close()


@pytest.fixture(params=["database", "memory"])
def threads(request):
    if request.param == "memory":
        return MemoryThreads()
    return Threads(request.getfixturevalue("database"), {kind.name: kind for kind in WORKSPACE_KINDS})


@pytest.fixture(params=["database", "memory"])
def proposals(request):
    if request.param == "memory":
        return MemoryProposals()
    return Proposals(request.getfixturevalue("database"))
