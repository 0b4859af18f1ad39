"""Nothing in the core can act: what it awaits, what it is given and what its tools hold is counted here.

Whoever adds to these lists decides that the loop may do something new. That is meant to hurt.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
from pathlib import Path

import sayso.core
from sayso.core.loop import run_exchange
from sayso.core.ports import Model, ToolRunner
from sayso.core.progress import Progress
from sayso.core.runner import InProcessRunner
from sayso.core.tools import Tool

CORE = Path(sayso.core.__file__).parent
AWAITED = {
    "deadline.py": {"event"},
    "ending.py": {"ask_again", "reconsidered", "repaired", "weighed"},
    "loop.py": {"close", "progress.run_calls"},
    "plain.py": {"ended", "value"},  # the thread of a tool that is a plain function
    "progress.py": {"asyncio.gather", "self._run", "self._run_together", "self.runner.run"},
    "runner.py": {"self._propose", "self._result", "self.file_proposal", "tool.run"},
    "second_opinion.py": {"opinion.weigh"},
    "step.py": {"asyncio.sleep", "deadline.keep", "source.aclose"},
}


def awaited(path: Path) -> set[str]:
    nodes = [n.value for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Await)]
    return {ast.unparse(n.func if isinstance(n, ast.Call) else n) for n in nodes}


def fields(cls: type) -> set[str]:
    return {f.name for f in dataclasses.fields(cls)}  # type: ignore[arg-type]


def methods(cls: type) -> set[str]:
    return {n for n, v in vars(cls).items() if callable(v) and not n.startswith("_")}


def test_the_core_awaits_only_these() -> None:
    found = {p.name: names for p in sorted(CORE.rglob("*.py")) if (names := awaited(p))}
    assert found == AWAITED


def test_a_tool_holds_one_function_and_no_other_way_to_act() -> None:
    assert fields(Tool) == {
        "name", "kind", "description", "arguments", "example", "permission", "covers", "words", "takes_name", "takes_text",
        "pure", "can_leave", "run", "title", "schema", "by_kind",
    }  # fmt: skip
    functions = {f.name for f in dataclasses.fields(Tool) if "Function" in str(f.type) or "Callable" in str(f.type)}
    assert functions == {"run"}


def test_the_loop_is_given_nothing_that_executes() -> None:
    assert set(inspect.signature(run_exchange).parameters) == {
        "task", "model", "tools", "evidence", "verifier", "runner", "clock", "ids", "limits",
        "second_opinion",
    }  # fmt: skip


def test_a_runner_runs_reads_and_files_proposals() -> None:
    assert methods(ToolRunner) == {"may_run", "run"}
    assert fields(InProcessRunner) == {"registry", "context", "evidence", "file_proposal", "seconds_per_call"}
    assert "stream" in methods(Model)
    assert not {n for n in (*fields(Progress), *methods(Progress)) if n.startswith(("execute", "apply", "perform"))}
