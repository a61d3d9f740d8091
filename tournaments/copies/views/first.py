"""Bringing a copy to an installation that has no club yet: only at the computer itself."""

import uuid as uuids
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.http.network import is_at_the_machine
from clubs.models import Club, Role
from clubs.profile.services import password_path
from clubs.text.errors import DomainError
from tournaments.copies.forms import SendForm
from tournaments.copies.views.shared import place, sent, show_copy
from tournaments.models import Copy

View = Callable[..., HttpResponse]


def _at_the_machine(view: View) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if is_at_the_machine(request):
            return view(request, *args, **kwargs)
        return render(request, "tournaments/copies/elsewhere.html", status=403)

    return guarded


def _is_empty() -> bool:
    return not Club.objects.filter(is_demo=False).exists()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@_at_the_machine
def bring_send(request: HttpRequest) -> HttpResponse:
    """Take a copy that is sent."""
    if not _is_empty():
        raise Http404
    answer = sent(request, None) if request.method == "POST" else SendForm()
    if isinstance(answer, HttpResponse):
        return answer
    status = 422 if answer.errors else 200
    return render(request, "tournaments/copies/bring.html", {"form": answer}, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@_at_the_machine
def bring_page(request: HttpRequest, uuid: uuids.UUID) -> HttpResponse:
    """How far it is, and what it holds; on a POST the club is made. Then a link for each of its
    organisers to choose a password here, as `import_club` prints."""
    brought = Copy.objects.filter(kind=Copy.Kind.SENT, user=None).select_related("club")
    copy = get_object_or_404(brought, uuid=uuid)
    if copy.club is None and not _is_empty():
        raise Http404
    if request.method == "POST":
        try:
            place(copy)
        except DomainError as error:
            messages.error(request, error.message)
        return redirect("bring_page", copy.uuid)
    return show_copy(request, copy, base="base.html", links=_links(copy.club))


def _links(club: Club | None) -> list[tuple[str, str]]:
    if club is None:
        return []
    roles = club.roles.filter(kind=Role.Kind.ORGANISER).select_related("user").order_by("pk")
    return [
        (role.user.email, password_path(role.user))
        for role in roles
        if not role.user.has_usable_password()
    ]
