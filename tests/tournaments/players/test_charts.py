"""Charts as they are laid out, apart from any page."""

import datetime as dt
from itertools import pairwise

import pytest

from tournaments.players.charts import HEIGHT, WIDTH, Chart, Drawing, Mark, chart_drawing, scale_of

FIRST = dt.date(2026, 9, 5)


def drawing(*figures: float | None, days: int = 7, **given: float) -> Drawing:
    """A chart of these figures, so many days apart."""
    marks = [
        Mark(FIRST + dt.timedelta(days=days * at), figure, "", **given)  # type: ignore[arg-type]
        for at, figure in enumerate(figures)
    ]
    return chart_drawing(Chart("k", "Titel", "Wat er staat", marks, str))


@pytest.mark.parametrize(
    ("figures", "ticks"),
    [
        ([4120, 5312], [4000, 4500, 5000, 5500]),
        ([5000], [4990, 4995, 5000, 5005, 5010]),
        ([0, 0], [-10, -5, 0, 5, 10]),
        ([-15, 22.5], [-20, -10, 0, 10, 20, 30]),
        ([-80, 90], [-100, -50, 0, 50, 100]),
        ([0, 99_999], [0, 50_000, 100_000]),
    ],
)
def test_a_scale_is_of_round_numbers_around_all_figures(
    figures: list[float], ticks: list[int]
) -> None:
    assert scale_of(figures) == ticks


def test_the_highest_figure_is_at_the_top_and_evenings_are_as_far_apart() -> None:
    """From 4000 to 5000 in a box from 186 down to 14 above: 4500 is halfway, at 100."""
    found = drawing(4000, 4500, 5000)
    assert [dot.y for dot in found.dots] == ["186", "100", "14"]
    left, middle, right = (float(dot.x) for dot in found.dots)
    assert middle - left == right - middle


def test_nothing_is_drawn_outside_the_box() -> None:
    found = drawing(-99_999, 5312, 99_999, None, low=-120_000, high=120_000)
    points = [point.split(",") for line in [*found.lines, found.band] for point in line.split()]
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in points)
    assert all(0 < float(dot.x) < WIDTH for dot in found.dots)
    assert float(found.left) > 10 * len("-150000")


def test_a_line_is_broken_where_there_is_nothing() -> None:
    found = drawing(4000, 4500, None, 4600, 4700, None, 4800)
    assert [len(line.split()) for line in found.lines] == [2, 2]
    assert [dot.kind for dot in found.dots] == [
        *("full", "full", "absent", "full", "full", "absent", "full"),
    ]


def test_nought_is_marked_where_it_is_in_sight() -> None:
    assert drawing(-80, 90).zero == "100"
    assert drawing(4000, 5000).zero == ""


@pytest.mark.parametrize(
    ("evenings", "days", "shown"),
    [
        (1, 7, ["5 sep"]),
        (5, 7, ["5 sep", "12 sep", "19 sep", "26 sep", "3 okt"]),
        (6, 7, ["5 sep", "19 sep", "3 okt"]),
        (30, 7, ["5 sep", "24 okt", "12 dec", "30 jan", "20 mrt"]),
        (8, 90, ["sep 2026", "jun 2027", "feb 2028"]),
    ],
)
def test_as_many_dates_as_fit(evenings: int, days: int, shown: list[str]) -> None:
    found = drawing(*range(4000, 4000 + evenings), days=days)
    assert [label.words for label in found.dates] == shown
    places = [float(label.at) for label in found.dates]
    assert all(later - earlier >= 60 for earlier, later in pairwise(places))


def test_very_many_evenings_are_a_line_without_dots() -> None:
    found = drawing(*range(4000, 4100))
    assert (found.dots, len(found.lines[0].split())) == ([], 100)
