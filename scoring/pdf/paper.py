"""Drawing a PDF: fonts, text that fits, lines, boxes, QR codes and logos."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from io import BytesIO
from math import sqrt
from pathlib import Path
from typing import Literal

import segno
from django.utils.translation import get_language
from reportlab import rl_config
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.utils import ImageReader, simpleSplit
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from clubs.models import ClubLogo

REGULAR, BOLD = "KlaverclubSans", "KlaverclubSans-Bold"
ELLIPSIS = "…"

_FOLDER = Path(__file__).parent / "fonts"
_FILES = {REGULAR: "DejaVuSans.ttf", BOLD: "DejaVuSans-Bold.ttf"}


@cache
def register_fonts() -> None:
    """Make the two fonts known to reportlab, once a process."""
    for name, file in _FILES.items():
        registerFont(TTFont(name, _FOLDER / file))


def width_of(text: str, font: str, size: float) -> float:
    """How wide the text is, in points."""
    register_fonts()
    return float(stringWidth(text, font, size))


def composed(text: str) -> str:
    """The text with every accented letter as one character; the fonts have no combining accents."""
    return unicodedata.normalize("NFC", text)


def fit(text: str, font: str, size: float, width: float, smallest: float) -> tuple[str, float]:
    """The text and the size at which it is no wider than `width` points.

    The size shrinks down to `smallest`; what is too long even then ends in an ellipsis.

    >>> fit("Jan", REGULAR, 12, 100, 8)
    ('Jan', 12)
    >>> fit("Maria van den Heuvel-Nieuwenhuizen", REGULAR, 12, 100, 8)[0]
    'Maria van den Heuvel-…'
    """
    full = width_of(text, font, size)
    if full <= width:
        return text, size
    if full * smallest / size <= width:
        return text, size * width / full
    return _cut(text, font, smallest, width), smallest


def wrap(text: str, font: str, size: float, width: float) -> Sequence[str]:
    """The text as lines no wider than `width` points."""
    register_fonts()
    lines: list[str] = simpleSplit(text, font, size, width)
    return lines


def _cut(text: str, font: str, size: float, width: float) -> str:
    while text and width_of(text + ELLIPSIS, font, size) > width:
        text = text[:-1].rstrip()
    return text + ELLIPSIS


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
"""Light modules around a QR code, as the standard requires."""

# Streams as bytes: written as text they are a quarter larger and take longer than all drawing.
rl_config.useA85 = 0


class Paper:
    """A document of A4 pages, measured in points from the lower left corner.

    Names go onto it as they are: nothing in them is taken for markup. With `halved` two pages come
    side by side on each sheet of paper, smaller, with a line between them to cut along.
    """

    def __init__(
        self, title: str, *, author: str, wide: bool = False, halved: bool = False
    ) -> None:
        register_fonts()
        self.width: float
        self.height: float
        self.width, self.height = landscape(A4) if wide else A4
        self._halved = halved
        self._on_right = self._begun = False
        self._pictures: dict[int, ImageReader] = {}
        self._bytes = BytesIO()
        self._canvas = Canvas(
            self._bytes,
            pagesize=landscape(A4) if halved else (self.width, self.height),
            lang=get_language() or "nl",
            initialFontName=REGULAR,
        )
        self._canvas.setTitle(title)
        self._canvas.setAuthor(author)
        self._canvas.setCreator("Klaverclub")

    def next_page(self) -> None:
        """This page is done; what is drawn from now on comes on the next."""
        if self._halved:
            self._pen().restoreState()
            self._begun, self._on_right = False, not self._on_right
        if not self._on_right:
            self._canvas.showPage()

    def turn(self, *, wide: bool) -> None:
        """Lay the page that begins now, and those after it, on its side or upright."""
        self.width, self.height = landscape(A4) if wide else A4
        self._canvas.setPageSize((self.width, self.height))

    def chapter(self, title: str) -> None:
        """Let readers on a screen jump to this page by this title."""
        key = f"page-{self._canvas.getPageNumber()}-{title}"
        self._canvas.bookmarkPage(key)
        self._canvas.addOutlineEntry(title, key)

    def finish(self) -> bytes:
        """The whole file; the last page must have been ended by `next_page`."""
        if self._on_right:
            self._canvas.showPage()
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
        size by default), and then end in an ellipsis.
        """
        font = BOLD if bold else REGULAR
        words = composed(words)
        if width is not None:
            words, size = fit(words, font, size, width, smallest or size * 2 / 3)
        drawn = width_of(words, font, size)
        pen = self._pen()
        pen.setFont(font, size)
        pen.setFillColorRGB(*colour)
        pen.drawString(x - drawn * {"left": 0, "centre": 0.5, "right": 1}[align], y, words)
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
        pen = self._pen()
        pen.setStrokeColorRGB(*colour)
        pen.setLineWidth(thick)
        pen.setDash(list(dashes))
        pen.line(x, y, to_x, to_y)

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
        pen = self._pen()
        pen.setDash([])
        pen.setLineWidth(thick)
        pen.setStrokeColorRGB(*INK)
        pen.setFillColorRGB(*(fill or WHITE))
        pen.rect(x, y, width, height, stroke=int(thick > 0), fill=int(fill is not None))

    def qr(self, x: float, y: float, size: float, link: str) -> None:
        """The QR code that says exactly `link`, `size` points square with its quiet zone.

        Reads on paper from 60 points up for the links of tables.
        """
        path, modules = _qr_path(link)
        pen = self._pen()
        pen.saveState()
        pen.translate(x, y)
        pen.scale(size / modules, size / modules)
        pen.setFillColorRGB(0, 0, 0)
        pen.drawPath(path, stroke=0, fill=1)
        pen.restoreState()

    def logo(self, x: float, top: float, logo: ClubLogo, *, width: float, height: float) -> float:
        """Draw a club's logo from its upper left corner, as large as fits; returns how wide it
        is. However often it is drawn, the file holds it once."""
        scale = min(width / logo.width, height / logo.height)
        drawn, tall = logo.width * scale, logo.height * scale
        if logo.pk not in self._pictures:
            self._pictures[logo.pk] = ImageReader(BytesIO(bytes(logo.png)))
        picture = self._pictures[logo.pk]
        self._pen().drawImage(picture, x, top - tall, width=drawn, height=tall, mask="auto")
        return drawn

    def _pen(self) -> Canvas:
        """What to draw with: on half a page as if that were a whole one."""
        if self._halved and not self._begun:
            self._begun = True
            if self._on_right:
                self._canvas.setDash([4, 4])
                self._canvas.line(self.height / 2, 0, self.height / 2, self.width)
                self._canvas.setDash([])
            self._canvas.saveState()
            self._canvas.translate(self.height / 2 if self._on_right else 0, 0)
            self._canvas.scale(sqrt(0.5), sqrt(0.5))
        return self._canvas


