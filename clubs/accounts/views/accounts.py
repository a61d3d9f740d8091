"""Logging in and out, setting a password, and the pages of one's own login."""

from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, SetPasswordForm
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import (
    INTERNAL_RESET_SESSION_TOKEN,
    LoginView,
    LogoutView,
    PasswordResetConfirmView,
)
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import READ_DESK, Caller, may
from clubs.accounts.forms import (
    SCOPE_WORDS,
    LoginForm,
    NameForm,
    NewPasswordForm,
    PasswordForm,
    TokenForm,
)
from clubs.accounts.logins import address_link_mail, is_proved, log_in
from clubs.accounts.services import (
    TokenMade,
    logins_end,
    mail_goes_out,
    name_change,
    password_change,
    password_set,
    token_make,
    token_revoke,
)
from clubs.audit.services import Actor
from clubs.http.middleware import network_of
from clubs.http.network import may_ask_for_passkeys, passkeys_work
from clubs.http.pages import ConfirmedAction, form_saved, typed
from clubs.limits.table import LOGIN_TRIES
from clubs.models import ApiToken, Passkey, User
from clubs.profile.services import PasswordLinks, mailed_password_links, password_links

ALL_PASSWORD_LINKS = password_links, mailed_password_links
P = ParamSpec("P")
OwnView = Callable[Concatenate[HttpRequest, User, P], HttpResponse]


