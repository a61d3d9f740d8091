"""A season's standing as others tell of it: what its link says, and the picture with it."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.permissions import public_view
from clubs.words import number
from tournaments.previews import LINES, Preview, TopLine, season_preview
from tournaments.views.public.cards import card_response
from tournaments.views.public.season_parts import SeasonStanding, asked_standing


@require_safe
@public_view
def season_card(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """The picture of a season's standing, the main one unless `?standing=` asks for another."""
    return card_response(club, standing_preview(asked_standing(request, club, season_slug)))


def standing_preview(asked: SeasonStanding) -> Preview:
    """The preview of a page that shows one of the standings of a season."""
    top = [
        TopLine(row.rank, row.name, number(row.value))
        for row in asked.table.rows
        if row.rank and row.rank <= LINES
    ]
    season, many = asked.season, len(asked.standings) > 1
    name = f"{season.name}, {asked.standing.name}" if many else season.name
    picture = reverse("season_card", args=[asked.club.slug, season.slug]) + asked.query
    return season_preview(name, top, len(asked.table.evenings), picture)
