"""Uploaded pictures, made safe: each is redrawn as a small PNG without metadata."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from clubs.text.errors import DomainError

if TYPE_CHECKING:
    from PIL import Image

MAX_BYTES: Final = 2_000_000
MAX_PHOTO_BYTES: Final = 12_000_000
PHOTO_QUALITY: Final = 85
MAX_PIXELS: Final = 25_000_000
LONGEST_SIDE: Final = 800
KINDS: Final = ("PNG", "JPEG")
_ENOUGH: Final = 2 * LONGEST_SIDE
_ORIENTATION: Final = 0x0112
_STRIP: Final = 64
_one_at_a_time: Final = threading.Lock()
"""A picture of 25 million pixels takes 100 MB while it is unpacked."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG, and how many pixels it is wide and high."""

    png: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Photo:
    """A JPEG, and how many pixels it is wide and high."""

    jpeg: bytes
    width: int
    height: int


def photo_read(content: bytes) -> Photo:
    """A photo as a camera or a telephone makes it, drawn anew like other pictures, as a JPEG.

    Raises DomainError `picture_too_large` (more than 12 MB, or than 25 million pixels) or
    `no_picture`.
    """
    from PIL import Image

    if len(content) > MAX_PHOTO_BYTES:
        raise DomainError("picture_too_large", _("The file is larger than 12 MB."))
    drawn = _drawn(content)
    flat = Image.new("RGB", drawn.size, "white")
    flat.paste(drawn, mask=drawn.getchannel("A") if drawn.mode == "RGBA" else None)
    file = BytesIO()
    flat.save(file, "JPEG", quality=PHOTO_QUALITY, optimize=True)
    return Photo(file.getvalue(), flat.width, flat.height)


def picture_read(content: bytes) -> Picture:
    """The picture in a PNG or JPEG file, upright and at most 800 pixels a side.

    Raises DomainError `picture_too_large` (more than 2 MB, or than 25 million pixels) or
    `no_picture`.
    """
    if len(content) > MAX_BYTES:
        raise DomainError("picture_too_large", _("The file is larger than 2 MB."))
    drawn = _drawn(content)
    file = BytesIO()
    drawn.save(file, "PNG", optimize=True)
    return Picture(file.getvalue(), drawn.width, drawn.height)


def _drawn(content: bytes) -> "Image.Image":
    """The picture drawn anew, upright and at most 800 pixels a side."""
    from PIL import Image

    source = BytesIO(content)
    with _one_at_a_time, _unreadable_refused(), Image.open(source, formats=KINDS) as uploaded:
        _require_not_too_many_pixels(uploaded)
        uploaded.draft("RGB", (_ENOUGH, _ENOUGH))
        return _redrawn(uploaded)


@contextmanager
def _unreadable_refused() -> Iterator[None]:
    """Turn any error of Pillow into a DomainError."""
    from PIL import Image

    try:
        yield
    except DomainError:
        raise
    except Image.DecompressionBombError as error:
        raise _too_many_pixels() from error
    except Exception as error:
        message = _("This file cannot be read as a picture. Choose a PNG or a JPEG.")
        raise DomainError("no_picture", message) from error


def _require_not_too_many_pixels(picture: "Image.Image") -> None:
    """Check the declared size before anything is unpacked."""
    if picture.width * picture.height > MAX_PIXELS:
        raise _too_many_pixels()


def _too_many_pixels() -> DomainError:
    return DomainError(
        "picture_too_large", _("The picture has more than 25 million pixels. Choose a smaller one.")
    )


def _redrawn(picture: "Image.Image") -> "Image.Image":
    """A copy of the pixels alone, without location, camera or colour profile."""
    from PIL import Image, ImageOps

    mode = "RGBA" if picture.has_transparency_data else "RGB"
    small = _reduced(picture, mode)
    small.getexif()[_ORIENTATION] = picture.getexif().get(_ORIENTATION, 1)
    upright = ImageOps.exif_transpose(small)
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    drawn = Image.new(mode, upright.size)
    drawn.paste(upright)
    return drawn


def _reduced(picture: "Image.Image", mode: str) -> "Image.Image":
    """The picture at less than twice the size that it will have, strip by strip: to convert the
    whole of a large one would take several times its memory."""
    from PIL import Image

    factor = max(1, max(picture.size) // _ENOUGH)
    small = Image.new(mode, (-(-picture.width // factor), -(-picture.height // factor)))
    for top in range(0, picture.height, _STRIP * factor):
        bottom = min(top + _STRIP * factor, picture.height)
        strip = picture.crop((0, top, picture.width, bottom)).convert(mode)
        small.paste(strip.reduce(factor), (0, top // factor))
    return small
