"""Sheets filled in by hands that the reader was never trained on, and photographs of them."""

import csv
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from clubs.models import Club
from scoring import rules
from scoring.models import Regulation, Scoresheet
from scoring.pdf.head import Heading
from scoring.pdf.reading_sheet import ReadableSheet, readable_sheets_pdf
from scoring.pdf.sheet import SpareView
from scoring.reading.layout import PAGE, Box, Form, Layout, Row, layouts_of
from scoring.reading.picture import opened, sheets_on
from scoring.reading.reader import SheetRead, read_page
from scoring.rules import SIDES, THREE, RuleSet
from tests.missing import missing
from tests.scoring.rules.lifelike import deal_and_play

Grey = NDArray[np.uint8]
Line = dict[str, Any]

DPI = 300
DOTS = DPI / 25.4
HANDS = Path(__file__).parents[2] / "data" / "digits" / "semeion-tried.csv"
CODE = "7" + "0" * 39 + "1" + "1234567890123"
ORDINARY = Form(16)
NAMED = {"table": 4, "round": 2}
"""What people write on a spare sheet."""


@cache
def hands() -> Mapping[str, Sequence[Grey]]:
    """Italian digits: 16 by 16 bits each."""
    found: dict[str, list[Grey]] = {}
    with HANDS.open() as file:
        for row in csv.DictReader(file):
            bits = np.unpackbits(np.frombuffer(bytes.fromhex(row["bits"]), np.uint8))
            found.setdefault(row["label"], []).append(bits.reshape(16, 16) * np.uint8(255))
    return found


@cache
def empty_page(form: Form = ORDINARY, *, code: str = CODE) -> Grey:
    """The sheet as it comes from the printer, in dots; the compact one as large as the other."""
    settings = {"no_trump": True} if form.no_trump else "amsterdam"
    sheet = Scoresheet(
        pk=None if form.spare else 1,
        club=Club(name="De Vrolijke Boer", slug="boer"),
        regulation=Regulation(name="Amsterdams", settings=settings),
        deals_planned=form.deals,
        three_handed=form.three,
    )
    compact, codes = form.compact, [code] * len(layouts_of(form))
    title = "Losse tellijst" if form.spare else "Tafel 4"
    heading = Heading(title, "" if form.spare else "Ronde 2", "zaterdag 21 november 2026")
    paper = ReadableSheet(SpareView(sheet), heading, codes)
    content = readable_sheets_pdf([paper], title="Tellijst", author="Klaver Vier", compact=compact)
    return from_printer(content, compact=compact)


