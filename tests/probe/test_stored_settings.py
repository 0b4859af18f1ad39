"""What a probe found is stored by model, and used where nobody has set anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso import config
from sayso.cli.stored import Proven, Stored, read_stored, suited, write_stored
from sayso.errors import ConfigError
from sayso.models.choice import build
from sayso.models.http_model import HttpModel
from sayso.models.scripted import Scripted

FOUND = Proven(native_tools=False, steps=5, profile="strict", max_output_tokens=1024, verdict="drives as text only")


def test_what_was_found_is_read_back_with_the_choice(tmp_path: Path) -> None:
    stored = Stored("ollama:tiny", ("groq",), {"ollama:tiny": FOUND})
    write_stored(tmp_path, stored)
    assert read_stored(tmp_path) == stored


def test_a_file_from_before_has_nothing_proven(tmp_path: Path) -> None:
    (tmp_path / "models.json").write_text('{"model": "quote", "consented": []}')
    assert read_stored(tmp_path) == Stored("quote")


def test_a_damaged_file_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "models.json").write_text('{"proven": {"m": {"steps": "many"}}}')
    with pytest.raises(ConfigError, match="delete it"):
        read_stored(tmp_path)


def test_a_probe_gives_way_to_what_a_person_set(tmp_path: Path) -> None:
    free = config.load({"home": tmp_path}, {}, tmp_path)
    set_by_hand = config.load({"home": tmp_path, "steps": 2}, {}, tmp_path)
    assert (suited(free, FOUND).steps, suited(free, FOUND).profile) == (5, "strict")
    assert (suited(set_by_hand, FOUND).steps, suited(set_by_hand, FOUND).profile) == (2, "strict")
    assert suited(free, None) is free


def test_a_model_is_built_to_ask_as_was_found() -> None:
    model = build("http://127.0.0.1:9/v1#m", quote=Scripted([]), environ={}, fall_back=False, native_tools=False)
    assert isinstance(model, HttpModel)
    assert model.native_tools is False
