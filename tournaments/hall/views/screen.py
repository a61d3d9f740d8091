"""The screen in the hall: one page that shows picture after picture and never needs a mouse."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_permissions_policy.decorators import permissions_policy_override

from clubs.access.permissions import may, opens_for, speak_clubs_language
from clubs.http.pages import Poll
from clubs.models import Club
from tournaments.evenings.permissions import STEER_HALL
from tournaments.evenings.public_pages import evening_view
from tournaments.hall.queries import SECONDS, clock_now, hall_of, hall_tag
from tournaments.hall.scenes import shown_now
from tournaments.models import Evening
from tournaments.results.views.live import (
    evening_etag,
    evening_seen,
    shared_part,
)

SCREEN_POLL = Poll(350, 1_500)
"""A screen turns by itself and is steered, so it never waits as long as phones do."""

stays_awake = permissions_policy_override(
    {**settings.PERMISSIONS_POLICY, "screen-wake-lock": ["self"], "autoplay": ["self"]}
)
"""Decorates the page that keeps its screen awake, and that rings."""


@require_safe
def evening_screen(request: HttpRequest, slug: str, evening_slug: str) -> HttpResponse:
    """What the hall wants to see now. The page polls itself with `?live=1` and gets a new version
    only when there is another picture, or something of it has changed."""
    view = evening_screen_live if "live" in request.GET else _whole
    return view(request, slug, evening_slug)


@stays_awake
@evening_view
def _whole(request: HttpRequest, evening: Evening) -> HttpResponse:
    context = _context(evening) | {"steers": may(request, STEER_HALL, evening)}
    return render(request, "tournaments/hall/screen.html", context)


@evening_view
def _shown(request: HttpRequest, evening: Evening) -> HttpResponse:
    return render(request, "tournaments/hall/shown.html", _context(evening))


def evening_screen_live(request: HttpRequest, slug: str, evening_slug: str) -> HttpResponse:
    """The part that changes; 304 while it does not. Made once for all screens of an evening."""
    seen = evening_seen(slug, evening_slug)
    if seen is None:
        raise Http404
    speak_clubs_language(request, Club(language=seen.language))
    tag = _tag(evening_etag(seen), seen.pk)
    return shared_part(request, tag, lambda: _shown(request, slug, evening_slug))


def _tag(evening_tag: str, evening_id: int) -> str:
    return f'{evening_tag[:-1]}-{hall_tag(evening_id)}"'


def _context(evening: Evening) -> dict[str, Any]:
    # The tag comes first: what changes while the picture is made is asked for once more.
    tag = _tag(evening_etag(evening), evening.pk)
    hall = hall_of(evening)
    return {
        "club": evening.club,
        "evening": evening,
        "hall": hall,
        "shown": shown_now(evening, hall),
        "seconds": SECONDS,
        "zone": settings.TIME_ZONE,
        "clock": clock_now(hall),
        "now": timezone.now(),
    } | SCREEN_POLL.context(tag)


# What a hall polls is never refused.
evening_screen.is_polled = True  # type: ignore[attr-defined]


def _club_screen(request: HttpRequest, club: int) -> HttpResponse:
    """The screen of this club's evening: the one being played, else the next, else the last."""
    found = get_object_or_404(Club, pk=club, practice_of=None)
    evenings = Evening.objects.of(found).exclude(state=Evening.State.CANCELLED)
    evening = (
        evenings.filter(state=Evening.State.RUNNING).first()
        or evenings.filter(date__gte=timezone.localdate()).last()
        or evenings.first()
    )
    if evening is None:
        return redirect("club_page", found.slug)
    return redirect("evening_screen", found.slug, evening.slug)


club_screen = opens_for(None, require_safe(never_cache(_club_screen)))
