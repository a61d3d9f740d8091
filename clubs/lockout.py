"""Whom the lock after too many wrong passwords counts for, and how often one address may try."""

from collections.abc import Mapping
from ipaddress import ip_address, ip_network

from django.http import HttpRequest

from clubs.api.throttles import allowed
from clubs.models import User

TRIES_A_MINUTE = 30


def username(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> str:
    """The e-mail address as typed, without capitals: ANS@ and ans@ are one login.

    django-axes calls this with credentials whose keys differ from place to place, so only the
    form is read, and where it asks for no address, whoever is logged in. At most 255 characters,
    which is what its table holds.
    """
    typed = request.POST.get("username")
    user = getattr(request, "user", None)
    if typed is None and isinstance(user, User):
        typed = user.email
    return (typed or "").strip().casefold()[:255]


def address(request: HttpRequest) -> str:
    """Where it comes from; of IPv6, where one person has addresses without end, their network."""
    found = ip_address(request.META.get("REMOTE_ADDR") or "::")
    whole = ip_network(f"{found}/64", strict=False) if found.version == 6 else None
    return str(whole.network_address if whole else found)


def may_try(request: HttpRequest) -> bool:
    """Whether this address may try a password or ask for a link once more in this minute, for
    whichever login."""
    return allowed(f"login {address(request)}", TRIES_A_MINUTE)
