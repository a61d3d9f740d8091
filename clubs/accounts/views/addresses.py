"""The address that somebody logs in with: changed, confirmed by a link in the mail, or left as it
is."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.accounts.addresses import (
    address_link_mail,
    address_links,
    email_change,
    email_keep,
    email_prove,
    email_want,
    is_proved,
    is_spelled_alike,
)
from clubs.accounts.forms import EmailChangeForm
from clubs.accounts.services import mail_goes_out
from clubs.accounts.views.accounts import back_to_account, own_page, own_view
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
