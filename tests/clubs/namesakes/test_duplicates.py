"""Who may be meant by a name that is spelt otherwise."""

import pytest

from clubs.merges.services import likely_same
from clubs.namesakes.services import Duplicates
from tests.factories import ClubFactory, MemberFactory


@pytest.mark.parametrize(
    ("known", "asked"),
    [
        ("Jan Bakker", "J. Bakker"),
        ("J. Bakker", "Jan Bakker"),
        ("Jan Bakker", "Bakker, Jan"),
        ("Jan Bakker", "bakker jan"),
        ("Jan Bakker", "Jan Baker"),
        ("Jan Bakker", "Jan Bakkker"),
        ("Jan Bakker", "Jan Bakekr"),
        ("Jan van der Meer", "Jan v.d. Meer"),
        ("Lies van den Berg", "Lies Berg"),
        ("Anna Łuczak", "Anna Luczak"),
        ("Gerda 't Hart", "Gerda Hart"),
        ("Mia Smit", "Mia Smit-de Boer"),
        ("Jan Willem Mulder", "Jan-Willem Mulder"),
    ],
)
def test_one_person_spelt_in_two_ways(known: str, asked: str) -> None:
    assert Duplicates([(known, 1)]).like(asked) == [1]


@pytest.mark.parametrize(
    ("known", "asked"),
    [
        ("Jan Bakker", "Piet Bakker"),
        ("Jan Bakker", "Joop Bakker"),
        ("Jan Bos", "Jan Vos"),
        ("Jan Bakker", "P. Bakker"),
        ("Jan", "Piet"),
        ("Jan Bakker", "…"),
    ],
)
def test_two_people(known: str, asked: str) -> None:
    assert Duplicates([(known, 1)]).like(asked) == []


@pytest.mark.django_db
@pytest.mark.both
def test_guests_who_may_be_members_or_one_guest() -> None:
    club = ClubFactory.create()
    for kind, name in (
        ("member", "Jan Bakker"),
        ("member", "J. Bakker"),
        ("guest", "Jan Baker"),
        ("guest", "Mia Kok"),
        ("guest", "Mia Kock"),
    ):
        MemberFactory.create(club=club, kind=kind, name=name)
    MemberFactory.create(club=ClubFactory.create(), name="Mia Kok")
    couples = [(couple.guest.name, couple.other.name) for couple in likely_same(club)]
    assert couples == [("Jan Baker", "Jan Bakker"), ("Mia Kock", "Mia Kok")]
