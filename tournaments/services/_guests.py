"""Whoever a file names and the club does not know becomes a guest."""

from collections.abc import Iterable

from clubs.audit import Actor
from clubs.models import Club, Member
from clubs.people import Person
from clubs.services import member_create


def guests_ensure(*, club: Club, people: Iterable[Person], actor: Actor) -> dict[Person, int]:
    """The id of each of these people; those who are new are made guests of the club first."""
    return {
        person: person
        if isinstance(person, int)
        else member_create(club=club, name=person, kind=Member.Kind.GUEST, actor=actor).pk
        for person in dict.fromkeys(people)
    }
