"""Standings worked out in one process, and the pages around them: what the processor takes."""

import gc
import time
from collections.abc import Callable, Iterator
from statistics import median

from django.conf import settings
from django.test import Client, override_settings

from tests.load.bench.bench import Bench
from tests.load.bench.table import Row
from tournaments.models import Evening, Season, Table
from tournaments.printing.sheets_pdf import evening_sheets_pdf
from tournaments.seasons.standings import season_standings
from tournaments.standings.queries import evening_standings
from tournaments.table_links.services import table_links

TIMES = 15
MADE_ANEW = [one for one in settings.MIDDLEWARE if not one.endswith(".SharedMiddleware")]


def rows(bench: Bench) -> Iterator[Row]:
    """The median of what each takes, everything read anew, beside a page with nothing in it."""
    # As in a process that serves (config/wsgi.py).
    gc.freeze()
    gc.set_threshold(10_000)
    tonight, club = bench.tonight, bench.club
    season = Season.objects.get(club=club)
    last = club.evenings.filter(state=Evening.State.CLOSED).first()
    assert last
    floor = taken(page("/floor/empty"))
    yield Row("floor: an empty view, in one process", floor, "ms")
    evening = taken(lambda: evening_standings(tonight))
    yield Row("standing of an evening, 4,800 deals", evening, "ms", 20, 8, floor)
    whole = taken(lambda: season_standings(season))
    yield Row("standing of a season, 144,000 deals", whole, "ms", 200, 80, floor)
    for name, path in {
        "page of the club": bench.club_path,
        "page of the season": bench.season_path,
        "page of the evening": bench.evening_path,
        "page of a published evening": f"{bench.club_path}evenings/{last.slug}/",
        "page of where people sit": f"{bench.evening_path}?show=names",
        "page of the tables": f"{bench.evening_path}?show=tables",
    }.items():
        yield Row(name, taken(page(path)), "ms", 250, 40, floor)
    yield Row("100 score sheets on paper", taken(lambda: _sheets(tonight), 3), "ms", 1000)


def _sheets(evening: Evening) -> bytes:
    first = Table.objects.filter(round__evening=evening, round__number=1)
    tables = list(first.select_related("round", "sheet__regulation", "sheet__club"))
    return evening_sheets_pdf(evening, tables, links=table_links(evening), filled=False)


def page(path: str) -> Callable[[], bytes]:
    """Asks for a public page that is made anew each time; AssertionError when it is not there."""
    client = Client(SERVER_NAME="localhost")
    with override_settings(MIDDLEWARE=MADE_ANEW):
        client.handler.load_middleware()

    def ask() -> bytes:
        response = client.get(path)
        assert response.status_code == 200, path
        content: bytes = response.content
        return content

    return ask


def taken(make: Callable[[], object], times: int = TIMES) -> float:
    """The median of the milliseconds that this takes, once it is warm."""
    return median(durations(make, times))


def durations(make: Callable[[], object], times: int = TIMES) -> list[float]:
    """The milliseconds that this takes, so many times, once it is warm."""
    make()
    return [_once(make) for _ in range(times)]


def _once(make: Callable[[], object]) -> float:
    start = time.perf_counter()
    make()
    return (time.perf_counter() - start) * 1000
