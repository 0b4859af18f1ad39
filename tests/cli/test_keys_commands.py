"""`sayso keys list|rotate`, as an operator types them."""

from __future__ import annotations

from pathlib import Path

from processes import sayso
from sayso.signing.keys import KEPT, OwnKeys, rotate


def test_keys_are_listed_and_rotated_under_the_home_or_in_a_folder(tmp_path: Path) -> None:
    assert "There is no key yet" in sayso("keys", "list", home=tmp_path).stdout
    refused = sayso("keys", "rotate", home=tmp_path)
    assert (refused.returncode, "makes its first one" in refused.stderr) == (1, True)
    gateway, inference = OwnKeys(tmp_path / "keys" / "gateway"), OwnKeys(tmp_path / "keys" / "inference")
    first, other = gateway().kid, inference().kid
    made = sayso("keys", "rotate", "--service", "gateway", home=tmp_path)
    assert made.returncode == 0, made.stderr
    assert f"gateway: {gateway().kid} signs from now on" in made.stdout
    assert (gateway().kid != first, inference().kid) == (True, other)
    listed = sayso("keys", "list", home=tmp_path).stdout
    lines = [line.split() for line in listed.splitlines()[1:]]
    assert [(line[0], line[1], line[4:]) for line in lines] == [
        ("gateway", gateway().kid, ["signs,", "verifies"]),
        ("gateway", first, ["verifies"]),
        ("inference", other, ["signs,", "verifies"]),
    ]
    for _ in range(KEPT - 2):
        rotate(gateway.folder)
    told = sayso("keys", "rotate", "--keys", str(gateway.folder), home=tmp_path).stdout
    assert f"{first} is gone" in told
    missing = sayso("keys", "list", "--keys", str(tmp_path / "nowhere"), home=tmp_path)
    assert (missing.returncode, "is no folder" in missing.stderr) == (1, True)
