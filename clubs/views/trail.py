"""What happened at the club, to be read."""

import uuid as uuids

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clubs.models import AuditEvent, Club, User
from clubs.permissions import READ_TRAIL, SEE_TRAIL, desk_view
from clubs.trail import trail_page
from clubs.views.common import show


@desk_view(READ_TRAIL)
@require_safe
def club_trail(request: HttpRequest, club: Club) -> HttpResponse:
    """The events of the club and its score sheets, newest first."""
    page = trail_page(AuditEvent.objects.filter(club=club), request.GET.get("page"))
    return show(request, "trail.html", club, "settings", trail=page)


@desk_view(SEE_TRAIL)
@require_safe
def user_trail(request: HttpRequest, club: Club, user: uuids.UUID) -> HttpResponse:
    """What somebody with a login did at this club, newest first."""
    done = AuditEvent.objects.filter(club=club, actor=f"user:{user}")
    found = User.objects.filter(uuid=user).first()
    if found is None or not (done.exists() or found.roles.filter(club=club).exists()):
        raise Http404
    page = trail_page(done, request.GET.get("page"))
    return show(request, "user_trail.html", club, "settings", trail=page, name=str(found))
