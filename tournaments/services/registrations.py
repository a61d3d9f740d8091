"""Who is here."""

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
    """Say that somebody is here, or isn't (with `absence`: signed off, or stayed away).

    Counts from the next draw on; a round that is already drawn stays as it is.
    Raises DomainError `evening_state` or `member_of_another_club`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    if member.club_id != evening.club_id:
        raise DomainError("member_of_another_club", _("This person belongs to another club."))
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
def presence_replace(*, evening_id: int, members: list[Member], actor: Actor) -> int:
    """Set at once who is here: exactly these members. Returns how many are."""
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    here = {member.pk for member in members if member.club_id == evening.club_id}
    registrations = Registration.objects.filter(evening=evening)
    registrations.exclude(member__in=here).filter(present=True).update(present=False)
    registrations.filter(member__in=here).update(present=True, absence="")
    known = set(registrations.values_list("member_id", flat=True))
    Registration.objects.bulk_create(
        Registration(evening=evening, member_id=pk) for pk in sorted(here - known)
    )
    evening_touch(evening, actor=actor, action="presence_replaced", data={"present": len(here)})
    return len(here)


@transaction.atomic
def guest_add(*, evening_id: int, name: str, actor: Actor) -> Registration:
    """A guest walks in: known from now on, and present."""
    evening = evening_lock(evening_id)
    guest = member_create(club=evening.club, name=name, kind=Member.Kind.GUEST, actor=actor)
    return presence_set(evening_id=evening_id, member=guest, present=True, actor=actor)
