"""Weights of a typeface out of the variable files it comes in, as woff2 and as TrueType."""

import shutil
import string
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from tools.fonts.letters import compose
from tools.fonts.packing import pack

ROOT: Final = Path(__file__).parents[2]
WEB: Final = ROOT / "clubs" / "static" / "clubs" / "fonts"
PAPER: Final = ROOT / "scoring" / "pdf" / "fonts"

LETTERS: Final = [
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *(0x192, 0x1A0, 0x1A1, 0x1AF, 0x1B0, *range(0x1E6, 0x1E8), *range(0x218, 0x21C), 0x259),
    *range(0x1E80, 0x1E86),
    0x1E9E,
    *range(0x1EA0, 0x1EFA),
    *(0x2009, *range(0x2010, 0x2016), *range(0x2018, 0x201F), *range(0x2020, 0x2023)),
    *(0x2026, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x2044, 0x20AC, 0x2122, 0x2212),
]
"""Latin with every accent, Vietnamese included, and the signs of running text."""

USUAL: Final = [
    *map(ord, string.ascii_letters + string.digits + " !%&'()+,-./:;?"),
    *map(ord, "áèéëïóöü·×–‘’“”…›€−"),
    *(0xA0, 0x2010, 0x2011),
]
"""What a Dutch page hardly goes beyond: a phone fetches the other letters when it meets one."""

BOTH_WEIGHTS: Final = "atkinson.woff2"
WEB_FEATURES: Final = ("kern", "tnum")

DIGITS: Final = "zero one two three four five six seven eight nine".split()


@dataclass(frozen=True, slots=True)
class Face:
    """One weight as it is handed out. Paper knows no features, so its figures are one width."""

    family: str
    style: str
    package: str
    sources: str
    axes: Mapping[str, float]
    web: str

    @property
    def postscript(self) -> str:
        return f"{self.family.replace(' ', '')}-{self.style}"


_ATKINSON: Final = ("atkinson-hyperlegible-next", "atkinson-hyperlegible-next-{}-wght-normal.woff2")
_FRAUNCES: Final = ("fraunces", "fraunces-{}-full-normal.woff2")
_WARM: Final = {"wght": 600, "opsz": 48, "SOFT": 100, "WONK": 0}

FACES: Final = [
    Face("Atkinson Hyperlegible Next", "Regular", *_ATKINSON, {"wght": 400}, "atkinson-400"),
    Face("Atkinson Hyperlegible Next", "Bold", *_ATKINSON, {"wght": 700}, "atkinson-700"),
    Face("Fraunces", "SemiBold", *_FRAUNCES, _WARM, "fraunces-600"),
]


def main(packages: Path) -> None:
    """Write all files and the licences beside them, and say what no glyph could be made for."""
    WEB.mkdir(exist_ok=True)
    for face in FACES:
        folder = packages / face.package
        for name, letters in web_files(face).items():
            _write(_cut(_whole(folder, face), WEB_FEATURES, letters, names=[1, 2]), name)
        paper = _whole(folder, face)
        _set_figures(paper)
        paper = _cut(paper, [], LETTERS, names=[0, 1, 2, 3, 4, 5, 6, 13, 14])
        paper.flavor = None
        paper.save(PAPER / f"{face.postscript}.ttf")
        for place in (WEB, PAPER):
            shutil.copy(folder / "LICENSE", place / f"OFL-{face.family.replace(' ', '')}.txt")
        lacking = "".join(chr(code) for code in LETTERS if code not in paper.getBestCmap())
        sys.stdout.write(f"{face.postscript} lacks {lacking}\n")
    _write(_both_weights(packages / _ATKINSON[0]), BOTH_WEIGHTS)


def _write(font: TTFont, name: str) -> None:
    pack(font)
    font.flavor = "woff2"
    font.save(WEB / name)


def _both_weights(folder: Path) -> TTFont:
    """The usual letters in regular and bold, which weigh a seventh less in one file."""
    path = folder / "files" / _ATKINSON[1].format("latin")
    font = instantiateVariableFont(TTFont(path, recalcTimestamp=False), {"wght": (400, 700)})
    _add_hyphens(font)
    for name in font.getGlyphOrder():
        font["gvar"].variations.setdefault(name, [])
    return _cut(font, WEB_FEATURES, USUAL, names=[1, 2])


def _whole(folder: Path, face: Face) -> TTFont:
    """This weight with the letters of all files, and those that they have only in parts."""
    fonts = list(_instances(folder, face))
    font = fonts[0]
    for other in fonts[1:]:
        _add(font, other)
    _add_hyphens(font)
    compose(font, LETTERS)
    font.setGlyphOrder(list(font["glyf"].glyphOrder))
    _name(font, face)
    return font


def _instances(folder: Path, face: Face) -> Iterator[TTFont]:
    for part in ("latin", "latin-ext", "vietnamese"):
        path = folder / "files" / face.sources.format(part)
        if path.exists():
            yield instantiateVariableFont(TTFont(path, recalcTimestamp=False), dict(face.axes))


def _add(font: TTFont, other: TTFont) -> None:
    """Give the font the glyphs of the other that it has not; they agree about those both have."""
    known = set(font.getGlyphOrder())
    for name in other.getGlyphOrder():
        if name not in known:
            font["glyf"][name] = other["glyf"][name]
            font["hmtx"][name] = other["hmtx"][name]
    for table in font["cmap"].tables:
        table.cmap = {**other.getBestCmap(), **table.cmap}


def _set_figures(font: TTFont) -> None:
    """Figures of one width in place of the others: those of the font, if it brings them."""
    for digit in DIGITS:
        name = f"{digit}.tf"
        if name in font["hmtx"].metrics:
            for table in font["cmap"].tables:
                table.cmap = {
                    code: name if glyph == digit else glyph for code, glyph in table.cmap.items()
                }


def web_files(face: Face) -> dict[str, list[int]]:
    """The files of a face for the web, and the letters in each; the usual ones of the text stand in
    `BOTH_WEIGHTS`."""
    files = {f"{face.web}-more.woff2": [code for code in LETTERS if code not in USUAL]}
    return files if face.package == _ATKINSON[0] else {f"{face.web}.woff2": USUAL, **files}


def _cut(
    font: TTFont, features: Sequence[str], letters: Sequence[int], *, names: Sequence[int]
) -> TTFont:
    options = Options(
        layout_features=list(features),
        notdef_outline=True,
        hinting=False,
        name_IDs=list(names),
        drop_tables=[*Options().drop_tables, "HVAR", "MVAR", "STAT"],
    )
    cutter = Subsetter(options)
    cutter.populate(unicodes=letters)
    cutter.subset(font)
    return font


def _add_hyphens(font: TTFont) -> None:
    for table in font["cmap"].tables:
        table.cmap |= dict.fromkeys((0xAD, 0x2010, 0x2011), table.cmap[ord("-")])


def _name(font: TTFont, face: Face) -> None:
    table = font["name"]
    words = {
        1: face.family,
        2: face.style,
        3: face.postscript,
        4: f"{face.family} {face.style}",
        6: face.postscript,
    }
    for number in (16, 17, 21, 22, 25):
        table.removeNames(nameID=number)
    for number, text in words.items():
        table.setName(text, number, 3, 1, 0x409)
