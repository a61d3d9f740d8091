"""The list of playing strengths, for everybody to read and to take away."""

import csv
import datetime as dt
import io

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from tests.factories import ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.public_pages import get, rows, speak_english, words
from tournaments.models import Evening, Rating

pytestmark = pytest.mark.django_db

PATH = "/clubs/vrolijke-boer/ratings/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def evenings_of(club: Club, number: int) -> list[Evening]:
    first = dt.date(2026, 9, 5)
    return [
        EveningFactory.create(club=club, date=first + dt.timedelta(weeks=week))
        for week in range(number)
    ]


def rated(evenings: list[Evening], mu: float, sigma: float = 20, **given: object) -> Member:
    """The next member, who was rated on each of these evenings and had this strength after the
    last one."""
    member = MemberFactory.create(club=evenings[0].club, **given)
    for later, evening in enumerate(reversed(evenings)):
        Rating.objects.create(evening=evening, member=member, mu=mu - later, sigma=sigma + later)
    return member


@pytest.mark.full
def test_strongest_first_with_how_sure_that_is(client: Client, club: Club) -> None:
    evenings = evenings_of(club, 6)
    rated(evenings, -12.4)
    rated(evenings, 31.6, sigma=25.2)
    rated(evenings[1:], 31.5)
    # place, name, strength, twice the standard deviation either way, evenings
    assert rows(get(client, PATH)) == [
        ["1", "Mia van der Meer", "+32", "−19 en +82", "6"],
        ["1", "Piet Visser", "+32", "−8 en +72", "5"],
        ["3", "Jan Bakker", "−12", "−52 en +28", "6"],
    ]


@pytest.mark.full
def test_who_has_played_too_few_evenings_stands_apart(client: Client, club: Club) -> None:
    evenings = evenings_of(club, 5)
    rated(evenings, 1)
    rated(evenings[1:], 50)
    rated(evenings[4:], 60)
    page = get(client, PATH)
    assert [row[1] for row in rows(page)] == ["Jan Bakker"]
    assert (
        "Nog te weinig avonden Minder dan 5 avonden zegt te weinig."
        " Mia van der Meer Piet Visser" in words(page)
    )


def test_it_says_in_one_paragraph_what_it_is(client: Client, club: Club) -> None:
    assert "Speelsterkte is een schatting in punten per boompje." in words(get(client, PATH))
    assert "Nog niemand heeft 5 avonden gespeeld." in words(get(client, PATH))
    speak_english(client)
    assert "Playing strength is an estimate in points a round." in words(get(client, PATH))


def test_who_left_or_is_hidden_or_erased_is_not_in_it(client: Client, club: Club) -> None:
    evenings = evenings_of(club, 5)
    rated(evenings, 1)
    Member.objects.filter(pk=rated(evenings, 2).pk).update(is_active=False)
    Member.objects.filter(pk=rated(evenings, 3).pk).update(public_as="hidden")
    Member.objects.filter(pk=rated(evenings, 4).pk).update(public_as="initials")
    Member.objects.filter(pk=rated(evenings[:1], 5).pk).update(public_as="hidden")
    page = get(client, PATH)
    assert [row[1] for row in rows(page)] == ["T. d. V.", "Jan Bakker"]
    for gone in ("Mia", "Piet", "Truus", "Kees"):
        assert gone not in page.content.decode()


def test_it_can_be_taken_along(client: Client, club: Club) -> None:
    evenings = evenings_of(club, 5)
    rated(evenings, 31.6, name="=cmd")
    rated(evenings, -5)
    answer = client.get(PATH, {"format": "csv"})
    assert list(csv.reader(io.StringIO(answer.content.decode()))) == [
        ["rank", "player", "strength", "low", "high", "evenings"],
        ["1", "'=cmd", "32", "-8", "72", "5"],
        ["2", "Mia van der Meer", "-5", "-45", "35", "5"],
    ]
    first = client.get(PATH, {"format": "json"}).json()[0]
    assert first == {
        "rank": 1,
        "player": "=cmd",
        "strength": 32,
        "low": -8,
        "high": 72,
        "evenings": 5,
    }
    assert client.get(PATH, {"format": "pdf"}).status_code == 404


@pytest.mark.full
def test_a_club_of_its_own(client: Client, club: Club) -> None:
    rated(evenings_of(ClubFactory.create(name="Elders", slug="elders"), 5), 10)
    assert rows(get(client, PATH)) == []
    assert client.get("/clubs/nergens/ratings/").status_code == 404


@pytest.mark.parametrize("people", [1, 4])
def test_more_people_cost_no_more_queries(
    client: Client, club: Club, django_assert_num_queries: DjangoAssertNumQueries, people: int
) -> None:
    evenings = evenings_of(club, 5)
    for number in range(people):
        rated(evenings, number)
    with django_assert_num_queries(3):
        get(client, PATH)
