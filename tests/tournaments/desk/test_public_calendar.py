"""The club's calendar: the page, its files, and what calendar programs subscribe to."""

import datetime as dt
import re

import pytest
import time_machine
from django.conf import LazySettings
from django.test import Client
from icalendar import Calendar, Event
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from tests.factories import TESTS, ClubFactory, EveningFactory, evening_with_draw
from tests.tournaments.files import csv_lines_of
from tests.tournaments.public_pages import close_evening, get, speak_english, words
from tournaments.closing.services import evening_cancel, evening_close, evening_reopen
from tournaments.models import Evening, Season
from tournaments.rounds.services import round_close
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

PATH = "/clubs/vrolijke-boer/calendar/"
FEED = "/clubs/vrolijke-boer/calendar.ics"
LINE = re.compile(r"<li><a href=\"([^\"]*/evenings/[^\"]*)\">(.*?)</li>", re.DOTALL)
NOON = "2026-11-21 12:00:00+01:00"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def season(club: Club) -> Season:
    return season_create(club=club, name="2026-2027", actor=TESTS)


def lines(client: Client) -> list[str]:
    """The evenings in the order of the page, and how each one stands."""
    return [words(f"<a>{line}") for _url, line in LINE.findall(get(client, PATH).content.decode())]


def played(club: Club, date: dt.date, **plan: object) -> Evening:
    evening = evening_with_draw(
        players=4,
        club=club,
        date=date,
        method=Evening.Method.TYPED_IN,
        **plan,  # type: ignore[arg-type]
    )
    close_evening(evening)
    return evening


def events(client: Client) -> list[Event]:
    calendar = Calendar.from_ical(get(client, FEED).content)
    assert isinstance(calendar, Calendar)
    return calendar.events


@pytest.mark.full
@time_machine.travel(NOON, tick=False)
def test_what_is_to_come_stands_first_and_the_seasons_below(
    client: Client, club: Club, season: Season
) -> None:
    earlier = season_create(club=club, name="2025-2026", actor=TESTS)
    played(club, dt.date(2026, 11, 14), season=season)
    played(club, dt.date(2026, 3, 7), season=earlier)
    EveningFactory.create(club=club, date=dt.date(2026, 11, 7), season=season)
    EveningFactory.create(club=club, date=dt.date(2026, 12, 19), season=season, name="Kerstdrive")
    EveningFactory.create(club=club, date=dt.date(2026, 11, 21), season=season)
    off = EveningFactory.create(club=club, date=dt.date(2026, 11, 28), season=season)
    evening_cancel(evening_id=off.pk, actor=TESTS)
    assert lines(client) == [
        "Za 21 nov 2026 gepland",
        "Za 28 nov 2026 afgelast",
        "Za 19 dec 2026 Kerstdrive gepland",
        "Za 14 nov 2026 winnaar: Jan Bakker en Piet Visser",
        "Za 7 nov 2026 niet gespeeld",
        "Za 7 mrt 2026 winnaar: Jan Bakker en Piet Visser",
    ]
    page = words(get(client, PATH))
    assert page.index("Nog te spelen") < page.index("2026-2027") < page.index("2025-2026")


@pytest.mark.full
def test_who_shares_the_first_place_is_called_as_he_wishes(client: Client, club: Club) -> None:
    evening = played(club, dt.date(2026, 11, 14))
    assert lines(client) == ["Za 14 nov 2026 winnaar: Jan Bakker en Piet Visser"]
    Member.objects.filter(number=1).update(public_name="J.B.")
    Member.objects.filter(number=3).update(public_as=Member.PublicAs.HIDDEN)
    assert lines(client) == ["Za 14 nov 2026 winnaar: J.B. en Anoniem"]
    evening_reopen(evening_id=evening.pk, actor=TESTS)
    assert lines(client) == ["Za 14 nov 2026 bezig"]


@pytest.mark.full
def test_of_many_winners_two_are_named(client: Client, club: Club) -> None:
    evening = evening_with_draw(players=4, club=club, date=dt.date(2026, 11, 14))
    round_close(
        round_id=evening.rounds.get(number=1).pk, actor=TESTS, unfinished_reason="niet gespeeld"
    )
    evening_close(evening_id=evening.pk, actor=TESTS)
    assert lines(client) == ["Za 14 nov 2026 winnaar: Jan Bakker, Mia van der Meer en anderen"]


@pytest.mark.full
@time_machine.travel("2026-11-22 00:30:00+01:00", tick=False)
def test_after_midnight_the_evening_that_is_being_played_is_not_past(
    client: Client, club: Club
) -> None:
    evening_with_draw(players=4, club=club, date=dt.date(2026, 11, 21))
    assert lines(client) == ["Za 21 nov 2026 bezig"]


