"""A club's own pages: settings, address, logo, trail, what it shows outside its own pages, and the
page of that; the front page with all clubs; and robots.txt."""

import uuid as uuids
from collections.abc import Mapping
from typing import Any, Final

from csp.constants import SELF
from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import (
    MANAGE_CLUB,
    READ_DESK,
    READ_TRAIL,
    SEE_TRAIL,
    actor_of,
    caller_of,
    desk_view,
    may,
    of_club,
    public_view,
    speak_clubs_language,
)
from clubs.audit.trail import trail_page
from clubs.files.pictures import MAX_BYTES
from clubs.http.network import absolute_url, base_url, is_private, lan_urls, qr_svg
from clubs.http.pages import form_saved, show, typed
from clubs.http.reach import Reach, local_url, reach
from clubs.models import AuditEvent, Club, ClubLogo, PublicAs, SearchEngines, User
from clubs.models.club import PitWord, SitOutWord
from clubs.profile.services import (
    address_choose,
    club_change,
    logo_choose,
    logo_remove,
    outside_change,
    phone_check_is,
    phone_check_url,
    phone_note,
    phone_opened,
    sites_read,
)
from clubs.text.errors import DomainError

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


class LogoForm(forms.Form):
    picture = forms.FileField(
        label=_("Picture"),
        help_text=_("PNG or JPEG, at most 2 MB."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg"}),
        allow_empty_file=True,
    )


ONLY_WITH_OTHER = _("Only fill this in with “another word”.")


class ClubForm(forms.ModelForm):  # type: ignore[type-arg]
    """A club's name, language and words; a word is one of the usual ones, or typed."""

    OTHER = "other"
    WORDS = {"pit_word": PitWord, "sit_out_word": SitOutWord}

    pit_word = forms.ChoiceField(
        label=_("What do you call taking all eight tricks?"),
        choices=[*PitWord.choices, (OTHER, _("another word"))],
        widget=forms.RadioSelect,
    )
    pit_word_typed = forms.CharField(
        label=_("Another word for pit"), max_length=20, required=False, help_text=ONLY_WITH_OTHER
    )
    sit_out_word = forms.ChoiceField(
        label=_("What do you call not playing a round?"),
        choices=[*SitOutWord.choices, (OTHER, _("another word"))],
        widget=forms.RadioSelect,
    )
    sit_out_word_typed = forms.CharField(
        label=_("Another word for sitting out"),
        max_length=20,
        required=False,
        help_text=ONLY_WITH_OTHER,
    )

    class Meta:
        model = Club
        fields = ["name", "language", "pit_word", "sit_out_word", "roem_letters"]
        widgets = {"language": forms.RadioSelect}

    field_order = [
        "name",
        "language",
        "pit_word",
        "pit_word_typed",
        "sit_out_word",
        "sit_out_word_typed",
        "roem_letters",
    ]

    def __init__(self, data: Mapping[str, Any] | None = None, *, instance: Club) -> None:
        own = {
            name: getattr(instance, name)
            for name, known in self.WORDS.items()
            if getattr(instance, name) not in known.values
        }
        initial = dict.fromkeys(own, self.OTHER)
        initial |= {f"{name}_typed": word for name, word in own.items()}
        super().__init__(data, instance=instance, initial=initial)

    def clean(self) -> dict[str, Any]:
        """The words as the club keeps them: the name of a usual one, else what was typed."""
        cleaned = super().clean() or self.cleaned_data
        for name in self.WORDS:
            word = " ".join(cleaned.pop(f"{name}_typed", "").split())
            if cleaned.get(name) == self.OTHER:
                self._take(name, word)
        return cleaned

    def _take(self, name: str, word: str) -> None:
        if word:
            self.cleaned_data[name] = word
            return
        del self.cleaned_data[name]
        if f"{name}_typed" not in self.errors:
            self.add_error(f"{name}_typed", _("Type the word."))


class AddressForm(forms.Form):
    """The address for phones: found by itself, one of this computer's, or one typed in."""

    AUTOMATIC, OTHER = "", "other"

    choice = forms.ChoiceField(
        label=_("Which address do phones open?"), widget=forms.RadioSelect, required=False
    )
    other = forms.URLField(
        label=_("Another address"),
        required=False,
        assume_scheme="http",
        validators=[URLValidator(schemes=["http", "https"])],
        max_length=200,
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, club: Club) -> None:
        known = [settings.PUBLIC_URL] if settings.PUBLIC_URL else []
        known += [*lan_urls(), *filter(None, [local_url()])]
        typed = club.address if club.address not in known else ""
        initial = {"choice": self.OTHER if typed else club.address, "other": typed}
        super().__init__(data, initial=initial)
        self.fields["other"].help_text = gettext(
            "Only fill this in with the last choice; for example %(example)s."
        ) % {"example": "https://klaver.example"}
        self.fields["choice"].choices = [  # type: ignore[attr-defined]
            (self.AUTOMATIC, _("Let the program choose (now %(address)s)") % {"address": known[0]}),
            *((address, address) for address in known),
            (self.OTHER, _("Another address, which I type below")),
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("choice") == self.OTHER and cleaned.get("other") == "":
            self.add_error("other", _("Type the address."))
        return cleaned

    @property
    def address(self) -> str:
        """The address chosen; empty when the program is to choose."""
        choice: str = self.cleaned_data["choice"]
        return self.cleaned_data["other"] if choice == self.OTHER else choice


SECTION = "settings"


# The front page.

SEARCH_FROM = 8
"""The number of clubs from which the page has a search field."""


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def club_settings(request: HttpRequest, club: Club) -> HttpResponse:
    form = ClubForm(typed(request), instance=Club.objects.get(pk=club.pk))
    if form_saved(
        form, lambda: club_change(club=club, actor=actor_of(request), **form.cleaned_data)
    ):
        speak_clubs_language(request, club)
        messages.success(request, gettext("The settings are saved."))
        return redirect("club_settings", club.slug)
    return show(request, "profile/settings.html", club, SECTION, form=form)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def club_address(request: HttpRequest, club: Club) -> HttpResponse:
    """The address in every link and QR code, with a code to try it out."""
    form = AddressForm(typed(request), club=club)
    if form_saved(
        form, lambda: address_choose(club=club, address=form.address, actor=actor_of(request))
    ):
        messages.success(request, gettext("The address is saved. Try it out with a phone."))
        return redirect("club_address", club.slug)
    return show(
        request,
        "profile/address.html",
        club,
        SECTION,
        form=form,
        base=base_url(club),
        is_private=is_private(base_url(club)),
        is_opened=phone_opened(club),
        reach=_reach(request, base_url(club)),
        here=lan_urls()[0],
        port=settings.PORT,
        code=qr_svg(phone_check_url(club)),
    )


def _reach(request: HttpRequest, base: str) -> Reach:
    """What stands between phones and this address: by itself only what is certain, and when
    somebody says that it does not open also what is likely."""
    found = reach(base)
    is_certain = found in (Reach.CHANGED, Reach.NO_NETWORK)
    return found if is_certain or "closed" in request.GET else Reach.UNKNOWN


@require_safe
@public_view
def phone_check(request: HttpRequest, club: Club, code: str) -> HttpResponse:
    """What a phone opens to try out the address: it says that it works, here and at the desk."""
    if not phone_check_is(club, code):
        raise Http404
    if request.method == "GET":
        phone_note(club=club, client=request.META.get("REMOTE_ADDR", ""))
    return render(request, "clubs/profile/phone_check.html", {"club": club})


# The logo.


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def logo_settings(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the logo, and replace it on a POST."""
    form = LogoForm(typed(request), request.FILES or None)
    if form_saved(form, lambda: _choose(request, club, form)):
        messages.success(request, gettext("The logo is saved."))
        return redirect("club_logo", club.slug)
    return show(request, "profile/logo.html", club, SECTION, form=form)


@desk_view(MANAGE_CLUB)
@require_POST
def logo_take_away(request: HttpRequest, club: Club) -> HttpResponse:
    """Remove the logo; a repeat changes nothing."""
    logo_remove(club=club, actor=actor_of(request))
    messages.success(request, gettext("The logo is taken away."))
    return redirect("club_logo", club.slug)


@require_safe
@public_view
def logo_png(request: HttpRequest, club: Club) -> HttpResponse:
    """The logo; an address with its version is cached for good."""
    logo = of_club(club, ClubLogo)
    is_named = request.GET.get("v") == str(club.logo_version)
    keep = "max-age=31536000, immutable" if is_named else "max-age=300"
    return HttpResponse(
        bytes(logo.png), content_type="image/png", headers={"Cache-Control": f"public, {keep}"}
    )


def _choose(request: HttpRequest, club: Club, form: LogoForm) -> None:
    content = form.cleaned_data["picture"].read(MAX_BYTES + 1)
    logo_choose(club=club, content=content, actor=actor_of(request))


# The trail.


@desk_view(READ_TRAIL)
@require_safe
def club_trail(request: HttpRequest, club: Club) -> HttpResponse:
    """The events of the club and its score sheets, newest first."""
    page = trail_page(AuditEvent.objects.filter(club=club), request.GET.get("page"))
    return show(request, "profile/trail.html", club, "settings", trail=page)


@desk_view(SEE_TRAIL)
@require_safe
def user_trail(request: HttpRequest, club: Club, user: uuids.UUID) -> HttpResponse:
    """What somebody with a login did at this club, newest first."""
    done = AuditEvent.objects.filter(club=club, actor=f"user:{user}")
    author = User.objects.filter(uuid=user).first()
    if author is None or not (done.exists() or author.roles.filter(club=club).exists()):
        raise Http404
    page = trail_page(done, request.GET.get("page"))
    return show(request, "profile/user_trail.html", club, "settings", trail=page, name=str(author))


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """All clubs, or those whose name contains `?q=`; the reader's own clubs first."""
    clubs = list(Club.objects.shown())
    wanted = request.GET.get("q", "").strip()
    matching = [club for club in clubs if wanted.casefold() in club.name.casefold()]
    return render(
        request,
        "clubs/profile/home.html",
        {
            "clubs": matching,
            "own_clubs": _own_clubs(request),
            "wanted": wanted,
            "searchable": len(clubs) >= SEARCH_FROM,
            "none_yet": not clubs,
            "can_start": settings.SIGN_UP,
            "can_bring": not settings.PUBLIC_URL and all(club.is_demo for club in clubs),
        },
    )


def _own_clubs(request: HttpRequest) -> list[Club]:
    """The clubs whose desk the reader may open."""
    if not isinstance(request.user, User):
        return []
    return [
        club
        for club in Club.objects.filter(roles__user=request.user)
        if may(request, READ_DESK, club) or caller_of(request).is_held_up(club)
    ]


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
