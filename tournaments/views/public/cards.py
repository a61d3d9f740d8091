"""The pictures that go with a link to a club or an evening."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.permissions import public_view
from tournaments.cards import card_png
from tournaments.models import Evening
from tournaments.previews import Preview, evening_preview
from tournaments.published import public_standings
from tournaments.views.public.club import club_context
from tournaments.views.public.common import evening_view


@require_safe
@public_view
def club_card(request: HttpRequest, club: Club) -> HttpResponse:
    """The picture of a club."""
    return card_response(club, club_context(club)["preview"])


@require_safe
@evening_view
def evening_card(request: HttpRequest, evening: Evening) -> HttpResponse:
    """The picture of an evening; of a frozen one it says no more than that."""
    final = evening.state == Evening.State.CLOSED
    preview = evening_preview(evening, public_standings(evening), final=final)
    return card_response(evening.club, preview)


def card_response(club: Club, preview: Preview) -> HttpResponse:
    """The picture of a preview, as a browser may keep it for a while."""
    return HttpResponse(
        card_png(club, preview),
        content_type="image/png",
        headers={"Cache-Control": "public, max-age=600"},
    )
