"""Whose birthday it is, for those who organise."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from clubs.members.services import member_activate
from clubs.models import Club
from tests.factories import TESTS, ClubFactory, MemberFactory, director_of
from tests.tournaments.desk import desk_of
from tests.tournaments.public_pages import words
from tournaments.desk.start import birthdays

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def born(club: Club, name: str, *birthday: int) -> Any:
    return MemberFactory.create(club=club, name=name, birthday=dt.date(*birthday))


@pytest.mark.parametrize(
    ("today", "expected"),
    [
        ((2027, 2, 28), [("Mia Kok", (2027, 2, 28)), ("Leo Schrikkel", (2027, 3, 1))]),
        ((2028, 2, 28), [("Mia Kok", (2028, 2, 28)), ("Leo Schrikkel", (2028, 2, 29))]),
        ((2028, 3, 1), []),
        ((2026, 12, 28), [("Oud Nieuw", (2026, 12, 31)), ("Jan Januari", (2027, 1, 4))]),
        ((2026, 12, 27), [("Oud Nieuw", (2026, 12, 31))]),
    ],
)
def test_today_and_the_week_to_come(
    today: tuple[int, int, int], expected: list[tuple[str, tuple[int, int, int]]]
) -> None:
    club = ClubFactory.create()
    born(club, "Leo Schrikkel", 1952, 2, 29)
    born(club, "Mia Kok", 1950, 2, 28)
    born(club, "Jan Januari", 1948, 1, 4)
    born(club, "Oud Nieuw", 1947, 12, 31)
    gone = born(club, "Weg Wouters", 1947, 12, 31)
    member_activate(member=gone, active=False, actor=TESTS)
    MemberFactory.create(club=club)
    assert birthdays(club, dt.date(*today)) == [(name, dt.date(*day)) for name, day in expected]


def test_the_desk_says_it_to_organisers_only(client: Client) -> None:
    club = ClubFactory.create()
    desk, today = f"/clubs/{club.slug}/desk/", timezone.localdate()
    assert "jarig" not in words(desk_of(club).get(desk))
    MemberFactory.create(club=club, name="Mia Kok", birthday=today.replace(year=1952))
    page = words(desk_of(club).get(desk))
    assert "Vandaag jarig: Mia Kok." in page
    client.force_login(director_of(club))
    assert "Mia Kok" not in words(client.get(desk))
