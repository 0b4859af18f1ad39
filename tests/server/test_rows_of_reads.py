"""What the application lets a model read as it is set up from the start (I)."""

from __future__ import annotations

from pathlib import Path

from real_app import real_app
from sayso.models.scripted import Scripted

GOES_OUT = {"url", "uri", "link", "host", "server", "endpoint", "address", "path", "file", "webhook"}


def test_i3_no_tool_that_reads_on_its_own_can_reach_outside(tmp_path: Path) -> None:
    with real_app(tmp_path, Scripted([])) as app:
        tools = app.client.get("/api/v1/system/mcp/tools").json()["tools"]
    reads = [tool for tool in tools if tool["read_only"]]
    assert len(reads) > 5
    for tool in reads:
        assert tool["can_leave"] is False, tool["name"]
        assert not GOES_OUT & set(tool["input_schema"].get("properties", {})), tool["name"]
