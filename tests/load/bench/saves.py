"""Deals that phones save at a hundred tables: checks, version, totals, trail and all."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from urllib.parse import urlencode

from tests.factories import evening_with_draw
from tests.load.bench.bench import Bench
from tests.load.bench.clients import CLIENTS, Client, get, paced, post
from tests.load.bench.table import Row
from tests.load.hall import filled_in
from tests.tournaments.table_pages import link
from tournaments.models import Evening

TABLES, DEALS = 100, 16
POINTS = 40


def rows(bench: Bench) -> Iterator[Row]:
    """Eight phones at tables of their own, each a boompje; then eight that all write the same
    deals."""
    with hall_of(bench) as hall:
        pace = paced(bench.port, hall.fresh_deals)
        same = paced(bench.port, lambda _client: hall.same_deals(), warm_up=0)
    assert set(pace.statuses) == {200}
    assert set(same.statuses) <= {200, 409}
    floor = bench.floors.write
    yield Row("deal saved, 8 clients", pace.per_second, "saves/s", 100, 200, floor.per_second)
    yield Row("deal saved, 8 clients, p95", pace.p95, "ms", 120, floor=floor.p95)
    yield Row("8 clients, same deals", same.per_second, "saves/s", floor=floor.per_second)


def save_cost(bench: Bench) -> float:
    """The milliseconds of one save while nobody else saves: the median."""
    with hall_of(bench) as hall:
        return paced(bench.port, lambda _client: hall.fresh_deals(0, of=1), clients=1).median


@contextmanager
def hall_of(bench: Bench) -> Iterator["Hall"]:
    """An evening of the club that is being played, and called off afterwards."""
    evening = evening_with_draw(
        club=bench.club,
        players=4 * TABLES,
        rounds=1,
        method=Evening.Method.TYPED_IN,
        deals_per_round=DEALS,
    )
    links = [link(evening, table) for table in range(1, TABLES + 1)]
    phones = [KnownPhone.at(bench.port, address) for address in links]
    yield Hall(phones, f"{bench.club_path}evenings/{evening.slug}/live/")
    Evening.objects.filter(pk=evening.pk).update(state=Evening.State.CANCELLED)


@dataclass
class Hall:
    """A phone that is known at each table; at the last one all write the same deals. And what
    readers poll."""

    phones: list["KnownPhone"]
    live_path: str

    def fresh_deals(self, client: int, *, of: int = CLIENTS) -> Iterator[bytes]:
        """What one of so many clients writes: deals of its own tables, each table in turn."""
        mine = self.phones[:-1][client::of]
        return (phone.deal(number, POINTS) for number in range(1, DEALS + 1) for phone in mine)

    def same_deals(self) -> Iterator[bytes]:
        """What each client writes where all have the same lines before them."""
        phone = self.phones[-1]
        return (phone.deal(1 + at % DEALS, POINTS + at % 3) for at in count())


@dataclass
class KnownPhone:
    """A phone that opened the page of its table before."""

    address: str
    cookie: str
    round: int = 1

    @classmethod
    def at(cls, port: int, address: str, round_number: int = 1) -> "KnownPhone":
        with Client(port) as client:
            given = client.ask(get(address)).headers["set-cookie"]
            phone = cls(address, given.partition(";")[0], round_number)
            client.ask(get(address, cookie=phone.cookie))
        return phone

    def deal(self, number: int, points: int) -> bytes:
        """The request that writes this line, as its page's own program sends it."""
        return post(
            f"{self.address}rounds/{self.round}/deals/{number}/",
            urlencode(filled_in(points)).encode(),
            accept="application/json",
            content_type="application/x-www-form-urlencoded",
            cookie=self.cookie,
        )
