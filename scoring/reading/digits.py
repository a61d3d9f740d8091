"""What is written in a box: how much ink, and which digit it is likely to be.

A small convolutional net, run by NumPy. `python -m tools.digits` trains it; its README says on
which hands, under which licences, and how well it reads.
"""

from collections.abc import Sequence
from functools import cache
from math import exp
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]

SCALE: Final = 8
"""Pixels a millimetre of the straightened page."""
SIZE: Final = 28
INNER: Final = 20
LEAST_INK: Final = 0.15
"""Square millimetres: less is no writing."""

SIGNS: Final = (*"0123456789", "-", "?")
"""What the net tells apart: digits, a dash, and what is no sign: crossed out, a word, a blot."""
BLANK: Final = len(SIGNS)
"""The place of an empty box among the probabilities of a box, after the signs."""

DOUBT: Final = 0.003
"""How often a hand is so unlike those the net knows that it might be any sign."""

SPOILED_LESS: Final = 0.1
"""How rare what is no sign is on paper beside how often the net was shown it."""
MISSED: Final = 0.002
"""How often a box in which no ink was seen has a sign all the same."""

WEIGHTS: Final = Path(__file__).with_name("digits.npz")


class Ink(NamedTuple):
    """What counts as ink on a page: `pale` is the darkness, from 0 to 1, up to which nothing is
    written, as are the lines of boxes, and `dark` that of the pen."""

    pale: float
    dark: float


def pen_of(darkness: Picture) -> Ink:
    """How dark the pen is, from the parts of a page in which people write."""
    written = darkness[darkness > 0.3]
    dark = float(np.percentile(written, 60)) if written.size > 200 else 0.6
    dark = min(max(dark, 0.38), 0.95)
    return Ink(pale=dark * 0.36, dark=dark)


