"""`make bench`: standings and public pages of a club of 400 after a season of 144,000 deals.

On one core, in one process, with everything read anew each time: the median of what the processor
took. The first lines are floors measured in the same run: read the others as multiples of them. A
star marks what is beyond its limit.
"""

import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from tests.load.draw_bench import judged
from tests.load.rules_bench import ROOT, print_row

SLUG = "grote-zaal"
TIMES = 7
QUERIES, PAGE_KB = 10, 150


@dataclass(frozen=True, slots=True)
class Taken:
    """What one thing took: milliseconds, queries, and the kilobytes of what came back."""

    ms: float
    queries: int
    kilobytes: float


def main() -> None:
    """Make the club in a database of its own and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
            "DJANGO_SETTINGS_MODULE": "tests.load.settings",
        }
        for command in (["manage.py", "migrate", "-v0"], ["-m", "tests.load.big_club", SLUG]):
            subprocess.run([sys.executable, *command], cwd=ROOT, check=True)
        print_figures()


def print_figures() -> None:
    """The table, of the club in the database that the settings name."""
    import django

    django.setup()
    logging.disable(logging.INFO)
    from django.test import Client

    import config.wsgi  # noqa: F401 — what is loaded is set aside, as on a server
    from tournaments.models import Evening, Season
    from tournaments.queries import evening_standings
    from tournaments.season_standings import season_standings

    tonight = Evening.objects.select_related("club", "season").get(state="running")
    last = Evening.objects.filter(state="closed").select_related("club")[0]
    season = Season.objects.get(club=tonight.club)
    client = Client(SERVER_NAME="localhost")

    def page(path: str) -> Callable[[], bytes]:
        return lambda: _page(client, path)

    print_row(f"{'400 people, 144,000 deals':38}", "ms", "at most", "queries", "kB", "at most")
    _row("floor: an empty answer", page("/floor/empty"))
    _row("floor: one row", lambda: Evening.objects.get(pk=tonight.pk))
    _row("standing of the evening", lambda: evening_standings(tonight), ms=20, queries=QUERIES)
    _row("standing of the season", lambda: season_standings(season), ms=200, queries=QUERIES)
    club, evening = f"/clubs/{SLUG}/", f"/clubs/{SLUG}/evenings/{tonight.slug}/"
    _row("page of the evening", page(evening), kilobytes=PAGE_KB, queries=QUERIES)
    _row(
        "the same, closed", page(f"{club}evenings/{last.slug}/"), kilobytes=PAGE_KB, queries=QUERIES
    )
    _row("where do I sit?", page(f"{evening}?show=names"), kilobytes=PAGE_KB)
    _row("its tables", page(f"{evening}?show=tables"), kilobytes=PAGE_KB)
    _row(
        "page of the season",
        page(f"{club}seasons/{season.slug}/"),
        kilobytes=PAGE_KB,
        queries=QUERIES,
    )
    _row("page of the club", page(club), kilobytes=PAGE_KB)
    _print_paper(tonight)


def _print_paper(evening: Any) -> None:
    from tournaments.links import table_links
    from tournaments.pdf.sheets import round_sheets_pdf

    round_ = evening.rounds.get(number=1)
    round_.evening = evening
    tables = list(round_.tables.select_related("sheet__regulation", "sheet__club"))
    links = table_links(evening)
    _row(
        "100 score sheets with codes",
        lambda: round_sheets_pdf(round_, tables, links=links, filled=False),
        ms=1000,
    )


def _page(client: Any, path: str) -> bytes:
    response = client.get(path)
    if response.status_code != 200:
        raise SystemExit(f"{path} answers {response.status_code}")
    content: bytes = response.content
    return content


def _row(
    name: str,
    make: Callable[[], object],
    *,
    ms: float | None = None,
    kilobytes: float | None = None,
    queries: int | None = None,
) -> None:
    taken = _taken(make)
    print_row(
        f"{name:38}",
        judged(taken.ms, ms or float("inf"), 1),
        str(ms or ""),
        judged(taken.queries, queries or sys.maxsize),
        judged(taken.kilobytes, kilobytes or float("inf"), 0) if taken.kilobytes else "",
        str(kilobytes or ""),
    )


def _taken(make: Callable[[], object]) -> Taken:
    from django.db import connection

    asked: list[str] = []

    def counted(execute: Callable[..., object], sql: str, *rest: object) -> object:
        asked.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(counted):
        made = make()
    times = []
    for _ in range(TIMES):
        start = time.process_time()
        make()
        times.append((time.process_time() - start) * 1000)
    size = len(made) / 1000 if isinstance(made, bytes) else 0.0
    return Taken(median(times), len(asked), size)


if __name__ == "__main__":
    main()
