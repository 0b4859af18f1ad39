"""What an attached image is by its bytes, what is refused and why, and what is taken out of it."""

from __future__ import annotations

import zlib
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
    gif_frame,
    jpeg,
    png,
    profile,
    riff,
    segment,
    webp,
    webp_extended,
    webp_frame,
)  # fmt: skip
from sayso.core.images import MAX_BYTES, MAX_IMAGES, MAX_SIDE, checked_number, read_attachment, shown_name
from sayso.errors import ImageUnfit

COLOURS = ((b"rXYZ", b"red colour"), (b"rTRC", b"curve"), (b"gTRC", b"curve"))
TEXTS = ((b"desc", b"Display of Elena, Bern"), (b"cprt", PLACE))
SWELLING = bytearray(profile((b"rXYZ", b"a" * 300), (b"bXYZ", b"b")))
SWELLING[148:156] = (0).to_bytes(4, "big") + (299).to_bytes(4, "big")  # two values in one place


def icc_chunk(body: bytes) -> bytes:
    return chunk(b"iCCP", PLACE + b"\0\0" + zlib.compress(body))


def drawn_png(header: bytes, *chunks: bytes) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(chunks) + chunk(b"IEND", b"")


def header(width: int = 3, height: int = 2, rest: bytes = b"\x08\x02\0\0\0") -> bytes:
    return width.to_bytes(4, "big") + height.to_bytes(4, "big") + rest


