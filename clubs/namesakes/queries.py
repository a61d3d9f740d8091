"""Who else has the name of somebody."""

from clubs.models import Member, MemberQuerySet


def namesakes_of(member: Member) -> MemberQuerySet:
    """The others of the club with the name of this person."""
    others = Member.objects.filter(club=member.club_id, name_key=member.name_key, erased_at=None)
    return others.exclude(pk=member.pk).by_surname()
