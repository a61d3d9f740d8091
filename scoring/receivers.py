"""What scoring does when people change."""

from django.dispatch import receiver

from clubs.models import Member
from clubs.services import members_merging
from scoring.models import Seat


@receiver(members_merging)
def seats_follow_the_member(guest: Member, member: Member, **_kwargs: object) -> None:
    """The guest's seats become the member's."""
    Seat.objects.filter(member=guest).update(member=member)
    Seat.objects.filter(counts_for=guest).update(counts_for=member)
