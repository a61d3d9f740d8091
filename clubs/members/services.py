"""A club's members: added, changed, deactivated."""

import datetime as dt
from typing import TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club, Member
from clubs.namesakes.services import member_changed, namesakes_follow
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.names import tidy_name


class MemberDetails(TypedDict, total=False):
    """What the club knows of somebody, beside the name."""

    number: int | None
    kind: str
    public_as: str
    public_name: str
    email: str
    phone: str
    addition: str
    street: str
    postcode: str
    town: str
    birthday: dt.date | None
    member_since: dt.date | None
    keeps_table: bool


@transaction.atomic
def member_create(
    *, club: Club, name: str, actor: Actor, **details: Unpack[MemberDetails]
) -> Member:
    """A new member or guest; without `public_as` the club's choice for new people holds.

    Raises DomainError `name_missing`, `number_taken`, `birthday_to_come` or `bad_member` (params:
    faults by field).
    """
    return member_add(club=club_lock(club.pk), name=name, actor=actor, **details)


def member_add(*, club: Club, name: str, actor: Actor, **details: Unpack[MemberDetails]) -> Member:
    """The same for a caller who holds the lock of the club."""
    details.setdefault("public_as", club.new_public_as)
    member = Member(club=club, name=name, **details)
    _save(member)
    namesakes_follow(member.club, member, is_new=True)
    _audit(member, actor, "member_added")
    return member


@transaction.atomic
def member_change(
    *,
    member: Member,
    seen_version: int,
    actor: Actor,
    name: str,
    **details: Unpack[MemberDetails],
) -> Member:
    """Change a member's details; what is left out stays.

    Raises VersionConflict when somebody else changed them since `seen_version`, and DomainError
    `member_erased`, `name_missing`, `number_taken`, `birthday_to_come` or `bad_member` (params:
    faults by field).
    """
    club_lock(member.club_id)
    member = _next_version(member, seen_version)
    _require_not_erased(member)
    shown_before = member.desk_name, member.shown_name
    member.name = name
    for field, value in details.items():
        setattr(member, field, value)
    _save(member)
    namesakes_follow(member.club, member)
    _audit(member, actor, "member_changed")
    if (member.desk_name, member.shown_name) != shown_before:
        member_changed.send(sender=Member, member=member)
    return member


@transaction.atomic
def member_activate(*, member: Member, active: bool, actor: Actor) -> Member:
    """Take somebody off the list of players, or put them back; their results stay.

    Raises DomainError `member_erased`.
    """
    club_lock(member.club_id)
    member.refresh_from_db()
    _require_not_erased(member)
    member.is_active = active
    member.save_changes("is_active")
    _audit(member, actor, "member_activated" if active else "member_deactivated")
    return member


def _require_not_erased(member: Member) -> None:
    if member.erased_at is not None:
        raise DomainError(
            "member_erased", _("The details of this person were erased and do not come back.")
        )


def _save(member: Member) -> None:
    if not tidy_name(member.name):
        raise DomainError("name_missing", _("Fill in a name."))
    _require_free_number(member)
    if member.birthday and member.birthday > timezone.localdate():
        raise DomainError("birthday_to_come", _("A birthday is not in the future."))
    try:
        member.clean_fields(exclude=["club", "name_key", "sort_name"])
    except ValidationError as error:
        raise DomainError(
            "bad_member", " ".join(error.messages), faults=error.message_dict
        ) from error
    member.save()


def _require_free_number(member: Member) -> None:
    if member.number is None:
        return
    others = Member.objects.of(member.club).filter(number=member.number)
    holder = others.exclude(pk=member.pk or 0).first()
    if holder is not None:
        raise DomainError(
            "number_taken",
            _("Number %(number)s already belongs to %(name)s.")
            % {"number": member.number, "name": holder.desk_name},
        )


def _next_version(member: Member, seen_version: int) -> Member:
    """The person as stored, one version on; `member` stays as it is, in case of a rollback."""
    current = Member.objects.get(pk=member.pk)
    if not current.update_if(seen_version):
        raise VersionConflict(
            "version_conflict",
            _("Somebody else has just changed this person. Please check it again."),
            current=current,
        )
    return current


def _audit(member: Member, actor: Actor, action: str, **data: object) -> None:
    event_append(
        chain=member.club,
        club=member.club,
        actor=actor,
        action=action,
        object_ref=f"member:{member.uuid}",
        data={"kind": member.kind, "active": member.is_active, **data},
        texts={"name": member.name},
    )
