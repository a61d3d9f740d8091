"""Accented letters put together from the parts a font has, and two parts of Vietnamese drawn."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from math import cos, hypot, radians, sin
from typing import Final, NamedTuple

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

MARKS: Final = {
    "\u0300": "gravecomb",
    "\u0301": "acutecomb",
    "\u0302": "uni0302",
    "\u0303": "tildecomb",
    "\u0304": "uni0304",
    "\u0306": "uni0306",
    "\u0307": "uni0307",
    "\u0308": "uni0308",
    "\u0309": "hookabove",
    "\u030a": "uni030A",
    "\u030b": "uni030B",
    "\u030c": "uni030C",
    "\u031b": "horn",
    "\u0323": "uni0307",
    "\u0326": "uni0326",
    "\u0327": "uni0326",
}
"""What the font calls each accent; the dot below is the dot above, and cedillas are commas."""

HORN, DOT_BELOW = "\u031b", "\u0323"
BELOW: Final = f"{DOT_BELOW}\u0326\u0327"

ASCENDER: Final = 600
RAISED: Final = 172
"""How much higher the font puts an accent on a capital than on a small letter."""
GAP_ABOVE, GAP_BELOW = 25, 55

Point = tuple[float, float]
Part = tuple[str, float, float]


class Bounds(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


def compose(font: TTFont, letters: Iterable[int]) -> None:
    """Make the letters that the font has the parts of and not the whole."""
    lacking = [code for code in letters if code not in font.getBestCmap()]
    if not lacking or "uni0302" not in font["hmtx"].metrics:
        return
    stem = _bounds(font, "uni0304").top - _bounds(font, "uni0304").bottom
    _draw(font, "hookabove", _stroke(_hook(stem), stem))
    _draw(font, "horn", _stroke(_horn(stem), stem))
    for code in lacking:
        base, *marks = list(unicodedata.normalize("NFD", chr(code)))
        if marks and ord(base) in font.getBestCmap():
            _build(font, code, base, _in_order(marks))


def _in_order(marks: Sequence[str]) -> Sequence[str]:
    """What touches the letter first, then the lower of two accents above it."""
    return sorted(marks, key=lambda mark: (mark not in BELOW, mark != HORN))


def _build(font: TTFont, code: int, base: str, marks: Sequence[str]) -> None:
    if any(MARKS.get(mark) not in font["hmtx"].metrics for mark in marks):
        return
    accents = [mark for mark in marks if mark not in BELOW and mark != HORN]
    glyph = font.getBestCmap()[ord("ı" if base == "i" and accents else base)]
    letter = _bounds(font, glyph)
    parts: list[Part] = [
        (glyph, 0, 0),
        *(_beside(font, mark, letter) for mark in marks if mark not in accents),
        *_above(font, accents, letter, _middle_above(font, glyph, letter)),
    ]
    pen = TTGlyphPen(font.getGlyphSet())
    for part, x, y in parts:
        pen.addComponent(part, (1, 0, 0, 1, round(x), round(y)))
    width = font["hmtx"][glyph][0] + (_bounds(font, "horn").right / 2 if HORN in marks else 0)
    name = f"uni{code:04X}"
    _put(font, name, pen, width)
    for table in font["cmap"].tables:
        table.cmap[code] = name


def _beside(font: TTFont, mark: str, letter: Bounds) -> Part:
    """A horn, a dot below, or a comma, which the font draws where it belongs."""
    name = MARKS[mark]
    box = _bounds(font, name)
    if mark == HORN:
        return name, letter.right - box.right / 3, letter.top - box.top / 2
    if mark == DOT_BELOW:
        return name, letter.middle - box.middle, min(0, letter.bottom) - box.top - GAP_BELOW
    return name, letter.middle - box.middle, 0


def _above(font: TTFont, marks: Sequence[str], letter: Bounds, middle: float) -> Iterator[Part]:
    """The first accent over the letter, a second on top of it."""
    under: Bounds | None = None
    for mark in marks:
        name = MARKS[mark]
        box = _bounds(font, name)
        x, y = middle - box.middle, RAISED if letter.top > ASCENDER else 0.0
        if under:
            y = under.top - box.bottom + GAP_ABOVE
        elif y and f"{name}.case" in font["hmtx"].metrics:
            name, y = f"{name}.case", 0
            x = middle - _bounds(font, name).middle
        under = Bounds(box.left + x, box.bottom + y, box.right + x, box.top + y)
        yield name, x, y


def _middle_above(font: TTFont, glyph: str, letter: Bounds) -> float:
    """Where accents stand on this letter, as the letters that the font brings have it."""
    for name in font.getGlyphOrder():
        whole = font["glyf"][name]
        if whole.isComposite() and len(whole.components) == 2:
            first, second = whole.components
            if first.glyphName == glyph and second.glyphName in ("uni0302", "uni0308", "uni030C"):
                return float(second.x) + _bounds(font, second.glyphName).middle
    return letter.middle


def _bounds(font: TTFont, name: str) -> Bounds:
    glyph = font["glyf"][name]
    glyph.recalcBounds(font["glyf"])
    return Bounds(glyph.xMin, glyph.yMin, glyph.xMax, glyph.yMax)


def _hook(stem: float) -> Sequence[Point]:
    """The middle of the stroke of a hook above: a question mark without its dot."""
    radius = stem * 0.85
    arc = [
        (radius * cos(radians(angle)), 640 + stem / 2 + radius * sin(radians(angle)))
        for angle in range(165, -61, -15)
    ]
    return [*arc, (0, 575 + stem / 3)]


def _horn(stem: float) -> Sequence[Point]:
    """The middle of the stroke of a horn: to the right, and up."""
    return [
        (stem * 1.9 * sin(radians(angle)), stem * 1.9 * (1 - cos(radians(angle))))
        for angle in range(0, 91, 10)
    ]


def _stroke(line: Sequence[Point], thick: float) -> Sequence[Point]:
    """The outline of a line drawn `thick` wide."""
    half = thick / 2
    one_side: list[Point] = []
    other_side: list[Point] = []
    for number, (x, y) in enumerate(line):
        before, after = line[max(number - 1, 0)], line[min(number + 1, len(line) - 1)]
        along_x, along_y = after[0] - before[0], after[1] - before[1]
        length = hypot(along_x, along_y)
        across = (-along_y / length * half, along_x / length * half)
        one_side.append((x + across[0], y + across[1]))
        other_side.append((x - across[0], y - across[1]))
    return [*one_side, *reversed(other_side)]


def _draw(font: TTFont, name: str, outline: Sequence[Point]) -> None:
    pen = TTGlyphPen(None)
    left = min(x for x, _ in outline)
    pen.moveTo((round(outline[0][0] - left), round(outline[0][1])))
    for x, y in outline[1:]:
        pen.lineTo((round(x - left), round(y)))
    pen.closePath()
    _put(font, name, pen, 0)


def _put(font: TTFont, name: str, pen: TTGlyphPen, width: float) -> None:
    glyph = pen.glyph()
    font["glyf"][name] = glyph
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (round(width), glyph.xMin)
