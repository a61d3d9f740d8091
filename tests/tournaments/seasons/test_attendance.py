"""Who was there on which evening of a season, and who has not been seen for long."""

import datetime as dt

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.desk import desk_of
from tests.tournaments.files import csv_lines_of
from tournaments.models import Evening, PastResult, Registration, Season
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

PAGE = "/clubs/vrolijke-boer/desk/seasons/2026-2027/attendance/"
FIRST = dt.date(2026, 9, 5)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def season(club: Club) -> Season:
    return season_create(club=club, name="2026-2027", actor=TESTS)


def person(club: Club, name: str, **details: object) -> Member:
    return MemberFactory.create(club=club, name=name, number=None, **details)


@pytest.fixture
def evenings(club: Club, season: Season) -> list[Evening]:
    """Four closed evenings a week apart, the first one from a file, and one that is planned."""
    made = [
        EveningFactory.create(
            club=club,
            season=season,
            date=FIRST + dt.timedelta(weeks=week),
        )
        for week in range(5)
    ]
    Evening.objects.filter(pk__in=[evening.pk for evening in made[:4]]).update(state="closed")
    Evening.objects.filter(pk=made[0].pk).update(is_history=True)
    jan, mia = person(club, "Jan Bakker"), person(club, "Mia Visser")
    person(club, "Kees Zwart")
    guest = person(club, "Aylin Demir", kind=Member.Kind.GUEST)
    person(club, "Oud Lid", is_active=False)
    PastResult.objects.create(evening=made[0], member=jan, score=4000)
    PastResult.objects.create(evening=made[0], member=mia, absence="notice")
    for evening in made[1:4]:
        Registration.objects.create(evening=evening, member=mia)
    Registration.objects.create(evening=made[1], member=jan, present=False, absence="notice")
    Registration.objects.create(evening=made[2], member=jan, present=False, absence="none")
    Registration.objects.create(evening=made[3], member=jan, present=False)
    Registration.objects.create(evening=made[3], member=guest)
    return made


@pytest.mark.full
def test_everybody_is_listed_with_every_evening(club: Club, evenings: list[Evening]) -> None:
    page = desk_of(club).get(f"{PAGE}?format=csv")
    assert csv_lines_of(page.content) == [
        "player,kind,2026-09-05,2026-09-12,2026-09-19,2026-09-26,times,last",
        "Jan Bakker,lid,1,afgemeld,weggebleven,,1,2026-09-05",
        "Aylin Demir,gast,,,,1,1,2026-09-26",
        "Mia Visser,lid,afgemeld,1,1,1,3,2026-09-26",
        "Kees Zwart,lid,,,,,0,",
    ]


@pytest.mark.full
def test_who_has_not_been_seen_for_long_is_named(club: Club, evenings: list[Evening]) -> None:
    attendance = desk_of(club).get(PAGE).context["attendance"]
    assert [row.member.name for row in attendance.long_away] == ["Kees Zwart", "Jan Bakker"]
    assert attendance.counts == [1, 1, 1, 2]


def test_the_page_takes_as_many_queries_for_four_as_for_twenty(
    club: Club, evenings: list[Evening], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    desk = desk_of(club)
    for _ in range(2):
        with django_assert_num_queries(11):
            desk.get(PAGE)
        for number in range(16):
            Registration.objects.create(evening=evenings[1], member=person(club, f"Lid {number}"))
