"""What scoring does when people change."""

from django.dispatch import receiver

from clubs.handing_over import HandingOver
from clubs.services import members_merging
from scoring.models import Seat


@receiver(members_merging)
def seats_follow_the_member(over: HandingOver, **_kwargs: object) -> None:
    """The guest's seats become the member's."""
    over.move(Seat, "member")
    over.move(Seat, "counts_for")