def from_printer(content: bytes, number: int = 1, *, compact: bool = False) -> Grey:
    """A page of a PDF in dots; of a page with two sheets the left one, as large as a whole page."""
    program = shutil.which("pdftoppm") or missing("pdftoppm", "poppler-utils")
    dpi = round(DPI * 2**0.5) if compact else DPI
    command = [program, "-r", str(dpi), "-gray", "-f", str(number), "-l", str(number), "-"]
    printed = subprocess.run(command, input=content, stdout=subprocess.PIPE, check=True).stdout
    page: Any = cv2.imdecode(np.frombuffer(printed, np.uint8), cv2.IMREAD_GRAYSCALE)
    if compact:
        size = round(PAGE[0] * DOTS), round(PAGE[1] * DOTS)
        page = cv2.resize(page[:, : page.shape[1] // 2], size, interpolation=cv2.INTER_AREA)
    return np.asarray(page, np.uint8)


@dataclass
class Filled:
    """A sheet that somebody filled in: the page, and the lines that it says."""

    page: Grey
    lines: list[Line]
    totals: dict[str, int]
    layout: Layout
    writer: "Writer"
    signs: dict[Box, str]
    """What stands in each box for a digit that is not empty."""
    crossed: set[int]
    """The deals, from 0 on, in which a digit was crossed out."""


@dataclass
class Writer:
    """How somebody writes: how large and how dark, and their habits."""

    random: Random
    height: float = 0
    dark: float = 0
    thick: float = 0
    slant: float = 0
    one_side: bool = False
    to_left: bool = False
    dashes: bool = False
    nat_as_162: bool = False
    digits: Mapping[str, Sequence[Grey]] = field(default_factory=hands)
    signs: dict[Box, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        random = self.random
        self.height = random.uniform(4.6, 7.4)
        self.dark = random.uniform(0.55, 0.97)
        self.thick = random.uniform(0.34, 0.6)
        self.slant = random.gauss(0, 0.08)
        self.one_side = random.random() < 0.12
        self.to_left = random.random() < 0.08
        self.dashes = random.random() < 0.12
        self.nat_as_162 = random.random() < 0.3

    def digit(self, page: Grey, box: Box, sign: str) -> None:
        """Write a digit in a box, not always quite within it."""
        random = self.random
        self.signs[box] = sign
        bits: Any = random.choice(self.digits[sign])
        rows, columns = np.nonzero(bits)
        part: Any = bits[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
        high = self.height * random.uniform(0.88, 1.1) * DOTS
        factor = high / max(part.shape[0], 10)
        wide = factor * random.uniform(0.72, 0.95)
        wide = min(wide, 0.97 * box[2] * DOTS / part.shape[1])
        part = cv2.copyMakeBorder(part, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0)
        large: Any = cv2.resize(part, None, fx=wide, fy=factor, interpolation=cv2.INTER_CUBIC)
        large = cv2.GaussianBlur(large.astype(np.float32) / 255, (0, 0), factor * 0.5)
        tall, broad = large.shape
        matrix = np.array([[1, -self.slant, self.slant * tall / 2], [0, 1, 0]])
        large = cv2.warpAffine(large, matrix, (broad, tall))
        ink = np.clip((large - self.thick) * 8 + 0.5, 0, 1)
        x = box[0] + box[2] / 2 + random.gauss(0, 0.35)
        y = box[1] + box[3] / 2 + random.gauss(0, 0.4)
        self._put(page, ink, x * DOTS - broad / 2, y * DOTS - tall / 2)

    def tick(self, page: Grey, box: Box) -> None:
        """A cross, or a tick, in a box."""
        random, (x, y, width, high) = self.random, box
        ink = np.zeros((round(10 * DOTS), round(10 * DOTS)), np.uint8)
        middle = np.array([5 + random.gauss(0, 0.3), 5 + random.gauss(0, 0.3)])
        size = random.uniform(0.33, 0.55) * width
        strokes: list[list[tuple[float, float]]]
        if random.random() < 0.7:
            strokes = [[(-1, -1), (1, 1)], [(-1, 1), (1, -1)]]
        else:
            strokes = [[(-0.9, 0), (-0.2, 0.9), (1, -1.1)]]
        thick = max(3, round(random.uniform(0.3, 0.7) * DOTS))
        for stroke in strokes:
            points = [
                middle + size * np.array([value + random.gauss(0, 0.12) for value in point])
                for point in stroke
            ]
            path = np.round(np.array(points) * DOTS).astype(np.int32)
            cv2.polylines(ink, [path], False, 255, thick, cv2.LINE_AA)
        left, top = (x + width / 2 - 5) * DOTS, (y + high / 2 - 5) * DOTS
        self._put(page, ink.astype(np.float32) / 255, left, top)

    def dash(self, page: Grey, box: Box) -> None:
        self.signs[box] = "-"
        y, x = box[1] + box[3] / 2 + self.random.gauss(0, 0.4), box[0] + box[2] / 2
        ends = [(x - self.random.uniform(1.2, 2.4), y), (x + self.random.uniform(1.2, 2.4), y)]
        path = np.round(np.array(ends) * DOTS).astype(np.int32)
        cv2.polylines(page, [path], False, int(255 * (1 - self.dark)), 6, cv2.LINE_AA)

    def number(self, page: Grey, boxes: Sequence[Box], number: int) -> None:
        """A number in its boxes, to the right as it should be, or to the left."""
        signs = str(number)
        spare = len(boxes) - len(signs)
        start = 0 if self.to_left else spare
        for box, sign in zip(boxes[start:], signs, strict=False):
            self.digit(page, box, sign)

    def cross_out(self, page: Grey, box: Box) -> None:
        """Write a digit, strike it through, and write another one small beside it."""
        random, (x, y, width, high) = self.random, box
        sign = self.signs[box]
        for _stroke in range(random.randint(2, 4)):
            ends = [
                (x + random.uniform(0.4, 1.4), y + random.uniform(0.25, 0.75) * high),
                (x + width - random.uniform(0.4, 1.4), y + random.uniform(0.25, 0.75) * high),
            ]
            path = np.round(np.array(ends) * DOTS).astype(np.int32)
            shade = int(255 * (1 - self.dark))
            cv2.polylines(page, [path], False, shade, random.randint(4, 8), cv2.LINE_AA)
        height, self.height = self.height, 3.0
        self.digit(page, (x + width * 0.62, y - 0.1 * high, width * 0.4, high * 0.5), sign)
        self.height = height
        self.signs[box] = "?"

    def _put(self, page: Grey, ink: NDArray[Any], left: float, top: float) -> None:
        x, y = max(0, round(left)), max(0, round(top))
        place = page[y : y + ink.shape[0], x : x + ink.shape[1]]
        ink = ink[: place.shape[0], : place.shape[1]] * self.dark
        place[:] = np.minimum(place, 255 * (1 - ink)).astype(np.uint8)


def filled(
    random: Random,
    regulation: RuleSet,
    *,
    form: Form = ORDINARY,
    page: Grey | None = None,
    digits: Mapping[str, Sequence[Grey]] | None = None,
    crossings: float = 0.0,
) -> Filled:
    """A sheet of deals as people play them, written by somebody on a printed `page`; `crossings` is
    the share of deals in which a digit is crossed out."""
    (layout,) = layouts_of(form)
    page = (empty_page(form) if page is None else page).copy()
    writer = Writer(random, digits=digits or hands())
    if form.compact:
        # The same hand, in boxes that are a little smaller on a page of half the size.
        writer.height *= 1.25
    lines: list[Line] = []
    crossed: set[int] = set()
    totals: dict[str, int] = dict.fromkeys(layout.totals, 0)
    for row in layout.rows:
        line, score = _played(random, regulation, writer)
        if form.three:
            line, score = _of_three(random, line, score)
        for who in totals:
            totals[who] += score[who]
        lines.append(line)
        _write(page, row, line, writer)
        if random.random() < crossings:
            written = [box for side in SIDES for box in row.points[side] if box in writer.signs]
            writer.cross_out(page, random.choice(written))
            crossed.add(row.deal - 1)
    for who, boxes in layout.totals.items():
        writer.number(page, boxes, totals[who])
    for what, boxes in layout.named.items():
        writer.number(page, boxes, NAMED[what])
    return Filled(page, lines, totals, layout, writer, writer.signs, crossed)


def _played(random: Random, regulation: RuleSet, writer: Writer) -> tuple[Line, Mapping[str, int]]:
    """The line that this writer has for a deal as it was played, and what it comes to."""
    played = deal_and_play(random, regulation, careless=random.random() < 0.1)
    declarer = rules.side_of(played.declarer)
    line: Line = {
        "declarer": declarer,
        "trump": played.trump,
        "points": dict(played.points),
        "roem": {side: played.roem[side] for side in SIDES},
    }
    if played.pit:
        line["pit"] = played.pit
    result = rules.evaluate(line, regulation)
    if result.nat and not played.pit:
        line["nat"] = True
        if writer.nat_as_162:
            line["points"] = {side: 162 * (side != declarer) for side in SIDES}
    return line, {side: result.score[side] for side in SIDES}


def _of_three(
    random: Random, line: Line, score: Mapping[str, int]
) -> tuple[Line, Mapping[str, int]]:
    """The same of three people: the first columns are those of whoever plays, the others are for
    the other two."""
    own = line["declarer"]
    columns = dict(zip((own, rules.other_side(own)), SIDES, strict=True))
    declarer = random.choice(THREE)
    turned: Line = {**line, "declarer": declarer}
    for what in ("points", "roem"):
        turned[what] = {columns[side]: figure for side, figure in line[what].items()}
    if "pit" in line:
        turned["pit"] = columns[line["pit"]]
    theirs = score[rules.other_side(own)]
    return turned, {seat: score[own] if seat == declarer else theirs for seat in THREE}


def _write(page: Grey, row: Row, line: Line, writer: Writer) -> None:
    writer.tick(page, row.declarer[line["declarer"]])
    declarer = line["declarer"] if line["declarer"] in SIDES else SIDES[0]
    writer.tick(page, row.trump[line["trump"]])
    for mark in ("nat", "pit"):
        if line.get(mark):
            writer.tick(page, getattr(row, mark))
    for side in SIDES:
        if not (writer.one_side and side == declarer and not line.get("nat")):
            writer.number(page, row.points[side], line["points"][side])
        roem = sum(line["roem"][side])
        if roem:
            writer.number(page, row.roem[side], roem)
        elif writer.dashes:
            writer.dash(page, row.roem[side][1])


@dataclass
class Camera:
    """How a photograph is taken: degrees of tilt and of turning, megapixels, and what spoils it."""

    tilt: float = 30
    least_tilt: float = 0
    turned: bool = True
    megapixels: tuple[float, float] = (2, 12)
    shadow: bool = True
    blur: bool = True
    quality: int = 60


def photograph(page: Grey, random: Random, camera: Camera | None = None) -> bytes:
    """A photograph of a page on a table, as a JPEG file."""
    camera = camera or Camera()
    pixels = random.uniform(*camera.megapixels) * 1e6
    sides = (pixels * 4 / 3) ** 0.5, (pixels * 3 / 4) ** 0.5
    high, wide = (round(side) for side in sides)
    corners = _seen_corners(random, camera)
    low, top = corners.min(axis=0), corners.max(axis=0)
    fill = random.uniform(0.8, 0.97)
    spread = (top - low).max(), (top - low).min()
    if (top - low)[0] > (top - low)[1]:
        high, wide = wide, high
    del spread
    factor = fill * min(wide / (top - low)[0], high / (top - low)[1])
    rest = np.array([wide, high]) - (top - low) * factor
    moved = (corners - low) * factor + rest * [random.uniform(0.2, 0.8), random.uniform(0.2, 0.8)]
    tall, broad = page.shape
    sharp = _shrunk(page, moved)
    scale = sharp.shape[0] / tall
    source = np.array([(0, 0), (broad, 0), (broad, tall), (0, tall)]) * scale
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), moved.astype(np.float32))
    desk = random.uniform(30, 150)
    shade = random.uniform(0.8, 1.0)
    paper = cv2.warpPerspective(sharp, matrix, (wide, high), flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.full_like(sharp, 255), matrix, (wide, high))
    noise = np.random.default_rng(random.getrandbits(32))
    share = mask.astype(np.float32) / 255
    picture: Any = paper.astype(np.float32) * shade * share + desk * (1 - share)
    if camera.shadow:
        picture *= _shadow(random, wide, high)
    if camera.blur:
        picture = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.3, 0.75) * wide / 1700 + 0.1)
    grain = noise.standard_normal(picture.shape, np.float32)
    picture += np.float32(random.uniform(1, 5)) * grain
    whole = np.clip(picture, 0, 255).astype(np.uint8)
    _done, content = cv2.imencode(".jpg", whole, [cv2.IMWRITE_JPEG_QUALITY, camera.quality])
    return bytes(content)


