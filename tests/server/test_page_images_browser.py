"""Images on the page: chosen, pasted, dropped, taken out, refused, sent, shown again. Needs Chromium."""

from __future__ import annotations

import base64
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from made_images import PLACE, chunk, exif, png
from sayso.core.events import Answer, FactsFound, Finish, RunStarted, TextDelta, Verified
from sayso.core.evidence import Numbered
from sayso.core.images import read_attachment
from sayso.core.messages import Outcome, StopReason
from sayso.core.verify.report import Judged, Report, Verdict

from .conftest import CHROMIUM, NOW

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]
SHOTS = os.environ.get("SAYSO_SHOTS")


def receipt(seed: int = 0) -> bytes:
    """A picture that can be seen: a light sheet with lines on a coloured table."""
    width, height = 240, 180
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            paper = 60 < x < 180 and 15 < y < 165
            line = paper and y % 16 < 3 and 74 < x < 166 - (y * 7 + seed) % 60
            rows += b"\x55\x55\x55" if line else b"\xf6\xf3\xea" if paper else bytes((60 + seed, 110, 120 - seed))
    header = struct.pack(">II5B", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def signed_in(browser: Any, link: str, **options: Any) -> tuple[Any, list[str]]:
    page = browser.new_context(**options).new_page()
    page.set_default_timeout(15_000)
    faults: list[str] = []
    page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: faults.append(str(e)))
    page.goto(link)
    page.get_by_role("button").click()
    page.wait_for_url("**/")
    return page, faults


def shot(page: Any, name: str) -> None:
    if SHOTS:
        Path(SHOTS).mkdir(exist_ok=True)
        page.screenshot(path=f"{SHOTS}/{name}.png")


def file(name: str, data: bytes) -> dict[str, Any]:
    return {"name": name, "mimeType": "image/png", "buffer": data}


def choose(page: Any, *files: dict[str, Any]) -> None:
    page.locator("#attach-file").set_input_files(list(files))


def hand_over(page: Any, event: str, target: str, name: str, data: bytes) -> None:
    """A paste or a drop of one file, as the browser tells it."""
    page.evaluate(
        """([event, target, name, data]) => {
          const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
          const held = new DataTransfer();
          held.items.add(new File([bytes], name, { type: "image/png" }));
          const told = event === "paste" ? new ClipboardEvent("paste", { clipboardData: held, bubbles: true, cancelable: true })
            : new DragEvent(event, { dataTransfer: held, bubbles: true, cancelable: true });
          document.querySelector(target).dispatchEvent(told);
        }""",
        [event, target, name, base64.b64encode(data).decode()],
    )


def answering(assistant: Any, image: bytes) -> None:
    """The next answer tells what the image shows."""
    fact = Numbered("U1", read_attachment(image, "receipt.png").fact(NOW))
    text = "The image shows a receipt over CHF 84.10 [U1]."
    assistant.events = [
        RunStarted("r", "th_1", "ex_1", "fake"), FactsFound((fact,)), TextDelta(text),
        Verified(Report((Judged(text, 0, Verdict.YOURS, refs=("U1",)),)), False),
        Answer(text, Outcome.ANSWERED, ("U1",)), Finish(Outcome.ANSWERED, StopReason.ANSWERED),
    ]  # fmt: skip


def test_an_image_is_chosen_sent_shown_with_the_question_and_named_as_the_source(
    browser: Any, link: str, assistant: Any
) -> None:
    answering(assistant, receipt())
    page, faults = signed_in(browser, link)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Attach an image").click()
    chooser.value.set_files([file("receipt.png", receipt())])
    page.get_by_role("img", name="receipt.png").wait_for()
    assert page.get_by_label("Ask about your records").evaluate("node => node === document.activeElement")
    assert page.locator("#live").inner_text() == "receipt.png is attached."
    page.keyboard.type("What does it come to?")
    page.keyboard.press("Enter")
    page.locator(".sources").wait_for()
    assert assistant.shown == [["receipt.png"]]
    assert page.locator("#attached").is_hidden()
    shown = page.locator(".question").get_by_role("img", name="Attached image: receipt.png")
    assert shown.evaluate("node => node.complete && node.naturalWidth") == 240
    page.locator(".answer .chip").click()
    record = page.locator("#record")
    assert "what you provided" in record.inner_text()
    assert record.locator("img").evaluate("node => node.decode().then(() => node.naturalWidth)") == 240
    assert "attached image" in page.locator(".sources").inner_text().lower()
    assert faults == []


def test_images_are_pasted_dropped_and_taken_out_by_keyboard(browser: Any, link: str, assistant: Any) -> None:
    page, faults = signed_in(browser, link)
    hand_over(page, "paste", "#message", "pasted.png", receipt())
    page.get_by_role("img", name="pasted.png").wait_for()
    hand_over(page, "dragover", "#view", "dropped.png", receipt(9))
    assert page.locator("#main.dropping").count() == 1
    hand_over(page, "drop", "#view", "dropped.png", receipt(9))
    page.get_by_role("img", name="dropped.png").wait_for()
    assert page.locator("#main.dropping").count() == 0
    page.get_by_role("button", name="Remove pasted.png").focus()
    page.keyboard.press("Enter")
    assert page.locator("#live").inner_text() == "pasted.png is removed."
    assert page.get_by_role("button", name="Remove dropped.png").evaluate("node => node === document.activeElement")
    page.keyboard.press("Enter")
    assert page.locator("#attached").is_hidden()
    assert page.get_by_label("Ask about your records").evaluate("node => node === document.activeElement")
    assert (assistant.asked, faults) == ([], [])


