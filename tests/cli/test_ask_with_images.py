"""`sayso ask --image` and `/image` in a chat: what is sent, what is refused, and what nobody saw."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from made_images import png

SAYSO = Path(sys.executable).with_name("sayso")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a command in a folder with an image, a drawing and a script."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")}
    environ = kept | {"SAYSO_HOME": str(tmp_path / "home"), "NO_COLOR": "1"}
    (tmp_path / "receipt.png").write_bytes(png())
    (tmp_path / "plan.svg").write_text("<svg/>")
    (tmp_path / "sees.json").write_text(json.dumps([{"say": "The image shows a receipt [U1]."}]))

    def started(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(SAYSO), *arguments], cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=120,
            check=False, input=typed,
        )  # fmt: skip

    return started


def test_an_answer_about_an_image_names_it_as_its_source(run: Run) -> None:
    asked = run("ask", "What is this?", "--image", "receipt.png", "--sample", "--model", "scripted:sees.json")
    assert asked.returncode == 0, asked.stderr
    assert "The image shows a receipt [U1]." in asked.stdout
    assert "[U1] attached_image: receipt.png (attachment)" in asked.stdout


def test_without_a_model_that_sees_the_person_reads_so(run: Run) -> None:
    asked = run("ask", "What is this?", "--image", "receipt.png", "--sample", "--model", "quote", "--json")
    told = json.loads(asked.stdout)
    assert told["answer"].startswith("I could not look at receipt.png: quote, which answers here, sees no images.")
    assert (asked.returncode, told["outcome"], told["stop_reason"]) == (3, "abstained", "unseen")


def test_a_file_that_is_no_such_image_is_refused_before_anything_is_asked(run: Run) -> None:
    drawing = run("ask", "What is this?", "--image", "plan.svg", "--sample", "--model", "quote")
    assert (drawing.returncode, "plan.svg is an SVG drawing" in drawing.stderr, drawing.stdout) == (2, True, "")
    missing = run("ask", "What is this?", "--image", "none.png", "--sample", "--model", "quote")
    assert (missing.returncode, "there is no file none.png" in missing.stderr) == (2, True)


def test_in_a_chat_images_go_with_the_next_question(run: Run) -> None:
    typed = "/image none.png\n/image plan.svg\n/image\n/image receipt.png\nWhat is this?\n\n"
    told = run("chat", "--sample", "--model", "scripted:sees.json", typed=typed)
    assert "The image shows a receipt [U1]." in told.stdout
    for line in (
        "there is no file none.png",
        "name a file: /image",
        "plan.svg is an SVG drawing",
        "receipt.png (3 × 2) goes with your next",
    ):
        assert line in told.stderr
