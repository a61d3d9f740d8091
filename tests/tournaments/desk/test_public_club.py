"""A club's own page: what is on, who won, who leads."""

import datetime as dt
import re

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    evening_with_draw,
    organiser_of,
    table,
    write_deal,
)
from tests.tournaments.entries import enter, open_entries
from tests.tournaments.public_pages import close_evening, get, rows, speak_english, words
from tournaments.closing.services import evening_cancel
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening, Season
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

PATH = "/clubs/vrolijke-boer/"
SATURDAY = dt.date(2026, 11, 21)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def season(club: Club) -> Season:
    return season_create(club=club, name="2026-2027", actor=TESTS)


def played(club: Club, date: dt.date, *, ns: int = 90, **plan: object) -> Evening:
    """A closed evening of eight people; at table 1 one deal was written."""
    evening = evening_with_draw(
        players=8,
        club=club,
        date=date,
        method=Evening.Method.TYPED_IN,
        **plan,  # type: ignore[arg-type]
    )
    close_evening(evening, ns=ns)
    return evening


@pytest.mark.full
def test_before_the_first_evening_it_shows_the_season_that_has_begun(
    client: Client, club: Club
) -> None:
    for year in (2026, 2027):
        starts, ends = dt.date(year, 9, 1), dt.date(year + 1, 5, 31)
        name = f"{year}-{year + 1}"
        season_create(club=club, name=name, starts=starts, ends=ends, actor=TESTS)
    said = []
    for now in (dt.date(2026, 8, 1), dt.date(2026, 11, 1), dt.date(2027, 9, 1)):
        with time_machine.travel(now, tick=False):
            said.append(client.get(PATH).context["season"].name)
    assert said == ["2026-2027", "2026-2027", "2027-2028"]


@pytest.mark.full
def test_a_new_club_is_calm_about_having_nothing(client: Client, club: Club) -> None:
    page = words(get(client, PATH))
    assert "Er staat nu geen avond op het programma." in page
    assert "Er is nog niet gespeeld." in page


@pytest.mark.full
@pytest.mark.parametrize(
    ("now", "heading"),
    [("2026-11-20 20:00", "De volgende avond"), ("2026-11-21 20:00", "Vandaag")],
)
def test_the_next_evening_comes_first(client: Client, club: Club, now: str, heading: str) -> None:
    EveningFactory.create(club=club, date=dt.date(2026, 11, 28))
    EveningFactory.create(club=club, date=SATURDAY, name="Kerstdrive")
    off = EveningFactory.create(club=club, date=dt.date(2026, 11, 22))
    evening_cancel(evening_id=off.pk, actor=TESTS)
    with time_machine.travel(f"{now}:00+01:00", tick=False):
        page = words(get(client, PATH))
    assert f"{heading} Zaterdag 21 november 2026 · Kerstdrive gepland" in page
    assert "Daarna: zaterdag 28 november ." in page
    assert "22 november" not in page


@pytest.mark.full
@time_machine.travel("2026-11-22 00:30:00+01:00", tick=False)
def test_after_midnight_the_evening_that_is_being_played_still_comes_first(
    client: Client, club: Club
) -> None:
    EveningFactory.create(club=club, date=dt.date(2026, 11, 22))
    evening_with_draw(players=4, club=club, date=SATURDAY)
    page = get(client, PATH)
    assert "Nu bezig Zaterdag 21 november 2026 bezig" in words(page)
    assert f'href="{PATH}evenings/2026-11-21/">Naar mijn tafel' in page.content.decode()


def test_an_evening_that_was_planned_and_forgotten_is_not_announced(
    client: Client, club: Club
) -> None:
    EveningFactory.create(club=club, date=dt.date(2020, 1, 3))
    assert "Er staat nu geen avond op het programma." in words(get(client, PATH))


@pytest.mark.full
def test_the_last_winner_stands_above_the_top_five(client: Client, club: Club) -> None:
    played(club, dt.date(2026, 11, 14), ns=100)
    played(club, SATURDAY)
    page = get(client, PATH)
    assert "De laatste avond Zaterdag 21 november 2026" in words(page)
    assert "Jan Bakker Piet Visser 1 90 Mia van der Meer Truus de Vries 3 72" in words(page)
    # Everybody at table 2 shares place five with nothing: the top five does not split a place.
    assert rows(page) == [
        ["5", "Annie Smit-de Boer", "0"],
        ["5", "Henk Bos", "0"],
        ["5", "Kees Mulder", "0"],
        ["5", "Riet van den Berg", "0"],
    ]
    assert "Eerdere avonden Zaterdag 14 november 2026" in words(page)