@pytest.mark.parametrize("kind", ["image/jpeg", "image/webp", "image/png"])
def test_a_picture_of_a_real_encoder_is_still_one_without_its_metadata(
    browser: Any, link: str, assistant: Any, kind: str
) -> None:
    page, faults = signed_in(browser, link)
    data = page.evaluate(
        """async (kind) => {
          const canvas = Object.assign(document.createElement("canvas"), { width: 321, height: 123 });
          const brush = canvas.getContext("2d");
          for (let n = 0; n < 400; n += 1) { brush.fillStyle = `hsl(${n * 7} 70% 50%)`; brush.fillRect(n * 3 % 321, n * 5 % 123, 40, 9); }
          const blob = await new Promise((done) => canvas.toBlob(done, kind, 0.8));
          let text = "";
          for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
          return btoa(text);
        }""",
        kind,
    )
    made = base64.b64decode(data)
    if kind == "image/jpeg":
        made = made[:2] + exif(6) + made[2:]
    choose(page, file("drawn", made))
    shown = page.get_by_role("img", name="drawn")
    shown.wait_for()
    (kept,) = assistant.images.values()
    assert (kept.media_type, kept.width, kept.height) == (kind, 321, 123)
    assert PLACE not in kept.data
    size = shown.evaluate("node => node.decode().then(() => [node.naturalWidth, node.naturalHeight])")
    assert size == ([123, 321] if kind == "image/jpeg" else [321, 123])  # a camera's turn is kept
    assert faults == []


def test_what_does_not_fit_is_refused_by_name_and_the_question_stays(browser: Any, link: str, assistant: Any) -> None:
    page, faults = signed_in(browser, link)
    page.get_by_label("Ask about your records").fill("What is this?")
    choose(page, file("plan.svg", b"<svg/>"), file("cut.png", receipt()[:-9]), file("good.png", receipt()))
    page.get_by_role("img", name="good.png").wait_for()
    problem = page.get_by_role("alert")
    page.get_by_text("cut.png is damaged").wait_for()
    assert "plan.svg is an SVG drawing." in problem.inner_text()
    choose(page, file("large.png", png() + bytes(5 << 20)))
    page.get_by_text("large.png is larger than 5 MB").wait_for()
    choose(page, *(file(f"{n}.png", receipt(n)) for n in range(1, 5)))
    page.get_by_text("4.png was not attached: a question may have 4 images.").wait_for()
    page.get_by_role("img", name="3.png").wait_for()
    assert page.get_by_label("Ask about your records").input_value() == "What is this?"
    assert page.locator(".attached-image").count() == 4
    assert [f for f in faults if "422" not in f] == []


def test_a_question_that_could_not_be_sent_is_not_lost(browser: Any, link: str, assistant: Any) -> None:
    page, _ = signed_in(browser, link)
    choose(page, file("receipt.png", receipt()))
    page.get_by_role("img", name="receipt.png").wait_for()
    assistant.images.clear()
    page.get_by_label("Ask about your records").fill("What is this?")
    page.keyboard.press("Enter")
    page.get_by_text("attach it again").wait_for()
    assert page.get_by_label("Ask about your records").input_value() == "What is this?"
    assert page.locator(".attached-image").count() == 1
    assert assistant.asked == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_images_fit_every_screen(browser: Any, link: str, assistant: Any, scheme: str, width: int, height: int) -> None:
    assistant.model_sees = False
    answering(assistant, receipt())
    phone = width < 800
    size = {"width": width, "height": height}
    page, faults = signed_in(browser, link, viewport=size, color_scheme=scheme, has_touch=phone)
    name = f"images-{width}-{scheme}"
    choose(page, file("receipt.png", receipt()), file("board.png", receipt(40)), file("plan.svg", b"<svg/>"))
    page.get_by_role("img", name="board.png").wait_for()
    assert page.get_by_text("fake-7b sees no images").is_visible()
    box = page.locator("#ask").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= height + 1
    shot(page, f"{name}-1-attached")
    page.locator("#send").click()
    page.locator(".sources").wait_for()
    assert "What does this show?" in page.locator(".question").inner_text()
    page.locator(".shown-images img").last.evaluate("node => node.decode()")
    shot(page, f"{name}-2-answer")
    chip = page.locator(".answer .chip")
    chip.tap() if phone else chip.click()
    page.locator("#record img").evaluate("node => node.decode()")
    shot(page, f"{name}-3-source")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults == []


def test_a_german_page_speaks_german_of_images(browser: Any, link: str, assistant: Any) -> None:
    page, _ = signed_in(browser, link)
    page.evaluate("document.documentElement.lang = 'de'")
    wanted = page.evaluate(
        "import('/static/strings.js?de').then(({ t }) => [t('attachImage'), t('image_format', 'x')])"
    )
    assert wanted == [
        "Ein Bild anhängen",
        "x ist kein Bild, das sich hier lesen lässt. Nimm ein PNG, JPEG, GIF oder WebP.",
    ]
