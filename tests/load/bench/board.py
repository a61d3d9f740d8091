"""How long after a save its result is read, by who asks as often as the pages themselves do."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from itertools import count

from django.test import Client as LoggedIn
from django.urls import reverse

from clubs.models import Role, User
from tests.factories import evening_with_draw
from tests.load.bench.bench import Bench
from tests.load.bench.clients import Client, get
from tests.load.bench.saves import POINTS, KnownPhone
from tests.load.bench.table import Row
from tests.tournaments.table_pages import link
from tournaments.models import Evening

SAVES = 8
MUST, AIM = 2.0, 0.5
POLL = re.compile(r'data-poll="([^"]+)"[^>]* data-every="(\d+)"')


def rows(bench: Bench) -> Iterator[Row]:
    """The slowest of some saves, at moments that are spread over what lies between two askings."""
    evening = evening_with_draw(
        club=bench.club,
        players=len(bench.club.members.all()),
        rounds=1,
        method=Evening.Method.TYPED_IN,
        deals_per_round=3 * SAVES,
    )
    phone = KnownPhone.at(bench.port, link(evening))
    deals = (phone.deal(number, POINTS) for number in count(1))
    place = [bench.club.slug, evening.slug]
    for name, path, cookie in (
        ("result on the hall's screen after a save", reverse("evening_screen", args=place), ""),
        ("result on an open page after a save", reverse("evening_page", args=place), ""),
        ("result on the board after a save", reverse("evening_board", args=place), _desk(bench)),
    ):
        asked = _asked(bench, path, cookie)
        yield Row(name, max(_lags(bench, deals, asked)), "s", MUST, AIM)
    Evening.objects.filter(pk=evening.pk).update(state=Evening.State.CANCELLED)


@dataclass(frozen=True, slots=True)
class Asked:
    """What an open page asks for by itself, and how often (in seconds)."""

    path: str
    every: float
    cookie: str


def _asked(bench: Bench, path: str, cookie: str) -> Asked:
    with Client(bench.port) as client:
        page = client.ask(get(path, cookie=cookie)).body.decode()
    found = POLL.search(page)
    assert found, f"{path} asks for nothing"
    own = unescape(found[1])
    return Asked(path + own if own.startswith("?") else own, int(found[2]) / 1000, cookie)


def _desk(bench: Bench) -> str:
    """The cookie of who directs the evening."""
    user = User.objects.create(email="bench@example.org", name="Bench")
    Role.objects.create(user=user, club=bench.club, kind=Role.Kind.DIRECTOR)
    browser = LoggedIn()
    browser.force_login(user)
    return f"sessionid={browser.cookies['sessionid'].value}"


def _lags(bench: Bench, deals: Iterator[bytes], asked: Asked) -> Iterator[float]:
    with Client(bench.port) as table, Client(bench.port) as reader:
        for number in range(1, SAVES + 1):
            seen = reader.ask(get(asked.path, cookie=asked.cookie))
            saved = table.ask(next(deals))
            assert saved.status == 200
            start = time.perf_counter()
            time.sleep(asked.every * number / SAVES)
            again = get(asked.path, cookie=asked.cookie, if_none_match=seen.headers["etag"])
            while reader.ask(again).status == 304:
                time.sleep(asked.every)
            yield time.perf_counter() - start
