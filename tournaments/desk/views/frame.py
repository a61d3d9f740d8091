"""A page for frames of other websites: the next evening and standings, as everybody may read
them. It needs no cookie and no script, and is the same for whoever asks."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from csp.constants import NONE, SELF
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from clubs.access.permissions import public_view
from clubs.http.network import absolute_url
from clubs.models import Club
from tournaments.desk.views.public import Leader, evenings_now, season_of, season_top
from tournaments.models import Evening, Season
from tournaments.releases.queries import (
    PublicRow,
    by_pair,
    public_standings,
    running_rounds,
    written_so_far,
)
from tournaments.standings.queries import interim_by
from tournaments.standings.texts import interim_words

MOST: Final = 400
"""Places of a season; an evening is shown whole."""
NEXT, EVENING, SEASON = "next", "evening", "season"
PARTS: Final = {"": (NEXT, EVENING, SEASON), NEXT: (NEXT,), EVENING: (EVENING,), SEASON: (SEASON,)}
POLLED: Final = 60
KEPT: Final = 300


@require_safe
@public_view
def club_frame(request: HttpRequest, club: Club) -> HttpResponse:
    """The page; `?show=` chooses one of `next`, `evening` and `season`. Only the websites that the
    club names, and our own, can show it in a frame."""
    parts = PARTS.get(request.GET.get("show", ""))
    if parts is None:
        raise Http404
    with translation.override(club.language):
        context = _context(club, parts)
        response = render(request, "tournaments/desk/frame.html", context)
    _allow_frames(response, club)
    seconds = POLLED if context["is_live"] else KEPT
    patch_cache_control(response, public=True, max_age=seconds)
    return response


def _allow_frames(response: HttpResponse, club: Club) -> None:
    """Say which websites may; `X-Frame-Options` cannot name any, and browsers prefer the policy."""
    policy = {
        "frame-ancestors": [SELF, *club.frame_sites],
        "script-src": [NONE],
        "connect-src": [NONE],
        "form-action": [NONE],
        "worker-src": [NONE],
        "manifest-src": [NONE],
    }
    response._csp_replace = policy  # type: ignore[attr-defined] # noqa: SLF001
    if club.frame_sites:
        response.xframe_options_exempt = True
    else:
        response.headers["X-Frame-Options"] = "SAMEORIGIN"


def _context(club: Club, parts: tuple[str, ...]) -> Mapping[str, Any]:
    now = evenings_now(club)
    coming = now[0] if now else None
    season = season_of(club) if SEASON in parts else None
    evening = _evening(club, coming) if EVENING in parts else None
    return {
        "club": club,
        "home": absolute_url(club, club.get_absolute_url()),
        "today": timezone.localdate(),
        "shows_next": NEXT in parts,
        "coming": coming,
        "evening": evening,
        **_standing(evening),
        "season": season,
        "season_rows": _season_rows(club, season) if season else [],
        "is_live": evening is not None and evening.state == Evening.State.RUNNING,
        "poll": POLLED,
    }


def _evening(club: Club, coming: Evening | None) -> Evening | None:
    """The evening that is being played and shows its scores, else the last one."""
    if coming is not None and coming.state == Evening.State.RUNNING and coming.shows_scores:
        return coming
    return Evening.objects.of(club).filter(state=Evening.State.CLOSED).first()


def _standing(evening: Evening | None) -> Mapping[str, object]:
    """The lines of an evening, and what their places go by while it is played."""
    if evening is None:
        return {"evening_rows": []}
    rows = by_pair(public_standings(evening))
    playing, over = running_rounds(rows), {number for row in rows for number in row.rounds}
    words = interim_words(playing, sorted(over), interim_by(evening)) if playing else ""
    return {"evening_rows": _evening_rows(rows), "interim_words": words}


def _evening_rows(rows: list[PublicRow]) -> list[Leader]:
    playing = running_rounds(rows)
    points = written_so_far if playing and not any(row.rank for row in rows) else _total
    return [Leader(row.rank, row.name, "", points(row), None, []) for row in rows]


def _total(row: PublicRow) -> int:
    return row.total


def _season_rows(club: Club, season: Season) -> list[Leader]:
    """Without links: a page of ours that they lead to is not shown in a frame. And without lines,
    for which it is narrow."""
    return [replace(leader, url="", scores=[]) for leader in season_top(club, season, MOST)]
