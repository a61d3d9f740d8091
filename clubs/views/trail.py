"""What happened at the club, to be read."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clubs.models import AuditEvent, Club
from clubs.permissions import MANAGE_CLUB, desk_view
from clubs.trail import trail_lines
from clubs.views.common import show

PER_PAGE = 50


@desk_view(MANAGE_CLUB)
@require_safe
def club_trail(request: HttpRequest, club: Club) -> HttpResponse:
    """The events of the club and its score sheets, newest first."""
    events = AuditEvent.objects.filter(club=club).order_by("-at", "-pk").prefetch_related("texts")
    page = Paginator(events, PER_PAGE).get_page(request.GET.get("page"))
    lines = trail_lines(list(page.object_list))
    return show(request, "trail.html", club, "settings", page=page, lines=lines)
