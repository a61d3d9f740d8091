"""Who is present on an evening, and guests: added, and removed with the file they came from."""

from collections.abc import Collection, Iterable
from typing import Final

from django.db import transaction
from django.db.models import Q, RestrictedError
from django.dispatch import Signal
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.members.imports import Person
from clubs.members.services import member_add, member_create
from clubs.models import Club, Member
from clubs.namesakes.services import namesakes_at_the_end
from clubs.text.errors import DomainError
from tournaments.evenings.locking import evening_lock, evening_touch, require_state
from tournaments.models import Competitor, CoupleRule, Evening, Registration

people_arrived: Final = Signal()
"""Some people are here: sent with the locked `evening`, their `member_ids` and the `actor`."""


@transaction.atomic
def presence_set(
    *, evening_id: int, member: Member, present: bool, actor: Actor, absence: str = ""
) -> Registration:
    """Record that somebody is present or not (`absence`: signed off, or stayed away).

    Counts from the next draw on; a round that is already drawn stays as it is.
    Raises DomainError `evening_state` or `member_of_another_club`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    return presence_write(evening, member, present=present, actor=actor, absence=absence)


def presence_write(
    evening: Evening, member: Member, *, present: bool, actor: Actor, absence: str = ""
) -> Registration:
    """The same for a caller who holds the lock of the evening, which is planned or running."""
    _require_of_club(evening, member)
    known = evening.registrations.filter(member=member).first()
    registration = known or Registration(evening=evening)
    registration.member = member
    registration.present, registration.absence = present, "" if present else absence
    registration.save(update_fields=["present", "absence"] if known else None)
    evening_touch(
        evening,
        actor=actor,
        action="present" if present else "absent",
        data={"member": str(member.uuid), "absence": registration.absence},
    )
    if present:
        people_arrived.send(sender=Evening, evening=evening, member_ids=[member.pk], actor=actor)
    return registration


@transaction.atomic
def presence_replace(*, evening_id: int, members: Collection[Member], actor: Actor) -> int:
    """Make exactly these members present. Returns how many are.

    Raises like `presence_update`.
    """
    evening = evening_lock(evening_id)
    here = Member.objects.filter(registrations__evening=evening, registrations__present=True)
    left = here.exclude(pk__in=[member.pk for member in members])
    return presence_update(evening_id=evening_id, arrived=members, left=list(left), actor=actor)


@transaction.atomic
def presence_update(
    *, evening_id: int, arrived: Collection[Member], left: Collection[Member], actor: Actor
) -> int:
    """Tick and untick several people at once; nothing changes for anybody else.

    Returns how many people are here now. Raises DomainError `evening_state` or
    `member_of_another_club`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    for member in arrived:
        _require_of_club(evening, member)
    registrations = Registration.objects.filter(evening=evening)
    registrations.filter(member__in=left, present=True).update(present=False)
    registrations.filter(member__in=arrived).update(present=True, absence="")
    known = set(registrations.values_list("member_id", flat=True))
    Registration.objects.bulk_create(
        Registration(evening=evening, member_id=pk)
        for pk in sorted({member.pk for member in arrived} - known)
    )
    evening_touch(
        evening,
        actor=actor,
        action="presence_updated",
        data={
            "arrived": sorted(str(member.uuid) for member in arrived),
            "left": sorted(str(member.uuid) for member in left),
        },
    )
    ids = [member.pk for member in arrived]
    people_arrived.send(sender=Evening, evening=evening, member_ids=ids, actor=actor)
    return registrations.filter(present=True).count()


@transaction.atomic
def guest_add(
    *, evening_id: int, name: str, actor: Actor, public_as: str | None = None
) -> Registration:
    """Add a new guest, who is present; without `public_as` the club's choice for new people holds.

    Raises DomainError `evening_state`, `name_missing` or `bad_member`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    guest = member_add(
        club=evening.club,
        name=name,
        kind=Member.Kind.GUEST,
        public_as=public_as or evening.club.new_public_as,
        actor=actor,
    )
    return presence_write(evening, guest, present=True, actor=actor)


def guests_ensure(
    *, club: Club, people: Iterable[Person], actor: Actor, public_as: str | None = None
) -> dict[Person, int]:
    """The id of each of these people; unknown names become guests of the club first, public as
    `public_as` or else as the club chose for new people."""
    with namesakes_at_the_end(club):
        return {
            person: person
            if isinstance(person, int)
            else _guest_make(club, person, actor, public_as).pk
            for person in dict.fromkeys(people)
        }


def _guest_make(club: Club, name: str, actor: Actor, public_as: str | None) -> Member:
    return member_create(
        club=club,
        name=name,
        kind=Member.Kind.GUEST,
        public_as=public_as or club.new_public_as,
        actor=actor,
    )


def guests_away(*, club: Club, guests: Iterable[Member], actor: Actor) -> None:
    """Delete those of these guests about whom nothing is known but what the file brought."""
    with namesakes_at_the_end(club):
        for guest in guests:
            _guest_away(guest, actor)


def _guest_away(guest: Member, actor: Actor) -> None:
    if guest.merges.exists() or CoupleRule.objects.filter(Q(one=guest) | Q(two=guest)).exists():
        return
    try:
        with transaction.atomic():
            Member.objects.filter(pk=guest.pk).delete()
    except RestrictedError:
        # Other rows refer to this guest, so they stay.
        return
    event_append(
        chain=guest.club,
        club=guest.club,
        actor=actor,
        action="guest_taken_back",
        object_ref=f"member:{guest.uuid}",
        texts={"name": guest.name},
    )


def _require_of_club(evening: Evening, member: Member) -> None:
    if member.club_id != evening.club_id:
        raise DomainError("member_of_another_club", _("This person belongs to another club."))


def require_in_this_group(evening: Evening, teams: Collection[Competitor]) -> None:
    """Raises DomainError `team_in_other_group` where groups play at once and one of these teams has
    people in another one."""
    if not teams:
        return
    others = [group for group in evening.groups if group.pk != evening.pk]
    if not others:
        return
    elsewhere = Registration.objects.filter(evening__in=others, team__in=teams)
    row = elsewhere.exclude(member__in=evening.registrations.values("member")).first()
    if row is not None and row.team is not None:
        group = next(group for group in others if group.pk == row.evening_id)
        message = _(
            "%(team)s plays in %(evening)s, and a team stays in one group. Put this person in that"
            " group, or choose another team."
        )
        words = {"team": row.team.name, "evening": group}
        raise DomainError("team_in_other_group", message % words)