@pytest.mark.full
def test_a_second_evening_on_one_day_is_told_apart(client: Client, club: Club) -> None:
    EveningFactory.create_batch(2, club=club, date=dt.date(2020, 1, 3))
    page = get(client, PATH).content.decode()
    assert [url for url, _line in LINE.findall(page)] == [
        "/clubs/vrolijke-boer/evenings/2020-01-03-2/",
        "/clubs/vrolijke-boer/evenings/2020-01-03/",
    ]
    assert lines(client) == ["Vr 3 jan 2020 (2) niet gespeeld", "Vr 3 jan 2020 niet gespeeld"]
    assert "Buiten een seizoen" in words(page)


@pytest.mark.full
def test_a_club_without_evenings_says_so(client: Client, club: Club) -> None:
    page = words(get(client, PATH))
    assert "Er staat nu geen avond op het programma." in page
    assert "Deze lijst downloaden" not in page
    assert events(client) == []


@pytest.mark.full
def test_the_way_there(client: Client, club: Club) -> None:
    assert f'href="{PATH}">Kalender</a>' in get(client, "/clubs/vrolijke-boer/").content.decode()
    assert client.get("/clubs/nergens/calendar/").status_code == 404
    assert client.get("/clubs/nergens/calendar.ics").status_code == 404


@pytest.mark.full
def test_the_dates_as_a_file(
    client: Client, club: Club, season: Season, settings: LazySettings
) -> None:
    settings.PUBLIC_URL = "https://klaver.example"
    EveningFactory.create(club=club, date=dt.date(2026, 12, 19), season=season, name="Kerstdrive")
    played(club, dt.date(2026, 11, 14))
    address = "https://klaver.example/clubs/vrolijke-boer/evenings"
    assert csv_lines_of(get(client, f"{PATH}?format=csv").content) == [
        "date,name,season,state,winner,url",
        f"2026-11-14,,,closed,Jan Bakker en Piet Visser,{address}/2026-11-14/",
        f"2026-12-19,Kerstdrive,2026-2027,planned,,{address}/2026-12-19/",
    ]


@pytest.mark.full
def test_a_whole_day_for_every_evening(client: Client, club: Club, settings: LazySettings) -> None:
    settings.PUBLIC_URL = "https://klaver.example"
    evening = EveningFactory.create(club=club, date=dt.date(2026, 12, 31), name="Oud, en nieuw")
    (event,) = events(client)
    assert (event.start, event.end) == (dt.date(2026, 12, 31), dt.date(2027, 1, 1))
    assert str(event["SUMMARY"]) == "Oud, en nieuw, De Vrolijke Boer"
    assert str(event["DESCRIPTION"]) == "Wij spelen 3 rondes van 16 spellen."
    assert str(event["URL"]) == "https://klaver.example/clubs/vrolijke-boer/evenings/2026-12-31/"
    assert str(event["STATUS"]) == "CONFIRMED"
    assert str(event["UID"]) == f"{evening.uuid}@klaverclub"


def test_an_evening_with_a_start_is_at_that_hour_in_winter_and_in_summer(
    client: Client, club: Club
) -> None:
    half_past_seven = dt.time(19, 30)
    EveningFactory.create(club=club, date=dt.date(2026, 12, 19), starts_at=half_past_seven)
    EveningFactory.create(club=club, date=dt.date(2027, 4, 3), starts_at=half_past_seven)
    EveningFactory.create(club=club, date=dt.date(2027, 4, 10))
    feed = get(client, FEED).content.decode()
    assert re.findall(r"DT(?:START|END)[;:][TV]\S*", feed) == [
        "DTSTART;VALUE=DATE:20270410",
        "DTEND;VALUE=DATE:20270411",
        "DTSTART;TZID=Europe/Amsterdam:20270403T193000",
        "DTEND;TZID=Europe/Amsterdam:20270403T233000",
        "DTSTART;TZID=Europe/Amsterdam:20261219T193000",
        "DTEND;TZID=Europe/Amsterdam:20261219T233000",
    ]
    _summer_free, summer, winter = events(client)
    assert summer.start == dt.datetime(2027, 4, 3, 17, 30, tzinfo=dt.UTC)
    assert winter.start == dt.datetime(2026, 12, 19, 18, 30, tzinfo=dt.UTC)


@pytest.mark.full
def test_the_time_zone_goes_along_with_its_summer_time(client: Client, club: Club) -> None:
    EveningFactory.create(club=club, date=dt.date(2026, 12, 19), starts_at=dt.time(19, 30))
    feed = get(client, FEED).content.decode()
    assert feed.count("BEGIN:VTIMEZONE") == 1
    assert feed.index("BEGIN:VTIMEZONE") < feed.index("BEGIN:VEVENT")
    assert "DTSTART:20270328T030000\r\nTZNAME:CEST\r\n" in feed.replace("RDATE", "DTSTART")


