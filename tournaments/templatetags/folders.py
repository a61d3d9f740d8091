"""The places of an evening of folders on the pages of any evening."""

from typing import Any

from django import template

from tournaments.duplicate.queries import duplicate_of, duplicate_results
from tournaments.duplicate.views.public import ranking_tables
from tournaments.models import DuplicateEvening, Evening

register = template.Library()


@register.inclusion_tag("tournaments/duplicate/places.html")
def folder_places(evening: Evening) -> dict[str, Any]:
    """The places by line, as they are now; none while points are hidden. Four queries."""
    if not evening.shows_scores:
        return {}
    duplicate = duplicate_of(evening)
    return {
        "club": evening.club,
        "evening": evening,
        "tables": ranking_tables(evening.club, duplicate_results(evening, duplicate)),
        "by_points": duplicate.compare != DuplicateEvening.Comparison.MATCHPOINTS,
    }
