"""The installed command over exported files: import, ask, approve, and what each exit code says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

FILES = Path(__file__).parent / "files"
SAYSO = Path(sys.executable).with_name("sayso")
KEYS = {
    "outcome", "answer", "citations", "facts", "violations", "sentences", "calls", "proposals", "model", "steps",
    "stop_reason", "usage", "error", "attempts",
}  # fmt: skip

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """The console script with a home of its own and no setting from outside."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")}
    environ |= {"SAYSO_HOME": str(tmp_path / "home"), "SAYSO_MODEL": "quote", "COLUMNS": "200", "NO_COLOR": "1"}

    def started(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [str(SAYSO), *map(str, arguments)]
        return subprocess.run(
            command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=60, check=False
        )

    return started


def test_import_ask_and_approve_from_the_command_line(run: Run, tmp_path: Path) -> None:
    first, second = run("import", FILES), run("import", FILES)
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert "24 new, 0 changed, 0 unchanged, 0 rejected" in first.stdout
    assert "0 new, 0 changed, 24 unchanged, 0 rejected" in second.stdout

    asked = run("ask", "Who is Elena?", "--json")
    told = json.loads(asked.stdout)
    assert (asked.returncode, set(told), told["error"]) == (0, KEYS, None)
    assert [c["subject"] for c in told["citations"]] == ["Elena Weber"]
    assert told["citations"][0]["fields"]["role"] is None

    told = json.loads(run("ask", "Remind me to call Marco tomorrow", "--json").stdout)
    (proposal,) = told["proposals"]
    id = proposal["fields"]["proposal_id"]
    assert proposal["fields"]["state"] == "pending"
    assert "call marco" not in run("ask", "What do I owe Marco?").stdout.lower()

    approved = run("proposals", "approve", id, "--yes")
    assert (approved.returncode, "Call Marco" in approved.stdout) == (0, True), approved.stderr
    assert id not in run("proposals", "list").stdout
    assert "done" in run("proposals", "list", "--state", "all").stdout
    assert "call marco" in run("ask", "What do I owe Marco?").stdout.lower()
    again = run("proposals", "approve", id, "--yes")
    assert again.returncode == 0
    assert run("ask", "What do I owe Marco?").stdout.lower().count("call marco: counterparty") == 1

    missing = run("import", tmp_path / "nowhere.vcf")
    assert missing.returncode == 1
    assert "nowhere.vcf does not exist; check the path" in missing.stderr
    assert "Traceback" not in missing.stderr


def test_approved_task_stands_beside_what_was_owed_before(run: Run) -> None:
    assert run("import", FILES).returncode == 0
    told = json.loads(run("ask", "Remind me to call Marco tomorrow", "--json").stdout)
    assert run("proposals", "approve", told["proposals"][0]["fields"]["proposal_id"], "--yes").returncode == 0
    told = json.loads(run("ask", "What do I owe Marco?", "--json").stdout)
    assert {c["subject"] for c in told["citations"] if c["kind"] == "commitment"} == {"Call Marco", "Pay the deposit"}


def test_exit_code_three_says_that_no_answer_was_given(run: Run, tmp_path: Path) -> None:
    lie = "Elena Weber's birthday is 3 May 1990 [F1]."
    script = [{"call": "search_people", "arguments": {"query": "Elena"}}, {"say": lie}, {"say": lie}]
    path = tmp_path / "script.json"
    path.write_text(json.dumps(script), encoding="utf-8")
    assert run("import", FILES / "contacts.vcf").returncode == 0
    asked = run("ask", "When is Elena's birthday?", "--model", f"scripted:{path}", "--json")
    told = json.loads(asked.stdout)
    assert (asked.returncode, told["outcome"], told["stop_reason"]) == (3, "abstained", "withheld")
    assert "1990" not in told["answer"]
