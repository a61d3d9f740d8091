"""The list of people present on an evening."""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.models import Member
from clubs.services import member_create
from tournaments.models import Evening, Registration
from tournaments.services._evening import evening_lock, evening_touch, require_state


@transaction.atomic
def presence_set(
    *, evening_id: int, member: Member, present: bool, actor: Actor, absence: str = ""
) -> Registration:
    """Note that somebody is present, or is not (`absence`: signed off, or stayed away).

    Counts from the next draw on; a round that is already drawn stays as it is.
    Raises DomainError `evening_state` or `member_of_another_club`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    _require_of_club(evening, member)
    registration, _made = Registration.objects.update_or_create(
        evening=evening,
        member=member,
        defaults={"present": present, "absence": "" if present else absence},
    )
    evening_touch(
        evening,
        actor=actor,
        action="present" if present else "absent",
        data={"member": str(member.uuid), "absence": registration.absence},
    )
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
    return registrations.filter(present=True).count()


@transaction.atomic
def guest_add(*, evening_id: int, name: str, actor: Actor) -> Registration:
    """Add a new guest, who is present.

    Raises DomainError `evening_state`, `name_missing` or `bad_member`.
    """
    evening = evening_lock(evening_id)
    guest = member_create(club=evening.club, name=name, kind=Member.Kind.GUEST, actor=actor)
    return presence_set(evening_id=evening_id, member=guest, present=True, actor=actor)


def _require_of_club(evening: Evening, member: Member) -> None:
    if member.club_id != evening.club_id:
        raise DomainError("member_of_another_club", _("This person belongs to another club."))
