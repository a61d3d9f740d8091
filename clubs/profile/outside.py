"""What a club shows outside its own pages: to search engines, on other websites, of new people."""

from collections.abc import Callable, Sequence
from typing import Final

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club, PublicAs, SearchEngines
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.origins import origins_read

MOST_SITES: Final = 10
WITHOUT_NAMES: Final = frozenset({"club_calendar", "club_ical", "logo_png", "rules_page"})
"""The public pages of a club that name nobody."""


@transaction.atomic
def outside_change(
    *,
    club: Club,
    search_engines: str,
    new_public_as: str,
    frame_sites: Sequence[str],
    actor: Actor,
) -> None:
    """Choose what is shown outside. Raises DomainError `bad_choice`, `bad_site` (params: site) or
    `too_many_sites`."""
    if search_engines not in SearchEngines.values or new_public_as not in PublicAs.values:
        raise DomainError("bad_choice", _("There is no such choice."))
    locked = club_lock(club.pk)
    locked.search_engines, locked.new_public_as = search_engines, new_public_as
    locked.frame_sites = sites_read(frame_sites)
    locked.save(update_fields=["search_engines", "new_public_as", "frame_sites"])
    event_append(
        chain=locked,
        club=locked,
        actor=actor,
        action="outside_changed",
        object_ref=f"club:{locked.uuid}",
    )


def sites_read(lines: Sequence[str]) -> list[str]:
    """The websites of these lines. Raises DomainError like `outside_change`."""
    try:
        sites = origins_read(lines)
    except ValueError as error:
        message = _("This is no address of a website: %s. Type it as in https://www.example.org.")
        site = str(error.args[0])[:100] if error.args else ""
        raise DomainError("bad_site", message % site, site=site) from error
    if len(sites) > MOST_SITES:
        message = _("At most %d websites.") % MOST_SITES
        raise DomainError("too_many_sites", message)
    return sites


class SearchEnginesMiddleware:
    """Asks search engines to leave out every page but the front page and what its club lets them
    show."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not _is_searchable(request):
            response.headers["X-Robots-Tag"] = "noindex"
        return response


def _is_searchable(request: HttpRequest) -> bool:
    match, club = request.resolver_match, getattr(request, "club", None)
    if match is None or "/desk/" in match.route:
        return False
    if not isinstance(club, Club):
        return match.view_name == "home"
    if club.search_engines == SearchEngines.NAMES:
        return True
    return club.search_engines == SearchEngines.PLAIN and match.view_name in WITHOUT_NAMES
