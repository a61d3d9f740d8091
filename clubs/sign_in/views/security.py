"""The page about one's own logins: where one is logged in now, codes and passkeys."""

from functools import partial

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.accounts.views.accounts import own_view
from clubs.audit.services import Actor
from clubs.http.pages import ConfirmedAction
from clubs.http.passkeys import passkeys_work
from clubs.models import Club, CodeSecret, Role, User, has_second_factor
from clubs.sign_in.sessions import session_end, sessions_end_others, sessions_open


@own_view
def account_security(request: HttpRequest, user: User) -> HttpResponse:
    """Where one is logged in, and what logging in asks for."""
    return own_page(
        request,
        "sign_in/security.html",
        sessions=sessions_open(user, request.session.session_key),
        has_codes=CodeSecret.objects.filter(user=user).exists(),
        passkeys=user.passkeys.all(),
        passkeys_work=passkeys_work(request),
        recovery_left=user.recovery_codes.count(),
        asking=[] if has_second_factor(user) else _clubs_asking(user),
    )


@own_view
def login_session_end(request: HttpRequest, user: User, handle: str) -> HttpResponse:
    """Log out one browser, after a confirmation."""

    def act() -> str:
        session_end(user=user, handle=handle, actor=Actor.of_user(user))
        return _("That device is logged out.")

    confirmation = _question(
        title=_("Log out this device?"),
        text=_("Whoever uses it must log in again. Nothing that was saved is lost."),
        yes=_("Yes, log out"),
        act=act,
    )
    return confirmed(request, confirmation)


@own_view
def login_sessions_end_others(request: HttpRequest, user: User) -> HttpResponse:
    """Log out every browser but this one, after a confirmation."""

    def act() -> str:
        ended = sessions_end_others(
            user=user, current_key=request.session.session_key, actor=Actor.of_user(user)
        )
        words = ngettext("%d device is logged out.", "%d devices are logged out.", ended)
        return words % ended

    confirmation = _question(
        title=_("Log out all other devices?"),
        text=_("Only here you stay logged in. Tokens for programs go on working."),
        yes=_("Yes, log out the others"),
        act=act,
    )
    return confirmed(request, confirmation)


def _clubs_asking(user: User) -> list[Club]:
    """The clubs that this person organises and that ask organisers for a second factor."""
    organised = Club.objects.filter(roles__user=user, roles__kind=Role.Kind.ORGANISER)
    return list(organised.filter(asks_second_factor=True))


def _question(**words: object) -> ConfirmedAction:
    here = reverse("account_security")
    return ConfirmedAction(back_url=here, next_url=here, safe=True, **words)  # type: ignore[arg-type]


def confirmed(request: HttpRequest, confirmation: ConfirmedAction) -> HttpResponse:
    """Ask on a page of one's own account, and act on a yes."""
    return confirmation.respond(
        request, partial(own_page, request, "accounts/account_confirm.html")
    )


def own_page(
    request: HttpRequest,
    template: str,
    *,
    form: Form | None = None,
    status: int | None = None,
    **context: object,
) -> HttpResponse:
    """A page below *Logging in safely*; 422 when its form has errors."""
    faulty = form is not None and form.is_bound and bool(form.errors)
    return render(
        request,
        f"clubs/{template}",
        {"form": form, **context},
        status=status or (422 if faulty else 200),
    )
