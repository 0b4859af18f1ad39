"""The containers of four image formats: their size in pixels, and a copy without metadata.

Only the pieces that a decoder needs are kept, named by a list; the compressed picture is copied byte for byte. It
shows no pixel, and knows nothing of files, names and users.
"""

from sayso.core.pictures.gif import read_gif
from sayso.core.pictures.jpeg import read_jpeg
from sayso.core.pictures.parts import MAX_SIDE, Damaged, OutOfBounds, Picture
from sayso.core.pictures.png import read_png
from sayso.core.pictures.webp import read_webp

__all__ = ["MAX_SIDE", "Damaged", "OutOfBounds", "Picture", "read_gif", "read_jpeg", "read_png", "read_webp"]
