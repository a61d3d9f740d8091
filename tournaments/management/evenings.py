"""What the commands about evenings and seasons share."""

from django.core.management.base import CommandError

from clubs.models import Club
from tournaments.models import Evening, Round, Table


def evening_named(club: Club, slug: str) -> Evening:
    """The club's evening on this date. Raises CommandError when there is none."""
    evening = Evening.objects.of(club).by_slug(slug).select_related("club").first()
    if evening is None:
        raise CommandError(f"There is no evening '{slug}' at {club.name}.")
    return evening


def tables_named(evening: Evening, number: int) -> list[Table]:
    """The tables of a round whose draw is final. Raises CommandError when there are none."""
    tables = Table.objects.filter(round__evening=evening, round__number=number)
    drawn = tables.exclude(round__state=Round.State.DRAFT)
    found = list(
        drawn.select_related("round", "sheet__regulation", "sheet__club").order_by("number")
    )
    if not found:
        raise CommandError(f"Round {number} of evening '{evening.slug}' has no final draw.")
    return found
