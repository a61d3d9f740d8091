"""A typeface made light for a slow line: fewer points, and only the pairs of letters that are seen
to stand closer together."""

from collections.abc import Iterator
from typing import Any, Final

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.qu2cuPen import Qu2CuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

GRID: Final = 256
"""Units to an em: steps that no screen shows, and that pack well."""
SMOOTH: Final = 0.003
"""So far, in ems, an outline may run beside the drawn one if that takes fewer points."""
SEEN: Final = 0.06
"""From this many ems on a pair of letters that stands closer together is seen to."""

Pairs = dict[tuple[str, str], int]


def pack(font: TTFont) -> None:
    """Make the font light, without changing what is seen of it on a page."""
    em = font["head"].unitsPerEm
    if "gvar" not in font:  # the points of all weights belong together
        _smooth(font, SMOOTH * em)
    pairs = {pair: by for pair, by in _pairs(font).items() if abs(by) >= SEEN * em}
    if "GPOS" in font:
        del font["GPOS"]
    if "gvar" in font:
        del font["GDEF"]
    if pairs:
        lines = "".join(f"pos {one} {other} {by};" for (one, other), by in pairs.items())
        addOpenTypeFeaturesFromString(font, f"feature kern {{{lines}}} kern;", tables=["GPOS"])
    scale_upem(font, GRID)


def _smooth(font: TTFont, tolerance: float) -> None:
    glyphs = font["glyf"]
    for name in font.getGlyphOrder():
        glyph = glyphs[name]
        if glyph.isComposite() or glyph.numberOfContours <= 0:
            continue
        pen = TTGlyphPen(None)
        glyph.draw(Qu2CuPen(Cu2QuPen(pen, tolerance), tolerance, all_cubic=True), glyphs)
        smooth = pen.glyph()
        if len(smooth.coordinates) < len(glyph.coordinates):
            glyphs[name] = smooth


def _pairs(font: TTFont) -> Pairs:
    """How much closer each two letters stand; what is said first of two holds."""
    pairs: Pairs = {}
    if "GPOS" in font:
        for subtable in _subtables(font["GPOS"].table):
            for pair, by in _of_subtable(subtable, font.getGlyphOrder()):
                pairs.setdefault(pair, by)
    return pairs


def _subtables(table: Any) -> Iterator[Any]:
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == "kern":
            for number in record.Feature.LookupListIndex:
                for subtable in table.LookupList.Lookup[number].SubTable:
                    inner = subtable.ExtSubTable if subtable.LookupType == 9 else subtable
                    if inner.LookupType == 2:
                        yield inner


def _of_subtable(subtable: Any, names: list[str]) -> Iterator[tuple[tuple[str, str], int]]:
    firsts = subtable.Coverage.glyphs
    if subtable.Format == 1:
        for first, seconds in zip(firsts, subtable.PairSet, strict=True):
            for record in seconds.PairValueRecord:
                yield (first, record.SecondGlyph), _advance(record.Value1)
        return
    of_first, of_second = subtable.ClassDef1.classDefs, subtable.ClassDef2.classDefs
    for first in firsts:
        records = subtable.Class1Record[of_first.get(first, 0)].Class2Record
        for second in names:
            if by := _advance(records[of_second.get(second, 0)].Value1):
                yield (first, second), by


def _advance(value: Any) -> int:
    return getattr(value, "XAdvance", 0) or 0
