"""The pages of whoever operates a server for many: which clubs there are, how large, and what is
done with one. They name nobody of a club."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.permissions import actor_of, operator_view
from clubs.http.pages import form_saved, typed
from clubs.models import Club
from clubs.text.errors import DomainError
from clubs.text.names import name_key
from tournaments.hosting.services import (
    club_copy_for_them,
    club_let_go,
    club_open,
    club_sizes,
    club_suspend,
    deals_of,
    limits_used,
)

PER_PAGE = 50


class SureForm(forms.Form):
    """The name of the club, typed by whoever is sure that it must go."""

    name = forms.CharField(max_length=200)

    def __init__(self, data: Mapping[str, Any] | None, *, club: Club) -> None:
        super().__init__(data)
        self._club = club
        self.fields["name"].label = _("Type the name of the club to be sure: %(name)s") % {
            "name": club.name
        }

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name_key(name) != name_key(self._club.name):
            raise forms.ValidationError(_("That is not the name of the club."))
        return name


@operator_view
@require_safe
def operator_clubs(request: HttpRequest) -> HttpResponse:
    """All clubs, those whose name has `?q=` in it; the newest first."""
    wanted = request.GET.get("q", "").strip()[:100]
    clubs = Club.objects.listed().order_by("-pk")
    if wanted:
        clubs = clubs.filter(name__icontains=wanted) | clubs.filter(slug__icontains=wanted)
    page = Paginator(clubs, PER_PAGE).get_page(request.GET.get("page"))
    context = {"sizes": club_sizes(list(page)), "page": page, "wanted": wanted}
    return render(request, "tournaments/hosting/clubs.html", context)


@operator_view
@require_http_methods(["GET", "HEAD", "POST"])
def operator_club(request: HttpRequest, slug: str) -> HttpResponse:
    """One club: its size, what it used of its limits, and what can be done with it."""
    club = get_object_or_404(Club.objects.listed(), slug=slug)
    do = request.POST.get("do", "") if request.method == "POST" else ""
    form = SureForm(typed(request) if do == "go" else None, club=club)

    def go() -> None:
        day = club_let_go(club=club, actor=actor_of(request))
        words = _("Everything of this club is deleted on %s.") % date_format(day)
        messages.success(request, words)

    if do == "go":
        if form_saved(form, go):
            return redirect("operator_club", club.slug)
    elif do:
        return _done(request, club, do)
    (size,) = club_sizes([club])
    context = {"hosted": club, "size": size, "form": form, "deals": deals_of(club)}
    context |= {"limits": limits_used(club)}
    status = 422 if form.errors else 200
    return render(request, "tournaments/hosting/club.html", context, status=status)


def _done(request: HttpRequest, club: Club, do: str) -> HttpResponse:
    actor = actor_of(request)
    acts: Mapping[str, tuple[Callable[[], object], str]] = {
        "suspend": (lambda: club_suspend(club=club, actor=actor), _("The club is closed.")),
        "open": (lambda: club_open(club=club, actor=actor), _("The club is open again.")),
        "copy": (
            lambda: club_copy_for_them(club=club, language=get_language() or "nl"),
            _("The file is being made, and the organisers are mailed where it is."),
        ),
    }
    if do not in acts:
        raise Http404
    act, message = acts[do]
    try:
        act()
    except DomainError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, message)
    return redirect("operator_club", club.slug)
