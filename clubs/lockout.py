"""Whom the lock after too many wrong passwords counts for."""

from collections.abc import Mapping

from django.http import HttpRequest

from clubs.models import User


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
