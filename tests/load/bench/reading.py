"""Public pages of a club of 400: how many a second, how long they take, how large they are."""

from collections.abc import Iterator
from itertools import repeat

from tests.load.bench.bench import Bench, served, worker_megabytes
from tests.load.bench.clients import Client, Pace, get, paced
from tests.load.bench.table import Row


def rows(bench: Bench) -> Iterator[Row]:
    """The page that people have open during an evening, with the whole standing in it."""
    yield Row("a worker at its start", worker_megabytes(), "MB", 150, 90)
    yield from _as_visitors_get_it(bench)
    yield from _made_anew(bench)
    yield from _unchanged(bench)


def _as_visitors_get_it(bench: Bench) -> Iterator[Row]:
    """The whole page, opened by who is not logged in and has nothing of it yet."""
    pages = {"evening": bench.evening_path, "season": bench.season_path}
    for name, path in pages.items():
        page = get(path, accept_encoding="gzip")
        with Client(bench.port) as client:
            assert "set-cookie" not in client.ask(page).headers
        pace = _pace(bench.port, page)
        assert set(pace.statuses) == {200}
        empty = bench.floors.empty.per_second
        yield Row(f"whole {name} page, first visit", pace.per_second, "req/s", 250, 1000, empty)


def _pace(port: int, page: bytes) -> Pace:
    return paced(port, lambda _client: repeat(page))


def _made_anew(bench: Bench) -> Iterator[Row]:
    """Every answer worked out from the sheets, as after each save."""
    with served("tests.load.settings_uncached") as port:
        page = get(bench.evening_path)
        pace = paced(port, lambda _client: repeat(page))
        with Client(port) as client:
            size = len(client.ask(page).body) / 1000
    assert set(pace.statuses) == {200}
    empty = bench.floors.empty
    yield Row("evening page, nothing cached", pace.per_second, "req/s", 40, 150, empty.per_second)
    yield Row("evening page, nothing cached, p95", pace.p95, "ms", 150, floor=empty.p95)
    yield Row("evening page, size", size, "kB", 150, 80)


def _unchanged(bench: Bench) -> Iterator[Row]:
    """Asked again by who has it as it is: 304."""
    path = f"{bench.evening_path}live/"
    with Client(bench.port) as client:
        tag = client.ask(get(path)).headers["etag"]
    pace = paced(bench.port, lambda _client: repeat(get(path, if_none_match=tag)))
    assert set(pace.statuses) == {304}
    empty = bench.floors.empty.per_second
    yield Row("the same, unchanged", pace.per_second, "req/s", floor=empty)
    yield Row("the same, unchanged", pace.per_second / empty, "× floor", 0.4, 0.8)
