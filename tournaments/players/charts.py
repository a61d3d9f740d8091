"""Line charts of figures over time, laid out as SVG in a box of 360 by 220; and the race of a
season, in a box as wide.

Evenings are evenly spaced, in order. The box is as narrow as a phone, so that the words in a chart
are about as large there as the text around it.
"""

import datetime as dt
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.formats import date_format

WIDTH, HEIGHT = 360, 220
TOP, BOTTOM, RIGHT = 14, 186, 346
LETTER = 10
INSET = 20
MOST_LARGE, MOST_DOTS = 20, 45
NARROWEST = 20
LONG = dt.timedelta(days=400)


@dataclass(frozen=True, slots=True)
class Mark:
    """A figure of one day, or None. A `hollow` one does not count; `among` is what it is compared
    with, such as everybody's mean; `low` and `high` are its margin. `words` say all of that."""

    day: dt.date
    value: float | None
    words: str
    hollow: bool = False
    among: float | None = None
    low: float | None = None
    high: float | None = None

    def figures(self) -> Iterator[float]:
        """Every figure there is."""
        for figure in (self.value, self.among, self.low, self.high):
            if figure is not None:
                yield figure


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with a title and a description in words. `key` distinguishes it from others on its
    page; `figure` formats a figure beside the scale."""

    key: str
    title: str
    description: str
    marks: Sequence[Mark]
    figure: Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Label:
    """Words at a place along an axis."""

    at: str
    words: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A mark at its position: `full`, `hollow`, or `absent` if there is no figure."""

    x: str
    y: str
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart as SVG attributes: numbers are text, so that templates do not localise them.

    `lines`, `among` and `band` are points of lines and of an area; `zero` is the height of zero,
    empty if that is out of sight.
    """

    left: str
    scale: Sequence[Label]
    dates: Sequence[Label]
    lines: Sequence[str]
    among: Sequence[str]
    band: str
    zero: str
    dots: Sequence[Dot]
    radius: str

    @property
    def kinds(self) -> set[str]:
        """The kinds of dots there are."""
        return {dot.kind for dot in self.dots}


def chart_drawing(chart: Chart) -> Drawing:
    """The layout of a chart with at least one figure."""
    ticks = scale_of([figure for mark in chart.marks for figure in mark.figures()])
    words = [chart.figure(tick) for tick in ticks]
    left = 12 + LETTER * max(map(len, words))
    box = _Box(left, ticks[0], ticks[-1], len(chart.marks))
    few = len(chart.marks) <= MOST_DOTS
    return Drawing(
        left=_text(left),
        scale=[Label(_text(box.y(tick)), word) for tick, word in zip(ticks, words, strict=True)],
        dates=list(_dates(chart.marks, box)),
        lines=_lines([mark.value for mark in chart.marks], box),
        among=_lines([mark.among for mark in chart.marks], box),
        band=_band(chart.marks, box),
        zero=_text(box.y(0)) if ticks[0] < 0 < ticks[-1] else "",
        dots=[_dot(at, mark, box) for at, mark in enumerate(chart.marks)] if few else [],
        radius="5.5" if len(chart.marks) <= MOST_LARGE else "4",
    )


def scale_of(figures: Sequence[float]) -> list[int]:
    """Three to six round numbers at equal distances, the first no higher than any figure, the last
    no lower.

    >>> scale_of([4120, 5312])
    [4000, 4500, 5000, 5500]
    """
    low, high = min(figures), max(figures)
    room = max(0, NARROWEST - (high - low)) / 2
    low, high = low - room, high + room
    rough = (high - low) / 4
    power = int(10 ** math.floor(math.log10(rough)))
    step = next(step for step in (1 * power, 2 * power, 5 * power, 10 * power) if step >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [step * at for at in range(first, last + 1)]


SPARK_WIDTH, SPARK_HEIGHT, SPARK_EDGE = 80, 24, 3


@dataclass(frozen=True, slots=True)
class Spark:
    """A line without words, as small as a word: the path, and where its last figure is."""

    path: str
    x: str
    y: str


def spark_drawing(figures: Sequence[float | None], low: float, high: float) -> Spark | None:
    """The line of these figures on a scale from `low` to `high`, straight on where one is missing;
    none for fewer than two."""
    there = [(at, figure) for at, figure in enumerate(figures) if figure is not None]
    if len(there) < 2:
        return None
    wide = (SPARK_WIDTH - 2 * SPARK_EDGE) / (len(figures) - 1)
    tall = (SPARK_HEIGHT - 2 * SPARK_EDGE) / ((high - low) or 1)
    points = [
        f"{SPARK_EDGE + wide * at:.0f} {SPARK_HEIGHT - SPARK_EDGE - tall * (figure - low):.0f}"
        for at, figure in there
    ]
    x, y = points[-1].split()
    return Spark("M" + "L".join(points), x, y)


@dataclass(frozen=True, slots=True)
class _Box:
    """The coordinates of a figure, and of an evening by its index."""

    left: float
    lowest: int
    highest: int
    marks: int

    def x(self, at: int) -> float:
        """A single evening is in the middle."""
        inner = self.left + INSET, RIGHT - INSET
        if self.marks == 1:
            return sum(inner) / 2
        return inner[0] + (inner[1] - inner[0]) * at / (self.marks - 1)

    def y(self, figure: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (figure - self.lowest) / (self.highest - self.lowest)

    def point(self, at: int, figure: float) -> str:
        return f"{_text(self.x(at))},{_text(self.y(figure))}"


def _text(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _lines(figures: Iterable[float | None], box: _Box) -> list[str]:
    """Lines from figure to figure, broken where one is missing."""
    runs = groupby(enumerate(figures), key=lambda item: item[1] is None)
    points = [
        " ".join(box.point(at, figure) for at, figure in run if figure is not None)
        for missing, run in runs
        if not missing
    ]
    return [line for line in points if " " in line]


def _band(marks: Sequence[Mark], box: _Box) -> str:
    """The outline of the margin: along the upper edge, then back along the lower one."""
    sure = [(at, mark.low, mark.high) for at, mark in enumerate(marks)]
    there = [box.point(at, high) for at, _low, high in sure if high is not None]
    back = [box.point(at, low) for at, low, _high in reversed(sure) if low is not None]
    return " ".join(there + back)


def _dot(at: int, mark: Mark, box: _Box) -> Dot:
    if mark.value is None:
        return Dot(_text(box.x(at)), str(BOTTOM), "absent", mark.words)
    kind = "hollow" if mark.hollow else "full"
    return Dot(_text(box.x(at)), _text(box.y(mark.value)), kind, mark.words)


def _dates(marks: Sequence[Mark], box: _Box) -> Iterator[Label]:
    """As many dates as fit, evenly spaced from the first; months if the period is long."""
    long = marks[-1].day - marks[0].day > LONG
    wide = LETTER * (8 if long else 6)
    step = max(1, math.ceil(wide / (box.x(1) - box.x(0)))) if len(marks) > 1 else 1
    for at in range(0, len(marks), step):
        yield Label(_text(box.x(at)), date_format(marks[at].day, "b Y" if long else "j b"))


# A race: the place of several people after each evening.

RACE_TOP, RACE_RIGHT, RACE_LEFT = 18, 318, 60
FEWEST_PLACES, MOST_PLACES = 8, 40
TALLEST, HIGHEST_ROW = 400, 30
BADGE = 22


@dataclass(frozen=True, slots=True)
class Runner:
    """Somebody in a race: a letter that stands at their line, and their place after each evening,
    None where they had none."""

    letter: str
    places: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class RaceLine:
    """A line: its points, the dots that no line leads to, and its letter where it ends."""

    letter: str
    lines: Sequence[str]
    dots: Sequence[tuple[str, str]]
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class RaceDrawing:
    """A race as SVG attributes. Who was lower than the lowest place is drawn at `below`, empty if
    nobody was."""

    box: str
    left: str
    right: str
    bottom: str
    scale: Sequence[Label]
    dates: Sequence[Label]
    lines: Sequence[RaceLine]
    below: str


def race_drawing(runners: Sequence[Runner], days: Sequence[dt.date]) -> RaceDrawing:
    """The layout of a race with at least one place, the first place on top."""
    ends = [_last(runner.places) for runner in runners]
    lowest = min(MOST_PLACES, max(FEWEST_PLACES, *ends))
    row = min(HIGHEST_ROW, TALLEST / lowest)
    is_below = any(place and place > lowest for runner in runners for place in runner.places)
    bottom = RACE_TOP + row * (lowest - 1) + (0.8 * row if is_below else 0)
    right = RACE_RIGHT - BADGE * (max(Counter(ends).values()) - 1)
    wide = (right - RACE_LEFT) / max(1, len(days) - 1)

    def x(at: int) -> float:
        return RACE_LEFT + wide * at if len(days) > 1 else (RACE_LEFT + right) / 2

    def y(place: int) -> float:
        return RACE_TOP + row * (place - 1) if place <= lowest else bottom

    taken: dict[int, int] = {}
    lines = []
    for runner, end in zip(runners, ends, strict=True):
        beside = taken[end] = taken.get(end, -1) + 1
        points = [
            None if place is None else f"{_text(x(at))},{_text(y(place))}"
            for at, place in enumerate(runner.places)
        ]
        runs = [list(run) for there, run in groupby(points, key=bool) if there]
        lines.append(
            RaceLine(
                runner.letter,
                [" ".join(filter(None, run)) for run in runs if len(run) > 1],
                [(dot[0], dot[1]) for run in runs if len(run) == 1 for dot in [_dot_at(run[0])]],
                _text(right + 18 + BADGE * beside),
                _text(y(end)),
            )
        )
    step = next(step for step in (1, 2, 5, 10) if step * row >= 18)
    places = [1, *(place for place in range(step, lowest + 1, step) if place > 1)]
    return RaceDrawing(
        box=f"0 0 {WIDTH} {_text(bottom + 38)}",
        left=_text(RACE_LEFT - 12),
        right=_text(right + 6),
        bottom=_text(bottom),
        scale=[Label(_text(y(place)), str(place)) for place in places],
        dates=_race_dates(days, x),
        lines=lines,
        below=_text(bottom) if is_below else "",
    )


def _last(places: Sequence[int | None]) -> int:
    return next((place for place in reversed(places) if place is not None), 1)


def _dot_at(point: str | None) -> tuple[str, str]:
    x, _comma, y = (point or "").partition(",")
    return x, y


def _race_dates(days: Sequence[dt.date], x: Callable[[int], float]) -> list[Label]:
    """As many dates as fit, the last one always among them."""
    long = days[-1] - days[0] > LONG
    wide = LETTER * (8 if long else 6)
    at, shown = len(days) - 1, []
    for index in range(len(days) - 1, -1, -1):
        if index == at or x(at) - x(index) >= wide:
            shown.append(Label(_text(x(index)), date_format(days[index], "b Y" if long else "j b")))
            at = index
    return shown[::-1]