def username(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> str:
    """The login that a wrong password counts against: the e-mail address, in lower case.

    django-axes calls this with credentials whose keys differ from place to place, so only the
    form of the login page is read; on any other page it is the logged-in user, whatever else the
    form holds. At most 255 characters, the width of its column.
    """
    user, page = getattr(request, "user", None), request.resolver_match
    if isinstance(user, User) and page is not None and page.view_name != "login":
        typed = user.email
    else:
        typed = request.POST.get("username", "")
    return typed.strip().casefold()[:255]


def address(request: HttpRequest) -> str:
    """The network of the client, for django-axes."""
    return network_of(request.META.get("REMOTE_ADDR", ""))


def may_try(request: HttpRequest) -> bool:
    """Whether this address may try another password, or ask for another link, this minute."""
    return LOGIN_TRIES.allows_from("login", address(request))


class DeskLoginView(LoginView):
    """Logs in and continues to the requested page, else the user's desk, else the front page."""

    template_name = "clubs/accounts/login.html"
    authentication_form = LoginForm

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answers 429 to an address that tries too often, for any login."""
        return super().post(request, *args, **kwargs) if may_try(request) else too_often(request)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Rename the form: the base template shows "not saved" for a faulty `form`."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        passkeys = passkeys_work(self.request) and Passkey.objects.exists()
        more = {"passkeys": passkeys, "can_mail": mail_goes_out()}
        return {**context, "login_form": context["form"], "form": None, **more}

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """The password is right; a second factor may be asked for first."""
        user = form.get_user()
        return redirect(log_in(self.request, user, self.get_redirect_url() or own_place(user)))


def too_often(request: HttpRequest) -> HttpResponse:
    """The page that asks to wait a minute (429)."""
    return render(request, "clubs/accounts/locked_out.html", {"one_minute": True}, status=429)


login_page = may_ask_for_passkeys(DeskLoginView.as_view())


class DeskLogoutView(LogoutView):
    """Logs out, and clears the browser's cache, so that the Back button shows nothing."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return pages_forgotten(request, super().dispatch(request, *args, **kwargs))


def pages_forgotten(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Have the browser clear its cache; browsers only do so over https."""
    if request.is_secure():
        response.headers["Clear-Site-Data"] = '"cache"'
    return response


logout_page = DeskLogoutView.as_view()


class AnyPasswordLink(PasswordLinks):
    """A link that an organiser passed on, or one that was mailed."""

    def check_token(self, user: Any, token: str | None) -> bool:
        return any(links.check_token(user, token) for links in ALL_PASSWORD_LINKS)


class PasswordSetView(PasswordResetConfirmView):
    """The page of a link to set a password; it works once and logs in."""

    template_name = "clubs/accounts/password_set.html"
    form_class = NewPasswordForm
    token_generator = AnyPasswordLink()

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        user, password = form.user, form.cleaned_data["new_password1"]
        token = self.request.session.pop(INTERNAL_RESET_SESSION_TOKEN)
        withdrawn = password_set(
            user=user,
            password=password,
            actor=Actor.of_user(user),
            by_mail=mailed_password_links.check_token(user, token),
        )
        next_url = log_in(self.request, user, own_place(user))
        is_in = self.request.user.is_authenticated
        message = (
            _("Your password is set, and you are logged in.")
            if is_in
            else _("Your password is set.")
        )
        messages.success(self.request, message)
        confirmation_ask(self.request, user)
        if withdrawn:
            message = _(
                "Your tokens for programs are withdrawn: make new ones where you need them."
            )
            messages.info(self.request, message)
        return redirect(next_url)


password_set_page = PasswordSetView.as_view()


def confirmation_ask(request: HttpRequest, user: User) -> None:
    """Mail somebody a link to confirm their address, if it is not known that it is theirs."""
    if is_proved(user) or not address_link_mail(user):
        return
    message = _("A message with a link is on its way to %s. Open that link to confirm it.")
    messages.info(request, message % (user.email_wanted or user.email))


def own_place(user: User | AnonymousUser) -> str:
    """The first page after logging in: the desk of the only club, else the front page."""
    if not isinstance(user, User) or user.roles.count() != 1:
        return reverse("home")
    club = user.roles.select_related("club").get().club
    caller = Caller(user=user)
    has_task = may(caller, READ_DESK, club) or caller.is_held_up(club)
    return reverse("desk" if has_task else "club_page", args=[club.slug])


# The pages of one's own login.


def own_view(view: OwnView[P]) -> Callable[..., HttpResponse]:
    """A page about one's own login: it gets the user, requires a login and is never cached.
    docs/access.md is generated from the note on it."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not isinstance(request.user, User):
            raise PermissionDenied
        return view(request, request.user, *args, **kwargs)

    guarded.is_own = True  # type: ignore[attr-defined]
    return guarded


@own_view
def account(request: HttpRequest, user: User) -> HttpResponse:
    """Everything about one's own login, with a form for the name."""
    form = NameForm(typed(request), initial={"name": user.name})
    actor = Actor.of_user(user)
    if form_saved(form, lambda: name_change(user=user, actor=actor, **form.cleaned_data)):
        return back_to_account(request, _("Your name is saved."))
    tokens = user.api_tokens.filter(revoked_at=None).select_related("club")
    return own_page(
        request,
        "accounts/account.html",
        form=form,
        tokens=_tokens(tokens),
        roles=user.roles.select_related("club").order_by("club__name"),
        is_proved=is_proved(user),
    )


@own_view
def account_password(request: HttpRequest, user: User) -> HttpResponse:
    form = PasswordForm(typed(request), request=request, user=user)
    if form.is_valid():
        password = form.cleaned_data["new_password1"]
        password_change(user=user, password=password, actor=Actor.of_user(user))
        update_session_auth_hash(request, user)
        return back_to_account(
            request, _("Your password is changed. Elsewhere you are logged out.")
        )
    return own_page(request, "accounts/account_password.html", form=form)


@own_view
def account_logout(request: HttpRequest, user: User) -> HttpResponse:
    """Log out on every device, after a confirmation."""

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
    """Make a token; only this response shows its secret."""
    form = TokenForm(typed(request), request=request, user=user)
    made: list[TokenMade] = []
    if form_saved(form, lambda: made.append(_token_made(user, form))):
        (new,) = made
        return own_page(request, "accounts/token_made.html", token=new.token, secret=new.secret)
    return own_page(request, "accounts/token_add.html", form=form)


def _token_made(user: User, form: TokenForm) -> TokenMade:
    wanted = {name: form.cleaned_data[name] for name in ("name", "scopes", "club", "networks")}
    return token_make(user=user, expires_at=form.expires_at, actor=Actor.of_user(user), **wanted)


@own_view
def token_withdraw(request: HttpRequest, user: User, pk: int) -> HttpResponse:
    token = get_object_or_404(user.api_tokens, pk=pk, revoked_at=None)

    def act() -> str:
        token_revoke(token=token, actor=Actor.of_user(user))
        return _("The token “%s” is withdrawn.") % token.name

    confirmation = ConfirmedAction(
        title=_("Withdraw the token “%s”?") % token.name,
        text=_("The program that uses it loses its access. This cannot be undone."),
        yes=_("Yes, withdraw"),
        back_url=reverse("account"),
        act=act,
        next_url=reverse("account"),
    )
    return _confirm(request, confirmation)


def _confirm(request: HttpRequest, confirmation: ConfirmedAction) -> HttpResponse:
    return confirmation.respond(
        request, partial(own_page, request, "accounts/account_confirm.html")
    )


def _tokens(tokens: QuerySet[ApiToken]) -> list[tuple[ApiToken, str]]:
    """Each token with its scopes in words."""
    return [
        (token, ", ".join(str(SCOPE_WORDS[scope]) for scope in token.scopes)) for token in tokens
    ]


def back_to_account(request: HttpRequest, message: str) -> HttpResponse:
    """The page of one's own login, which says that it is done."""
    messages.success(request, message)
    return redirect("account")


def own_page(
    request: HttpRequest,
    template: str,
    *,
    form: Form | None = None,
    status: int | None = None,
    **context: object,
) -> HttpResponse:
    """A page about one's own login; 422 when its form has errors."""
    faulty = form is not None and form.is_bound and bool(form.errors)
    status = status or (422 if faulty else 200)
    return render(request, f"clubs/{template}", {"form": form, **context}, status=status)
