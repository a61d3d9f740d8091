"""Guests who turn out to be members: merged, and taken apart again."""

import dataclasses

from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError
from clubs.handing_over import HandingOver, columns_of, give_back, put_back
from clubs.models import Member, MemberMerge
from clubs.services.clubs import club_lock

members_merging = Signal()
"""Sent inside the transaction of a merge with `over` (a HandingOver); whoever keeps rows about
the guest hands them over to the member."""

members_parting = Signal()
"""Sent inside the transaction that takes two people apart, with `guest`, `member` and `kept`
(`MemberMerge.handed_over`), when what was moved is the guest's again; what was dropped is put back
after it as `kept` has it then."""

merge_asked = Signal()
"""Sent with `guest` when a merge is being considered; receivers return a list of what of the
guest's would become the member's, in words."""


@dataclasses.dataclass(frozen=True, slots=True)
class MergePreview:
    """What a merge would bring, in words, or why it is refused."""

    moving: list[str]
    refusal: str = ""


@transaction.atomic
def guest_merge(*, guest: Member, member: Member, actor: Actor) -> MemberMerge:
    """The guest turns out to be this member: everything the guest played becomes the member's.

    Raises DomainError `merge_same`, `merge_not_a_guest`, `guest_gone`, `merge_erased`, or
    `merge_both_played` when the two were at the same evening.
    """
    club = club_lock(member.club_id)
    guest, member = _both(guest, member)
    over = HandingOver(guest, member)
    members_merging.send(sender=Member, over=over)
    over.move(MemberMerge)
    merge = MemberMerge.objects.create(
        club=club, member=member, guest=columns_of(guest), handed_over=over.as_json()
    )
    _audit(merge, actor, "guest_merged")
    guest.delete()
    return merge


@transaction.atomic
def merge_undo(*, merge: MemberMerge, actor: Actor) -> Member:
    """The two are two people after all: the guest is back with what was his. Returns the guest.

    Every evening that was the guest's is his again, with what was written there since; evenings
    that came later stay the member's. Where his number was given away, he has none. Raises
    DomainError `merge_undone`.
    """
    club = club_lock(merge.club_id)
    if not MemberMerge.objects.filter(pk=merge.pk, undone_at=None).update(undone_at=timezone.now()):
        raise DomainError("merge_undone", _("These two have been taken apart already."))
    merge = MemberMerge.objects.select_related("club", "member").get(pk=merge.pk)
    member = merge.member
    guest = Member(**merge.guest)
    if Member.objects.of(club).filter(number=guest.number).exists():
        guest.number = None
    guest.save(force_insert=True)
    give_back(merge.handed_over, guest=guest, member=member)
    members_parting.send(sender=Member, guest=guest, member=member, kept=merge.handed_over)
    put_back(merge.handed_over)
    _audit(merge, actor, "merge_undone")
    return guest


def merge_preview(*, guest: Member, member: Member) -> MergePreview:
    """What of the guest's would become the member's. It is tried, and taken back again."""
    answers = merge_asked.send(sender=Member, guest=guest)
    moving = [line for _receiver, lines in answers for line in lines or ()]
    try:
        with transaction.atomic():
            guest_merge(guest=guest, member=member, actor=Actor.of_program("preview"))
            transaction.set_rollback(True)
    except DomainError as error:
        return MergePreview(moving, error.message)
    return MergePreview(moving)


def _both(guest: Member, member: Member) -> tuple[Member, Member]:
    """The two as they are now; raises DomainError where they cannot be one."""
    found = Member.objects.in_bulk([guest.pk, member.pk])
    if guest.pk not in found or member.pk not in found:
        raise DomainError("guest_gone", _("This guest is no longer on the list."))
    guest, member = found[guest.pk], found[member.pk]
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
