"""A list that takes seconds is made aside, once, and kept for whoever asks next."""

import datetime as dt
import time
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from clubs.models import Club, Member
from tests.concurrency import at_once
from tests.factories import TESTS, evening_with_draw
from tests.tournaments.files import csv_lines_of
from tests.tournaments.public_pages import get, words
from tournaments.models import Evening, Season, SeasonFile
from tournaments.season_files.services import MOST_OF_A_CLUB, season_file_start
from tournaments.seasons.services import season_create

HEADINGS = "player,other,partners,opponents"


@pytest.fixture
def evening(db: None) -> Evening:
    """One round of a season with eighty-four people."""
    evening = evening_with_draw(players=84, rounds=1)
    season = season_create(club=evening.club, name="2026", actor=TESTS)
    Evening.objects.filter(pk=evening.pk).update(season=season)
    return evening


def met(evening: Evening, kind: str = "csv") -> str:
    return f"/clubs/{evening.club.slug}/seasons/2026/met/?format={kind}"


def wait_for(address: str) -> Any:
    """The file, once it is made."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        answer = Client().get(address)
        if answer.status_code == 200:
            return answer
        assert answer.status_code == 202
        time.sleep(0.05)
    raise AssertionError(address)


@pytest.mark.django_db(transaction=True)
def test_who_asks_first_sees_progress_and_everybody_gets_the_file(evening: Evening) -> None:
    first = Client().get(met(evening))
    assert (first.status_code, first.headers["Retry-After"]) == (202, "1")
    assert "Het bestand wordt gemaakt." in words(first)
    answer = wait_for(met(evening))
    lines = csv_lines_of(answer.content)
    assert lines[0] == HEADINGS
    assert len(lines) == 1 + 21 * 6
    assert answer.headers["Content-Disposition"] == (
        'attachment; filename="de-vrolijke-boer-2026-wie-met-wie-speelde.csv"'
    )
    assert SeasonFile.objects.count() == 1
    fragment = Client().get(met(evening), headers={"HX-Request": "true"})
    assert fragment.status_code == 200
    assert "Het bestand is klaar." in fragment.content.decode()
    assert "hx-get" not in fragment.content.decode()


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_each_format_is_a_file_of_its_own(evening: Evening, kind: str) -> None:
    answer = wait_for(met(evening, kind))
    assert answer.headers["Content-Disposition"].endswith(f'wie-met-wie-speelde.{kind}"')


@pytest.mark.django_db(transaction=True)
def test_who_is_hidden_is_not_in_the_file_that_is_kept(evening: Evening) -> None:
    before = wait_for(met(evening)).content.decode()
    member = Member.objects.filter(club=evening.club).first()
    assert member is not None
    name = member.name
    assert name in before
    Member.objects.filter(pk=member.pk).update(public_as="hidden", version=member.version + 1)
    assert Client().get(met(evening)).status_code == 202
    assert name not in wait_for(met(evening)).content.decode()
    assert SeasonFile.objects.count() == 1


@pytest.mark.django_db
class TestWhileItIsMade:
    """Nothing is committed in these tests, so no thread starts."""

    def test_the_page_asks_again_with_scripts_and_without(self, evening: Evening) -> None:
        page = Client().get(met(evening)).content.decode()
        assert f'hx-get="{met(evening)}" hx-trigger="every 1s"' in page
        assert "Kijk of het bestand klaar is" in page
        fragment = Client().get(met(evening), headers={"HX-Request": "true"})
        assert (
            fragment.content.decode().strip().startswith('<div class="flow-tight" id="list-file"')
        )
        assert fragment.headers["Vary"].count("HX-Request") == 1
        assert SeasonFile.objects.count() == 1

    def test_who_asks_again_only_reads(self, evening: Evening) -> None:
        """Hundreds ask while the hall writes, and SQLite has one that writes at a time."""
        Client().get(met(evening))
        with CaptureQueriesContext(connection) as asked:
            assert Client().get(met(evening)).status_code == 202
        statements = [query["sql"] for query in asked.captured_queries]
        assert [text for text in statements if not text.startswith("SELECT")] == []
        assert [text for text in statements if "FOR UPDATE" in text] == []

    @pytest.mark.full
    def test_one_that_failed_can_be_tried_again(self, evening: Evening) -> None:
        Client().get(met(evening))
        SeasonFile.objects.update(touched_at=timezone.now() - dt.timedelta(minutes=2))
        first = SeasonFile.objects.get()
        assert Client().get(met(evening)).status_code == 202
        assert SeasonFile.objects.get() != first

    @pytest.mark.full
    def test_an_address_has_so_many_made(self, evening: Evening, settings: Settings) -> None:
        with time_machine.travel("2026-11-21T20:00:00Z", tick=False):
            scraper = Client(REMOTE_ADDR="192.0.2.1")
            for _ in range(45):
                SeasonFile.objects.all().delete()
                answer = scraper.get(met(evening))
            assert (answer.status_code, answer.headers["Retry-After"]) == (429, "900")
            assert Client().get(met(evening)).status_code == 202

    @pytest.mark.full
    def test_a_club_keeps_so_many(self, evening: Evening) -> None:
        season = Season.objects.get()
        for number in range(20):
            season_file_start(season=season, what=f"list {number}", version="1")
        names = list(SeasonFile.objects.order_by("pk").values_list("what", flat=True))
        assert names == [f"list {number}" for number in range(20 - MOST_OF_A_CLUB, 20)]

    def test_the_links_are_no_downloads_of_a_page(self, evening: Evening) -> None:
        page = get(Client(), met(evening).partition("?")[0]).content.decode()
        assert 'href="?format=csv">CSV</a>' in page


@pytest.mark.django_db(transaction=True)
def test_what_making_them_takes_is_counted(evening: Evening, settings: Settings) -> None:
    settings.WORK_SECONDS = {**settings.WORK_SECONDS, "heavy": 0.001}
    with time_machine.travel("2026-11-21T20:00:00Z"):
        scraper = Client(REMOTE_ADDR="192.0.2.1")
        assert scraper.get(met(evening, "csv")).status_code == 202
        wait_for(met(evening, "csv"))
        answer = scraper.get(met(evening, "json"))
        assert answer.status_code == 429
        assert 0 < int(answer.headers["Retry-After"]) <= 60
        assert scraper.get(met(evening, "csv")).status_code == 200
        assert Client().get(met(evening, "json")).status_code == 202
        wait_for(met(evening, "json"))


@pytest.mark.django_db(transaction=True)
def test_two_servers_that_are_asked_at_once_make_one(evening: Evening) -> None:
    season = Season.objects.get()

    def start() -> bool:
        return season_file_start(season=season, what="list", version="1")[1]

    assert sorted(at_once([start] * 2), key=str) == [False, True]


@pytest.mark.django_db
def test_a_small_season_is_answered_at_once(db: None) -> None:
    club: Club = evening_with_draw(players=8, rounds=1).club
    season = season_create(club=club, name="2026", actor=TESTS)
    Evening.objects.update(season=season)
    answer = Client().get(f"/clubs/{club.slug}/seasons/2026/met/?format=csv")
    assert answer.status_code == 200
    assert csv_lines_of(answer.content)[0] == HEADINGS
    assert not SeasonFile.objects.exists()
