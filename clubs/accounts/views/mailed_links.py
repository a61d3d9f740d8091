"""Pages of mailed links: to set a password, to log in, and to confirm the address one logs in with,
which is changed here or left as it is."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from clubs.accounts.forms import EmailChangeForm, EmailForm
from clubs.accounts.logins import (
    address_link_mail,
    address_links,
    email_change,
    email_keep,
    email_prove,
    email_want,
    is_proved,
    is_spelled_alike,
    log_in,
    login_link_mail,
    login_link_use,
    login_links,
)
from clubs.accounts.outbox import Act, outbox
from clubs.accounts.services import mail_goes_out, password_mail, password_mail_missed
from clubs.accounts.views.accounts import (
    back_to_account,
    may_try,
    own_page,
    own_place,
    own_view,
    too_often,
)
from clubs.audit.services import Actor
from clubs.http.pages import form_saved, typed
from clubs.models import User
from clubs.text.errors import DomainError


@own_view
def account_email(request: HttpRequest, user: User) -> HttpResponse:
    """Another address. Where mail goes out it counts once its owner opens a link there."""
    form = EmailChangeForm(typed(request), request=request)
    if form_saved(form, lambda: _change(user, form.cleaned_data["email"])):
        if user.email_wanted:
            return _link_mailed(request, user)
        return back_to_account(request, _("From now on you log in with %s.") % user.email)
    user.refresh_from_db(fields=["email", "email_wanted"])
    return own_page(request, "accounts/account_email.html", form=form, can_mail=mail_goes_out())


@own_view
@require_POST
def account_email_mail(request: HttpRequest, user: User) -> HttpResponse:
    """Mail the link to confirm an address, once more."""
    if is_proved(user) and not user.email_wanted:
        return redirect("account")
    return _link_mailed(request, user)


@own_view
@require_POST
def account_email_keep(request: HttpRequest, user: User) -> HttpResponse:
    """No other address after all."""
    email_keep(user=user, actor=Actor.of_user(user))
    return back_to_account(request, _("You go on logging in with %s.") % user.email)


@own_view
def account_email_confirm(request: HttpRequest, user: User, code: str) -> HttpResponse:
    """The page of the link. Programs that look at mail open links, so only its button confirms."""
    if not address_links.is_good(code, user):
        return own_page(request, "accounts/account_email_over.html", status=404)
    if request.method != "POST":
        wanted = user.email_wanted or user.email
        return own_page(request, "accounts/account_email_confirm.html", wanted=wanted)
    try:
        email_prove(user=user, code=code, actor=Actor.of_user(user))
    except DomainError as error:
        messages.error(request, error.message)
        return redirect("account")
    return back_to_account(request, _("%s is confirmed: you log in with it.") % user.email)


def _change(user: User, email: str) -> None:
    actor = Actor.of_user(user)
    if mail_goes_out() and not is_spelled_alike(user.email, email):
        email_want(user=user, email=email, actor=actor)
    else:
        email_change(user=user, email=email, actor=actor)


def _link_mailed(request: HttpRequest, user: User) -> HttpResponse:
    if address_link_mail(user):
        message = _("A message with a link is on its way to %s. Open that link to confirm it.")
        return back_to_account(request, message % (user.email_wanted or user.email))
    message = _("Too many messages were sent already. Try again later.")
    messages.warning(request, message)
    return redirect("account")


read_or_write = require_http_methods(["GET", "HEAD", "POST"])


class RedirectFirst(HttpResponseRedirect):
    """A redirect that does something soon, once all of it was sent. How long that takes, and what
    it finds, then shows in no response."""

    def __init__(self, to: str, job: Act, lost: Act) -> None:
        super().__init__(to)
        self._job, self._lost = job, lost

    def close(self) -> None:
        super().close()
        outbox.add(self._job, self._lost)


@read_or_write
def password_reset(request: HttpRequest) -> HttpResponse:
    """Mails a link to set a password; without a mail server it says whom to ask."""
    return _mailed(request, "clubs/accounts/password_reset.html", password_mail)


@read_or_write
def login_link_ask(request: HttpRequest) -> HttpResponse:
    """Mails a link to log in; without a mail server it says whom to ask."""
    return _mailed(request, "clubs/accounts/login_link_ask.html", login_link_mail)


@never_cache
@read_or_write
def login_link(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a link to log in. Programs that look at mail open links, so only its button logs
    in."""
    user = login_link_use(code) if request.method == "POST" else login_links.owner(code)
    if user is None:
        return render(request, "clubs/accounts/login_link_over.html", status=404)
    if request.method != "POST":
        return render(request, "clubs/accounts/login_link.html", {"owner": user})
    return redirect(log_in(request, user, own_place(user)))


def _mailed(request: HttpRequest, template: str, mail: Callable[..., Any]) -> HttpResponse:
    """The form for an address, and the same answer for each: what becomes of it is seen by whoever
    reads its mail."""
    if not mail_goes_out():
        return render(request, "clubs/accounts/password_ask.html")
    if request.method == "POST" and not may_try(request):
        return too_often(request)
    form = EmailForm(typed(request))
    if not form.is_valid():
        return render(request, template, {"form": form})
    messages.success(
        request, _("If we know this address, a message with a link is on its way to it.")
    )
    email = form.cleaned_data["email"]
    lost = partial(password_mail_missed, email=email)
    return RedirectFirst(reverse("login"), partial(mail, email=email), lost)
