"""One loaded GGUF file: loaded at first use, one request at a time, on a thread of its own, unloaded at the end.

The library (xllamacpp) holds a whole chat server; it is spoken to in process. It also listens: on a
socket in a private folder where the system has such sockets, and with a key that nobody is told.
Knows no tools and no prompt.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import tempfile
import threading
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from sayso.errors import ModelUnreachable

INSTALL = "local weights need one more package: pip install 'sayso[local]'"
_BATCH = 256  # tokens that are read at once; between two batches a stop is noticed
_KEPT = 128  # MB of prompts that were read before: a look-up and the answer after it begin differently

Chunk = Mapping[str, Any]


def is_installed() -> bool:
    return find_spec("xllamacpp") is not None


def usable_threads() -> int:
    """Cores that are not busy. A thread too many costs more than one too few: all wait for the slowest."""
    try:
        cores, busy = len(os.sched_getaffinity(0)), int(os.getloadavg()[0])
    except (AttributeError, OSError):
        cores, busy = os.cpu_count() or 1, 0
    most = cores if cores <= 4 else cores // 2  # of many cores half are usually second threads of the others
    return max(1, min(most, cores - busy))


class Engine:
    """`template`: a chat template in place of the file's own. Use it from one event loop at a time."""

    def __init__(self, path: Path, context: int, threads: int | None = None, template: str = "") -> None:
        self.path, self.context = path, context
        self._threads, self._template = threads, template
        self._plain = False
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="sayso-weights")
        self._server: Any = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._closed = False

    @property
    def is_loaded(self) -> bool:
        return self._server is not None

    async def load(self) -> None:
        """Does nothing where it is loaded. Raises ModelUnreachable with what to do."""
        await asyncio.wrap_future(self._submit(self._load))

    async def aclose(self) -> None:
        """Stops what runs, and gives the memory back."""
        if not self._closed:
            self._closed = True
            await asyncio.wrap_future(self._worker.submit(self._unload))
            self._worker.shutdown(wait=False)

    async def chat(self, body: Mapping[str, Any]) -> AsyncGenerator[Chunk, None]:
        """The chunks of one streamed chat. Closing the generator stops the model at its next token or batch."""
        loop, stop = asyncio.get_running_loop(), threading.Event()
        chunks: asyncio.Queue[Chunk | None] = asyncio.Queue()

        def put(chunk: Chunk | None) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(chunks.put_nowait, chunk)

        def tell(chunk: Chunk) -> bool:
            """Called on the worker. True stops the generation."""
            if stop.is_set() or self._closed:
                return True
            put(chunk)
            return False

        def work() -> None:
            try:
                if not stop.is_set() and not self._closed:
                    self._generate(body, tell)
            finally:
                put(None)

        running = self._submit(work)
        try:
            while (chunk := await chunks.get()) is not None:
                yield chunk
            await asyncio.wrap_future(running)  # raises what the worker raised
        finally:
            stop.set()
            running.cancel()

    def _submit(self, work: Callable[[], None]) -> Future[None]:
        if self._closed:
            raise ModelUnreachable(f"{self.path.name} was unloaded: start again")
        return self._worker.submit(work)

    def _generate(self, body: Mapping[str, Any], tell: Callable[[Chunk], bool]) -> None:
        self._load()
        wrong = self._attempt(body, tell)
        if wrong and _is_of_template(wrong) and not self._plain:  # a template that takes any conversation does
            self._plain = True
            self._unload()
            self._load()
            wrong = self._attempt(body, tell)
        if wrong:
            tell({"error": wrong})

    def _attempt(self, body: Mapping[str, Any], tell: Callable[[Chunk], bool]) -> Mapping[str, Any]:
        """What went wrong: the library tells some faults, and raises others."""
        faults: list[Mapping[str, Any]] = []

        def listen(chunk: Chunk) -> bool:
            if wrong := fault(chunk):
                faults.append(wrong)
            return bool(wrong) or tell(chunk)

        try:
            self._server.handle_chat_completions(dict(body), listen)
        except (ValueError, RuntimeError) as wrong:
            return {"message": str(wrong)}
        return faults[0] if faults else {}

    def _load(self) -> None:
        if self._server is not None:
            return
        try:
            native: Any = import_module("xllamacpp")
        except ImportError as wrong:
            raise ModelUnreachable(INSTALL) from wrong
        try:
            self._server = self._open(native)
        except RuntimeError:
            self._plain = True  # a template that cannot be read is a reason too
            try:
                self._server = self._open(native)
            except RuntimeError as wrong:
                raise ModelUnreachable(
                    f"{self.path} could not be loaded: the file is damaged, does not fit into the memory, or is of a "
                    "family that the installed xllamacpp does not know (pip install --upgrade xllamacpp)"
                ) from wrong
        except MemoryError as wrong:
            raise ModelUnreachable(f"there is not enough memory for {self.path}: use a smaller file") from wrong

    def _open(self, native: Any) -> Any:
        values = native.CommonParams()
        values.model.path = str(self.path)
        values.n_ctx, values.n_batch, values.n_parallel = self.context, _BATCH, 1
        values.fit_params = False  # the context was fitted before, and is what we say it is
        values.cache_ram_mib = _KEPT
        values.verbosity, values.ui = -1, False
        threads = self._threads or usable_threads()
        values.cpuparams.n_threads = values.cpuparams_batch.n_threads = threads
        values.api_keys, values.hostnames = [secrets.token_urlsafe(32)], [self._address()]
        if self._plain:
            values.use_jinja, values.chat_template = False, "chatml"
        elif self._template:
            values.chat_template = self._template
        values.endpoint_metrics = True
        server = native.Server(values)
        # Its loop runs once it has answered anything. Freed before that, the library waits for a loop that never ends,
        # and holds up the whole process: a refused template or an early stop would be enough.
        server.handle_metrics()
        return server

    def _address(self) -> str:
        if os.name != "posix":
            return "127.0.0.1"
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="sayso-")
        Path(self._folder.name, "model.sock").unlink(missing_ok=True)
        return str(Path(self._folder.name, "model.sock"))

    def _unload(self) -> None:
        self._server = None  # the library frees the weights with the object
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def part(chunk: Chunk, key: str) -> Mapping[str, Any]:
    """An object within a chunk; empty where there is none."""
    found = chunk.get(key)
    return cast(Mapping[str, Any], found) if isinstance(found, Mapping) else {}


def fault(chunk: Chunk) -> Mapping[str, Any]:
    """The error that a chunk tells of, or nothing."""
    told = chunk.get("error")
    return part(chunk, "error") or ({"message": str(told)} if told else {})


def _is_of_template(wrong: Mapping[str, Any]) -> bool:
    """Whether the file's chat template refuses the conversation."""
    told = str(wrong.get("message", "")).lower()
    return any(word in told for word in ("template", "jinja", "alternate", "role"))
