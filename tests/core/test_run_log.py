"""What a run log promises: its words are values, and a silent process is given up long before a run is forgotten."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from sayso.core.run_log import LIFETIME, QUIET, Kept


def test_a_silent_process_is_given_up_long_before_its_runs_are_forgotten() -> None:
    assert QUIET * 10 < LIFETIME


def test_what_was_kept_is_a_value() -> None:
    kept = Kept((b"id: 1\n\n",), ended=False, lost=False)
    assert kept == Kept((b"id: 1\n\n",), ended=False, lost=False)
    with pytest.raises(FrozenInstanceError):
        kept.ended = True  # type: ignore[misc]
