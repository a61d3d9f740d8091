"""Finding sheets on a photograph, and laying each of them straight."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.reading.digits import SCALE, Picture
from scoring.reading.layout import CODE, CODE_MODULES, MARKER, MARKER_EDGE, PAGE, Box

Grey = NDArray[np.uint8]
Matrix = NDArray[np.float64]
Refusal = Literal["no_sheet", "corner_missing", "too_dark", "too_small"]

MOST_BYTES: Final = 40_000_000
MOST_PIXELS: Final = 60_000_000
SEARCHED: Final = 2200
"""The longer side, in pixels, of the picture in which markers are looked for."""
LEAST_PIXELS: Final = 2.6
"""Pixels a millimetre below which digits cannot be told apart."""
LEAST_SIDE: Final = 100
"""Pixels below which a side of a picture holds no sheet, and is no length to scale."""
REACH: Final = 0.45
"""How far a marker may lie from where another one says, beside the way between them."""
SHARPNESS: Final = (0.0, 2.0)
"""By how much a code is sharpened, the second time for a picture whose modules run together."""
DARKEST: Final = 45
"""How light paper is at least, of 255."""


class UnreadableError(Exception):
    """Why a picture has no sheet that can be read."""

    def __init__(self, code: Refusal) -> None:
        super().__init__(code)
        self.code: Refusal = code


@dataclass(frozen=True, slots=True)
class Found:
    """A sheet on a picture. `code` says which, empty where its QR code could not be read;
    `darkness` is the page laid straight, 0 for white paper and 1 for black, `SCALE` pixels a
    millimetre."""

    code: str
    darkness: Picture
    page: Grey

    def part(self, box: Box, inset: float = 0.0) -> Picture:
        """What is in a box of the page, so many millimetres inside its lines."""
        x, y, width, high = box
        left, top = round((x + inset) * SCALE), round((y + inset) * SCALE)
        right, bottom = round((x + width - inset) * SCALE), round((y + high - inset) * SCALE)
        return self.darkness[max(0, top) : bottom, max(0, left) : right]


def opened(content: bytes) -> Grey:
    """The picture in a file, in greys. Raises `UnreadableError` where it is none."""
    if len(content) > MOST_BYTES or not content:
        raise UnreadableError("no_sheet")
    grey: Any
    try:
        grey = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_GRAYSCALE)
    except cv2.error:
        grey = None
    if grey is None or grey.size > MOST_PIXELS or min(grey.shape) < LEAST_SIDE:
        raise UnreadableError("no_sheet")
    return np.asarray(grey, np.uint8)


class Sheets(NamedTuple):
    """What is on a picture: sheets, and for each of the others why it cannot be read."""

    found: list[Found]
    refused: list[Refusal]


def sheets_on(grey: Grey) -> Sheets:
    """Every sheet on the picture, from the top left on. Raises `UnreadableError` where none of them
    can be read."""
    marks = _marks(grey)
    outlines = _in_rows(_outlines(marks))
    if not outlines:
        if float(np.percentile(grey, 90)) < DARKEST * 1.6:
            raise UnreadableError("too_dark")
        raise UnreadableError("corner_missing" if any(marks.values()) else "no_sheet")
    found: list[Found] = []
    refused: list[Refusal] = []
    for corners in outlines:
        if _pixels(corners) < LEAST_PIXELS:
            refused.append("too_small")
            continue
        sheet = _straight(grey, corners)
        if float(np.percentile(sheet.page, 75)) < DARKEST:
            refused.append("too_dark")
        else:
            found.append(sheet)
    if not found:
        raise UnreadableError(refused[0])
    if _is_partly_on(marks, outlines):
        refused.append("corner_missing")
    return Sheets(found, refused)


def _in_rows(outlines: Iterable[list[Matrix]]) -> list[list[Matrix]]:
    """From the top left on: those that lie about as high are one row, however they are turned."""
    rows: list[list[list[Matrix]]] = []
    for outline in sorted(outlines, key=_top_left):
        if rows and _top_left(outline)[0] - _top_left(rows[-1][0])[0] < _reach_down(outline) / 2:
            rows[-1].append(outline)
        else:
            rows.append([outline])
    return [outline for row in rows for outline in sorted(row, key=lambda one: _top_left(one)[1])]


def _top_left(outline: Sequence[Matrix]) -> tuple[float, float]:
    """How far down and to the right a sheet begins on the picture."""
    corners = np.array([corner[0] for corner in outline])
    return float(corners[:, 1].min()), float(corners[:, 0].min())


def _reach_down(outline: Sequence[Matrix]) -> float:
    corners = np.array([corner[0] for corner in outline])
    return float(np.ptp(corners[:, 1]))


def _is_partly_on(marks: dict[int, list[Matrix]], outlines: Sequence[Sequence[Matrix]]) -> bool:
    """Whether there is a sheet of which some corners are on the picture: markers of two corners
    that belong to no other one. A single one may be a chance likeness."""
    used = {id(corner) for corners in outlines for corner in corners}
    left = [number for number, seen in marks.items() if any(id(one) not in used for one in seen)]
    return len(left) > 1


def _marks(grey: Grey) -> dict[int, list[Matrix]]:
    """The markers by number: four corners each, clockwise from its own top left."""
    factor = min(1.0, SEARCHED / max(grey.shape))
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 4
    settings.adaptiveThreshWinSizeMax = 53
    settings.minMarkerPerimeterRate = 0.02
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    # Where it finds none, the numbers are None, whatever its types say.
    numbers: Any
    corners, numbers, _rejected = cv2.aruco.ArucoDetector(words, settings).detectMarkers(small)
    marks: dict[int, list[Matrix]] = {number: [] for number in range(4)}
    for corner, number in zip(corners, () if numbers is None else numbers.ravel(), strict=True):
        if int(number) in marks:
            # Pixels are counted from their middle.
            marks[int(number)].append((corner[0].astype(np.float64) + 0.5) / factor - 0.5)
    return marks


_CORNERS: Final = [
    (x, y)
    for y in (MARKER_EDGE, PAGE[1] - MARKER_EDGE - MARKER)
    for x in (MARKER_EDGE, PAGE[0] - MARKER_EDGE - MARKER)
]
_PLACES: Final = [_CORNERS[0], _CORNERS[1], _CORNERS[3], _CORNERS[2]]
"""Where each marker is on the page, by its number."""


def _marker_points(number: int) -> Matrix:
    x, y = _PLACES[number]
    far = MARKER
    return np.array([(x, y), (x + far, y), (x + far, y + far), (x, y + far)])


def _outlines(marks: dict[int, list[Matrix]]) -> Iterator[list[Matrix]]:
    """The four markers of each sheet, no marker twice: those that lie best come first."""
    used: set[int] = set()
    for _astray, chosen in sorted(_candidates(marks), key=lambda found: found[0]):
        if used.isdisjoint(map(id, chosen)):
            used |= {id(corner) for corner in chosen}
            yield chosen


def _candidates(marks: dict[int, list[Matrix]]) -> Iterator[tuple[float, list[Matrix]]]:
    """Beside each marker of a top left, those nearest to where its own size and direction say that
    the others are; and how far astray they lie beside that."""
    for first in marks[0]:
        across, down = first[1] - first[0], first[3] - first[0]
        chosen, astray = [first], 0.0
        for number in (1, 2, 3):
            step = (np.array(_PLACES[number]) - _PLACES[0]) / MARKER
            expected = first[0] + step[0] * across + step[1] * down
            near = min(
                marks[number],
                key=lambda corners: float(np.linalg.norm(corners[0] - expected)),
                default=None,
            )
            if near is None:
                break
            length = float(np.linalg.norm(step[0] * across + step[1] * down))
            away = float(np.linalg.norm(near[0] - expected)) / length
            if away <= REACH or len(marks[0]) == len(marks[number]) == 1:
                chosen.append(near)
                astray += away
        if len(chosen) == 4 and _is_a_page(chosen):
            yield astray, chosen


def _is_a_page(corners: Sequence[Matrix]) -> bool:
    outline = np.array([corner[0] for corner in corners], np.float32)
    return bool(cv2.isContourConvex(outline))


def _pixels(corners: Sequence[Matrix]) -> float:
    """How many pixels a millimetre has, at the least, along the sides of the page."""
    height, width = PAGE[1] - 2 * MARKER_EDGE - MARKER, PAGE[0] - 2 * MARKER_EDGE - MARKER
    lengths = [width, height, width, height]
    return min(
        float(np.linalg.norm(corners[(n + 1) % 4][0] - corners[n][0])) / lengths[n]
        for n in range(4)
    )


def _straight(grey: Grey, corners: Sequence[Matrix]) -> Found:
    seen = np.concatenate(list(corners))
    meant = np.concatenate([_marker_points(number) for number in range(4)])
    matrix: Any
    # For points on one line there is none, whatever its types say.
    matrix, _used = cv2.findHomography(seen, meant, 0)
    if matrix is None:
        raise UnreadableError("corner_missing")
    to_page = np.asarray(matrix, np.float64)
    size = (round(PAGE[0] * SCALE), round(PAGE[1] * SCALE))
    page = np.asarray(_laid(grey, to_page, (0.0, 0.0), SCALE, size), np.uint8)
    return Found(_code_on(grey, to_page), _darkness(page), page)


def _laid(
    grey: Grey, to_page: Matrix, at: tuple[float, float], scale: float, size: tuple[int, int]
) -> Grey:
    """A part of the page from millimetres `at` on, so many pixels a millimetre."""
    moved = np.array(
        [
            [scale, 0, -at[0] * scale - 0.5],
            [0, scale, -at[1] * scale - 0.5],
            [0, 0, 1],
        ]
    )
    flags = cv2.INTER_LINEAR
    laid = cv2.warpPerspective(
        grey, moved @ to_page, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(laid, np.uint8)


def _darkness(page: Grey) -> Picture:
    """How dark each place is beside the paper around it, so that shadows do not count."""
    factor = 8
    small = cv2.resize(page, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    paper = cv2.dilate(small, np.ones((9, 9), np.uint8))
    paper = cv2.GaussianBlur(cv2.medianBlur(paper, 9), (0, 0), 4)
    light = cv2.resize(paper, (page.shape[1], page.shape[0]), interpolation=cv2.INTER_LINEAR)
    share = page.astype(np.float32) / np.maximum(light.astype(np.float32), 12)
    return np.asarray(np.clip(1 - share, 0, 1), np.float32)


# The QR code: where it is on the page is known, so that its modules are looked at one by one.


def _code_on(grey: Grey, to_page: Matrix) -> str:
    reader: Any = cv2.QRCodeDetector()
    x, y, size = CODE
    module, around = size / CODE_MODULES, 4
    scale = 10 / module
    across = (CODE_MODULES + 2 * around) * 10
    at = (x - around * module, y - around * module)
    laid = _laid(grey, to_page, at, scale, (across, across))
    moves = sorted(product((0, -3, 3), repeat=2), key=lambda move: move[0] ** 2 + move[1] ** 2)
    for sharpness, (right, down) in product(SHARPNESS, moves):
        left, top = around * 10 + right, around * 10 + down
        code = _decoded(reader, _sampled(laid, left, top, sharpness), _DRAWN)
        if code:
            return code
    return _decoded(reader, laid)


def _sampled(laid: Grey, left: int, top: int, sharpness: float) -> Grey:
    """The code drawn anew: each module as dark as its middle, beside what is around it by as much
    as the picture is to be sharpened."""
    blurred = cv2.GaussianBlur(laid, (0, 0), 2.0).astype(np.float32)
    if sharpness:
        blurred += sharpness * (blurred - cv2.GaussianBlur(blurred, (0, 0), 7.0))
    places = np.arange(CODE_MODULES) * 10 + 5
    middles = np.clip(blurred[np.ix_(top + places, left + places)], 0, 255).astype(np.uint8)
    _level, bits = cv2.threshold(
        np.ascontiguousarray(middles), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU
    )
    drawn = np.pad(bits, _QUIET, constant_values=255)
    large = cv2.resize(drawn, None, fx=_MODULE, fy=_MODULE, interpolation=cv2.INTER_NEAREST)
    return np.asarray(large, np.uint8)


_QUIET, _MODULE = 4, 6
_FROM, _TO = _QUIET * _MODULE, (_QUIET + CODE_MODULES) * _MODULE
_DRAWN: Final = np.array([[(_FROM, _FROM), (_TO, _FROM), (_TO, _TO), (_FROM, _TO)]], np.float32)
"""Where the code is on what is drawn anew. Its reader misses about one in 150 when it has to look
for them, however clear they are."""


def _decoded(reader: Any, picture: Grey, corners: Any = None) -> str:
    """What the code says that has these corners, or that is somewhere on the picture."""
    try:
        if corners is not None:
            words, _straight = reader.decode(picture, corners)
        else:
            words, _points, _straight = reader.detectAndDecode(picture)
    except cv2.error:
        return ""
    return str(words)
