"""Drawing a PDF: fonts, text that fits, lines, boxes, QR codes and logos."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from io import BytesIO
from itertools import groupby
from math import cos, pi, sin
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from django.utils.translation import get_language

from clubs.models import ClubLogo

# A server that prints nothing need not hold reportlab in its memory.
if TYPE_CHECKING:
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.pdfgen.pathobject import PDFPathObject

REGULAR, BOLD, HEADING = "KlaverclubSans", "KlaverclubSans-Bold", "KlaverclubHeading"
REST, REST_BOLD = "KlaverclubRest", "KlaverclubRest-Bold"
ELLIPSIS = "…"

SMALLEST = 8.0
"""Nothing on paper is smaller, in points: many who read it are over seventy."""
NARROWEST = 0.78
"""How far letters may be pressed together, where the smallest size is still too wide."""

_FOLDER = Path(__file__).parent / "fonts"
_FILES = {
    REGULAR: "AtkinsonHyperlegibleNext-Regular.ttf",
    BOLD: "AtkinsonHyperlegibleNext-Bold.ttf",
    HEADING: "Fraunces-SemiBold.ttf",
    REST: "DejaVuSans.ttf",
    REST_BOLD: "DejaVuSans-Bold.ttf",
}
_NEXT = {REGULAR: (REST,), BOLD: (REST_BOLD,), HEADING: (BOLD, REST_BOLD)}
"""Where the letters and suits are that a font lacks."""


@cache
def register_fonts() -> None:
    """Make the fonts known to reportlab, once a process."""
    from reportlab import rl_config
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    # Streams as bytes: written as text they are a quarter larger and take longer than all drawing.
    rl_config.useA85 = 0
    for name, file in _FILES.items():
        registerFont(TTFont(name, _FOLDER / file))


@cache
def _signs(font: str) -> frozenset[int]:
    from reportlab.pdfbase.pdfmetrics import getFont

    register_fonts()
    return frozenset(getFont(font).face.charToGlyph)


@lru_cache(maxsize=20_000)
def in_fonts(text: str, font: str) -> tuple[tuple[str, str], ...]:
    """The text in pieces, each with the font that has its letters."""
    own = _signs(font)
    if all(ord(sign) in own for sign in text):
        return ((font, text),)
    fonts = [_font_of(sign, font) for sign in text]
    pieces = groupby(zip(fonts, text, strict=True), key=itemgetter(0))
    return tuple((name, "".join(sign for _name, sign in piece)) for name, piece in pieces)


def _font_of(sign: str, font: str) -> str:
    choices = (font, *_NEXT.get(font, ()))
    return next((name for name in choices if ord(sign) in _signs(name)), font)


@lru_cache(maxsize=20_000)
def _em_width(text: str, font: str) -> float:
    """How wide the text is at a size of one point."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    return sum(float(stringWidth(part, name, 1)) for name, part in in_fonts(text, font))


def width_of(text: str, font: str, size: float) -> float:
    """How wide the text is, in points."""
    return _em_width(text, font) * size


