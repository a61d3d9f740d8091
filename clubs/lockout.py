"""Whom the lock after too many wrong passwords counts for."""

from collections.abc import Mapping

from django.http import HttpRequest


def username(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> str:
    """The e-mail address as typed, without capitals: ANS@ and ans@ are one login.

    django-axes calls this with credentials whose keys differ from place to place, so only the
    form is read. At most 255 characters, which is what its table holds.
    """
    return request.POST.get("username", "").strip().casefold()[:255]
