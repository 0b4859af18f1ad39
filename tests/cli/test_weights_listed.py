"""What `sayso models` says of GGUF files on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sayso.cli import weights
from sayso.cli.stored import Proven
from sayso.cli.weights import recommended, weights_lines
from sayso.models.local import WeightsFile

GIGABYTE = 1 << 30
SMALL = WeightsFile(Path("/m/tiny-0.5b.gguf"), 400_000_000)
FAIR = WeightsFile(Path("/m/fair-1.5b.gguf"), 1_100_000_000)
GOOD = WeightsFile(Path("/m/good-7b.gguf"), 4_400_000_000)
FOUND = (SMALL, FAIR, GOOD)


def test_each_file_is_a_line_with_its_spec_and_what_to_expect(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [*weights_lines(FOUND)]
    assert (
        lines[0] == "found on this machine: gguf:tiny-0.5b  (400 MB: very small: for trying out, its answers are poor)"
    )
    assert lines[2] == "found on this machine: gguf:good-7b  (4.4 GB: may look up and answer well)"
    assert len(lines) == 3
    monkeypatch.setattr(weights, "is_installed", lambda: False)
    assert "pip install 'sayso[local]'" in [*weights_lines(FOUND)][-1]
    assert [*weights_lines(())] == []


def test_a_name_that_means_two_files_is_written_as_a_path() -> None:
    twins = (WeightsFile(Path("/a/good.gguf"), 1), WeightsFile(Path("/b/good-q8.gguf"), 2))
    assert "gguf:/a/good.gguf " in next(weights_lines(twins))
    assert "gguf:good-q8 " in [*weights_lines(twins)][1]


def test_many_files_are_counted_and_not_all_listed() -> None:
    many = tuple(WeightsFile(Path(f"/m/model{n:02}.gguf"), n + 1) for n in range(20))
    assert [*weights_lines(many)][-1] == "... and 8 more GGUF files."


def test_what_was_measured_comes_before_what_its_size_promises() -> None:
    assert [*recommended(FOUND, {}, 32 * GIGABYTE)] == [
        "recommended by its size: gguf:good-7b. Measure it: sayso probe --models gguf:good-7b"
    ]
    assert "gguf:fair-1.5b" in next(recommended(FOUND, {}, 4 * GIGABYTE))
    assert [*recommended((SMALL,), {}, 32 * GIGABYTE)] == []
    good = {"gguf:good-7b": Proven(verdict="drives as text only"), "ollama:x": Proven()}
    assert [*recommended(FOUND, good, 32 * GIGABYTE)] == ["measured by `sayso probe`: gguf:good-7b drives as text only"]
    poor = {"gguf:tiny-0.5b": Proven(verdict="never calls; do not use for records")}
    assert len([*recommended(FOUND, poor, 32 * GIGABYTE)]) == 2


def test_the_command_lists_files_in_the_folder_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "some-model.gguf").write_bytes(b"GGUF")
    environ = {k: v for k, v in os.environ.items() if not k.startswith("SAYSO_")} | {
        "SAYSO_HOME": str(tmp_path / "home"), "SAYSO_MODELS_FOLDER": str(tmp_path / "weights"), "HOME": str(tmp_path),
        "NO_COLOR": "1",
    }  # fmt: skip
    told = subprocess.run(
        [str(Path(sys.executable).with_name("sayso")), "models"], cwd=tmp_path, env=environ, capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert "found on this machine: gguf:some-model" in told.stdout.replace("\n", " ")
