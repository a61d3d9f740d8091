"""Somebody's own login: name, address, password, where it is open, and tokens for programs."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.account_forms import (
    SCOPE_WORDS,
    EmailChangeForm,
    NameForm,
    PasswordForm,
    TokenForm,
)
from clubs.audit import Actor
from clubs.models import ApiToken, User
from clubs.services import (
    email_change,
    logins_end,
    name_change,
    password_change,
    token_make,
    token_revoke,
)
from clubs.views.accounts import pages_forgotten
from clubs.views.common import ConfirmedAction, form_saved, typed

P = ParamSpec("P")
OwnView = Callable[Concatenate[HttpRequest, User, P], HttpResponse]


def own_view(view: OwnView[P]) -> Callable[..., HttpResponse]:
    """A page about one's own login: gets the user; others are sent to log in. Kept nowhere."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not isinstance(request.user, User):
            raise PermissionDenied
        return view(request, request.user, *args, **kwargs)

    return guarded


@own_view
def account(request: HttpRequest, user: User) -> HttpResponse:
    """All about one's own login on one page, with the name to change."""
    form = NameForm(typed(request), initial={"name": user.name})
    actor = Actor.of_user(user)
    if form_saved(form, lambda: name_change(user=user, actor=actor, **form.cleaned_data)):
        return _done(request, _("Your name is saved."))
    tokens = user.api_tokens.filter(revoked_at=None)
    roles = user.roles.select_related("club").order_by("club__name")
    return _show(request, "account.html", form=form, tokens=_tokens(tokens), roles=roles)


@own_view
def account_email(request: HttpRequest, user: User) -> HttpResponse:
    form = EmailChangeForm(typed(request), request=request)
    actor = Actor.of_user(user)
    if form_saved(
        form, lambda: email_change(user=user, email=form.cleaned_data["email"], actor=actor)
    ):
        return _done(request, _("From now on you log in with %s.") % user.email)
    user.refresh_from_db(fields=["email"])
    return _show(request, "account_email.html", form=form)


@own_view
def account_password(request: HttpRequest, user: User) -> HttpResponse:
    form = PasswordForm(typed(request), request=request, user=user)
    if form.is_valid():
        password = form.cleaned_data["new_password1"]
        password_change(user=user, password=password, actor=Actor.of_user(user))
        update_session_auth_hash(request, user)
        return _done(request, _("Your password is changed. Elsewhere you are logged out."))
    return _show(request, "account_password.html", form=form)


@own_view
def account_logout(request: HttpRequest, user: User) -> HttpResponse:
    """Log out on every device, after one question."""

    def act() -> HttpResponse:
        logins_end(user=user, actor=Actor.of_user(user))
        logout(request)
        messages.success(request, _("You are logged out on every device."))
        return pages_forgotten(request, redirect("login"))

    confirmation = ConfirmedAction(
        title=_("Log out on every device?"),
        text=_(
            "Everywhere that you are logged in, here as well, somebody must log in again with "
            "your password. Tokens for programs go on working: withdraw those one by one."
        ),
        yes=_("Yes, log out everywhere"),
        back_url=reverse("account"),
        act=act,
        next_url=reverse("account"),
        safe=True,
    )
    return _confirm(request, confirmation)


@own_view
def token_add(request: HttpRequest, user: User) -> HttpResponse:
    """Make a token; the answer shows it, and no page ever again."""
    form = TokenForm(typed(request), request=request)
    if form.is_valid():
        made = token_make(
            user=user,
            name=form.cleaned_data["name"],
            scopes=form.cleaned_data["scopes"],
            expires_at=form.expires_at,
            actor=Actor.of_user(user),
        )
        return _show(request, "token_made.html", token=made.token, secret=made.secret)
    return _show(request, "token_add.html", form=form)


@own_view
def token_withdraw(request: HttpRequest, user: User, pk: int) -> HttpResponse:
    token = get_object_or_404(user.api_tokens, pk=pk, revoked_at=None)

    def act() -> str:
        token_revoke(token=token, actor=Actor.of_user(user))
        return _("The token “%s” is withdrawn.") % token.name

    confirmation = ConfirmedAction(
        title=_("Withdraw the token “%s”?") % token.name,
        text=_("The program that uses it can do nothing any more. This cannot be taken back."),
        yes=_("Yes, withdraw"),
        back_url=reverse("account"),
        act=act,
        next_url=reverse("account"),
    )
    return _confirm(request, confirmation)


def _confirm(request: HttpRequest, confirmation: ConfirmedAction) -> HttpResponse:
    return confirmation.respond(request, partial(_show, request, "account_confirm.html"))


def _tokens(tokens: QuerySet[ApiToken]) -> list[tuple[ApiToken, str]]:
    """Each token with what it may do, in words."""
    return [
        (token, ", ".join(str(SCOPE_WORDS[scope]) for scope in token.scopes)) for token in tokens
    ]


def _done(request: HttpRequest, message: str) -> HttpResponse:
    messages.success(request, message)
    return redirect("account")


def _show(
    request: HttpRequest,
    template: str,
    *,
    form: Form | None = None,
    status: int | None = None,
    **context: object,
) -> HttpResponse:
    faulty = form is not None and form.is_bound and bool(form.errors)
    status = status or (422 if faulty else 200)
    return render(request, f"clubs/{template}", {"form": form, **context}, status=status)
