"""Whom the lock after too many wrong passwords counts for, and how often one address may try."""

from collections.abc import Mapping

from django.http import HttpRequest

from clubs.api.throttles import allowed
from clubs.models import User
from clubs.proxy import network_of

TRIES_A_MINUTE = 30


def username(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> str:
    """The e-mail address as typed, without capitals: ANS@ and ans@ are one login.

    django-axes calls this with credentials whose keys differ from place to place, so only the
    form of the login page is read; on any other page it is whoever is logged in, whatever is sent
    beside his password. At most 255 characters, which is what its table holds.
    """
    user, page = getattr(request, "user", None), request.resolver_match
    if isinstance(user, User) and page is not None and page.view_name != "login":
        typed = user.email
    else:
        typed = request.POST.get("username", "")
    return typed.strip().casefold()[:255]


def address(request: HttpRequest) -> str:
    """Where it comes from."""
    return network_of(request.META.get("REMOTE_ADDR", ""))


def may_try(request: HttpRequest) -> bool:
    """Whether this address may try a password or ask for a link once more in this minute, for
    whichever login."""
    return allowed(f"login {address(request)}", TRIES_A_MINUTE)
