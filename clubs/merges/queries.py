"""Members by the ids they had as guests, and guests who may be members."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clubs.merges.duplicates import Duplicates
from clubs.merges.hooks import hooks
from clubs.models import Club, Member, MemberMerge


def people_today(ids: Iterable[int]) -> dict[int, Member]:
    """These people by id as they are now, a guest who turned out to be a member as that member;
    without those who are no longer with the club."""
    wanted = set(ids)
    members: dict[int, Member] = Member.objects.in_bulk(wanted)
    return members | _as_members(wanted - members.keys())


def ids_today(ids: Iterable[int]) -> dict[int, int]:
    """The id that each of these people has now, of those who were guests and turned out to be
    members."""
    return {then: member.pk for then, member in _as_members(set(ids)).items()}


def first_lots(ids: Iterable[int]) -> dict[int, str]:
    """From what the lots are drawn of those of these people who came from another server."""
    moved = Member.objects.filter(pk__in=set(ids), first_id__isnull=False)
    return {pk: str(first) for pk, first in moved.values_list("pk", "first_id")}


def ids_before(member: Member) -> set[int]:
    """The ids that this person had as a guest, before that guest turned out to be them."""
    merges = MemberMerge.objects.filter(undone_at=None, member=member)
    return set(merges.values_list("guest__id", flat=True))


def _as_members(ids: set[int]) -> dict[int, Member]:
    if not ids:
        return {}
    merges = MemberMerge.objects.filter(undone_at=None, guest__id__in=ids)
    return {merge.guest["id"]: merge.member for merge in merges.select_related("member")}


@dataclass(frozen=True, slots=True)
class Couple:
    """A guest, and somebody of the club who has nearly the same name."""

    guest: Member
    other: Member

    @property
    def ids(self) -> frozenset[int]:
        return frozenset((self.guest.pk, self.other.pk))


def likely_same(club: Club) -> list[Couple]:
    """The guests of a club who may be one of its members, or another guest, by surname; but for
    those who were somewhere together, or were taken apart."""
    people = list(Member.objects.of(club).filter(erased_at=None).by_surname())
    known = Duplicates((member.name, member) for member in people)
    couples = [
        Couple(guest, other)
        for guest in people
        if guest.kind == Member.Kind.GUEST
        for other in known.like(guest.name)
        if other != guest and (other.kind == Member.Kind.MEMBER or other.pk < guest.pk)
    ]
    two_people = _together(couples) | _parted(club)
    return [couple for couple in couples if couple.ids not in two_people]


def _together(couples: Sequence[Couple]) -> set[frozenset[int]]:
    ids = {pk for couple in couples for pk in couple.ids}
    return {both for hook in hooks for both in hook.met(ids)} if ids else set()


def _parted(club: Club) -> set[frozenset[int]]:
    undone = MemberMerge.objects.filter(club=club, undone_at__isnull=False)
    return {frozenset(both) for both in undone.values_list("guest__id", "member")}
