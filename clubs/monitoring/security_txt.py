"""Where somebody who found a hole can report it (RFC 9116)."""

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

GOOD_FOR = timedelta(days=180)
PATH = ".well-known/security.txt"


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """The operator's contact; 404 where `SECURITY_CONTACT` names none.

    It is made at each request, so it never runs out while the server is looked after.
    """
    if not settings.SECURITY_CONTACT:
        raise Http404
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {timezone.now() + GOOD_FOR:%Y-%m-%dT00:00:00Z}",
        "Preferred-Languages: nl, en",
    ]
    if settings.HTTPS:
        lines.append(f"Canonical: {settings.PUBLIC_URL}/{PATH}")
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
