"""IPv6: somebody with a /48 has 65,536 networks, which together may do ten times what one may."""

import pytest
import time_machine
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from clubs.limits.table import LOGIN_TRIES, Limit

pytestmark = pytest.mark.django_db
EVENING = "2026-11-21T20:00:40Z"


def network(number: int, site: int = 7) -> str:
    """An address in the network of this number, each time of one site."""
    return f"2001:db8:{site:x}:{number:x}::1"


def asked(path: str, number: int, site: int = 7) -> int:
    return Client(REMOTE_ADDR=network(number, site)).get(path).status_code


@pytest.mark.full
def test_the_api_answers_the_networks_of_one_site_ten_times_as_often(settings: Settings) -> None:
    settings.API_LIMITS = {"anybody": 2, "caller": 100}
    with time_machine.travel(EVENING, tick=False):
        statuses = [asked("/api/v1/clubs/", number) for number in range(24)]
        assert statuses == [200] * 20 + [429] * 4
        assert asked("/api/v1/clubs/", 1, site=8) == 200


@pytest.mark.full
def test_pages_cost_a_site_too(settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.clubs.limits.urls"
    settings.WORK_SECONDS = {"pages": 1, "heavy": 1, "at_once": 1_000}
    heavy = "/busy/heavy/?ms=450"
    with time_machine.travel(EVENING, tick=False):
        Client().get("/busy/page/?ms=0")
        caches["small"].clear()
        statuses = [asked(heavy, number) for number in range(30)]
        assert 20 <= statuses.index(429) <= 24
        assert set(statuses[24:]) == {429}
        assert asked(heavy, 1, site=8) == 200


@pytest.mark.full
def test_passwords_are_tried_for_ten_times_as_many_logins() -> None:
    page = reverse("login")
    with time_machine.travel(EVENING, tick=False):
        for number in range(10 * LOGIN_TRIES.most):
            assert LOGIN_TRIES.allows_from("login", f"2001:db8:7:{number:x}::")
        data = {"username": "a@example.org", "password": "x"}
        statuses = [
            Client(REMOTE_ADDR=network(1, site)).post(page, data).status_code for site in (7, 8)
        ]
        assert statuses == [429, 200]


@pytest.mark.full
def test_what_is_counted_afterwards_counts_for_the_site() -> None:
    limit = Limit(20)
    with time_machine.travel(EVENING, tick=False):
        for number in range(200):
            assert not limit.is_spent_from("files of", f"2001:db8:7:{number:x}::")
            limit.spend_from("files of", f"2001:db8:7:{number:x}::", 1)
        for_a_new_network = limit.is_spent_from("files of", "2001:db8:7:ffff::")
        elsewhere = [limit.is_spent_from("files of", f"{other}::") for other in ("2001:db8:8:1",)]
        assert (for_a_new_network, elsewhere) == (True, [False])


@pytest.mark.full
def test_addresses_of_ipv4_have_no_site() -> None:
    limit = Limit(1)
    with time_machine.travel(EVENING, tick=False):
        assert all(limit.allows_from("login", f"192.0.2.{number}") for number in range(40))
