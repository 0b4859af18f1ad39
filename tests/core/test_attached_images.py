"""What an attached image is by its bytes, what is refused and why, and what is taken out of it."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_images import (
    LOSSLESS,
    LOSSY,
    PLACE,
    chunk,
    exif,
    gif,
    jpeg,
    png,
    riff,
    segment,
    webp,
    webp_extended,
)  # fmt: skip
from sayso.core.images import MAX_BYTES, MAX_IMAGES, MAX_SIDE, checked_number, read_attachment, shown_name
from sayso.errors import ImageUnfit

PROFILE = segment(0xE2, b"ICC_PROFILE\0\x01\x01profile")


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (png(3, 2), ("image/png", 3, 2)),
        (jpeg(width=40, height=30), ("image/jpeg", 40, 30)),
        (gif(5, 4), ("image/gif", 5, 4)),
        (webp(LOSSY), ("image/webp", 33, 22)),
        (webp(LOSSLESS), ("image/webp", 70, 50)),
        (webp(webp_extended(), LOSSY), ("image/webp", 640, 480)),
    ],
)
def test_a_format_and_a_size_are_read_from_the_bytes_and_not_from_the_name(data: bytes, found: object) -> None:
    image = read_attachment(data, "holiday.txt")
    assert (image.media_type, image.width, image.height) == found
    assert image.name == "holiday.txt"


@pytest.mark.parametrize(
    ("data", "reason", "told"),
    [
        (b"", "empty", "empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(MAX_BYTES), "too_large", "5 MB"),
        (b'<?xml version="1.0"?><svg xmlns="x"/>', "format", "an SVG drawing"),
        (b"\xef\xbb\xbf <svg onload='x'>", "format", "an SVG drawing"),
        (b"%PDF-1.7", "format", "a PDF"),
        (b"\0\0\0\x18ftypheic\0", "format", "HEIC"),
        (b"BM\0\0", "format", "a BMP"),
        (b"<?xml version='1.0'?><note/>", "format", "no image"),
        (b"RIFF\x04\0\0\0WAVE", "format", "no image"),
        (b"hello", "format", "PNG, JPEG, GIF or WebP"),
        (png(MAX_SIDE + 1, 2), "pixels", f"{MAX_SIDE + 1} × 2"),
        (png(2, 0), "pixels", "2 × 0"),
        (png()[:-4], "damaged", "too early"),
        (png()[:-8], "damaged", "too early"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "damaged", "no header"),
        (jpeg()[:-3], "damaged", "too early"),
        (jpeg()[:60], "damaged", "too early"),
        (b"\xff\xd8\xff", "damaged", "too early"),
        (b"\xff\xd8\xff\xfe\x00\x01\xff\xd9", "damaged", "too early"),
        (b"\xff\xd8\xff\xfe\x00\x02zz", "damaged", "do not fit"),
        (b"\xff\xd8\xff\xd9", "damaged", "no header"),
        (b"GIF89a\x3b", "damaged", "too early"),
        (webp(LOSSY)[:-2], "damaged", "too early"),
        (webp(b"VP8 \xff\0\0\0x"), "damaged", "too early"),
        (webp(riff(b"VP8X", b"")), "damaged", "no header"),
        (webp(riff(b"ABCD", b"x")), "damaged", "no header"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_by_its_name_and_says_what_to_do(data: bytes, reason: str, told: str) -> None:
    with pytest.raises(ImageUnfit, match="holiday") as refused:
        read_attachment(data, "holiday.png")
    assert refused.value.reason == reason
    assert told in str(refused.value)


def test_a_question_has_a_bounded_number_of_images() -> None:
    checked_number(MAX_IMAGES)
    with pytest.raises(ImageUnfit, match="5 images are attached; a question may have 4"):
        checked_number(MAX_IMAGES + 1)


def test_a_png_loses_its_texts_times_and_places_and_keeps_its_picture() -> None:
    told = (chunk(b"tEXt", b"Comment\0" + PLACE), chunk(b"eXIf", PLACE), chunk(b"tIME", b"\x07\xea" + bytes(5)))
    colours = chunk(b"sRGB", b"\0")
    image = read_attachment(png(3, 2, colours, *told) + b"after the end", "a.png")
    assert image.data == png(3, 2, colours)
    assert image.digest == read_attachment(png(3, 2, colours), "b.png").digest


@pytest.mark.parametrize("order", ["big", "little"])
def test_a_jpeg_loses_its_place_and_stays_upright(order: str) -> None:
    told = (segment(0xFE, PLACE), segment(0xED, PLACE), segment(0xE2, b"MPF\0" + PLACE), segment(0xE1, b"http" + PLACE))
    image = read_attachment(jpeg(exif(6, order), PROFILE, b"\xff\xff", *told, after=jpeg(exif(6))), "a.jpg")
    assert PLACE not in image.data
    assert image.data == jpeg(exif_alone(6), PROFILE)
    alone = jpeg(PROFILE, b"\xff\x01")  # a marker without a length
    assert read_attachment(alone, "a.jpg").data == alone
    assert read_attachment(image.data, "a.jpg") == image


def exif_alone(turn: int) -> bytes:
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01" + turn.to_bytes(2, "big") + b"\0\0"
    return segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08\0\x01" + entry + bytes(4))


@pytest.mark.parametrize(
    "upright", [exif(1), exif(9), segment(0xE1, b"Exif\0\0??"), segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08\0\x00")]
)
def test_a_jpeg_that_is_upright_keeps_no_exif_at_all(upright: bytes) -> None:
    assert b"Exif" not in read_attachment(jpeg(upright), "a.jpg").data


def test_a_webp_loses_its_exif_and_says_so_in_its_header() -> None:
    told = (riff(b"EXIF", PLACE), riff(b"XMP ", PLACE + b"!"))
    image = read_attachment(webp(webp_extended(0x1C), LOSSY, *told) + b"after", "a.webp")
    assert image.data == webp(webp_extended(0x10), LOSSY)


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("C:\\Users\\me\\Receipt.png", "Receipt.png"),
        ("/home/me/a  b\n.png", "a b .png"),
        ("", "image"),
        ("\u202e\x07", "image"),
        ("x" * 300 + ".png", "x" * 60 + "…" + "x" * 56 + ".png"),
    ],
)
def test_a_name_is_shown_without_folders_on_one_short_line(given_name: str, shown: str) -> None:
    assert shown_name(given_name) == shown


def test_that_it_was_attached_is_a_fact_that_the_user_provided() -> None:
    fact = read_attachment(png(3, 2), "a.png").fact(datetime(2026, 11, 30, tzinfo=UTC))
    assert (fact.subject, fact.provenance, dict(fact.values)) == (
        "a.png", "provided", {"name": "a.png", "format": "image/png", "size": "3 × 2 pixels"},
    )  # fmt: skip


STARTS = (b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", b"\xff\xd8\xff", b"GIF89a", b"RIFF\x40\0\0\0WEBP")
WHOLE = (png(), jpeg(exif(3)), gif(), webp(webp_extended(), LOSSY, riff(b"EXIF", PLACE)))


@given(st.sampled_from(STARTS), st.binary(max_size=200))
def test_no_bytes_break_the_reader(start: bytes, rest: bytes) -> None:
    with suppress(ImageUnfit):
        assert read_attachment(start + rest, "x").data


@given(st.sampled_from(WHOLE), st.integers(0, 400), st.binary(max_size=4))
def test_no_change_of_a_few_bytes_breaks_the_reader(whole: bytes, at: int, new: bytes) -> None:
    try:
        image = read_attachment(whole[:at] + new + whole[at + len(new) :], "x")
    except ImageUnfit:
        return
    assert len(image.data) <= len(whole) + 36
