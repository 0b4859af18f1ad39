"""Keys of a folder that change while a process holds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.errors import ConfigError
from sayso.signing.keys import KEPT, OwnKeys, key_files, rotate


def test_a_rotated_key_signs_at_once_and_the_earlier_ones_verify(tmp_path: Path) -> None:
    keys = OwnKeys(tmp_path)
    first = keys()
    assert keys() is first, "nothing is read again while nothing changes"
    made = rotate(tmp_path)
    assert keys().kid == made
    assert first.kid in keys().public.keys
    for _ in range(KEPT):
        rotate(tmp_path)
    assert first.kid not in keys().public.keys


def test_a_damaged_new_key_leaves_the_earlier_ones_in_use(tmp_path: Path) -> None:
    keys = OwnKeys(tmp_path)
    first = keys()
    (tmp_path / "0002-broken.pem").write_text("no key")
    assert keys() is first
    with pytest.raises(ConfigError, match="no signing key"):
        OwnKeys(tmp_path)()
    made = rotate(tmp_path)
    (tmp_path / "0002-broken.pem").unlink()
    assert keys().kid == made
    assert [path.stem for path in key_files(tmp_path)] == [first.kid, made]
