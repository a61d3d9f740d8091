"""The places of an evening of folders on the pages of any evening."""

from typing import Any

from django import template

from tournaments.duplicate.published import results_published, results_shown
from tournaments.duplicate.views.public import ranking_tables
from tournaments.models import DuplicateEvening, Evening, Release

register = template.Library()


@register.inclusion_tag("tournaments/duplicate/places.html")
def folder_places(evening: Evening, release: Release | None) -> dict[str, Any]:
    """The places by line as in this release, else as they are now; none while points are hidden.
    At most six queries."""
    if release is not None and release.folders is not None:
        results = results_published(release)
    elif evening.shows_scores:
        results = results_shown(evening)
    else:
        return {}
    return {
        "club": evening.club,
        "evening": evening,
        "tables": ranking_tables(evening.club, results),
        "by_points": results.duplicate.compare != DuplicateEvening.Comparison.MATCHPOINTS,
    }
