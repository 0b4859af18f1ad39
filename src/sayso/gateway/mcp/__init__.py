"""MCP, both ways: our tools for outside clients, and outside servers' tools as ours. The SDK is loaded when used."""
