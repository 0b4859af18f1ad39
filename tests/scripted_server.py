"""A model server on loopback that speaks chat completions and says what a script tells it to: for real processes.

A script's steps are looked through in their order for the first one that is `about` the request's last words of the
user and was not used up; what it says may depend on the request, since refs are given out while a conversation goes.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
Words = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Step:
    """`says` a text (of the whole request's text, so that it can cite refs), or `calls` tools by name and arguments."""

    says: Words | str = ""
    calls: Sequence[tuple[str, Json]] = ()


@dataclass(slots=True)
class Script:
    """Steps by the question that they belong to, in their order. `asked` holds every request."""

    steps: dict[str, list[Step]]
    asked: list[Json] = field(default_factory=list[Json])
    faults: list[str] = field(default_factory=list[str])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, request: Json) -> Step:
        with self.lock:
            self.asked.append(request)
            text = text_of(request)
            found = max((q for q in self.steps if q in text), key=text.rfind, default=None)
            if found is None or not self.steps[found]:
                self.faults.append(f"nothing more is scripted for {found!r}")
                return Step("I have nothing more to say.")
            return self.steps[found].pop(0)


def text_of(request: Json) -> str:
    """Everything that the model reads, as one text."""
    parts: list[str] = []
    for message in request["messages"]:
        content = message.get("content")
        if isinstance(content, list):
            parts += [str(part.get("text", "")) for part in content]
        elif content is not None:
            parts.append(str(content))
    return "\n".join(parts)


def ref_of(text: str, header: str) -> str:
    """The ref of the newest fact whose header, such as `person: Elena Weber`, begins so."""
    found = re.findall(rf"\[([FU]\d+)\] {re.escape(header)}", text)
    assert found, f"the model was shown no fact {header!r}:\n{text[-4000:]}"
    return str(found[-1])


@contextmanager
def model_server(script: Script) -> Iterator[str]:
    """Its address, as `--model` takes it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(json.dumps({"object": "list", "data": [{"id": "scripted"}]}).encode(), "application/json")

        def do_POST(self) -> None:
            request: Json = json.loads(self.rfile.read(int(self.headers["content-length"])))
            try:
                step = script.next(request)
                words = step.says if isinstance(step.says, str) else step.says(text_of(request))
            except AssertionError as wrong:
                script.faults.append(str(wrong))
                step, words = Step(), "The script does not fit."
            self._send(_stream(words, step.calls), "text/event-stream")

        def _send(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1#scripted"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def _stream(words: str, calls: Sequence[tuple[str, Json]]) -> bytes:
    deltas: list[Json] = [{"role": "assistant"}]
    deltas += [{"content": piece} for piece in re.findall(r"\S+\s*", words)]
    for index, (name, arguments) in enumerate(calls):
        function = {"name": name, "arguments": json.dumps(arguments)}
        deltas.append({"tool_calls": [{"index": index, "id": f"c{index}", "type": "function", "function": function}]})
    chunks: list[Json] = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"}]})
    head = {"id": "r", "object": "chat.completion.chunk", "model": "scripted"}
    lines = [f"data: {json.dumps(head | chunk)}\n\n" for chunk in chunks]
    return "".join([*lines, "data: [DONE]\n\n"]).encode()
