"""`make bench`: what the loop itself costs, beside hand-written loops in the same run.

All figures are CPU time of this process per three-step streamed exchange (the model server is
another process), medians over rounds that take turns, and ratios between them. "New facts" means
that each exchange is about another person, so that nothing of its facts is known from an earlier
one. The verifier's own speed follows, beside others that run offline where `--peers FOLDER` holds them
(`bench.verifier_speed`). Prints the figures; `--json FILE` writes them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.bare import over_aiohttp, over_httpx2
from bench.model_server import model_server
from bench.subject import Subject, history
from bench.verifier_speed import measure as measure_verifier

Exchange = Callable[[], Awaitable[str]]
FLOOR = "httpx2 by hand"


async def cpu_per_exchange(exchange: Exchange, count: int) -> float:
    """Milliseconds of CPU for one exchange, over `count` in a row."""
    started = time.process_time()
    for _ in range(count):
        told = await exchange()
        assert told.count(".") == 3, told  # the whole answer, nothing withheld
    return (time.process_time() - started) * 1000 / count


async def take_turns(exchanges: Mapping[str, Exchange], *, count: int, rounds: int) -> dict[str, float]:
    """Medians over many short rounds in which each candidate runs in turn, so that a slow minute hits all.

    `... / httpx2 by hand` are medians of each round's own ratio, which noise moves less.
    """
    for exchange in exchanges.values():
        await cpu_per_exchange(exchange, 20)
    figures: dict[str, list[float]] = {name: [] for name in exchanges}
    for _ in range(rounds):
        for name, exchange in exchanges.items():
            figures[name].append(await cpu_per_exchange(exchange, count))
    floor = figures[FLOOR]
    medians = {name: round(statistics.median(values), 3) for name, values in figures.items()}
    return medians | {
        f"{name} / {FLOOR}": round(statistics.median(a / b for a, b in zip(values, floor, strict=True)), 2)
        for name, values in figures.items()
        if name != FLOOR
    }


async def throughput(exchange: Exchange, *, sessions: int, total: int) -> float:
    """Exchanges a second with `sessions` at once."""
    left = iter(range(total))

    async def session() -> None:
        for _ in left:
            await exchange()

    started = time.perf_counter()
    await asyncio.gather(*(session() for _ in range(sessions)))
    return round(total / (time.perf_counter() - started), 1)


async def measure(url: str, folder: Path) -> dict[str, Any]:
    import aiohttp
    import httpx2

    subject = Subject(url, folder)
    long_text = history(1000)
    async with (
        httpx2.AsyncClient(timeout=30, limits=httpx2.Limits(max_connections=400)) as client,
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=400)) as session,
    ):
        short = {
            "httpx2 by hand": lambda: over_httpx2(client, url, subject.bare_messages(), subject.bare_tool),
            "aiohttp by hand": lambda: over_aiohttp(session, url, subject.bare_messages(), subject.bare_tool),
            "sayso, in memory": subject.in_memory,
            "sayso, SQLite": subject.on_sqlite,
        }
        fresh = {
            "httpx2 by hand": lambda: over_httpx2(client, url, subject.bare_fresh_messages(), subject.bare_fresh_tool),
            "sayso, in memory": subject.in_memory_fresh,
        }
        long = {
            "httpx2 by hand": lambda: over_httpx2(client, url, subject.bare_messages(long_text), subject.bare_tool),
            "aiohttp by hand": lambda: over_aiohttp(session, url, subject.bare_messages(long_text), subject.bare_tool),
            "sayso, in memory": subject.in_memory_long,
        }
        await subject.open(long_text)
        result = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "python": sys.version.split()[0],
            "cpu_ms": await take_turns(short, count=10, rounds=40),
            "cpu_ms_new_facts": await take_turns(fresh, count=10, rounds=40),
            "cpu_ms_1000_messages": await take_turns(long, count=5, rounds=15),
            "exchanges_per_second_200_sessions": {
                name: await throughput(exchange, sessions=200, total=1000)
                for name, exchange in short.items()
            },
        }  # fmt: skip
        await subject.close()
    return result


def import_cost() -> dict[str, float]:
    """CPU milliseconds of importing sayso and of pydantic's BaseModel, each in new processes, in turns."""

    def cost(code: str) -> float:
        timed = f"import time; t=time.process_time()\n{code}\nprint((time.process_time()-t)*1000)"
        return float(subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True).stdout)

    pairs = [(cost("import sayso"), cost("from pydantic import BaseModel")) for _ in range(9)]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    return {"import sayso": round(ours, 1), "from pydantic import BaseModel": round(theirs, 1)}


def ratios(result: dict[str, Any]) -> dict[str, float]:
    short, long, rate = result["cpu_ms"], result["cpu_ms_1000_messages"], result["exchanges_per_second_200_sessions"]
    fresh, imports = result["cpu_ms_new_facts"], result["import_ms"]
    ours = f"sayso, in memory / {FLOOR}"
    return {
        "in memory / httpx2 by hand (goal 1.2)": short[ours],
        "in memory / httpx2 by hand, new facts (goal 1.2)": fresh[ours],
        "SQLite / httpx2 by hand": short[f"sayso, SQLite / {FLOOR}"],
        "aiohttp by hand / httpx2 by hand": short[f"aiohttp by hand / {FLOOR}"],
        "1,000 messages: in memory / httpx2 by hand (goal 3)": long[ours],
        "200 sessions, exchanges a second (goal 100)": rate["sayso, in memory"],
        "import sayso / pydantic (goal 1.5)": round(
            imports["import sayso"] / imports["from pydantic import BaseModel"], 2
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--peers", type=Path, help="where other verifiers are installed")
    options = parser.parse_args()
    with model_server() as url, tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(measure(url, Path(folder)))
    result["import_ms"] = import_cost()
    result["ratios"] = ratios(result)
    result["verifier"] = measure_verifier(options.peers)
    print(json.dumps(result, indent=2))
    if options.json:
        known: dict[str, Any] = json.loads(options.json.read_text()) if options.json.exists() else {}
        result["verifier"] = known.get("verifier", {}) | result["verifier"]  # its scores and curves are measured apart
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
