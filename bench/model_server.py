"""A local model server that takes no time: three canned replies, streamed, in a process of its own.

It speaks OpenAI chat completions over keep-alive HTTP. Which reply is next is read from the number
of tool results behind the last user message, so the server keeps no state. Asked for a person by
a whole name, it tells of that person, citing the ref that the request shows for them.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bench.people import firm_of, phone_of


def answer(name: str, firm: str, phone: str, ref: str = "F1") -> str:
    return (
        f"{name} works at {firm} [{ref}]. She can be reached by whatsapp at {phone} [{ref}]. "
        f"Her role is not recorded [{ref}]."
    )


ANSWER = answer("Elena Weber", "SINGA Switzerland", "+41 77 473 00 93")


def chunk(delta: dict[str, object], finish: str | None = None) -> bytes:
    body = {
        "id": "x",
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return b"data: " + json.dumps(body).encode() + b"\n\n"


def call(name: str, arguments: str) -> bytes:
    piece = {"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    return chunk({"tool_calls": [piece]}) + chunk({}, "tool_calls") + b"data: [DONE]\n\n"


def text(words: str) -> bytes:
    pieces = [words[i : i + 8] for i in range(0, len(words), 8)]
    usage = b'data: {"choices": [], "usage": {"prompt_tokens": 400, "completion_tokens": 40}}\n\n'
    return b"".join(chunk({"content": piece}) for piece in pieces) + chunk({}, "stop") + usage + b"data: [DONE]\n\n"


def response(body: bytes) -> bytes:
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


REPLIES = [
    response(call("search_people", '{"query": "Elena"}')),
    response(call("list_people", "{}")),
    response(text(ANSWER)),
]


_ASKED = re.compile(rb"Who is (\w+ \w+)\?")


def reply(current: bytes) -> bytes:
    """The next reply to the exchange that `current` holds so far, from its question on."""
    done = min(current.count(b'"role":"tool"') + current.count(b'"role": "tool"'), 2)
    asked = _ASKED.search(current)
    if asked is None or done == 1:
        return REPLIES[done]
    name = asked[1].decode()
    if done == 0:
        return response(call("search_people", json.dumps({"query": name})))
    shown = re.search(rf"\[(F\d+)\] person: {name}".encode(), current)
    return response(text(answer(name, firm_of(name), phone_of(name), shown[1].decode() if shown else "F1")))


async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            at = head.index(b"content-length:") + 15
            body = await reader.readexactly(int(head[at : head.index(b"\r\n", at)]))
            current = body[max(body.rfind(b'"role":"user"'), body.rfind(b'"role": "user"')) :]
            writer.write(reply(current))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def serve() -> None:
    server = await asyncio.start_server(handle, "127.0.0.1", 0, limit=2**24, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def model_server() -> Iterator[str]:
    """Start the server; gives its base URL."""
    process = subprocess.Popen([sys.executable, "-m", "bench.model_server"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    asyncio.run(serve())