@lru_cache(maxsize=400)
def _qr_path(link: str) -> tuple[PDFPathObject, int]:
    """The dark parts of a QR code, and its width in modules including the quiet zone.

    Cached, since a table's code is the same on the sheets of every round, and written as PDF
    operators, since reportlab's own drawing takes as long as the rest of a sheet. The mask is
    fixed: links are random, so comparing all eight masks would gain nothing.
    """
    rows = [bytes(row) for row in segno.make_qr(link, error="m", mask=3).matrix]
    top = len(rows) + QUIET
    boxes = [
        f"{left + QUIET} {top - first - height} {width} {height} re"
        for left, first, width, height in _dark_boxes(rows)
    ]
    return PDFPathObject(boxes), len(rows) + 2 * QUIET


def _dark_boxes(rows: Sequence[bytes]) -> Iterator[Box]:
    """The dark modules as few boxes: left, top, width and height, counted from the upper left."""
    growing: dict[tuple[int, int], int] = {}
    for number, row in enumerate([*rows, b""]):
        runs = {match.span() for match in re.finditer(b"\x01+", row)}
        for start, end in [run for run in growing if run not in runs]:
            top = growing.pop((start, end))
            yield start, top, end - start, number - top
        for run in runs:
            growing.setdefault(run, number)
