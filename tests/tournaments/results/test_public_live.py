"""The part of the page that phones ask for every few seconds."""

import gzip
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from clubs.http.pages import Crowd, lean
from clubs.members.services import member_change
from clubs.models import Club
from tests.factories import TESTS, EveningFactory, evening_with_draw, table, write_deal
from tests.tournaments.public_pages import (
    close_evening,
    evening_path,
    get,
    speak_english,
    words,
)
from tournaments.closing.services import evening_cancel
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening
from tournaments.results.views import live
from tournaments.results.views.live import SEEN_SECONDS

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    return evening_with_draw(players=4, method=Evening.Method.TYPED_IN)


def etag(client: Client, evening: Evening) -> str:
    return str(get(client, evening_path(evening, "live/")).headers["ETag"])


def status(client: Client, evening: Evening, seen: str) -> int:
    path = evening_path(evening, "live/")
    return client.get(path, headers={"If-None-Match": seen}).status_code


@pytest.mark.full
def test_the_fragment_is_the_live_part_of_the_page_and_no_more(
    client: Client, evening: Evening
) -> None:
    write_deal(table(evening), 1)
    for query in ("", "?show=names", "?show=tables&round=1", "?show=names&q=bakker"):
        fragment = get(client, evening_path(evening, f"live/{query}")).content.decode().strip()
        assert fragment.startswith('<div class="flow" id="live"')
        page = get(client, evening_path(evening, query)).content
        assert fragment in lean(page).decode()


def test_what_has_not_changed_costs_one_query_and_is_not_sent(
    client: Client, evening: Evening, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    seen, path = etag(client, evening), evening_path(evening, "live/")
    with django_assert_num_queries(1):
        response = client.get(path, headers={"If-None-Match": seen})
    assert (response.status_code, response.content) == (304, b"")
    assert dict(response.headers) == {
        "ETag": seen,
        "Cache-Control": "no-cache",
        "Vary": "Accept-Encoding",
    }
    assert not response.cookies


@pytest.mark.parametrize("more", ["live/", "screen/?live=1", "players/1/?live=1"])
def test_only_an_evening_of_this_club_is_there_to_be_asked_for(
    client: Client, evening: Evening, more: str
) -> None:
    other = EveningFactory.create(date=evening.date)
    for slug, day in (
        ("vrolijke-boer", "2026-11-21-2"),
        ("vrolijke-boer", "2026-02-30"),
        ("vrolijke-boer", "x"),
        ("nowhere", "2026-11-21"),
    ):
        assert client.get(f"/clubs/{slug}/evenings/{day}/{more}").status_code == 404
    assert etag(client, evening) != etag(client, other)


def test_a_hall_that_asks_at_once_is_answered_from_one_making_packed(
    client: Client, evening: Evening, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    write_deal(table(evening), 1)
    path = evening_path(evening, "live/")
    plain = get(client, path).content
    with django_assert_num_queries(1):
        packed = client.get(path, headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain
    assert "Accept-Encoding" in packed.headers["Vary"]
    names = get(client, f"{path}?show=names").content
    assert names != plain
    write_deal(table(evening), 2)
    assert get(client, path).content != plain


def test_a_hall_that_is_full_asks_less_often(
    client: Client, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "CROWD", Crowd(per_second=10, quickest=350, slowest=900))
    seen, path = etag(client, evening), evening_path(evening, "live/")

    def pauses(asked: int) -> set[str]:
        headers = {"If-None-Match": seen}
        return {client.get(path, headers=headers).get("Poll-Pause", "") for _ in range(asked)}

    with time_machine.travel(timezone.now().replace(microsecond=0), tick=False) as clock:
        assert pauses(20) == {""}
        clock.shift(1)
        assert pauses(12) == {"735"}
        clock.shift(1)
        assert pauses(20) == {"882"}
        clock.shift(1)
        assert pauses(1) == {"900"}
        clock.shift(60)
        assert pauses(10) == {""}


@pytest.mark.full
@pytest.mark.each_case
@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [
        ("gzip", True),
        ("br, GZip;q=0.5", True),
        ("gzip ; q=0.001", True),
        ("gzip;q=0", False),
        ("br, gzip; q=0.000", False),
        ("gzip;q=0, *", False),
        ("identity", False),
        ("", False),
    ],
)
def test_who_refuses_what_is_packed_gets_it_plain(
    client: Client, evening: Evening, accepted: str, is_packed: bool
) -> None:
    path = evening_path(evening, "live/")
    answer = client.get(path, headers={"Accept-Encoding": accepted})
    content = gzip.decompress(answer.content) if is_packed else answer.content
    assert answer.headers.get("Content-Encoding") == ("gzip" if is_packed else None)
    assert content == get(client, path).content


@pytest.mark.parametrize(
    ("changed", "answer"),
    [({"name": "Jan de Bakker"}, 200), ({"public_name": "J."}, 200), ({"phone": "06"}, 304)],
)
def test_another_name_reaches_the_phones_that_are_open(
    client: Client, evening: Evening, changed: dict[str, str], answer: int
) -> None:
    seen, jan = etag(client, evening), evening.club.members.get(name="Jan Bakker")
    fields: dict[str, Any] = {"name": jan.name, "number": jan.number, "kind": jan.kind, **changed}
    member_change(member=jan, seen_version=jan.version, actor=TESTS, **fields)
    assert status(client, evening, seen) == answer


def test_every_change_the_public_may_see_makes_another_tag(
    client: Client, evening: Evening
) -> None:
    seen = etag(client, evening)
    write_deal(table(evening), 1)
    assert status(client, evening, seen) == 200
    seen = etag(client, evening)
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    assert status(client, evening, seen) == 200
    seen = etag(client, evening)
    close_evening(evening)
    assert status(client, evening, seen) == 200


def test_another_language_is_another_tag(client: Client, evening: Evening) -> None:
    seen = etag(client, evening)
    speak_english(client)
    assert status(client, evening, seen) == 200
    assert "Where do I sit?" in words(get(client, evening_path(evening, "live/")))


@pytest.mark.full
def test_the_clubs_language_is_spoken_to_who_did_not_choose(
    client: Client, evening: Evening
) -> None:
    seen = etag(client, evening)
    Club.objects.update(language="en")
    assert status(client, evening, seen) == 200


@pytest.mark.full
def test_a_tag_names_one_evening_only(client: Client, evening: Evening) -> None:
    other = EveningFactory.create(club=evening.club)
    assert etag(client, other) != etag(client, evening)


@pytest.mark.full
def test_only_an_evening_that_can_change_is_polled(client: Client, evening: Evening) -> None:
    polled = 'data-every="350" data-slowest="5000"'
    assert polled in get(client, evening_path(evening)).content.decode()
    close_evening(evening)
    assert polled not in get(client, evening_path(evening)).content.decode()
    cancelled = EveningFactory.create(club=evening.club)
    assert polled in get(client, evening_path(cancelled)).content.decode()
    evening_cancel(evening_id=cancelled.pk, actor=TESTS)
    assert polled not in get(client, evening_path(cancelled)).content.decode()


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_a_hall_that_goes_on_asking_costs_a_query_now_and_then(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    evening = evening_with_draw(players=4, method=Evening.Method.TYPED_IN)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        seen = etag(client, evening)
        with django_assert_max_num_queries(1):
            assert [status(client, evening, seen) for _ in range(50)] == [304] * 50
        write_deal(table(evening), 1)
        clock.shift(SEEN_SECONDS * 2)
        assert status(client, evening, seen) == 200
