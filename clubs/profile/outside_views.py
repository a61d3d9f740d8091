"""What a club shows outside its own pages, the page of it, and robots.txt."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from csp.constants import SELF
from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.audit.services import Actor, event_append
from clubs.http.network import absolute_url, base_url, is_private, origins_read
from clubs.http.pages import form_saved, show, typed
from clubs.models import Club, PublicAs, SearchEngines
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError

MOST_SITES: Final = 10


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
        raise DomainError("bad_choice", gettext("There is no such choice."))
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
        message = gettext(
            "This is not the address of a website: %s. Type it as in https://www.example.org."
        )
        site = str(error.args[0])[:100] if error.args else ""
        raise DomainError("bad_site", message % site, site=site) from error
    if len(sites) > MOST_SITES:
        message = gettext("At most %d websites.") % MOST_SITES
        raise DomainError("too_many_sites", message)
    return sites


DAY: Final = 86_400
ROBOTS: Final = """User-agent: *
Disallow: /t/
Disallow: /api/
Disallow: /account/
Disallow: /invitations/
Disallow: /login/
Disallow: /password/
Disallow: /clubs/*/desk/
"""
"""Pages that only tell a search engine to leave them out must stay readable, to tell it."""


class Framed(models.TextChoices):
    """What the page for other websites shows."""

    ALL = "", _("Everything")
    NEXT = "next", _("The next evening")
    EVENING = "evening", _("The last evening")
    SEASON = "season", _("The season")


class OutsideForm(forms.Form):
    """Search engines, other websites, and names of new people."""

    search_engines = forms.ChoiceField(
        label=_("What may search engines show?"),
        choices=SearchEngines.choices,
        widget=forms.RadioSelect,
        help_text=_(
            "Those that respect it, such as Google and Bing, need some weeks for a change."
        ),
    )
    new_public_as = forms.ChoiceField(
        label=_("How do new members and guests appear on public pages?"),
        choices=PublicAs.choices,
        widget=forms.RadioSelect,
        help_text=_(
            "It can be changed for each person. Those who are in the list stay as they are."
        ),
    )
    frame_sites = forms.CharField(
        label=_("Websites that may show your standings"),
        required=False,
        max_length=3_000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=_("One on each line, as in https://www.example.org. Others cannot show them."),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, club: Club) -> None:
        initial = {
            "search_engines": club.search_engines,
            "new_public_as": club.new_public_as,
            "frame_sites": "\n".join(club.frame_sites),
        }
        super().__init__(data, initial=initial)

    def clean_frame_sites(self) -> list[str]:
        try:
            return sites_read(self.cleaned_data["frame_sites"].splitlines())
        except DomainError as error:
            raise ValidationError(error.message, code=error.code) from error


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def club_outside(request: HttpRequest, club: Club) -> HttpResponse:
    """What is shown outside, and what to paste on another website, with how that looks."""
    form = OutsideForm(typed(request), club=club)
    if form_saved(
        form, lambda: outside_change(club=club, actor=actor_of(request), **form.cleaned_data)
    ):
        messages.success(request, gettext("The settings are saved."))
        return redirect("club_outside", club.slug)
    wanted = request.GET.get("show", "")
    shown = Framed(wanted) if wanted in Framed.values else Framed.ALL
    path = reverse("club_frame", args=[club.slug]) + (f"?show={shown.value}" if shown else "")
    base = base_url(club)
    response = show(
        request,
        "profile/outside.html",
        club,
        "settings",
        form=form,
        base=base,
        can_be_framed=base.startswith("https://") and not is_private(base),
        choices=[(choice, choice == shown) for choice in Framed],
        preview=path,
        snippet=_snippet(club, path),
    )
    response._csp_update = {"frame-src": [SELF]}  # type: ignore[attr-defined] # noqa: SLF001
    return response


def _snippet(club: Club, path: str) -> str:
    """The HTML that shows the page on another website."""
    return format_html(
        '<iframe src="{}" title="{}" width="100%" height="700" loading="lazy"></iframe>',
        absolute_url(club, path),
        gettext("Standings of %s") % club.name,
    )


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """What search engines need not ask for at all."""
    headers = {"Cache-Control": f"public, max-age={DAY}"}
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8", headers=headers)
