"""What the commands about evenings and seasons share."""

from django.core.management.base import CommandError

from clubs.models import Club
from tournaments.models import Evening


def evening_named(club: Club, slug: str) -> Evening:
    """The club's evening on this date. Raises CommandError when there is none."""
    evening = Evening.objects.of(club).by_slug(slug).select_related("club").first()
    if evening is None:
        raise CommandError(f"There is no evening '{slug}' at {club.name}.")
    return evening
