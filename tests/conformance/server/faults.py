"""The table of misbehaviours: what a server does, the row of FAULTS.md, and what has to come of it.

An outcome is named at the seam: `whole` (a reply with its end), `cut` (text without an end, and no call), or the error
that is raised before anything was shown. `moves` says what the adapter may do next: how often it may ask at most.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Literal

from conformance.server.http import Act, Answer, Drip, Piece, refusing, streaming
from conformance.server.provider import Provider, Stream
from conformance.server.script import Reply, Text, ask, call, say
from sayso.errors import (
    ContextOverflow,
    ModelBusy,
    ModelError,
    ModelProtocolError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)

HELLO = say("Hello! ", "How can ", "I help you – ", "today?")
ELENA = ask(call("search_people", query="Elena"))
Outcome = Literal["whole", "cut", "fails"]


@dataclass(frozen=True, slots=True)
class Misbehaviour:
    """`play` gives the answers to the first, second ... request; the last one stays."""

    name: str
    row: str
    play: Callable[[Provider], Sequence[Answer | Reply]]
    outcome: tuple[Outcome, ...] = ("cut",)
    error: type[ModelError] = ModelError
    text: str | None = None  # what a whole reply says, where it says not HELLO
    moves: int = 1  # requests at most
    seconds: float = 30.0  # of the run
    first_byte: float = 10.0
    idle: float = 10.0
    protocols: frozenset[str] = field(default=frozenset({"chat", "responses", "anthropic", "gemini"}))

    @property
    def slow(self) -> bool:
        """Whether it costs a real wait: such ones are not shown in every place for every protocol."""
        return min(self.seconds, self.first_byte, self.idle) < 1


def _parts(provider: Provider) -> tuple[Stream, tuple[bytes, ...], bytes]:
    """HELLO as frames; what says the first two chunks; and the frame after that."""
    told = provider.stream(HELLO)
    mark = b"How can "
    at = next(i for i, frame in enumerate(told.body) if mark in frame) + 1
    return told, (*told.opening, *told.body[:at]), told.body[at]


def _begun(*then: Piece) -> Callable[[Provider], list[Answer]]:
    return lambda p: [streaming((*_parts(p)[1], Act.BREATHE, *then))]


def _before(*then: Piece) -> Callable[[Provider], list[Answer]]:
    return lambda p: [streaming((*p.stream(HELLO).opening, *then))]


def _once(answer: Answer) -> Callable[[Provider], list[Answer]]:
    return lambda _: [answer]


def _frames(
    change: Callable[[Stream], Sequence[Piece]], reply: Reply = HELLO, **how: object
) -> Callable[[Provider], list[Answer]]:
    return lambda p: [streaming(change(p.stream(reply)), **how)]


def _half_a_frame(*, in_character: bool) -> Callable[[Provider], list[Answer]]:
    def play(provider: Provider) -> list[Answer]:
        _, begun, following = _parts(provider)
        at = following.index("–".encode()) + 1 if in_character else len(following) // 2
        return [streaming((*begun, following[:at]))]

    return play


def _bytes(change: Callable[[bytes], bytes], **how: object) -> Callable[[Provider], list[Answer]]:
    return lambda p: [streaming((change(p.stream(HELLO).whole),), **how)]


def _one_by_one(provider: Provider) -> list[Answer]:
    pieces: list[Piece] = []
    for byte in provider.stream(say("Zürich 日本 🎉")).whole:
        pieces += [bytes((byte,)), Act.BREATHE]
    return [streaming(pieces)]


def _stop_without_calls_end(stream: Stream) -> Sequence[Piece]:
    return (*stream.opening, *stream.body)


def _early(answer: Answer) -> Callable[[Provider], list[Answer | Reply]]:
    """It fails once, and answers when it is asked again."""
    return lambda _: [answer, HELLO]


def _dated(provider: Provider) -> list[Answer | Reply]:
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=3), usegmt=True)
    return [refusing(429, _BUSY, Retry_After=moment), HELLO]


_OPEN = frozenset({"chat", "responses", "anthropic"})  # protocols with a frame that says nothing yet
_MARKED = frozenset({"chat", "anthropic"})  # protocols whose end marker stands apart from the finish reason
_NEW = b'event: something.new\ndata: {"type":"something.new","choices":[],"candidates":[]}\n\n'
_BUSY = {"error": {"message": "busy", "type": "busy", "code": 429, "status": "RESOURCE_EXHAUSTED"}}
METADATA = "http://169.254.169.254/latest/meta-data/"

MISBEHAVIOURS: tuple[Misbehaviour, ...] = (
    # --- M1, M2: busy ---
    Misbehaviour("429 with Retry-After 1, then an answer", "m1", _early(refusing(429, _BUSY, Retry_After="1")), ("whole",), moves=2),
    Misbehaviour("429 with the moment of a retry, then an answer", "m1", _dated, ("whole",), moves=2),
    Misbehaviour("429 with Retry-After 1 for ever", "m1", _once(refusing(429, _BUSY, Retry_After="1")), ("fails",), ModelBusy, moves=3),
    Misbehaviour("429 that asks for more time than is left", "m1", _once(refusing(429, _BUSY, Retry_After="25")), ("fails",), ModelBusy, seconds=4),
    Misbehaviour("429 without Retry-After", "m2", _once(refusing(429, _BUSY)), ("fails",), ModelBusy, moves=3),
    *(Misbehaviour(f"429 with Retry-After {value}", "m2", _once(refusing(429, _BUSY, Retry_After=value)), ("fails",), ModelBusy, moves=3)
      for value in ("-7", "soon", "nan", "inf", "99999999", "1e400", "Thu, 01 Jan 1970 00:00:00 GMT", "")),
    # --- M3: failures and refusals by status alone ---
    *(Misbehaviour(f"{status}, then an answer", "m3", _early(refusing(status, "try later")), ("whole",), moves=2) for status in (408, 500, 502, 503, 504, 529)),
    *(Misbehaviour(f"{status} for ever", "m3", _once(refusing(status, "")), ("fails",), moves=3) for status in (500, 503)),
    *(Misbehaviour(f"{status}", "m3", _once(refusing(status, "no")), ("fails",), ModelRefused) for status in (400, 401, 403, 404, 405, 422)),
    Misbehaviour("413", "m3", _once(refusing(413, "<html>413 Request Entity Too Large</html>")), ("fails",)),
    Misbehaviour("204 without a body", "m3", _once(Answer(status=204, framing="length")), ("fails",)),
    # --- M4: redirects ---
    *(Misbehaviour(f"{status} to a metadata address", "m4", _once(refusing(status, "", Location=METADATA)), ("fails",), ModelRefused) for status in (301, 302, 303, 307, 308)),
    # --- M5: silence at the beginning ---
    Misbehaviour("hang before headers", "m5", _once(Answer(before=Act.HANG)), ("fails",), ModelTimeout, first_byte=0.25),
    Misbehaviour("hang after headers", "m5", _once(streaming((Act.HANG,))), ("fails",), ModelTimeout, first_byte=0.25),
    Misbehaviour("hang after the opening", "m5", _before(Act.BREATHE, Act.HANG), ("fails",), ModelTimeout, first_byte=0.9, idle=0.25),
    Misbehaviour("only keep-alive comments, for ever", "m6", _before(Drip(b": keep-alive\n\n")), ("fails",), ModelTimeout, seconds=0.3),
    # --- M6: silence or a drip in mid-stream ---
    Misbehaviour("hang in mid-stream", "m6", _begun(Act.HANG), idle=0.9),
    Misbehaviour("a byte of a line every 2 ms, for ever", "m6", _begun(b"data: ", Drip(b" ")), seconds=0.3),
    Misbehaviour("comments after text, for ever", "m6", _begun(Drip(b":\n")), seconds=0.3),
    Misbehaviour("slow but honest, byte by byte", "m6", _one_by_one, ("whole",), text="Zürich 日本 🎉"),
    # --- M7: resets ---
    Misbehaviour("reset before headers", "m7", _once(Answer(before=Act.RESET)), ("fails",), ModelUnreachable, moves=3),
    Misbehaviour("closed before headers", "m7", _once(Answer(before=Act.CLOSE)), ("fails",), ModelUnreachable, moves=3),
    Misbehaviour("reset after headers", "m7", _once(streaming((Act.RESET,))), ("fails",), moves=3),
    Misbehaviour("reset after the opening", "m7", _before(Act.RESET), ("fails",), moves=3),
    Misbehaviour("reset in mid-stream", "m7", _begun(Act.RESET)),
    Misbehaviour("reset in mid-frame", "m7", lambda p: [streaming((*_parts(p)[1], _parts(p)[2][:20], Act.RESET))]),
    Misbehaviour("body breaks off without its end", "m7", _begun(Act.CLOSE)),
    Misbehaviour("body is shorter than its length", "m7", lambda p: [streaming((*_parts(p)[1], Act.CLOSE), framing="close", headers={"Content-Length": "999999"})]),
    Misbehaviour("a call, then a reset", "m7", _frames(lambda s: (*s.opening, *s.body, Act.RESET), ELENA), ("cut", "fails"), text="", moves=3),
    # --- M8: ends that are none ---
    Misbehaviour("clean end in mid-JSON", "m8", _half_a_frame(in_character=False)),
    Misbehaviour("clean end in mid-character", "m8", _half_a_frame(in_character=True)),
    Misbehaviour("clean end without a finish", "m8", _frames(_stop_without_calls_end), text=HELLO.text),
    Misbehaviour("a call, then a clean end without a finish", "m8", _frames(_stop_without_calls_end, ELENA), ("cut", "fails"), text="", moves=3),
    Misbehaviour("half a call, then a clean end", "m8", _frames(lambda s: (*s.opening, *s.body[:2]), ask(call("search_people", query="Elena"))), ("cut", "fails"), text="", moves=3, protocols=_OPEN),
    Misbehaviour("an end marker without a finish", "m8", _frames(lambda s: (*s.opening, *s.body, *s.done)), text=HELLO.text, protocols=_MARKED),
    Misbehaviour("a finish without the end marker", "m8", _frames(lambda s: (*s.opening, *s.body, *s.finish)), ("whole",)),
    Misbehaviour("a finish, then a hang", "m8", _frames(lambda s: (*s.opening, *s.body, *s.finish, Act.HANG)), ("whole",), idle=0.9),
    Misbehaviour("a finish, then a reset", "m8", _frames(lambda s: (*s.opening, *s.body, *s.finish, Act.BREATHE, Act.RESET)), ("whole",)),
    Misbehaviour("the opening, and nothing more", "m8", _before(), ("fails",), moves=3),
    Misbehaviour("nothing at all", "m8", _once(streaming(())), ("fails",), ModelProtocolError, moves=3),
    # --- M9: no chat ---
    Misbehaviour("HTML with 200", "m9", _once(Answer((b"<html>\x1b[31mLog in to the hotel's network</html>",), content_type="text/html")), ("fails",), ModelProtocolError),
    Misbehaviour("garbage with 200", "m9", _once(streaming((bytes(range(256)) * 8,))), ("fails",), ModelProtocolError),
    Misbehaviour("garbage lines of data with 200", "m9", _once(streaming((b"data: {]\n\ndata: what?\n\n",))), ("fails",), ModelProtocolError),
    *(Misbehaviour(f"JSON {text} with 200", "m9", _once(Answer((text.encode(),), content_type="application/json", framing="length")), ("fails",), ModelProtocolError)
      for text in ("null", "[]", '"hello"', "17", "{}")),
    Misbehaviour("events that are no objects", "m9", _once(streaming((b"data: [1,2]\n\ndata: null\n\n",))), ("fails",), ModelProtocolError),
    Misbehaviour("an event 100,000 deep", "m9", _once(streaming((b"data: " + b"[" * 100_000 + b"\n\n",))), ("fails",), ModelProtocolError),
    Misbehaviour("no HTTP at all", "m9", _once(Answer(raw=b"SSH-2.0-OpenSSH_9.6\r\n")), ("fails",), moves=3),
    Misbehaviour("headers without an end", "m9", _once(Answer(raw=b"HTTP/1.1 200 OK\r\n" + b"X-Pad: " + b"a" * 300_000 + b"\r\n\r\n")), ("fails",), moves=3),
    Misbehaviour("a JSON error with 200", "m9", _once(Answer((json.dumps(_BUSY).encode(),), content_type="application/json", framing="length")), ("fails",), moves=3),
    Misbehaviour("garbage after the end", "m9", lambda p: [streaming((*p.stream(HELLO).frames, b"data: {broken\n\n\x00\xff<html>"))], ("whole",), protocols=_OPEN),
    # --- M10: bytes that are no text ---
    Misbehaviour("invalid UTF-8", "m10", _bytes(lambda b: b.replace("–".encode(), b"\xff\xc3")), ("whole",), text="Hello! How can I help you �� today?"),
    Misbehaviour("NUL and ESC", "m10", _bytes(lambda b: b.replace("–".encode(), b"\\u0000\\u001b[31m")), ("whole",), text="Hello! How can I help you \x00\x1b[31m today?"),
    Misbehaviour("a lone surrogate", "m10", _bytes(lambda b: b.replace("–".encode(), b"\\ud83d")), ("whole",), text="Hello! How can I help you � today?"),
    Misbehaviour("a byte order mark", "m10", _bytes(lambda b: b"\xef\xbb\xbf" + b), ("whole",)),
    # --- M14: empty, and ends that contradict ---
    Misbehaviour("an empty reply", "m14", lambda p: [Reply(())], ("whole",), text=""),
    Misbehaviour("an empty text", "m14", lambda p: [Reply((Text(("",)),))], ("whole",), text=""),
    Misbehaviour("length", "m14", lambda p: [say("Hello! ", "How ", finish="length")], ("whole",), text="Hello! How "),
    Misbehaviour("content filter", "m14", lambda p: [say("Hello! ", "How ", finish="filter")], ("whole",), text="Hello! How "),
    Misbehaviour("text that finishes with calls", "m14", lambda p: [say(*HELLO.parts[0].chunks, finish="calls")], ("whole",)),
    # --- M16: errors within the stream ---
    Misbehaviour("busy in the stream, before any text", "m16", lambda p: [streaming((*p.stream(HELLO).opening, p.fault("busy")))], ("fails",), ModelBusy, moves=3),
    Misbehaviour("a failure in the stream, before any text", "m16", lambda p: [streaming((*p.stream(HELLO).opening, p.fault("failure")))], ("fails",), moves=3),
    Misbehaviour("too long, told in the stream", "m17", lambda p: [streaming((*p.stream(HELLO).opening, p.fault("overflow")))], ("fails",), ContextOverflow),
    *(Misbehaviour(f"a {what} in the stream, after text", "m16", lambda p, w=what: [streaming((*_parts(p)[1], p.fault(w)))]) for what in ("busy", "failure", "overflow")),
    *(Misbehaviour(f"usage of {tokens}", "m16", lambda p, t=tokens: [streaming((*p.stream(HELLO).opening, *p.stream(HELLO).body, p.usage(t)))], ("whole",))
      for tokens in ("NaN", "-4", "1e999", "-Infinity", '"many"', "null", "[]", "99999999999999999999", "true", "2.5")),
    # --- honest, but unusual ---
    Misbehaviour("comments between all events", "m6", _frames(lambda s: [b": ping\n\n" + f for f in s.frames]), ("whole",)),
    Misbehaviour("CRLF lines", "m10", _bytes(lambda b: b.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")), ("whole",)),
    Misbehaviour("no space after the colon", "m10", _bytes(lambda b: b.replace(b"data: ", b"data:").replace(b"event: ", b"event:")), ("whole",)),
    Misbehaviour("ids and retry fields", "m10", _frames(lambda s: [b"id: 7\nretry: 100\n" + f for f in s.frames]), ("whole",)),
    Misbehaviour("gzip", "m10", _frames(lambda s: s.frames, gzip=True), ("whole",)),
    Misbehaviour("gzip that is none", "m9", _once(streaming((b"hello",), headers={"Content-Encoding": "gzip"})), ("fails",), moves=3),
    Misbehaviour("all in one write", "m10", _bytes(lambda b: b), ("whole",)),
    Misbehaviour("a body that ends with the connection", "m10", _frames(lambda s: s.frames, framing="close"), ("whole",)),
    Misbehaviour("another content type", "m10", _frames(lambda s: s.frames, content_type="text/plain"), ("whole",)),
    Misbehaviour("events of kinds that are not known yet", "m9", _frames(lambda s: (*s.opening, _NEW, *s.body, _NEW, *s.finish, *s.done)), ("whole",)),
    Misbehaviour("no last newline", "m8", _bytes(lambda b: b.rstrip(b"\r\n")), ("whole",)),
)  # fmt: skip