@pytest.mark.full
def test_the_seasons_leaders_stand_on_the_clubs_page(
    client: Client, club: Club, season: Season
) -> None:
    played(club, dt.date(2026, 11, 14), ns=100, season=season)
    played(club, SATURDAY, season=season)
    Member.objects.filter(number=3).update(public_name="P.")
    page = get(client, PATH)
    assert "Stand 2026-2027 De hele stand van het seizoen" in words(page)
    assert rows(page, table=1)[:3] == [
        ["1", "Jan Bakker", "", "190"],
        ["1", "P.", "", "190"],
        ["3", "Mia van der Meer", "", "134"],
    ]
    lines = re.findall(r'aria-label="(Punten per avond: [^"]*)"', page.content.decode())
    assert lines[:3] == [
        "Punten per avond: 100, 90",
        "Punten per avond: 100, 90",
        "Punten per avond: 62, 72",
    ]


@pytest.mark.full
def test_the_newest_season_leads_the_page(client: Client, club: Club, season: Season) -> None:
    older, newer = (
        season_create(
            club=club, name=name, starts=start, ends=start + dt.timedelta(300), actor=TESTS
        )
        for name, start in (("Oud", dt.date(2025, 9, 6)), ("Nieuw", dt.date(2026, 9, 5)))
    )
    played(club, dt.date(2025, 11, 22), season=older)
    played(club, SATURDAY, season=newer)
    page = words(get(client, PATH))
    assert "Stand Nieuw De hele stand van het seizoen" in page
    assert "Alle seizoenen Nieuw Oud 2026-2027" in page


def test_a_frozen_evening_shows_no_points_here(client: Client, club: Club, season: Season) -> None:
    evening = evening_with_draw(players=4, club=club, season=season)
    write_deal(table(evening), 1)
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    page = get(client, PATH)
    assert "bezig geheim" in words(page)
    assert rows(page) == []
    assert "Er heeft nog niemand een plaats. U krijgt" not in words(page)
    season.rules.create(name="Stand", position=1, settings={"minimum_evenings": 3})
    needed = "Er heeft nog niemand een plaats. U krijgt een plaats als u 3 avonden hebt gespeeld."
    assert needed in words(get(client, PATH))


@pytest.mark.full
def test_only_who_works_at_a_desk_is_shown_the_way_there(client: Client, club: Club) -> None:
    assert f"{PATH}desk/" not in get(client, PATH).content.decode()
    client.force_login(organiser_of(club))
    assert f"{PATH}desk/" in get(client, PATH).content.decode()


def test_another_club_is_not_mixed_in(client: Client, club: Club) -> None:
    other = ClubFactory.create()
    played(club, SATURDAY)
    page = words(get(client, f"/clubs/{other.slug}/"))
    assert "Bakker" not in page
    assert "Er is nog niet gespeeld." in page


def test_a_club_that_does_not_exist_is_not_found(client: Client) -> None:
    assert client.get("/clubs/nergens/").status_code == 404


def test_the_page_speaks_english_to_who_asks(client: Client, club: Club) -> None:
    speak_english(client)
    page = words(get(client, PATH))
    assert "No evening is planned at the moment." in page
    assert "The last evening" in page


@time_machine.travel("2026-11-18 12:00", tick=False)
def test_people_enter_from_the_page_of_the_club_while_entries_are_open(
    client: Client, club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = EveningFactory.create(club=club)
    second = EveningFactory.create(club=club, date=SATURDAY + dt.timedelta(weeks=1))
    enter_url = f"{PATH}evenings/2026-11-21/enter/"
    with django_assert_num_queries(6):
        page = get(client, PATH).content.decode()
    assert enter_url not in page
    deadline = timezone.make_aware(dt.datetime(2026, 11, 19, 18, 0))  # noqa: DTZ001
    open_entries(first, maximum=24, deadline=deadline)
    open_entries(second, maximum=1)
    enter(first, "Jan Bakker")
    enter(second, "Mia Kok")
    with django_assert_num_queries(7):
        answer = get(client, PATH)
    said = words(answer)
    assert (
        "Er is nog plaats voor 23 spelers. Inschrijven kan tot donderdag 19 november, 18.00."
        " Inschrijven" in said
    )
    assert "zaterdag 28 november" in said[said.index("Daarna:") :]
    assert "vol, met een wachtlijst" in said
    assert enter_url in answer.content.decode()
    calendar = words(get(client, f"{PATH}calendar/"))
    assert "nog 23 plaatsen" in calendar
    assert "vol, met een wachtlijst" in calendar
    with time_machine.travel("2026-11-19 18:01", tick=False):
        late = get(client, PATH)
    assert enter_url not in late.content.decode()


@pytest.mark.parametrize("evenings", [1, 3])
def test_more_evenings_cost_no_more_queries(
    client: Client,
    club: Club,
    season: Season,
    django_assert_num_queries: DjangoAssertNumQueries,
    evenings: int,
) -> None:
    for week in range(evenings):
        played(club, SATURDAY + dt.timedelta(weeks=week), season=season)
        season_create(club=club, name=f"Seizoen {week}", actor=TESTS)
    with django_assert_num_queries(14):
        get(client, PATH)
