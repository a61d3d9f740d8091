"""Practice clubs: found, and removed with everything in them."""

from django.db import transaction
from django.utils import timezone

from clubs.models import Club
from clubs.profile.services import club_lock


def practice_club(club: Club) -> Club | None:
    """The practice club of this club, if there is one that is not over."""
    return club.practice_clubs.filter(practice_until__gt=timezone.now()).first()


@transaction.atomic
def practice_remove(*, club: Club) -> None:
    """Remove the club's practice club with everything in it. Nothing says that it was there: it has
    no trail, and that of the club tells nothing of it."""
    club_lock(club.pk)
    Club.objects.filter(practice_of=club).delete()


def practice_sweep() -> None:
    """Remove the practice clubs of which the day is over; while there are none, it only reads."""
    for club in Club.objects.filter(practice_clubs__practice_until__lte=timezone.now()):
        practice_remove(club=club)