def cleaned(darkness: Picture, pen: Ink) -> tuple[Picture, float]:
    """The ink in a box without its lines and what came over from the next box; and how many square
    millimetres there are."""
    # The lines are cut off or go as parts, so that the pen may be paler here than beside them.
    pale = pen.pale * 0.85
    ink = np.clip((darkness - pale) / (pen.dark - pale), 0, 1).astype(np.float32)
    marked = (ink > 0.25).astype(np.uint8)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(marked, connectivity=8)
    high, wide = ink.shape
    keep = np.zeros(count, dtype=bool)
    for part in range(1, count):
        left, top, width, tall, area = (int(value) for value in stats[part])
        keep[part] = area >= 0.12 * SCALE * SCALE and not _comes_over(
            (left, top, width, tall),
            (wide, high),
            (float(centres[part][0]), float(centres[part][1])),
        )
    ink[~(cv2.dilate(keep[labels].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)] = 0
    return ink, float(ink.sum()) / (SCALE * SCALE)


def _comes_over(
    part: tuple[int, int, int, int], size: tuple[int, int], centre: tuple[float, float]
) -> bool:
    """Whether a blot is the line of the box, or the end of a stroke that began in another box."""
    left, top, width, tall = part
    wide, high = size
    at_side = left <= 1 or left + width >= wide - 1
    at_end = top <= 1 or top + tall >= high - 1
    thin = 0.55 * SCALE
    if (at_side and width <= thin) or (at_end and tall <= thin):
        return True
    near_side = min(centre[0], wide - centre[0]) < 0.16 * wide
    near_end = min(centre[1], high - centre[1]) < 0.12 * high
    return (at_side and near_side and width < 0.3 * wide) or (at_end and near_end)


def normalised(ink: Picture) -> Picture:
    """The ink of a box as the net sees it: 20 pixels high or wide, its weight in the middle."""
    rows, columns = np.nonzero(ink > 0.2)
    if rows.size == 0:
        return np.zeros((SIZE, SIZE), np.float32)
    part = ink[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    high, wide = part.shape
    factor = INNER / max(high, wide)
    size = (max(1, round(wide * factor)), max(1, round(high * factor)))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
    total = float(small.sum()) or 1.0
    middle = (SIZE - 1) / 2
    x = middle - float((small.sum(axis=0) * np.arange(size[0])).sum()) / total
    y = middle - float((small.sum(axis=1) * np.arange(size[1])).sum()) / total
    left = min(max(round(x), 0), SIZE - size[0])
    top = min(max(round(y), 0), SIZE - size[1])
    seen = np.zeros((SIZE, SIZE), np.float32)
    seen[top : top + size[1], left : left + size[0]] = small
    peak = float(seen.max())
    return seen / peak if peak > 0 else seen


def read_boxes(boxes: Sequence[Picture], pen: Ink) -> NDArray[np.float64]:
    """For each box the probability of each of `SIGNS`, and last that it is empty."""
    answers = np.full((len(boxes), BLANK + 1), MISSED / BLANK)
    answers[:, BLANK] = 1 - MISSED
    written = []
    for place, box in enumerate(boxes):
        ink, amount = cleaned(box, pen)
        if amount >= LEAST_INK:
            written.append((place, normalised(ink), amount))
    if written:
        found = probabilities(np.stack([seen for _place, seen, _amount in written]))
        found[:, SIGNS.index("?")] *= SPOILED_LESS
        found /= found.sum(axis=1, keepdims=True)
        for (place, _seen, amount), chances in zip(written, found, strict=True):
            # The fainter the trace, the more likely it is none.
            empty = exp(-6.0 * amount) * 0.5
            careful = (1 - DOUBT) * chances + DOUBT / BLANK
            answers[place, :BLANK] = careful * (1 - empty)
            answers[place, BLANK] = empty
    return answers


class _Net(NamedTuple):
    first: Picture
    first_bias: Picture
    second: Picture
    second_bias: Picture
    third: Picture
    third_bias: Picture
    last: Picture
    last_bias: Picture
    warmth: Picture


@cache
def _net() -> _Net:
    with np.load(WEIGHTS) as stored:
        return _Net(*(stored[name].astype(np.float32) for name in _Net._fields))


BATCH: Final = 48
"""Pictures the net sees at once: what it holds of them fits in a processor's cache."""


def probabilities(seen: Picture) -> NDArray[np.float64]:
    """What the net makes of pictures of 28 by 28: a row of probabilities each."""
    return np.concatenate(
        [_shares(seen[start : start + BATCH]) for start in range(0, len(seen), BATCH)]
    )


def features(seen: Picture) -> Picture:
    """What the first two layers make of pictures."""
    net = _net()
    values = _pooled(_convolved(seen[..., None], net.first, net.first_bias))
    values = _pooled(_convolved(values, net.second, net.second_bias))
    return values.reshape(len(values), -1)


def _shares(seen: Picture) -> NDArray[np.float64]:
    net = _net()
    hidden = np.maximum(features(seen) @ net.third + net.third_bias, 0)
    scores = (hidden @ net.last + net.last_bias).astype(np.float64) / float(net.warmth)
    scores -= scores.max(axis=1, keepdims=True)
    chances = np.exp(scores)
    shares: NDArray[np.float64] = chances / chances.sum(axis=1, keepdims=True)
    return shares


def _convolved(values: Picture, kernel: Picture, bias: Picture) -> Picture:
    """A convolution of the same size, and what is negative is nothing."""
    size, reach = kernel.shape[0], kernel.shape[0] // 2
    high, wide = values.shape[1:3]
    padded = np.pad(values, ((0, 0), (reach, reach), (reach, reach), (0, 0)))
    moved = [
        padded[:, down : down + high, right : right + wide]
        for down in range(size)
        for right in range(size)
    ]
    around = np.concatenate(moved, axis=-1)
    result: Picture = around @ kernel.reshape(-1, kernel.shape[-1]) + bias
    return np.maximum(result, 0)


def _pooled(values: Picture) -> Picture:
    count, high, wide, channels = values.shape
    pooled: Picture = values.reshape(count, high // 2, 2, wide // 2, 2, channels).max(axis=(2, 4))
    return pooled
