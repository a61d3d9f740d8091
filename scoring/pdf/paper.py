"""A PDF being drawn: words that fit, lines, boxes, QR codes."""

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Literal

import segno
from django.utils.translation import get_language
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from scoring.pdf.typeface import BOLD, REGULAR, composed, fit, register_fonts, width_of

Align = Literal["left", "right", "centre"]
Colour = tuple[float, float, float]

INK: Colour = (0.1, 0.1, 0.1)
SOFT: Colour = (0.36, 0.36, 0.36)
RULE: Colour = (0.62, 0.62, 0.62)
SHADE: Colour = (0.93, 0.93, 0.93)
RED: Colour = (0.72, 0.07, 0.12)
WHITE: Colour = (1, 1, 1)


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
            self._bytes, pagesize=(self.width, self.height), lang=get_language() or "nl"
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
        rows = list(segno.make_qr(link, error="m").matrix_iter(border=4))
        module = size / len(rows)
        path = self._canvas.beginPath()
        for number, row in enumerate(rows, start=1):
            for start, length in _dark_runs(row):
                path.rect(x + start * module, y + size - number * module, length * module, module)
        self._canvas.setFillColorRGB(0, 0, 0)
        self._canvas.drawPath(path, stroke=0, fill=1)


def _dark_runs(row: Iterable[int]) -> list[tuple[int, int]]:
    """Where dark modules start in a row, and how many follow each other there."""
    runs: list[tuple[int, int]] = []
    for at, dark in enumerate(row):
        if not dark:
            continue
        if runs and sum(runs[-1]) == at:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((at, 1))
    return runs
