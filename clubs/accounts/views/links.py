"""Pages where people have a link mailed to set a password or to log in, and where they use it."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.accounts.forms import EmailForm
from clubs.accounts.login_links import login_link_mail, login_link_use, login_links
from clubs.accounts.logins import log_in
from clubs.accounts.outbox import Act, outbox
from clubs.accounts.services import mail_goes_out, password_mail, password_mail_missed
from clubs.accounts.views.accounts import may_try, own_place, too_often
from clubs.http.pages import typed

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
