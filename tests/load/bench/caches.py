"""The same pages through Varnish, which keeps what is the same for everybody: what one machine
answers then, and how soon a reader sees what was saved."""

import shutil
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import repeat

from tests.load.bench.bench import Bench, served
from tests.load.bench.clients import Client, get, paced
from tests.load.bench.saves import DEALS, hall_of
from tests.load.bench.table import Row
from tests.nginx import free_port
from tests.varnish import varnish_before

SAVES = 20


def rows(bench: Bench) -> Iterator[Row]:
    """Nothing where there is no Varnish."""
    if not shutil.which("varnishd", path="/usr/sbin:/usr/bin"):
        return
    port = free_port()
    with (
        served("tests.load.settings", SHARED_CACHES=f"http://127.0.0.1:{port}") as server,
        varnish_before(server, port=port),
    ):
        path = f"{bench.evening_path}live/"
        with Client(port) as client:
            tag = client.ask(get(path)).headers["etag"]
        yield _row("unchanged", port, get(path, if_none_match=tag), 304, bench)
        whole = get(bench.evening_path, accept_encoding="gzip")
        yield _row("whole evening page, first visit", port, whole, 200, bench)
        saved = _seen_after(replace(bench, port=server), port)
        yield Row("through a cache: a save until it is seen", saved, "ms")


def _row(name: str, port: int, request: bytes, status: int, bench: Bench) -> Row:
    pace = paced(port, lambda _client: repeat(request))
    assert set(pace.statuses) == {status}
    floor = bench.floors.empty.per_second
    return Row(f"through a cache: {name}", pace.per_second, "req/s", floor=floor)


def _seen_after(bench: Bench, port: int) -> float:
    """How long after the answer to a save the cache has it, in ms: the median."""
    took = []
    with hall_of(bench) as hall, Client(bench.port) as phone, Client(port) as reader:
        path = hall.live_path
        tag = reader.ask(get(path, accept_encoding="gzip")).headers["etag"]
        for deal, _number in zip(hall.fresh_deals(0), range(min(SAVES, DEALS)), strict=False):
            assert phone.ask(deal).status == 200
            saved = time.perf_counter()
            while (
                answer := reader.ask(get(path, if_none_match=tag, accept_encoding="gzip"))
            ).status == 304:
                pass
            took.append((time.perf_counter() - saved) * 1000)
            tag = answer.headers["etag"]
    return statistics.median(took)
