"""How often somebody may ask, over all processes together."""

import datetime as dt
import subprocess
import sys
from pathlib import Path

import pytest
import time_machine
from django.core.cache import cache, caches
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from clubs.limits.table import allowed
from clubs.models import ApiCount
from tests.api.caller import Caller
from tests.api.problems import problem
from tests.concurrency import at_once
from tests.factories import ClubFactory, organiser_of

pytestmark = pytest.mark.django_db
EVENING = "2026-11-21T20:00:40Z"


# A process of its own on the database of the test, asking 200 times in one minute.
ASKER = """
import os, sys, time
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()
from clubs.limits.table import allowed
time.time = lambda: float(sys.argv[2])
sys.stdin.readline()
print(sum(allowed("wie", 100) for _ in range(200)))
"""


def statuses(client: Client, times: int, **headers: str) -> list[int]:
    return [client.get("/api/v1/clubs/", headers=headers).status_code for _ in range(times)]


def test_an_address_may_ask_so_often_in_a_minute(settings: Settings) -> None:
    settings.API_LIMITS = {"anybody": 3, "caller": 100}
    with time_machine.travel(EVENING, tick=False) as clock:
        here, elsewhere = Client(), Client(REMOTE_ADDR="192.0.2.7")
        assert statuses(here, 4) == [200, 200, 200, 429]
        refused = here.get("/api/v1/clubs/")
        payload = "Request was throttled. Expected available in 20 seconds."
        assert refused.json() == problem(429, "throttled", payload)
        assert refused.headers["Retry-After"] == "20"
        assert statuses(elsewhere, 1) == [200]
        clock.shift(20)
        assert statuses(here, 4) == [200, 200, 200, 429]


@pytest.mark.full
def test_who_is_known_is_counted_by_himself(settings: Settings) -> None:
    settings.API_LIMITS = {"anybody": 1, "caller": 2}
    club = ClubFactory.create()
    with time_machine.travel(EVENING, tick=False):
        one, two = Caller(organiser_of(club)), Caller(organiser_of(club))
        assert statuses(Client(), 2) == [200, 429]
        for caller in (one, two):
            asked = [caller.send("GET", "clubs/").status_code for _ in range(3)]
            assert asked == [200, 200, 429]


def test_an_address_that_somebody_makes_up_helps_nothing(settings: Settings) -> None:
    settings.API_LIMITS = {"anybody": 1, "caller": 1}
    client = Client(REMOTE_ADDR="192.0.2.7")
    with time_machine.travel(EVENING, tick=False):
        assert statuses(client, 1) == [200]
        for number in range(3):
            assert statuses(client, 1, x_forwarded_for=f"198.51.100.{number}") == [429]


def test_addresses_of_one_network_that_cost_nothing_count_as_one(settings: Settings) -> None:
    settings.API_LIMITS = {"anybody": 1, "caller": 1}
    with time_machine.travel(EVENING, tick=False):
        assert statuses(Client(REMOTE_ADDR="2001:db8::1"), 1) == [200]
        assert statuses(Client(REMOTE_ADDR="2001:db8::ffff:2"), 1) == [429]
        assert statuses(Client(REMOTE_ADDR="2001:db8:0:1::1"), 1) == [200]


def test_phones_of_a_hall_are_told_apart_on_a_server_that_listens_to_ipv6(
    settings: Settings,
) -> None:
    settings.API_LIMITS = {"anybody": 1, "caller": 1}
    with time_machine.travel(EVENING, tick=False):
        assert statuses(Client(REMOTE_ADDR="::ffff:192.168.1.7"), 2) == [200, 429]
        assert statuses(Client(REMOTE_ADDR="::ffff:192.168.1.8"), 1) == [200]
        assert statuses(Client(REMOTE_ADDR="192.168.1.8"), 1) == [429]


@pytest.mark.each_case
@pytest.mark.parametrize("limit", [1, 7, 20, 300, 1_201])
def test_never_more_than_the_limit(limit: int) -> None:
    with time_machine.travel(EVENING, tick=False):
        assert [allowed("wie", limit) for _ in range(limit + 30)] == [True] * limit + [False] * 30


@pytest.mark.full
def test_processes_share_the_limit() -> None:
    """What a process keeps is in its own cache: emptied, it is another process."""
    let_through = 0
    with time_machine.travel(EVENING, tick=False):
        for _ in range(400):
            let_through += allowed("wie", 100)
            if let_through % 7 == 0:
                caches["small"].clear()
    assert let_through <= 100
    assert ApiCount.objects.get().taken == 100


def test_pages_that_are_kept_cost_nobody_his_share() -> None:
    with time_machine.travel(EVENING, tick=False):
        assert allowed("wie", 300)
        for number in range(1_000):
            cache.set(f"page-{number}", "x")
        assert all(allowed("wie", 300) for _ in range(14))
    assert ApiCount.objects.get().taken == 15


@pytest.mark.django_db(transaction=True)
def test_eight_at_once_share_the_limit() -> None:
    def ask() -> list[bool]:
        return [allowed("wie", 50) for _ in range(20)]

    with time_machine.travel(EVENING, tick=False):
        answers = at_once([ask] * 8)
        last = ask()  # what the last of them brought
    assert sum(sum(one) for one in [*answers, last] if isinstance(one, list)) == 50


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_three_processes_share_the_limit() -> None:
    name = str(connection.settings_dict["NAME"])
    minute = int(dt.datetime.fromisoformat(EVENING).timestamp())
    askers = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", ASKER, name, str(minute)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for asker in askers:
        assert asker.stdin is not None
        asker.stdin.write("go\n")
        asker.stdin.flush()
    assert sum(int(asker.communicate(timeout=120)[0]) for asker in askers) == 100


def test_most_requests_cost_nothing_extra(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with time_machine.travel(EVENING, tick=False):
        allowed("wie", 300)
        with django_assert_num_queries(0):
            assert [allowed("wie", 300) for _ in range(14)] == [True] * 14


def test_no_address_is_kept_and_nothing_for_long() -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        allowed("address 192.0.2.7", 10)
        assert "192" not in ApiCount.objects.get().who
        clock.shift(180)
        allowed("address 192.0.2.8", 10)
        assert ApiCount.objects.count() == 1


@pytest.mark.parametrize("name", ["API_REQUESTS_PER_MINUTE", "API_CALLER_REQUESTS_PER_MINUTE"])
def test_a_limit_that_lets_nobody_through_is_refused_at_the_start(name: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        env={name: "0", "SECRET_KEY": "x"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert f"{name}: must be 1 or more, not 0" in ran.stderr
