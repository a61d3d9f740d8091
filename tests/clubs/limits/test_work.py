"""A budget of work for each address: who keeps the server busy waits, and a hall never does."""

import gc
from collections.abc import Iterator

import pytest
import time_machine
from django.core.cache import caches
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from clubs.limits.work import turn_begins, turn_ends
from clubs.models import ApiCount
from tests.concurrency import at_once
from tests.factories import ClubFactory, evening_with_draw, organiser_of
from tests.tournaments.table_pages import link

pytestmark = pytest.mark.django_db
EVENING = "2026-11-21T20:00:40Z"
HEAVY = "/busy/heavy/?ms=450"
PAGE = "/busy/page/?ms=40"
HALL, ELSEWHERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture(autouse=True)
def clock(settings: Settings) -> Iterator[time_machine.Traveller]:
    """A minute that lasts, pages that take long, small budgets, and no other work of the process
    that would count as that of a page."""
    settings.ROOT_URLCONF = "tests.clubs.limits.urls"
    settings.WORK_SECONDS = {"pages": 1, "heavy": 1, "at_once": 1_000}
    Client().get("/busy/page/?ms=0")
    for cache in caches.all():
        cache.clear()
    gc.disable()
    try:
        with time_machine.travel(EVENING, tick=False) as traveller:
            yield traveller
    finally:
        gc.enable()


def statuses(client: Client, path: str, times: int) -> list[int]:
    return [client.get(path).status_code for _ in range(times)]


def test_who_asks_for_much_waits_and_others_do_not(clock: time_machine.Traveller) -> None:
    scraper, somebody = Client(REMOTE_ADDR=HALL), Client(REMOTE_ADDR=ELSEWHERE)
    assert statuses(scraper, HEAVY, 5) == [200] * 3 + [429] * 2
    assert statuses(somebody, HEAVY, 1) == [200]
    clock.shift(20)
    assert statuses(scraper, HEAVY, 1) == [200]


@pytest.mark.django_db(transaction=True)
@pytest.mark.full
def test_what_is_heavy_is_done_one_after_the_other(
    clock: time_machine.Traveller, settings: Settings
) -> None:
    settings.WORK_SECONDS = {**settings.WORK_SECONDS, "heavy": 10}

    def ask(address: str) -> int:
        return Client(REMOTE_ADDR=address).get(HEAVY).status_code

    ask(HALL)
    answers = at_once([lambda: ask(HALL)] * 3 + [lambda: ask(ELSEWHERE)])
    assert sorted(map(str, answers)) == ["200", "200", "429", "429"]
    assert answers[3] == 200
    # A refusal is said again for a second.
    clock.shift(2)
    assert ask(HALL) == 200


@pytest.mark.full
def test_the_answer_says_how_long_to_wait_in_dutch_and_english() -> None:
    scraper = Client(REMOTE_ADDR=HALL)
    statuses(scraper, HEAVY, 3)
    answer = scraper.get(HEAVY)
    assert answer.headers["Retry-After"] == "20"
    assert answer.headers["Cache-Control"] == "no-store"
    page = answer.content.decode()
    assert "Probeer het over 1 minuut opnieuw." in page
    assert "Try again in 1 minute." in page


@pytest.mark.full
def test_pages_have_a_budget_of_a_quarter_of_an_hour(clock: time_machine.Traveller) -> None:
    scraper = Client(REMOTE_ADDR=HALL)
    taken = statuses(scraper, PAGE, 30)
    assert taken == sorted(taken)
    assert 20 <= taken.count(200) <= 26
    assert scraper.get(PAGE).headers["Retry-After"] == str(14 * 60 + 20)
    clock.shift(14 * 60)
    assert statuses(scraper, PAGE, 1) == [429]
    clock.shift(20)
    assert statuses(scraper, PAGE, 1) == [200]


@pytest.mark.full
def test_who_uses_up_the_budget_of_a_hall_does_not_shut_it() -> None:
    hall = Client(REMOTE_ADDR=HALL)
    statuses(hall, HEAVY, 4)
    assert statuses(hall, PAGE, 2) == [200, 200]
    statuses(hall, PAGE, 30)
    assert statuses(hall, PAGE, 1) == [429]
    assert statuses(hall, "/busy/page/?ms=0", 1) == [429]
    assert statuses(hall, "/clubs/een/busy/?ms=0", 50) == [200] * 50


@pytest.mark.full
def test_what_is_kept_and_polled_is_not_taken_for_slow() -> None:
    """A part of a page that is made once in a while, and said to be unchanged a hundred times."""
    hall = Client(REMOTE_ADDR=HALL)
    polled = "/clubs/een/busy/"
    for _ in range(3):
        statuses(hall, f"{polled}?ms=100", 1)
        statuses(hall, f"{polled}?ms=0", 20)
    statuses(hall, PAGE, 30)
    assert statuses(hall, f"{polled}?ms=0", 20) == [200] * 20


@pytest.mark.full
def test_a_page_of_a_small_club_is_not_taken_for_that_of_a_large_one() -> None:
    hall = Client(REMOTE_ADDR=HALL)
    statuses(hall, "/clubs/groot/busy/?ms=450", 4)
    assert statuses(hall, "/clubs/groot/busy/?ms=450", 1) == [429]
    assert statuses(hall, "/clubs/klein/busy/?ms=0", 3) == [200] * 3


