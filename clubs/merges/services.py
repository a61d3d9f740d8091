"""Merging a guest into a member, and undoing a merge."""

import dataclasses

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.merges.merge_log import MergeLog, columns_of, give_back, hooks, put_back
from clubs.models import Member, MemberMerge
from clubs.namesakes.services import namesakes_follow
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError


@dataclasses.dataclass(frozen=True, slots=True)
class MergePreview:
    """What a merge would move, in words, or why it is refused."""

    moving: list[str]
    refusal: str = ""


@transaction.atomic
def guest_merge(*, guest: Member, member: Member, actor: Actor) -> MemberMerge:
    """Merge the guest into the member: everything the guest played becomes the member's.

    Raises DomainError `merge_same`, `merge_not_a_guest`, `guest_gone`, `merge_erased`, or
    `merge_both_played` when the two were at the same evening.
    """
    club = club_lock(member.club_id)
    guest, member = _both(guest, member)
    log = MergeLog(guest, member)
    for hook in hooks:
        hook.merge(log)
    log.move(MemberMerge)
    merge = MemberMerge.objects.create(
        club=club, member=member, guest=columns_of(guest), handed_over=log.as_json()
    )
    _audit(merge, actor, "guest_merged")
    guest.delete()
    namesakes_follow(club)
    return merge


@transaction.atomic
def merge_undo(*, merge: MemberMerge, actor: Actor) -> Member:
    """Undo a merge; returns the guest.

    Every evening of the guest is theirs again, with what was written there since; later evenings
    stay the member's. A guest whose number was given away gets none. Raises
    DomainError `merge_undone`.
    """
    club = club_lock(merge.club_id)
    if not MemberMerge.objects.filter(pk=merge.pk, undone_at=None).update(undone_at=timezone.now()):
        raise DomainError("merge_undone", _("This merge has been undone already."))
    merge = MemberMerge.objects.select_related("club", "member").get(pk=merge.pk)
    member = merge.member
    guest = Member(**merge.guest)
    if Member.objects.of(club).filter(number=guest.number).exists():
        guest.number = None
    guest.save(force_insert=True)
    give_back(merge.handed_over, guest=guest, member=member)
    for hook in hooks:
        hook.part(guest, member, merge.handed_over)
    put_back(merge.handed_over)
    namesakes_follow(club, guest)
    _audit(merge, actor, "merge_undone")
    return guest


def merge_preview(*, guest: Member, member: Member) -> MergePreview:
    """What a merge would move; it is tried and rolled back."""
    moving = [line for hook in hooks for line in hook.preview(guest)]
    try:
        with transaction.atomic():
            guest_merge(guest=guest, member=member, actor=Actor.of_program("preview"))
            transaction.set_rollback(True)
    except DomainError as error:
        return MergePreview(moving, error.message)
    return MergePreview(moving)


def _both(guest: Member, member: Member) -> tuple[Member, Member]:
    """The two as stored; raises DomainError where they cannot be merged."""
    people = Member.objects.in_bulk([guest.pk, member.pk])
    if {guest.pk, member.pk} - people.keys():
        raise DomainError("guest_gone", _("This guest is no longer on the list."))
    guest, member = people[guest.pk], people[member.pk]
    if guest.pk == member.pk or guest.club_id != member.club_id:
        raise DomainError("merge_same", _("Choose two different people of this club."))
    if guest.kind != Member.Kind.GUEST:
        raise DomainError("merge_not_a_guest", _("Only a guest can be merged into a member."))
    if guest.erased_at or member.erased_at:
        raise DomainError("merge_erased", _("The details of this person have been erased."))
    return guest, member


def _audit(merge: MemberMerge, actor: Actor, action: str) -> None:
    event_append(
        chain=merge.club,
        club=merge.club,
        actor=actor,
        action=action,
        object_ref=f"member:{merge.member.uuid}",
        data={"guest": merge.guest["uuid"], "merge": str(merge.uuid)},
        texts={"name": merge.member.name, "guest_name": merge.guest["name"]},
    )
