"""Image files that are given with a question: read, checked and told. It knows no model and no answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from sayso.cli.given import input_told
from sayso.cli.terms import err, fail, safe
from sayso.core.images import MAX_BYTES, Attachment, checked_number, read_attachment
from sayso.errors import ImageUnfit

ImageOption = Annotated[
    list[Path] | None,
    typer.Option("--image", metavar="FILE", help="A PNG, JPEG, GIF or WebP to ask about; up to four."),
]
_COMMAND = "/image"


def read_images(paths: Sequence[Path]) -> tuple[Attachment, ...]:
    """The images; where one cannot be used, a line says why and the command ends with 2."""
    with input_told():
        checked_number(len(paths))
        return tuple(_read(path) for path in paths)
    raise AssertionError  # input_told ends the command


def attaching(line: str) -> str:
    """The path of `/image PATH`; "" for a question."""
    word, _, path = line.partition(" ")
    return path.strip().strip("\"'") or " " if word == _COMMAND else ""


def with_image(images: tuple[Attachment, ...], path: str) -> tuple[Attachment, ...]:
    """The images with one more; those that are there, and a line, where it cannot be used."""
    try:
        if not path.strip():
            raise ImageUnfit(f"name a file: {_COMMAND} receipt.png", "unnamed")
        checked_number(len(images) + 1)
        image = _read(Path(path.strip()).expanduser())
    except ImageUnfit as wrong:
        fail(str(wrong))
        return images
    told = f"{image.name} ({image.width} × {image.height}) goes with your next question."
    err.print(safe(told), style="dim", markup=False, soft_wrap=True)
    return (*images, image)


def _read(path: Path) -> Attachment:
    if str(path) == "-":
        raise ImageUnfit("an image is not read from standard input: name its file", "unnamed")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise ImageUnfit(f"there is no file {path}: check its name", "missing") from None
    except IsADirectoryError:
        raise ImageUnfit(f"{path} is a folder: name an image in it", "missing") from None
    except OSError as wrong:
        raise ImageUnfit(f"{path} cannot be read: {wrong.strerror or wrong}", "missing") from None
    return read_attachment(data, path.name)