@pytest.mark.full
def test_a_table_pays_itself_and_what_it_writes_is_never_refused() -> None:
    hall = Client(REMOTE_ADDR=HALL)
    table, other = "/t/abc/busy/?ms=450", "/t/def/busy/?ms=450"
    statuses(hall, HEAVY, 4)
    assert statuses(hall, table, 5) == [200] * 3 + [429] * 2
    assert statuses(hall, other, 1) == [200]
    assert [hall.post(table).status_code for _ in range(5)] == [200] * 5


@pytest.mark.full
def test_who_is_logged_in_has_a_budget_of_their_own() -> None:
    club = ClubFactory.create()
    hall, one, two = Client(REMOTE_ADDR=HALL), Client(REMOTE_ADDR=HALL), Client(REMOTE_ADDR=HALL)
    for client in (one, two):
        client.force_login(organiser_of(club))
    assert statuses(hall, HEAVY, 4)[-1] == 429
    assert statuses(one, HEAVY, 5) == [200] * 3 + [429] * 2
    assert statuses(two, HEAVY, 1) == [200]


@pytest.mark.full
def test_a_session_that_somebody_makes_up_helps_nothing() -> None:
    hall = Client(REMOTE_ADDR=HALL)
    statuses(hall, HEAVY, 4)
    for number in range(3):
        hall.cookies["sessionid"] = f"{number:032d}"
        assert statuses(hall, HEAVY, 1) == [429]


@pytest.mark.full
def test_processes_share_what_was_spent() -> None:
    """What a process knows is in its own cache: emptied, it is another process."""
    scraper = Client(REMOTE_ADDR=HALL)
    assert statuses(scraper, HEAVY, 2) == [200] * 2
    for cache in caches.all():
        cache.clear()
    assert statuses(scraper, HEAVY, 3) == [200] + [429] * 2
    assert 1_000 <= ApiCount.objects.get().taken < 2_000
    assert "192" not in ApiCount.objects.get().who


@pytest.mark.full
def test_hardly_any_request_writes(
    settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.WORK_SECONDS = {"pages": 360, "heavy": 20, "at_once": 1_000}
    client = Client(REMOTE_ADDR=HALL)
    with django_assert_num_queries(0):
        assert statuses(client, PAGE, 50) == [200] * 50


@pytest.mark.full
@pytest.mark.once
def test_a_tenth_of_a_hall_needs_a_small_part_of_a_tenth_of_the_budget(settings: Settings) -> None:
    """Forty phones that open the evening, its standing and its season, and poll for a minute."""
    settings.WORK_SECONDS = {"pages": 36, "heavy": 2, "at_once": 1_000}
    evening = evening_with_draw(players=40, rounds=1)
    path = f"/clubs/{evening.club.slug}/evenings/{evening.slug}/"
    phones = [Client(REMOTE_ADDR=HALL) for _ in range(40)]
    for phone in phones:
        assert statuses(phone, path, 3) == [200] * 3
    etag = phones[0].get(f"{path}live/").headers["ETag"]
    polls = [phone.get(f"{path}live/", headers={"If-None-Match": etag}) for phone in phones * 50]
    assert {poll.status_code for poll in polls} == {304}
    assert statuses(phones[0], link(evening), 24) == [200] * 24
    assert sum(count.taken for count in ApiCount.objects.all()) < 9_000


def test_who_asks_for_much_at_once_gets_few_pages_one_at_a_time(
    clock: time_machine.Traveller, settings: Settings
) -> None:
    settings.WORK_SECONDS = {"pages": 360, "heavy": 20, "at_once": 1}
    scraper = Client(REMOTE_ADDR=HALL)
    taken = statuses(scraper, PAGE, 40)
    assert taken == sorted(taken)
    assert 20 <= taken.count(200) <= 29
    clock.shift(5)
    answer = scraper.get(PAGE)
    assert (answer.status_code, answer.headers["Retry-After"], answer.headers["Refresh"]) == (
        429,
        "5",
        "5",
    )
    assert "De pagina komt zo vanzelf." in answer.content.decode()
    assert statuses(Client(REMOTE_ADDR=ELSEWHERE), PAGE, 2) == [200, 200]
    clock.shift(5)
    assert statuses(scraper, PAGE, 1) == [200]
    turn_begins(f"work of address {HALL}")
    try:
        assert statuses(scraper, PAGE, 1) == [429]
        clock.shift(61)
        assert statuses(scraper, PAGE, 2) == [200, 200]
    finally:
        turn_ends(f"work of address {HALL}")


@pytest.mark.full
def test_what_a_hall_polls_is_never_refused(settings: Settings) -> None:
    settings.WORK_SECONDS = {"pages": 1, "heavy": 1, "at_once": 1}
    hall = Client(REMOTE_ADDR=HALL)
    statuses(hall, PAGE, 40)
    assert statuses(hall, PAGE, 1) == [429]
    evening = evening_with_draw(players=4, rounds=1)
    live = f"/clubs/{evening.club.slug}/evenings/{evening.slug}/live/"
    assert statuses(hall, live, 30) == [200] * 30


def test_a_large_file_counts_although_it_is_there() -> None:
    scraper = Client(REMOTE_ADDR=HALL)
    taken = statuses(scraper, "/busy/page/?ms=0&bytes=2000000", 30)
    assert taken == sorted(taken)
    assert 10 <= taken.count(200) <= 16