@pytest.mark.full
def test_an_evening_lasts_four_hours_in_the_night_that_the_clock_goes_forward(
    client: Client, club: Club
) -> None:
    EveningFactory.create(club=club, date=dt.date(2027, 3, 27), starts_at=dt.time(22, 30))
    (event,) = events(client)
    assert event.end.isoformat() == "2027-03-28T03:30:00+02:00"
    assert event.end == dt.datetime(2027, 3, 28, 1, 30, tzinfo=dt.UTC)


@pytest.mark.full
def test_a_calendar_without_times_needs_no_time_zone(client: Client, club: Club) -> None:
    EveningFactory.create(club=club)
    assert "VTIMEZONE" not in get(client, FEED).content.decode()


@pytest.mark.full
@time_machine.travel(NOON, tick=False)
def test_the_time_stands_with_the_day_as_long_as_the_evening_is_to_come(
    client: Client, club: Club
) -> None:
    evening = EveningFactory.create(
        club=club, date=dt.date(2026, 11, 29), starts_at=dt.time(19, 30)
    )
    page = f"/clubs/vrolijke-boer/evenings/{evening.slug}/"
    assert lines(client) == ["Zo 29 nov 2026, 19.30 uur gepland"]
    assert "Zondag 29 november 2026, 19.30 uur" in words(get(client, "/clubs/vrolijke-boer/"))
    assert "Zondag 29 november 2026, 19.30 uur" in words(get(client, page))
    speak_english(client)
    assert "Sunday 29 November 2026, 7.30 pm" in words(get(client, page))
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    assert lines(client) == ["Sun 29 Nov 2026 called off"]


@pytest.mark.full
def test_an_evening_keeps_its_uid_when_its_date_changes_and_its_number_rises(
    client: Client, club: Club
) -> None:
    evening = EveningFactory.create(club=club)
    (before,) = events(client)
    Evening.objects.filter(pk=evening.pk).update(date=dt.date(2026, 11, 28), revision=9)
    (after,) = events(client)
    assert after["UID"] == before["UID"]
    assert after.start == dt.date(2026, 11, 28)
    assert (before.sequence, after.sequence) == (2, 9)


@pytest.mark.full
def test_what_is_called_off_stays_marked(client: Client, club: Club) -> None:
    evening = EveningFactory.create(club=club)
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    (event,) = events(client)
    assert str(event["STATUS"]) == "CANCELLED"
    assert str(event["SUMMARY"]) == "Gaat niet door: Klaverjasavond, De Vrolijke Boer"


def test_the_feed_is_what_calendar_programs_read(client: Client, club: Club) -> None:
    EveningFactory.create(club=club, name="Een heel lange naam voor een avond met ♥ en Łuczak")
    response = get(client, FEED)
    assert response.headers["Content-Type"] == "text/calendar; charset=utf-8"
    content = response.content
    assert content.count(b"\n") == content.count(b"\r\n")
    assert max(len(line) for line in content.split(b"\r\n")) <= 75
    feed = content.decode().replace("\r\n ", "").split("\r\n")
    assert [line for line in feed if line.startswith(("VERSION", "X-WR", "REFRESH", "X-PUB"))] == [
        "VERSION:2.0",
        "X-WR-CALNAME:Klaverjassen\\, De Vrolijke Boer",
        "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
        "X-PUBLISHED-TTL:PT6H",
        "X-WR-TIMEZONE:Europe/Amsterdam",
    ]


@pytest.mark.full
def test_the_feed_speaks_the_clubs_language(client: Client, club: Club) -> None:
    EveningFactory.create(club=club)
    Club.objects.update(language="en")
    (event,) = events(client)
    assert str(event["SUMMARY"]) == "Klaverjas evening, De Vrolijke Boer"


@pytest.mark.full
def test_one_press_subscribes(client: Client, club: Club, settings: LazySettings) -> None:
    settings.PUBLIC_URL = "https://klaver.example"
    page = get(client, PATH).content.decode()
    assert 'href="webcal://klaver.example/clubs/vrolijke-boer/calendar.ics"' in page
    assert "https://klaver.example/clubs/vrolijke-boer/calendar.ics</code>" in page
    speak_english(client)
    assert "Subscribe to this calendar" in words(get(client, PATH))


@pytest.mark.parametrize("evenings", [1, 3])
def test_more_evenings_cost_no_more_queries(
    client: Client,
    club: Club,
    django_assert_num_queries: DjangoAssertNumQueries,
    evenings: int,
) -> None:
    for week in range(evenings):
        season = season_create(club=club, name=f"Seizoen {week}", actor=TESTS)
        date = dt.date(2026, 11, 21) + dt.timedelta(weeks=week)
        EveningFactory.create(club=club, date=date, season=season)
    with django_assert_num_queries(5):
        get(client, PATH)
    with django_assert_num_queries(3):
        get(client, FEED)