def composed(text: str) -> str:
    """The text with every accented letter as one character; the fonts have no combining accents."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


class Fitted(NamedTuple):
    """Words as they fit: the size, and how far they are pressed together, from 1 down."""

    words: str
    size: float
    stretch: float = 1


def fit(text: str, font: str, size: float, width: float, smallest: float = SMALLEST) -> Fitted:
    """The text so that it is no wider than `width` points.

    The size shrinks down to `smallest`; then letters are pressed together, and what is too long
    even then ends in an ellipsis.

    >>> fit("Jan", REGULAR, 12, 100)
    Fitted(words='Jan', size=12, stretch=1)
    >>> fit("Maria Johanna van den Heuvel-Nieuwenhuizen", REGULAR, 12, 100).words
    'Maria Johanna van den Heuvel-Ni…'
    """
    full = width_of(text, font, size)
    if full <= width:
        return Fitted(text, size)
    if full * smallest / size <= width:
        return Fitted(text, size * width / full)
    least = full * smallest / size
    if least * NARROWEST <= width:
        return Fitted(text, smallest, width / least)
    return Fitted(_cut(text, font, smallest, width / NARROWEST), smallest, NARROWEST)


def wrap(text: str, font: str, size: float, width: float) -> list[str]:
    """The text as lines no wider than `width` points, broken between words."""
    lines: list[str] = []
    for word in composed(text).split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, font, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _cut(text: str, font: str, size: float, width: float) -> str:
    while text and width_of(text + ELLIPSIS, font, size) > width:
        text = text[:-1].rstrip()
    return text + ELLIPSIS


Align = Literal["left", "right", "centre"]
Colour = tuple[float, float, float]
Stroke = tuple[Colour, float, tuple[float, ...]]
"""The colour of a line, how thick it is, and its dashes."""
Box = tuple[int, int, int, int]


def colour_of(code: str) -> Colour:
    """The colour that the style sheet calls `#14523a`."""
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


# The screen's own, from klaverclub.css; rules are darker, since thin lines print light.
INK, SOFT = colour_of("#231c13"), colour_of("#4a3f30")
RULE, SHADE, TINT = colour_of("#a79a7c"), colour_of("#ece3cd"), colour_of("#dfe8d3")
RED, FELT, WOOD = colour_of("#8e0f1b"), colour_of("#14523a"), colour_of("#7a4a22")
CREAM, ON_FELT = colour_of("#fffcf3"), colour_of("#fbf6e8")
GOLD, SILVER, BRONZE = colour_of("#c9982f"), colour_of("#98a0a3"), colour_of("#b0743c")
WHITE: Colour = (1, 1, 1)

MM: Final = 72 / 25.4
A4: Final = 210 * MM, 297 * MM
A5 = A4[1] / 2, A4[0]
"""Half a sheet of A4, so that two lie side by side on one."""

QUIET = 4
"""Light modules around a QR code, as the standard requires."""


class Paper:
    """A document of pages of A4, or of A5 if `small`, measured in points from the lower left
    corner.

    Names go onto it as they are: nothing in them is taken for markup. With `halved` pages are of
    A5 and two come side by side on each sheet of A4; with `cut`, a line between them to cut along.
    """

    def __init__(
        self,
        title: str,
        *,
        author: str,
        wide: bool = False,
        small: bool = False,
        halved: bool = False,
        cut: bool = True,
    ) -> None:
        from reportlab.pdfgen.canvas import Canvas

        register_fonts()
        self.width: float
        self.height: float
        self._small = small or halved
        self._halved, self._cut = halved, cut
        self.width, self.height = self._page(wide=wide)
        self._on_right = self._begun = False
        self._fill: Colour | None = None
        self._stroke: Stroke | None = None
        self._pictures: dict[int, ImageReader] = {}
        self._bytes = BytesIO()
        self._canvas = Canvas(
            self._bytes,
            pagesize=A4[::-1] if halved else (self.width, self.height),
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
        self._fill = self._stroke = None

    def turn(self, *, wide: bool) -> None:
        """Lay the page that begins now, and those after it, on its side or upright."""
        if (self.width, self.height) != self._page(wide=wide):
            self.width, self.height = self._page(wide=wide)
            self._canvas.setPageSize((self.width, self.height))

    def _page(self, *, wide: bool) -> tuple[float, float]:
        size = A5 if self._small else A4
        return size[::-1] if wide else size

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
        heading: bool = False,
        align: Align = "left",
        width: float | None = None,
        smallest: float = SMALLEST,
        colour: Colour = INK,
    ) -> float:
        """Write one line with its foot at `y`, from, to or around `x`; returns how wide it is.

        Where a `width` is given the words are made to `fit` it. A `heading` is in the face of
        headings.
        """
        font = HEADING if heading else BOLD if bold else REGULAR
        words = composed(words)
        fitted = Fitted(words, size)
        if width is not None:
            fitted = fit(words, font, size, width, smallest)
        drawn = width_of(fitted.words, font, fitted.size) * fitted.stretch
        x -= drawn * {"left": 0, "centre": 0.5, "right": 1}[align]
        pen = self._pen(fill=colour)
        runs = in_fonts(fitted.words, font)
        if len(runs) == 1 and fitted.stretch == 1:
            pen.setFont(runs[0][0], fitted.size)
            pen.drawString(x, y, fitted.words)
        else:
            _draw_pieces(pen, (x, y), runs, fitted)
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
        pen = self._pen(stroke=(colour, thick, tuple(dashes)))
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
        edge: Colour = INK,
        round_: float = 0,
    ) -> None:
        """A rectangle on its lower left corner, filled or with an outline `thick` wide, its corners
        `round_`."""
        pen = self._pen(fill=fill, stroke=(edge, thick, ()) if thick else None)
        stroke, filled = int(thick > 0), int(fill is not None)
        if round_:
            pen.roundRect(x, y, width, height, round_, stroke=stroke, fill=filled)
        else:
            pen.rect(x, y, width, height, stroke=stroke, fill=filled)

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        *,
        fill: Colour | None = None,
        thick: float = 0,
        edge: Colour = INK,
    ) -> None:
        """A disc around a point, filled or with an outline."""
        pen = self._pen(fill=fill, stroke=(edge, thick, ()) if thick else None)
        pen.circle(x, y, radius, stroke=int(thick > 0), fill=int(fill is not None))

    def shape(self, points: Sequence[tuple[float, float]], *, fill: Colour) -> None:
        """A filled shape with straight sides between these points."""
        pen = self._pen(fill=fill)
        path = pen.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        path.close()
        pen.drawPath(path, stroke=0, fill=1)

    def star(self, x: float, y: float, radius: float, *, points: int, fill: Colour) -> None:
        """A rosette of so many blunt points around a point."""
        corners = [
            (x + reach * cos(turn * pi / points), y + reach * sin(turn * pi / points))
            for turn, reach in enumerate([radius, radius * 0.88] * points)
        ]
        self.shape(corners, fill=fill)

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
            from reportlab.lib.utils import ImageReader

            self._pictures[logo.pk] = ImageReader(BytesIO(bytes(logo.png)))
        picture = self._pictures[logo.pk]
        self._pen().drawImage(picture, x, top - tall, width=drawn, height=tall, mask="auto")
        return drawn

    def _pen(self, fill: Colour | None = None, stroke: Stroke | None = None) -> "Canvas":
        """What to draw with, in these colours: on half a sheet as if that were a whole page.

        Nothing is set that is set already: writing numbers takes half the time of drawing.
        """
        if self._halved and not self._begun:
            self._begun = True
            if self._on_right and self._cut:
                self._canvas.setDash([4, 4])
                self._canvas.line(self.width, 0, self.width, self.height)
                self._canvas.setDash([])
            self._canvas.saveState()
            if self._on_right:
                self._canvas.translate(self.width, 0)
            self._fill = self._stroke = None
        if fill is not None and fill != self._fill:
            self._fill = fill
            self._canvas.setFillColorRGB(*fill)
        if stroke is not None and stroke != self._stroke:
            self._stroke = stroke
            colour, thick, dashes = stroke
            self._canvas.setStrokeColorRGB(*colour)
            self._canvas.setLineWidth(thick)
            self._canvas.setDash(list(dashes))
        return self._canvas


def _draw_pieces(
    pen: "Canvas", at: tuple[float, float], runs: Sequence[tuple[str, str]], fitted: Fitted
) -> None:
    """Draw words in more than one font, or pressed together."""
    line = pen.beginText(*at)
    if fitted.stretch != 1:
        line.setHorizScale(fitted.stretch * 100)
    for font, words in runs:
        line.setFont(font, fitted.size)
        line.textOut(words)
    if fitted.stretch != 1:
        line.setHorizScale(100)
    pen.drawText(line)


@lru_cache(maxsize=400)
def _qr_path(link: str) -> "tuple[PDFPathObject, int]":
    """The dark parts of a QR code, and its width in modules including the quiet zone.

    Cached, since a table's code is the same on the sheets of every round, and written as PDF
    operators, since reportlab's own drawing takes as long as the rest of a sheet. The mask is
    fixed: links are random, so comparing all eight masks would gain nothing.
    """
    import segno
    from reportlab.pdfgen.pathobject import PDFPathObject

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
