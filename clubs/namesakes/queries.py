"""Who has the same name."""

from clubs.models import Club, Member
from clubs.text.names import name_key


def named_like(member: Member) -> list[Member]:
    """Everybody of the club with the name of this person, themselves too, the newest last."""
    named = Member.objects.filter(club=member.club_id, erased_at=None)
    return list(named.filter(name_key__exact=name_key(member.name)[:200]).order_by("pk"))


def marked_people(club: Club) -> dict[int, str]:
    """Everybody of the club who shares their name, by id: as the desk reads them. One query."""
    return Member.objects.of(club).exclude(mark="").by_surname().desk_names()
