"""Who goes on asking is refused without work, and nobody else is."""

from collections.abc import Iterator

import pytest
import time_machine
from django.core.cache import caches
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from tests.factories import evening_with_draw
from tournaments.table_links.services import token_pin

pytestmark = pytest.mark.django_db
SCORE = "/api/v1/score/"
HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture(autouse=True)
def clock(settings: Settings, still_clock: None) -> Iterator[time_machine.Traveller]:
    settings.API_LIMITS = {**settings.API_LIMITS, "score": 60}
    for cache in caches.all():
        cache.clear()
    with time_machine.travel("2026-11-21T20:00:40Z", tick=False) as traveller:
        yield traveller


def score(client: Client, **headers: str) -> int:
    return client.post(SCORE, b"{}", content_type="application/json", headers=headers).status_code


def test_a_second_refusal_costs_nothing(
    clock: time_machine.Traveller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = Client(REMOTE_ADDR=HERE)
    assert [score(client) for _ in range(2)] == [200, 429]
    first = client.post(SCORE, b"{}", content_type="application/json")
    with django_assert_num_queries(0):
        again = client.post(SCORE, b'{"points": 3}', content_type="application/json")
    assert (again.status_code, again.content) == (429, first.content)
    assert again.headers["Retry-After"] == "20"
    assert again.headers["X-Request-ID"] == first.headers["X-Request-ID"]
    clock.shift(2)
    anew = client.post(SCORE, b"{}", content_type="application/json")
    assert (anew.status_code, anew.headers["Retry-After"]) == (429, "18")
    assert anew.headers["X-Request-ID"] != first.headers["X-Request-ID"]
    clock.shift(18)
    assert score(client) == 200


def test_somebody_else_is_not_refused_with_them() -> None:
    client = Client(REMOTE_ADDR=HERE)
    assert [score(client) for _ in range(3)] == [200, 429, 429]
    assert score(Client(REMOTE_ADDR=ELSEWHERE)) == 200
    assert client.get("/api/v1/score/").status_code == 405


def test_a_refusal_hands_out_no_cookie() -> None:
    client = Client(REMOTE_ADDR=HERE)
    assert [score(client) for _ in range(3)] == [200, 429, 429]
    assert client.cookies == {}


def test_a_right_pin_is_not_refused_with_a_wrong_one() -> None:
    evening = evening_with_draw(players=8)
    shut, right = (token_pin(evening.tokens.get(table_number=table)) for table in (2, 1))
    phone = Client(REMOTE_ADDR=HERE)

    def knock(table: int, pin: str) -> int:
        address = f"/clubs/{evening.club.slug}/table/"
        return phone.post(address, {"number": str(table), "pin": pin}).status_code

    assert [knock(2, "00000") for _ in range(6)] == [422] * 4 + [429] * 2
    assert knock(2, shut) == 429
    assert knock(1, right) == 303
