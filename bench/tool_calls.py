"""What reading a reply costs, beside one scan for the openers, json-repair alone, and parsers from the package index.

    python -m bench.tool_calls [--peers DIR]

Reading prose must stay within 10 times one scan with the compiled pattern of all openers, and its time must grow with
the length, not faster. Peers are taken from a folder (`pip install --target DIR --no-deps PACKAGE`); without one it
says which are known.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from json_repair import repair_json

from sayso.core.protocols.reading import openers_of, read_text
from sayso.core.tools import Tool
from sayso.evaluation.calls import call_figures, labelled_replies, read_replies

ROOT = Path(__file__).parent.parent
CORPUS = ROOT / "tests" / "toolcalls" / "corpus.jsonl"
SENTENCE = (
    "Elena Weber works at SINGA Switzerland [F1] and wrote on 3 May about the lease (CHF 1,200 a month). "
    "She asked whether 2 < 3 offers are enough, and *when* to call back.\n\n- Two habits are due today.\n"
)
Peer = Callable[[str], Any]


def fastest(work: Callable[[], Any], rounds: int = 7) -> float:
    """Seconds of processor time of the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def prose_ratio(tools: Mapping[str, Tool], size: int) -> dict[str, float]:
    text = (SENTENCE * (size // len(SENTENCE) + 1))[:size]
    scan = openers_of(tuple(tools))
    alone = fastest(lambda: sum(1 for _ in scan.finditer(text)))
    read = fastest(lambda: read_text(text, tools))
    return {"characters": size, "scan_ms": 1000 * alone, "read_ms": 1000 * read, "ratio": read / alone}


def hostile_growth(tools: Mapping[str, Tool]) -> dict[str, float]:
    """How much longer a text of openers takes that is four times as long; 4 is linear."""
    one = '<tool_call>{"name": "search_people", "arguments": {"query": "x '
    short, long = (fastest(lambda n=n: read_text(one * n, tools), 3) for n in (400, 1600))
    return {"short_ms": 1000 * short, "long_ms": 1000 * long, "growth": long / short}


def corpus_times(path: Path) -> dict[str, Any]:
    replies = list(labelled_replies(path))
    figures = call_figures(read_replies(replies))
    texts = [reply.text for reply in replies]
    repair = fastest(lambda: [repair_json(text, return_objects=True) for text in texts], 2)
    ours = fastest(lambda: [read_text(reply.text, reply.tools) for reply in replies], 3)
    return {
        "texts": len(texts), "exact": figures.as_json()["exact"], "false_calls": figures.false_calls,
        "ours_ms": 1000 * ours / len(texts), "json_repair_alone_ms": 1000 * repair / len(texts),
    }  # fmt: skip


def _called(one: Any) -> tuple[str, Any]:
    """A peer's call, as an object or a mapping, with arguments as values or as JSON text."""
    held = one if isinstance(one, dict) else {name: getattr(one, name, None) for name in ("name", "arguments", "args")}
    held = held.get("function", held)
    arguments = held.get("arguments") or held.get("args") or {}
    return str(held.get("name")), json.loads(arguments) if isinstance(arguments, str) else arguments


KNOWN = {
    "agent-tool-parser": ("agent_tool_parser", "try_parse_tool_calls"),
    "llm-beacon": ("beacon._api", "parse_tool_calls"),
}


def peers_of(folder: Path | None) -> dict[str, Peer]:
    if folder is None:
        return {}
    sys.path.insert(0, str(folder))
    found: dict[str, Peer] = {}
    for package, (module, function) in KNOWN.items():
        try:
            found[package] = getattr(importlib.import_module(module), function)
        except (ImportError, AttributeError):
            continue
    return found


def beside(peer: Peer) -> dict[str, Any]:
    """A peer over the corpus, which it is not told the tools of."""
    replies = [reply for reply in labelled_replies(CORPUS) if not reply.contested]
    read = [(reply.expected, _answer(peer, reply.text)) for reply in replies]
    positives = [(wanted, got) for wanted, got in read if wanted]
    return {
        "exact": round(sum(list(wanted) == got for wanted, got in positives) / len(positives), 4),
        "false_calls": sum(len(got) for wanted, got in read if not wanted),
        "ms": 1000 * fastest(lambda: [_answer(peer, reply.text) for reply in replies], 2) / len(replies),
    }


def _answer(peer: Peer, text: str) -> list[tuple[str, Any]]:
    try:
        return [_called(one) for one in peer(text) or ()]
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # native code that panics raises no Exception
        return []


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--peers", type=Path, default=None, metavar="DIR")
    peers = parser.parse_args().peers
    tools = next(iter(labelled_replies(CORPUS))).tools
    told = {
        "prose": [prose_ratio(tools, size) for size in (1_000, 10_000, 100_000)],
        "openers": hostile_growth(tools),
        "corpus": corpus_times(CORPUS),
        "peers": {package: beside(peer) for package, peer in peers_of(peers).items()},
    }
    print(json.dumps(told, indent=2))
    if not told["peers"]:
        print(f"no parser found; known: {', '.join(KNOWN)} (pip install --target DIR --no-deps NAME, then --peers DIR)")


if __name__ == "__main__":
    main()
