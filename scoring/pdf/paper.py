"""A PDF being drawn: words that fit, lines, boxes, QR codes."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from typing import Literal

import segno
from django.utils.translation import get_language
from reportlab import rl_config
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from scoring.pdf.typeface import BOLD, REGULAR, composed, fit, register_fonts, width_of

Align = Literal["left", "right", "centre"]
Colour = tuple[float, float, float]
Box = tuple[int, int, int, int]

INK: Colour = (0.1, 0.1, 0.1)
SOFT: Colour = (0.36, 0.36, 0.36)
RULE: Colour = (0.62, 0.62, 0.62)
SHADE: Colour = (0.93, 0.93, 0.93)
RED: Colour = (0.72, 0.07, 0.12)
WHITE: Colour = (1, 1, 1)

QUIET = 4
"""Light modules around a QR code, as the standard wants them."""

# Streams as bytes: written as text they are a quarter larger and take longer than all drawing.
rl_config.useA85 = 0


class Paper:
    """A document of A4 pages, measured in points from the lower left corner.

    Names go onto it as they are: nothing in them is taken for markup.
    """

    def __init__(self, title: str, *, author: str, wide: bool = False) -> None:
        register_fonts()
        self.width: float
        self.height: float
        self.width, self.height = landscape(A4) if wide else A4
        self._bytes = BytesIO()
        self._canvas = Canvas(
            self._bytes,
            pagesize=(self.width, self.height),
            lang=get_language() or "nl",
            initialFontName=REGULAR,
        )
        self._canvas.setTitle(title)
        self._canvas.setAuthor(author)
        self._canvas.setCreator("Klaverclub")

    def next_page(self) -> None:
        """This page is done; what is drawn from now on comes on the next."""
        self._canvas.showPage()

    def finish(self) -> bytes:
        """The whole file; the last page must have been ended by `next_page`."""
        self._canvas.save()
        return self._bytes.getvalue()

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 10,
        bold: bool = False,
        align: Align = "left",
        width: float | None = None,
        smallest: float | None = None,
        colour: Colour = INK,
    ) -> float:
        """Write one line with its foot at `y`, from, to or around `x`; returns how wide it is.

        Where a `width` is given the words shrink to it, not below `smallest` (two thirds of the
        size unless told otherwise), and then lose their end to an ellipsis.
        """
        font = BOLD if bold else REGULAR
        words = composed(words)
        if width is not None:
            words, size = fit(words, font, size, width, smallest or size * 2 / 3)
        drawn = width_of(words, font, size)
        self._canvas.setFont(font, size)
        self._canvas.setFillColorRGB(*colour)
        self._canvas.drawString(x - drawn * {"left": 0, "centre": 0.5, "right": 1}[align], y, words)
        return drawn

    def line(
        self,
        x: float,
        y: float,
        to_x: float,
        to_y: float,
        *,
        thick: float = 0.5,
        colour: Colour = INK,
        dashes: Sequence[float] = (),
    ) -> None:
        """A straight line between two points."""
        self._canvas.setStrokeColorRGB(*colour)
        self._canvas.setLineWidth(thick)
        self._canvas.setDash(list(dashes))
        self._canvas.line(x, y, to_x, to_y)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: Colour | None = None,
        thick: float = 0,
    ) -> None:
        """A rectangle on its lower left corner, filled or with an outline `thick` wide."""
        self._canvas.setDash([])
        self._canvas.setLineWidth(thick)
        self._canvas.setStrokeColorRGB(*INK)
        self._canvas.setFillColorRGB(*(fill or WHITE))
        self._canvas.rect(x, y, width, height, stroke=int(thick > 0), fill=int(fill is not None))

    def qr(self, x: float, y: float, size: float, link: str) -> None:
        """The QR code that says exactly `link`, `size` points square with its quiet zone.

        Reads on paper from 60 points up for the links of tables.
        """
        boxes, modules = _qr_boxes(link)
        path = self._canvas.beginPath()
        for box in boxes:
            path.rect(*box)
        self._canvas.saveState()
        self._canvas.translate(x, y)
        self._canvas.scale(size / modules, size / modules)
        self._canvas.setFillColorRGB(0, 0, 0)
        self._canvas.drawPath(path, stroke=0, fill=1)
        self._canvas.restoreState()


@lru_cache(maxsize=400)
def _qr_boxes(link: str) -> tuple[list[Box], int]:
    """The dark parts of a QR code, and how many modules it is wide with its quiet zone.

    Kept, since a table's code is the same on the sheets of every round.
    """
    rows = [bytes(row) for row in segno.make_qr(link, error="m").matrix]
    top = len(rows) + QUIET
    boxes = [
        (left + QUIET, top - first - height, width, height)
        for left, first, width, height in _dark_boxes(rows)
    ]
    return boxes, len(rows) + 2 * QUIET


def _dark_boxes(rows: Sequence[bytes]) -> Iterator[Box]:
    """The dark modules as few boxes: left, top, width and height, counted from the upper left."""
    growing: dict[tuple[int, int], int] = {}
    for number, row in enumerate([*rows, b""]):
        runs = {found.span() for found in re.finditer(b"\x01+", row)}
        for start, end in [run for run in growing if run not in runs]:
            top = growing.pop((start, end))
            yield start, top, end - start, number - top
        for run in runs:
            growing.setdefault(run, number)
