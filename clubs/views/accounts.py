"""Logging in and out, and a password of one's own."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import login as auth_login
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import (
    INTERNAL_RESET_SESSION_TOKEN,
    LoginView,
    LogoutView,
    PasswordResetConfirmView,
)
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.access import Caller, may
from clubs.audit import Actor
from clubs.forms import EmailForm, LoginForm
from clubs.lockout import may_try
from clubs.mail import mail_goes_out
from clubs.models import User
from clubs.password_links import password_links
from clubs.permissions import READ_DESK
from clubs.services import password_mail, password_set


class DeskLoginView(LoginView):
    """After logging in: the page asked for, else the desk of one's club, else the front page."""

    template_name = "clubs/login.html"
    authentication_form = LoginForm

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Refused (429) to an address that tries too often, for whichever login."""
        return super().post(request, *args, **kwargs) if may_try(request) else too_often(request)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form under a name of its own: elsewhere a faulty `form` says "not saved"."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return {**context, "login_form": context["form"], "form": None}

    def get_default_redirect_url(self) -> str:
        return own_place(self.request.user)


def too_often(request: HttpRequest) -> HttpResponse:
    """Ask to wait a minute."""
    return render(request, "clubs/locked_out.html", {"one_minute": True}, status=429)


login = DeskLoginView.as_view()


class DeskLogoutView(LogoutView):
    """Whoever sits down at this computer next finds nothing with the Back button."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return pages_forgotten(request, super().dispatch(request, *args, **kwargs))


def pages_forgotten(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Have the browser drop the pages that it keeps; over plain http browsers do not listen."""
    if request.is_secure():
        response.headers["Clear-Site-Data"] = '"cache"'
    return response


logout = DeskLogoutView.as_view()


class PasswordSetView(PasswordResetConfirmView):
    """A link that was passed on: it works once, and whoever sets a password is logged in."""

    template_name = "clubs/password_set.html"
    token_generator = password_links

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        user, password = form.user, form.cleaned_data["new_password1"]
        withdrawn = password_set(user=user, password=password, actor=Actor.of_user(user))
        del self.request.session[INTERNAL_RESET_SESSION_TOKEN]
        auth_login(self.request, user, "django.contrib.auth.backends.ModelBackend")
        messages.success(self.request, _("Your password is set, and you are logged in."))
        if withdrawn:
            message = _(
                "Your tokens for programs are withdrawn: make new ones where you need them."
            )
            messages.info(self.request, message)
        return redirect(own_place(user))


password_set_page = PasswordSetView.as_view()


def password_reset(request: HttpRequest) -> HttpResponse:
    """Mails a link to set a password; where no mail goes out, says whom to ask."""
    if not mail_goes_out():
        return render(request, "clubs/password_ask.html")
    if request.method == "POST" and not may_try(request):
        return too_often(request)
    form = EmailForm(request.POST or None)
    if form.is_valid():
        password_mail(email=form.cleaned_data["email"])
        messages.success(
            request, _("If we know this address, a message with a link is on its way to it.")
        )
        return redirect("login")
    return render(request, "clubs/password_reset.html", {"form": form})


def own_place(user: User | AnonymousUser) -> str:
    """Where somebody's work is: the desk of the only club, or the front page to choose from."""
    if not isinstance(user, User) or user.roles.count() != 1:
        return reverse("home")
    club = user.roles.select_related("club").get().club
    has_task = may(Caller(user=user), READ_DESK, club)
    return reverse("desk" if has_task else "club_page", args=[club.slug])
