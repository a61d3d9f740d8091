"""Who somebody is today, who was a guest once."""

from collections.abc import Iterable

from clubs.models import Member, MemberMerge


def people_today(ids: Iterable[int]) -> dict[int, Member]:
    """These people by id as they are now, a guest who turned out to be a member as that member;
    without those who are no longer with the club."""
    wanted = set(ids)
    found: dict[int, Member] = Member.objects.in_bulk(wanted)
    return found | _as_members(wanted - found.keys())


def ids_today(ids: Iterable[int]) -> dict[int, int]:
    """The id that each of these people has now, of those who were guests and turned out to be
    members."""
    return {then: member.pk for then, member in _as_members(set(ids)).items()}


def _as_members(ids: set[int]) -> dict[int, Member]:
    if not ids:
        return {}
    merges = MemberMerge.objects.filter(undone_at=None, guest__id__in=ids)
    return {merge.guest["id"]: merge.member for merge in merges.select_related("member")}
