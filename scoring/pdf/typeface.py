"""DejaVu Sans for paper, and words made to fit."""

import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont

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
    """The text with every letter and its accents as one sign; the fonts place no loose ones."""
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
