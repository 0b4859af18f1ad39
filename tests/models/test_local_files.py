"""GGUF files: what their header says, where they lie, which of them a name means, whether they fit."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from sayso.errors import ConfigError, ModelUnreachable
from sayso.models.choice import build
from sayso.models.local import LocalModel, choosing, engine, local_model, memory
from sayso.models.local.engine import Engine
from sayso.models.local.finding import WeightsFile, carried_weights, find_weights, usual_folders, weights_named
from sayso.models.local.gguf import read_header
from sayso.models.local.memory import fitting_context, free_memory
from sayso.models.quote import Quote

GIGABYTE = 1 << 30
LLAMA: dict[str, Any] = {
    "general.architecture": "llama", "general.name": "Tiny", "tokenizer.ggml.tokens": ["a", "bc"],
    "llama.context_length": 4096, "llama.block_count": 2, "llama.embedding_length": 64, "llama.attention.head_count": 4,
    "llama.attention.head_count_kv": 2, "llama.rope.freq_base": 1e4, "tokenizer.ggml.token_type": [1, 2, 3],
    "tokenizer.chat_template": "{{ messages }}", "nested": [["x"], ["y"]],
}  # fmt: skip


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def written(value: Any) -> tuple[int, bytes]:
    if isinstance(value, str):
        return 8, text(value)
    if isinstance(value, float):
        return 6, struct.pack("<f", value)
    if isinstance(value, int):
        return 4, struct.pack("<I", value)
    kinds, items = zip(*map(written, value), strict=True)
    return 9, struct.pack("<IQ", kinds[0], len(value)) + b"".join(items)


def gguf(values: dict[str, Any], *, version: int = 3, count: int | None = None) -> bytes:
    pairs = [
        text(key) + struct.pack("<I", kind) + data for key, (kind, data) in ((k, written(v)) for k, v in values.items())
    ]
    return b"GGUF" + struct.pack("<IQQ", version, 0, len(pairs) if count is None else count) + b"".join(pairs)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny-q4.gguf"
    path.write_bytes(gguf(LLAMA))
    return path


def test_a_header_tells_name_context_and_the_memory_of_a_token(file: Path) -> None:
    header = read_header(file)
    assert (header.architecture, header.name, header.context, header.template) == ("llama", "Tiny", 4096, True)
    assert header.cell == 2 * 2 * 2 * (16 + 16)  # bytes, layers, heads, keys and values
    assert header.chats


def test_a_header_that_says_little_is_taken_for_a_large_model(file: Path) -> None:
    file.write_bytes(gguf({"general.architecture": "new"}))
    header = read_header(file)
    assert (header.name, header.context, header.template) == ("tiny-q4", 4096, False)
    assert header.cell > 500_000


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"PK\x03\x04 some archive", "no GGUF"),
        (b"", "no GGUF"),
        (b"GGUF", "damaged"),
        (gguf(LLAMA)[:90], "damaged"),
        (gguf(LLAMA, version=9), "damaged"),
        (gguf(LLAMA, count=10**9), "damaged"),
        (gguf({}, count=1) + struct.pack("<Q", 1 << 60), "damaged"),
        (gguf({}, count=1) + text("k") + struct.pack("<I", 99), "damaged"),
    ],
)
def test_what_is_no_whole_gguf_is_named_so(file: Path, content: bytes, told: str) -> None:
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=told):
        read_header(file)


def test_a_file_that_is_missing_or_a_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_header(tmp_path / "none.gguf")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_header(tmp_path)


def test_files_are_found_once_each_without_those_that_do_not_chat(tmp_path: Path) -> None:
    names = ("b.gguf", "deep/er/a.gguf", "mmproj-a.gguf", "nomic-embed.gguf", "c-00001-of-00002.gguf",
             "c-00002-of-00002.gguf", "notes.txt")  # fmt: skip
    for size, name in enumerate(names, start=3):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x" * size)
    (tmp_path / "link.gguf").symlink_to(tmp_path / "b.gguf")
    (tmp_path / "gone.gguf").symlink_to(tmp_path / "nowhere.gguf")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    found = find_weights((tmp_path, tmp_path / "none", tmp_path))
    assert [(weights.name, weights.size) for weights in found] == [("b", 3), ("a", 4), ("c", 7 + 8)]


def test_the_usual_folders_begin_with_the_operators_own(tmp_path: Path) -> None:
    folders = usual_folders({"SAYSO_MODELS_FOLDER": "/weights", "HF_HOME": "/hub"}, tmp_path, tmp_path / "here")
    assert folders[:2] == (Path("/weights"), tmp_path / "here" / "models")
    assert Path("/hub/hub") in folders
    assert tmp_path / ".cache" / "huggingface" / "hub" in usual_folders({}, tmp_path, tmp_path)


def test_a_name_means_the_only_file_that_has_it(file: Path) -> None:
    found = (
        WeightsFile(Path("/m/Qwen3-4B-Q4.gguf"), 1),
        WeightsFile(Path("/m/Qwen3-4B-Q8.gguf"), 2),
        WeightsFile(file, 3),
    )
    assert weights_named("tiny", found) == file
    assert weights_named("qwen3-4b-q8", found) == Path("/m/Qwen3-4B-Q8.gguf")
    with pytest.raises(ConfigError, match="may mean Qwen3-4B-Q4, Qwen3-4B-Q8"):
        weights_named("qwen3", found)
    with pytest.raises(ConfigError, match="SAYSO_MODELS_FOLDER"):
        weights_named("llama", found)
    with pytest.raises(ConfigError, match="there is no file"):
        weights_named("~/none.gguf", found)


def test_the_context_is_what_was_trained_and_what_fits() -> None:
    assert fitting_context("m", 8192, 1000, GIGABYTE, None) == 8192
    assert fitting_context("m", 10**6, 1000, GIGABYTE, 64 * GIGABYTE) == memory.LARGEST
    assert fitting_context("m", 8192, 100_000, GIGABYTE, 2 * GIGABYTE) == 7936
    assert fitting_context("m", 512, 1000, GIGABYTE, 64 * GIGABYTE) == 512
    with pytest.raises(ModelUnreachable, match=r"needs about 4\.4 GB of memory and 2\.0 GB are free"):
        fitting_context("m", 8192, 100_000, 4 * GIGABYTE, 2 * GIGABYTE)


def test_free_memory_minds_the_limit_of_a_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (free_memory() or 0) > 0
    monkeypatch.setattr(memory, "_CGROUP", tmp_path)
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("1000\n")
    assert (free_memory() or 0) > 1000
    (tmp_path / "memory.max").write_text("4000\n")
    assert free_memory() == 3000


def test_a_spec_names_a_file_and_loads_nothing_yet(file: Path) -> None:
    model = build(f"gguf:{file}", quote=Quote(), environ={}, fall_back=False)
    assert isinstance(model, LocalModel)
    assert model.name == "gguf:tiny-q4"
    assert "tiny-q4.gguf" in repr(model)
    assert model.context_limit == 4096


def test_a_name_is_looked_for_in_the_operators_folder(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    assert local_model("tiny", {"SAYSO_MODELS_FOLDER": str(file.parent)}).name == "gguf:tiny-q4"


def test_settings_that_are_no_numbers_are_refused(file: Path) -> None:
    for key in ("SAYSO_MODEL_CONTEXT", "SAYSO_MODEL_THREADS"):
        for value in ("many", "0", "-3"):
            with pytest.raises(ConfigError, match=key):
                local_model(str(file), {key: value})


def test_a_model_that_only_embeds_is_refused(file: Path) -> None:
    file.write_bytes(gguf({"general.architecture": "nomic-bert"}))
    with pytest.raises(ConfigError, match="no chat model"):
        local_model(str(file), {})


def test_without_the_package_it_says_what_to_type(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "is_installed", lambda: False)
    with pytest.raises(ConfigError, match=r"pip install 'sayso\[local\]'"):
        local_model(str(file), {})


def test_the_carried_weights_are_found_without_importing_their_package(monkeypatch: pytest.MonkeyPatch) -> None:
    from sayso.models.local import finding

    monkeypatch.setattr(finding, "find_spec", lambda name: None)
    assert carried_weights() is None


@pytest.mark.anyio
async def test_a_package_that_goes_missing_is_told_when_it_is_needed(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(engine, "import_module", missing)
    weights = Engine(file, 512)
    with pytest.raises(ModelUnreachable, match="pip install"):
        await weights.load()
    await weights.aclose()
    with pytest.raises(ModelUnreachable, match="was unloaded"):
        await weights.load()


def test_there_is_always_a_thread_to_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.os, "getloadavg", lambda: (99.0, 0.0, 0.0), raising=False)
    assert engine.usable_threads() == 1
    monkeypatch.setattr(engine.os, "getloadavg", lambda: (0.0, 0.0, 0.0), raising=False)
    monkeypatch.setattr(engine.os, "sched_getaffinity", lambda pid: set(range(16)), raising=False)
    assert engine.usable_threads() == 8
    monkeypatch.delattr(engine.os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(engine.os, "cpu_count", lambda: 2)
    assert engine.usable_threads() == 2
