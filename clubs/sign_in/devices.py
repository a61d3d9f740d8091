"""At each login: note the device in the session, and mail its owner about a browser that is new."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.accounts.services import mail_soon
from clubs.http.network import login_url
from clubs.models import User
from clubs.sign_in.sessions import BEGUN, DEVICE, Device, device_of, device_words

COOKIE = "__Host-devices" if settings.HTTPS else "devices"
COOKIE_AGE = timedelta(days=2 * 365)
SALT = "clubs.sign_in.devices"
PEOPLE_OF_A_BROWSER = 10
"""So many people are remembered by one browser; a club's own computer has a handful."""
NEW_LOGIN = timedelta(hours=1)
"""So long after a login was made its first browser is no news."""


class KnownDeviceMiddleware:
    """After a login, remembers in a signed cookie that this person uses this browser; one that did
    not have that yet is new, and a mail says so.

    The cookie opens nothing. It holds keyed hashes, which change when somebody logs out everywhere.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user = getattr(request, "logged_in_now", None)
        if isinstance(user, User):
            _remember(request, response, user)
        return response


def login_note(sender: object, request: HttpRequest, user: User, **_more: Any) -> None:
    """Keep in the session when and with what somebody logged in."""
    request.session[BEGUN] = int(time.time())
    request.session[DEVICE] = list(_device(request))
    request.logged_in_now = user  # type: ignore[attr-defined]


def connect() -> None:
    """Listen to logins, whichever way they come in."""
    user_logged_in.connect(login_note, dispatch_uid="clubs.sign_in.login_note")


def _remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    known, person = _known(request), _person(user)
    if person not in known and timezone.now() - user.date_joined > NEW_LOGIN:
        _mail(request, user)
    kept = [person, *(other for other in known if other != person)][:PEOPLE_OF_A_BROWSER]
    response.set_cookie(
        COOKIE,
        signing.dumps(kept, salt=SALT),
        max_age=COOKIE_AGE,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )


def is_known(request: HttpRequest, user: User) -> bool:
    """Whether this person logged in with this browser before."""
    return _person(user) in _known(request)


def _known(request: HttpRequest) -> list[str]:
    """The people who logged in with this browser before; none where the cookie is not ours."""
    try:
        known: list[str] = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT)
    except signing.BadSignature:
        return []
    return known


def _person(user: User) -> str:
    said = f"{user.uuid} {user.logins_version}"
    return salted_hmac(SALT, said, algorithm="sha256").hexdigest()[:20]


def _mail(request: HttpRequest, user: User) -> None:
    words = {
        "device": device_words(_device(request)),
        "at": date_format(timezone.localtime(), "l j F H:i"),
        "link": login_url(user, reverse("account_security")),
    }
    text = _(
        "Somebody logged in as you on a new device: %(device)s, %(at)s.\n\n"
        "Was it you? Then do nothing.\n\n"
        "Was it not you? Log out that device and choose another password:\n\n%(link)s\n"
    )
    mail_soon(subject=_("Logged in on a new device"), text=text % words, to=user.email)


def _device(request: HttpRequest) -> Device:
    return device_of(request.headers.get("User-Agent", ""))
