"""The pages on which somebody starts a club, and what they agree to."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.accounts.forms import LONGEST_ADDRESS, JoinForm
from clubs.accounts.invitations import has_login
from clubs.accounts.logins import is_spelled_alike, log_in
from clubs.http.middleware import network_of
from clubs.http.pages import form_saved, typed
from clubs.models import Club, Invitation, User
from clubs.models.club import SLUG, Language
from clubs.sign_up.services import sign_up_address, sign_up_ask, sign_up_club


class AddressForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("Your e-mail address"),
        max_length=LONGEST_ADDRESS,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    agrees = forms.BooleanField(
        label=gettext_lazy("I agree with the terms of use, and I have read what happens to data"),
        error_messages={"required": gettext_lazy("Without this you cannot start a club here.")},
    )


class ClubForm(forms.Form):
    club_name = forms.CharField(label=gettext_lazy("Name of your club"), max_length=100)
    slug = forms.CharField(
        label=gettext_lazy("Web name"),
        max_length=50,
        help_text=gettext_lazy(
            "The end of your club's address: small letters, digits and dashes, for example"
            " klaver-zes. It stays what it is."
        ),
        widget=forms.TextInput({"autocapitalize": "none", "spellcheck": "false"}),
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language of your club"),
        choices=Language.choices,
        initial=Language.DUTCH,
        widget=forms.RadioSelect,
    )

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"].strip().lower()
        SLUG(slug)
        if Club.objects.filter(slug=slug).exists():
            raise forms.ValidationError(_("There is already a club called %s.") % slug)
        return slug


class NewcomerForm(ClubForm, JoinForm):
    """The same for who has no login yet."""

    field_order = ["club_name", "slug", "language", "name", "password1", "password2"]

    def __init__(self, data: Mapping[str, Any] | None, *, email: str) -> None:
        super().__init__(data, invitation=Invitation(email=email))


View = Callable[..., HttpResponse]


def _where_allowed(view: View) -> View:
    """A page that is only there where anybody may start a club."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.SIGN_UP:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@_where_allowed
def sign_up(request: HttpRequest) -> HttpResponse:
    """Ask for the address, and mail a link there."""
    form = AddressForm(typed(request))
    if form_saved(
        form, lambda: sign_up_ask(email=form.cleaned_data["email"], network=_network(request))
    ):
        return _page(request, "mailed", email=form.cleaned_data["email"])
    return _page(request, "address", form=form)


@_where_allowed
def sign_up_club_page(request: HttpRequest, code: str) -> HttpResponse:
    """What the link leads to: the club, and a login where there is none."""
    email = sign_up_address(code)
    if email is None:
        return _page(request, "over", status=410)
    user = request.user if isinstance(request.user, User) else None
    if user is None and has_login(email, by_mail=True):
        return _page(request, "log_in", email=email)
    if user is not None and not is_spelled_alike(user.email, email):
        return _page(request, "somebody_else", email=email)
    form = ClubForm(typed(request)) if user else NewcomerForm(typed(request), email=email)
    if form_saved(form, lambda: _make(request, form, email, user)):
        club = Club.objects.get(slug=form.cleaned_data["slug"])
        messages.success(request, _("%s is there. Welcome!") % club.name)
        next_url = reverse("desk", args=[club.slug])
        if user is None:
            next_url = log_in(request, User.objects.get(email__iexact=email), next_url)
        return redirect(next_url)
    return _page(request, "club", form=form, email=email)


def _make(request: HttpRequest, form: forms.Form, email: str, user: User | None) -> None:
    given = form.cleaned_data
    sign_up_club(
        email=email,
        network=_network(request),
        club_name=given["club_name"],
        slug=given["slug"],
        language=given["language"],
        user=user,
        name=given.get("name", ""),
        password=given.get("password1", ""),
    )


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """What whoever starts a club agrees to, as whoever runs this server wrote it."""
    return _text(request, settings.TERMS, _("Terms of use"))


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What this server does with data."""
    return _text(request, settings.PRIVACY, _("What happens to data"))


def _text(request: HttpRequest, text: str, title: str) -> HttpResponse:
    if not text:
        raise Http404
    return _page(request, "text", text=text, title=title, can_start=settings.SIGN_UP)


def _network(request: HttpRequest) -> str:
    return network_of(request.META.get("REMOTE_ADDR", ""))


def _page(
    request: HttpRequest,
    name: str,
    *,
    form: forms.Form | None = None,
    status: int = 200,
    **context: object,
) -> HttpResponse:
    faulty = form is not None and bool(form.errors)
    return render(
        request,
        f"clubs/sign_up/{name}.html",
        {"form": form, **context},
        status=422 if faulty else status,
    )
