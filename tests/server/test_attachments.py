"""Uploads: checked when they come, asked about by their id, shown again as nothing but a picture."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from starlette.testclient import TestClient

from made_images import PLACE, chunk, png
from sayso.core.images import MAX_BYTES, Attachment, read_attachment
from sayso.inapp.surroundings import LOCAL_USER
from sayso.server.wire import detail_json

PLACE_FOR = "/api/v1/ai/attachments"


def test_an_image_is_uploaded_then_asked_about(client: TestClient, assistant: Any) -> None:
    sent = client.post(PLACE_FOR, params={"name": "C:\\me\\receipt.png"}, content=png(3, 2, chunk(b"eXIf", PLACE)))
    kept = sent.json()
    assert sent.status_code == 201
    assert {k: v for k, v in kept.items() if k != "id"} == {
        "name": "receipt.png", "media_type": "image/png", "width": 3, "height": 2,
    }  # fmt: skip
    asked = client.post("/api/v1/ai/chat", json={"message": "What is this?", "attachments": [kept["id"], kept["id"]]})
    assert asked.status_code == 200
    assert assistant.shown == [["receipt.png"]]
    shown = client.get(f"{PLACE_FOR}/{kept['id']}")
    assert (shown.content, shown.headers["content-type"]) == (png(3, 2), "image/png")
    assert shown.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert shown.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("data", "status", "reason"),
    [
        (b"<svg xmlns='x'><script>1</script></svg>", 422, "format"),
        (b"", 422, "empty"),
        (png()[:-5], 422, "damaged"),
        (png(9000, 1), 422, "pixels"),
        (bytes(MAX_BYTES + 1), 413, "too_large"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_name_and_a_reason(
    client: TestClient, data: bytes, status: int, reason: str
) -> None:
    refused = client.post(PLACE_FOR, params={"name": "drawing.svg"}, content=data)
    assert (refused.status_code, refused.json()["code"], refused.json()["reason"]) == (status, "image_unfit", reason)
    assert "drawing.svg" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("attachments", "status"), [(["0" * 64], 404), (["x"], 422), (["0" * 64] * 5, 422), ("0" * 64, 422)]
)
def test_a_question_is_not_asked_without_the_images_that_it_names(
    client: TestClient, assistant: Any, attachments: Any, status: int
) -> None:
    asked = client.post("/api/v1/ai/chat", json={"message": "What is this?", "attachments": attachments})
    assert (asked.status_code, assistant.asked) == (status, [])


def test_only_who_is_signed_in_uploads_and_sees(stranger: TestClient) -> None:
    assert stranger.post(PLACE_FOR, content=png()).status_code == 401
    assert stranger.get(f"{PLACE_FOR}/{'0' * 64}").status_code == 401


def test_an_image_that_is_not_kept_is_not_found(client: TestClient) -> None:
    assert client.get(f"{PLACE_FOR}/{'0' * 64}").status_code == 404


@pytest.mark.anyio
async def test_a_conversation_shows_its_images_again(workspace_assistant: Any) -> None:
    local = workspace_assistant
    image = await local.attach(LOCAL_USER, png(), "receipt.png")
    async for _ in local.ask("What is this?", actor=LOCAL_USER, thread_id=None, context=None, images=(image,)):
        pass
    (thread,) = await local.threads(LOCAL_USER)
    (exchange,) = detail_json(await local.thread(LOCAL_USER, thread.id))["exchanges"]
    assert exchange["images"] == [{"id": image.digest, "ref": "U1", "name": "receipt.png"}]
    assert "U1" in [fact["ref"] for fact in exchange["facts"]]
    assert await local.image(LOCAL_USER, image.digest) == image == read_attachment(png(), "receipt.png")


@pytest.mark.anyio
async def test_an_upload_is_read_beside_what_else_the_server_does(
    workspace_assistant: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []

    def noted(data: bytes, name: str) -> Attachment:
        threads.append(threading.get_ident())
        return read_attachment(data, name)

    monkeypatch.setattr("sayso.server.local.read_attachment", noted)
    await workspace_assistant.attach(LOCAL_USER, png(), "receipt.png")
    assert len(threads) == 1
    assert threading.get_ident() not in threads


@pytest.fixture
def workspace_assistant(tmp_path: Any) -> Any:
    """A real assistant whose model looks at the image."""
    from sayso import config
    from sayso.core.progress import Limits
    from sayso.inapp.wiring import assemble
    from sayso.models.scripted import Scripted, say
    from sayso.server.local import LocalAssistant
    from sayso.store.database import open_database
    from sayso.workspace.workspace import Settings, Workspace

    workspace = Workspace(open_database(f"sqlite:///{tmp_path}/s.db"), defaults=Settings("UTC", "en", "monday"))
    settings = config.load({"home": tmp_path, "time_zone": "UTC"}, {}, tmp_path)
    model = Scripted((say("The image shows one colour [U1]."),))
    yield LocalAssistant(assemble(workspace, model, settings, reason="test", limits=Limits()))
    workspace.database.close()
