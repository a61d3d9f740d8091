"""Passwords guessed for one login from everywhere: slowed down, without keeping its owner out."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.accounts.services import mail_goes_out
from clubs.accounts.views.accounts import username
from clubs.limits.table import PASSWORDS
from clubs.limits.work import refused_by_content
from clubs.models import User
from clubs.sign_in.devices import is_known


class GuessingBackend:
    """Refuses a password that is tried after too many others for the same login, whichever
    addresses they came from. Logs nobody in.

    Browsers in which this login was used before count by themselves: somebody who guesses from a
    hundred networks does not shut those of its owner, whom a link by mail lets in as well.
    """

    def authenticate(self, request: HttpRequest | None, **_credentials: Any) -> None:
        """Raises PermissionDenied, and has the answer say why."""
        if request is None:
            return
        login = username(request)
        kind = "known" if _is_known(request, login) else "strange"
        if not PASSWORDS.allows(f"password in {kind} browser {login}"):
            request.axes_locked_out = True  # type: ignore[attr-defined]
            request.is_guessed_at = True  # type: ignore[attr-defined]
            raise PermissionDenied


def locked_out(request: HttpRequest, *_more: object) -> HttpResponse:
    """The page of a login that is closed for a while, for django-axes (429)."""
    refused_by_content(request)
    guessed = getattr(request, "is_guessed_at", False)
    context = {"from_everywhere": guessed, "can_mail": mail_goes_out()}
    return render(request, "clubs/accounts/locked_out.html", context, status=429)


def _is_known(request: HttpRequest, login: str) -> bool:
    user = User.objects.filter(email__iexact=login, is_active=True).first()
    return user is not None and is_known(request, user)
