"""Guests made for the unknown names of a file, and removed when that file is taken back."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q, RestrictedError

from clubs.audit import Actor, event_append
from clubs.models import Club, Member
from clubs.people import Person
from clubs.services import member_create
from tournaments.models import CoupleRule


def guests_ensure(*, club: Club, people: Iterable[Person], actor: Actor) -> dict[Person, int]:
    """The id of each of these people; new names become guests of the club first."""
    return {
        person: person
        if isinstance(person, int)
        else member_create(club=club, name=person, kind=Member.Kind.GUEST, actor=actor).pk
        for person in dict.fromkeys(people)
    }


def guest_away(*, guest: Member, actor: Actor) -> None:
    """Delete a guest to whom nothing belongs except what a file brought."""
    if guest.merges.exists() or CoupleRule.objects.filter(Q(one=guest) | Q(two=guest)).exists():
        return
    try:
        with transaction.atomic():
            Member.objects.filter(pk=guest.pk).delete()
    except RestrictedError:
        return
    event_append(
        chain=guest.club,
        club=guest.club,
        actor=actor,
        action="guest_taken_back",
        object_ref=f"member:{guest.uuid}",
        texts={"name": guest.name},
    )