def _shrunk(page: Grey, corners: NDArray[Any]) -> Grey:
    """The page no sharper than the camera, so that nothing shimmers."""
    side = float(np.linalg.norm(corners[3] - corners[0]))
    factor = min(1.0, side / page.shape[0])
    return np.asarray(cv2.resize(page, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))


def _seen_corners(random: Random, camera: Camera) -> NDArray[Any]:
    """Where the corners of the page come, tilted away from the camera, on no scale."""
    tilt = np.radians(random.uniform(camera.least_tilt, camera.tilt))
    way = random.uniform(0, 2 * np.pi)
    turn = random.uniform(0, 2 * np.pi) if camera.turned else random.gauss(0, 0.02)
    flat = np.array([(-105, -148.5), (105, -148.5), (105, 148.5), (-105, 148.5)])
    axis = np.array([np.cos(way), np.sin(way), 0])
    away = cv2.Rodrigues(axis * tilt)[0]
    turned = cv2.Rodrigues(np.array([0, 0, turn]))[0]
    points = (turned @ away @ np.c_[flat, np.zeros(4)].T).T + np.array([0, 0, 420])
    seen: NDArray[Any] = points[:, :2] / points[:, 2:]
    return seen


def _shadow(random: Random, wide: int, high: int) -> NDArray[Any]:
    """Light that falls off to one side, and the shadow of a hand or a head."""
    x, y = np.meshgrid(np.linspace(-1, 1, wide // 8 + 1), np.linspace(-1, 1, high // 8 + 1))
    way = random.uniform(0, 2 * np.pi)
    slope = 1 - random.uniform(0, 0.3) * (x * np.cos(way) + y * np.sin(way) + 1) / 2
    edge = x * np.cos(way + 1) + y * np.sin(way + 1) - random.uniform(-0.6, 0.8)
    soft = 1 / (1 + np.exp(-edge / random.uniform(0.02, 0.2)))
    light = slope * (1 - random.uniform(0, 0.4) * soft)
    return np.asarray(cv2.resize(light, (wide, high), interpolation=cv2.INTER_LINEAR), np.float32)


def scan(page: Grey, random: Random, *, dpi: int = 200) -> bytes:
    """A flatbed scan: a little turned, clean."""
    matrix = cv2.getRotationMatrix2D(
        (page.shape[1] / 2, page.shape[0] / 2), random.gauss(0, 0.8), 1
    )
    turned = cv2.warpAffine(page, matrix, page.shape[::-1], borderValue=255)
    small = cv2.resize(turned, None, fx=dpi / DPI, fy=dpi / DPI, interpolation=cv2.INTER_AREA)
    _done, content = cv2.imencode(".png", small)
    return bytes(content)


def read_picture(content: bytes, layout: Layout, regulation: RuleSet) -> tuple[str, SheetRead]:
    """The code and the deals of the only sheet on a picture."""
    (found,) = sheets_on(opened(content)).found
    return found.code, read_page(found, layout, regulation)


def same(read: Line, written: Line) -> bool:
    """Whether a line says what was written, roem as a sum."""
    return plain(read) == plain(written)


def plain(line: Line) -> Line:
    """A line with its roem as sums."""
    roem = {side: sum(line["roem"].get(side, [])) for side in SIDES}
    return {**line, "points": dict(line["points"]), "roem": roem}