PIXELS = chunk(b"IDAT", zlib.compress(bytes(20)))
SIZES = segment(0xC0, b"\x08\0\x02\0\x02\x01\x01\x11\0")


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
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "damaged", "changed"),
        (b"\x89PNG\r\n\x1a\n" + chunk(b"IDAT", b""), "damaged", "no header"),
        (b"\x89PNG\r\n\x1a\n", "damaged", "no header"),
        (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", b"x") + bytes(20), "damaged", "no header"),
        (png().replace(b"IDAT", b"IDAU"), "damaged", "changed"),
        (png(3, 2, chunk(b"IHDR", header(9000, 9000))), "damaged", "more than one header"),
        (drawn_png(header()), "damaged", "no picture"),
        (drawn_png(header(rest=b"\x08\x05\0\0\0"), PIXELS), "damaged", "fit together"),
        (drawn_png(header(rest=b"\x63\x02\0\0\0"), PIXELS), "damaged", "fit together"),
        (drawn_png(header(), chunk(b"IDAT", b"<script>")), "damaged", "unpacked"),
        (drawn_png(header(), chunk(b"IDAT", zlib.compress(bytes(19)))), "damaged", "of the size"),
        (drawn_png(header(), chunk(b"IDAT", zlib.compress(bytes(20))[:-1])), "damaged", "of the size"),
        (drawn_png(header(), PIXELS, chunk(b"IDAT", PLACE)), "damaged", "of the size"),
        (drawn_png(header(1, 1), chunk(b"IDAT", zlib.compress(bytes(9_000_000)))), "damaged", "of the size"),
        (png(3, 2, *[chunk(b"tEXt", b"")] * 20_000), "damaged", "too many parts"),
        (jpeg(b"\xff\xd0" * 2000), "damaged", "too many parts"),
        (jpeg(b"\xff\xda\0\2" * 2000), "damaged", "too many parts"),
        (b"\xff\xd8" + b"\xff" * 4_000_000, "damaged", "too early"),
        (jpeg(SIZES), "damaged", "more than one header"),
        (jpeg(width=MAX_SIDE + 1), "pixels", f"{MAX_SIDE + 1} × 30"),
        (b"\xff\xd8" + SIZES + b"\xff\xd9", "damaged", "no picture"),
        (b"\xff\xd8\xff\xda\0\2" + SIZES + b"\xff\xd9", "damaged", "no picture"),
        (gif(1, 1, gif_frame(65535, 65535)), "pixels", "65535 × 65535"),
        (gif(1, 1, gif_frame(1, 1, MAX_SIDE)), "pixels", f"{MAX_SIDE + 1} × 1"),
        (gif(0, 1), "pixels", "0 × 1"),
        (gif(1, 1, b"\0"), "damaged", "no picture"),
        (gif(1, 1, gif_frame(packed=b"\x02\0")), "damaged", "no picture"),
        (gif(1, 1, gif_frame(), b"/*"), "damaged", "do not fit"),
        (gif(1, 1, bytes(70_000)), "damaged", "too many parts"),
        (gif()[:24], "damaged", "too early"),
        (gif()[:-3], "damaged", "too early"),
        (webp(webp_extended(width=1, height=1), LOSSY), "damaged", "larger than the picture"),
        (webp(webp_extended(), riff(b"VP8L", b"\x2f" + b"\xff" * 4)), "pixels", "16384 × 16384"),
        (webp(webp_extended()), "damaged", "no picture"),
        (webp(webp_extended(), webp_extended(), LOSSY), "damaged", "more than one header"),
        (webp(webp_extended(), LOSSY, LOSSLESS), "damaged", "more than one header"),
        (webp(webp_extended(), riff(b"VP8 ", b"x")), "damaged", "no header"),
        (webp(webp_extended(), webp_frame(riff(b"EXIF", PLACE))), "damaged", "no picture"),
        (webp(webp_extended(), webp_frame(LOSSY, width=700)), "damaged", "larger than the picture"),
        (webp(webp_extended(), webp_frame(LOSSY, width=9000)), "pixels", "9000 × 22"),
        (webp(webp_extended(), *[riff(b"ABCD", b"")] * 20_000), "damaged", "too many parts"),
        (webp(), "damaged", "no header"),
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


def test_a_png_keeps_the_colours_of_a_profile_and_no_name_of_it() -> None:
    image = read_attachment(png(3, 2, icc_chunk(profile(*TEXTS, *COLOURS)), icc_chunk(profile(*COLOURS))), "a.png")
    before, _, after = image.data.partition(b"iCCP")
    kept = zlib.decompress(after[5:])
    assert before.endswith(len(after.partition(b"IDAT")[0][:-8]).to_bytes(4, "big"))
    assert after.startswith(b"icc\0\0")
    assert (kept.count(b"curve"), kept.count(b"red colour"), kept[8:24]) == (1, 1, b"\4\0\0\0mntrRGB XYZ ")
    assert not [told for told in (PLACE[:12], b"Elena", b"made", b"desc") if told in kept]
    assert int.from_bytes(kept[:4], "big") == len(kept)
    assert read_attachment(image.data, "a.png") == image


@pytest.mark.parametrize(
    "told",
    [
        chunk(b"sPLT", PLACE), chunk(b"gAMA", PLACE), chunk(b"fdAT", PLACE), chunk(b"acTL", bytes(8)),
        chunk(b"iCCP", PLACE + b"\0\0" + PLACE), icc_chunk(PLACE), icc_chunk(profile(*TEXTS)),
        icc_chunk(bytes(36) + b"acsp" + bytes(92)), icc_chunk(SWELLING), icc_chunk(profile((b"rXYZ", b"")) + PLACE),
    ],
)  # fmt: skip
def test_a_png_loses_what_no_decoder_needs(told: bytes) -> None:
    assert read_attachment(png(3, 2, told), "a.png").data == png(3, 2)
    whole = png(3, 2)
    assert read_attachment(whole[:-12] + told + whole[-12:], "a.png").data == whole


@given(st.integers(1, 40), st.integers(1, 40), st.sampled_from([(1, 0), (2, 3), (8, 2), (16, 6), (8, 4)]))
def test_an_interlaced_png_has_the_bytes_of_its_seven_passes(width: int, height: int, form: tuple[int, int]) -> None:
    bits = form[0] * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[form[1]]
    starts = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
    size = 0
    for left, top, right, down in starts:
        columns, rows = len(range(left, width, right)), len(range(top, height, down))
        size += rows * (1 + -(-columns * bits // 8)) if columns else 0
    rest = bytes((*form, 0, 0, 1))
    whole = drawn_png(header(width, height, rest), chunk(b"IDAT", zlib.compress(bytes(size))))
    assert read_attachment(whole, "a.png").data == whole
    more = drawn_png(header(width, height, rest), chunk(b"IDAT", zlib.compress(bytes(size + 1))))
    with pytest.raises(ImageUnfit):
        read_attachment(more, "a.png")


@pytest.mark.parametrize("order", ["big", "little"])
def test_a_jpeg_loses_its_place_and_stays_upright(order: str) -> None:
    told = (segment(0xFE, PLACE), segment(0xED, PLACE), segment(0xE2, b"MPF\0" + PLACE), segment(0xE1, b"http" + PLACE))
    image = read_attachment(jpeg(exif(6, order), exif(3), b"\xff\xff", *told, after=jpeg(exif(6))), "a.jpg")
    assert image.data == jpeg(exif_alone(6))
    assert read_attachment(image.data, "a.jpg") == image


JFIF = segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0")


@pytest.mark.parametrize(
    "told",
    [
        segment(0xE0, b"JFXX\0\x10" + PLACE), segment(0xE0, b"JFIF\0\1\2\0\0\1\0\1\2\2" + PLACE), segment(0xE0, PLACE),
        segment(0xEE, PLACE), segment(0xEE, b"Adobe\0"), segment(0xF0, PLACE), segment(0xDC, b"\0\2"),
        segment(0xE2, b"ICC_PROFILE\0\1\1" + PLACE), segment(0xE2, b"ICC_PROFILE\0\1\1" + profile(*TEXTS)),
        b"\xff\x01", b"\xff\xd0",
    ],
)  # fmt: skip
def test_a_jpeg_loses_what_no_decoder_needs(told: bytes) -> None:
    assert read_attachment(jpeg(told), "a.jpg").data == jpeg()


def test_a_thumbnail_goes_and_that_it_is_jfif_stays() -> None:
    other = segment(0xE0, b"JFIF\0\1\2\0\0\1\0\1\2\2" + PLACE)
    assert read_attachment(jpeg().replace(JFIF, other), "a.jpg").data == jpeg()
    assert read_attachment(jpeg().replace(JFIF, b""), "a.jpg").data == jpeg().replace(JFIF, b"")


def test_a_jpeg_keeps_how_its_colours_are_coded_and_not_what_follows() -> None:
    image = read_attachment(jpeg(segment(0xEE, b"Adobe\0\x65" + b"abcd" + b"\2" + PLACE)), "a.jpg")
    assert image.data == jpeg(segment(0xEE, b"Adobe\0\x64" + bytes(4) + b"\2"))


def test_a_jpeg_keeps_the_colours_of_a_profile_in_several_parts() -> None:
    whole = profile(*TEXTS, (b"A2B0", b"colour!" * 10_000))
    parts = [whole[:60_000], whole[60_000:]]
    told = [segment(0xE2, b"ICC_PROFILE\0" + bytes((n, 2)) + part) for n, part in enumerate(parts, 1)]
    image = read_attachment(jpeg(*reversed(told)), "a.jpg")
    assert image.data.count(b"ICC_PROFILE\0") == 2
    assert b"Elena" not in image.data
    assert PLACE not in image.data
    assert image.data.count(b"colour!") >= 9_999
    assert read_attachment(image.data, "a.jpg") == image


def exif_alone(turn: int) -> bytes:
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01" + turn.to_bytes(2, "big") + b"\0\0"
    return segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08\0\x01" + entry + bytes(4))


@pytest.mark.parametrize(
    "upright", [exif(1), exif(9), segment(0xE1, b"Exif\0\0??"), segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08\0\x00")]
)
def test_a_jpeg_that_is_upright_keeps_no_exif_at_all(upright: bytes) -> None:
    assert b"Exif" not in read_attachment(jpeg(upright), "a.jpg").data


def test_a_gif_keeps_its_frames_and_how_they_move() -> None:
    timing, loop = b"\x21\xf9\x04\0\0\0\0\0", b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    painted = gif_frame()[:9] + b"\x80" + bytes(6) + gif_frame()[10:]  # with colours of its own
    told = (b"\x21\xfe\x12" + PLACE + b"\0", b"\x21\xff\x0bXMP DataXMP\x12" + PLACE + b"\0", b"\x21\xf9\0", b"\0")
    moving = gif(5, 4, loop, timing, gif_frame(), timing, painted)
    image = read_attachment(
        gif(5, 4, told[0], loop, *told, timing, gif_frame(), timing, painted) + PLACE + b";", "a.gif"
    )
    assert image.data == moving
    assert read_attachment(moving[:-1], "a.gif").data == moving  # some have no end
    beyond = read_attachment(gif(1, 1, gif_frame(3, 9, 2)), "a.gif")
    assert (beyond.width, beyond.height) == (5, 9)


def test_a_webp_keeps_its_frames_and_colours_and_nothing_that_is_unknown() -> None:
    loops, see_through, unknown = (
        riff(b"ANIM", bytes(6)),
        riff(b"ALPH", b"a"),
        (riff(b"exif", PLACE), riff(b"META", PLACE)),
    )
    image = read_attachment(webp(LOSSLESS, *unknown), "a.webp")
    assert image.data == webp(LOSSLESS)
    frames = (webp_frame(see_through, LOSSY, riff(b"EXIF", PLACE), *unknown), webp_frame(LOSSY))
    colours = riff(b"ICCP", profile(*TEXTS, *COLOURS))
    image = read_attachment(webp(webp_extended(0x3E), colours, loops, *unknown, *frames), "a.webp")
    assert image.data.endswith(loops + webp_frame(see_through, LOSSY) + webp_frame(LOSSY))
    assert b"rXYZ" in image.data
    assert [told for told in (b"Elena", PLACE) if told in image.data] == []
    assert read_attachment(image.data, "a.webp") == image
    image = read_attachment(webp(webp_extended(0x3C), riff(b"ICCP", PLACE), see_through, LOSSY), "a.webp")
    assert image.data == webp(webp_extended(0x10), see_through, LOSSY)


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
