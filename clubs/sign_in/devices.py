"""Each login: its device noted in the session, mail about a browser that is new, and the open
sessions, ended singly or together; and logins counted.

Of what a browser says of itself only what tells one's own devices apart is read. Others imitate
these names; nothing depends on them.
"""

import datetime as dt
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple

from axes.signals import user_locked_out
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.accounts.services import audit_at_own_clubs, mail_goes_out, mail_soon
from clubs.accounts.views.accounts import username
from clubs.audit.services import Actor
from clubs.http.middleware import afterwards
from clubs.http.network import login_url
from clubs.limits.table import PASSWORDS
from clubs.limits.work import refused_by_content
from clubs.measurements.counters import LOGINS
from clubs.models import LoginSession, User
from clubs.text.errors import DomainError

_BROWSERS = (
    ("Edge", r"\bEdg(e|A|iOS)?/"),
    ("Opera", r"\b(OPR|OPT|Opera)/"),
    ("Samsung Internet", r"\bSamsungBrowser/"),
    ("Firefox", r"\b(Firefox|FxiOS)/"),
    ("Chrome", r"\b(Chrome|CriOS|HeadlessChrome)/"),
    ("Safari", r"\bSafari/"),
)
_SYSTEMS = (
    ("iPhone", r"\biPhone\b"),
    ("iPad", r"\biPad\b"),
    ("Android", r"\bAndroid\b"),
    ("Windows", r"\bWindows\b"),
    ("ChromeOS", r"\bCrOS\b"),
    ("Mac", r"\bMac OS X\b|\bMacintosh\b"),
    ("Linux", r"\bLinux\b"),
)


class Device(NamedTuple):
    """A browser and the system it runs on; empty where it does not say."""

    browser: str
    system: str


def device_of(user_agent: str) -> Device:
    """The browser and the system that a `User-Agent` names.

    >>> device_of("Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0")
    Device(browser='Firefox', system='Windows')
    """
    said = user_agent[:500]
    return Device(_first(_BROWSERS, said), _first(_SYSTEMS, said))


def _first(known: tuple[tuple[str, str], ...], said: str) -> str:
    return next((name for name, pattern in known if re.search(pattern, said)), "")


BEGUN, DEVICE = "login_begun", "login_device"
"""Session keys: when the login began (seconds since 1970), and the browser and its system."""


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A browser that is logged in. `handle` names it in addresses and opens nothing."""

    handle: str
    device: str
    begun_at: dt.datetime | None
    seen_at: dt.datetime
    is_this: bool


def device_words(device: Device) -> str:
    """A device in plain words, such as `Firefox op Windows`."""
    if device.browser and device.system:
        return _("%(browser)s on %(system)s") % device._asdict()
    return device.browser or device.system or _("a device that we do not know")


def sessions_open(user: User, current_key: str | None) -> list[OpenSession]:
    """Where this person is logged in: this browser first, then the last seen."""
    found = [_opened(row, current_key) for row in _valid(user)]
    return sorted(found, key=lambda session: (not session.is_this, -session.seen_at.timestamp()))


@transaction.atomic
def session_end(*, user: User, handle: str, actor: Actor) -> None:
    """Log out one browser of this person. Raises DomainError `session_gone`."""
    key = next((row.pk for row in _valid(user) if _named(row, handle)), None)
    if key is None or not LoginSession.objects.filter(pk=key).delete()[0]:
        raise DomainError("session_gone", _("You are no longer logged in there."))
    _audit(user, actor)


@transaction.atomic
def sessions_end_others(*, user: User, current_key: str | None, actor: Actor) -> int:
    """Log out every browser of this person but the current one; returns how many."""
    ended = sum(session.is_this is False for session in sessions_open(user, current_key))
    LoginSession.objects.filter(user=user).exclude(pk=current_key or "").delete()
    if ended:
        _audit(user, actor)
    return ended


def _valid(user: User) -> Iterator[LoginSession]:
    """The sessions that still log this person in: not over, and of the password of now."""
    wanted = user.get_session_auth_hash()
    for row in LoginSession.objects.filter(user=user, expire_date__gt=timezone.now()):
        if constant_time_compare(row.get_decoded().get(HASH_SESSION_KEY, ""), wanted):
            yield row


def _opened(row: LoginSession, current_key: str | None) -> OpenSession:
    content = row.get_decoded()
    begun = content.get(BEGUN)
    return OpenSession(
        handle=_handle(row),
        device=device_words(Device(*content.get(DEVICE, ("", "")))),
        begun_at=None if begun is None else dt.datetime.fromtimestamp(begun, dt.UTC),
        seen_at=row.seen_at,
        is_this=row.pk == current_key,
    )


def _handle(row: LoginSession) -> str:
    """A name for a session that is shown: its key would log anybody in."""
    return salted_hmac("clubs.sign_in.session", row.pk, algorithm="sha256").hexdigest()[:32]


def _named(row: LoginSession, handle: str) -> bool:
    return constant_time_compare(_handle(row), handle)


def _audit(user: User, actor: Actor) -> None:
    audit_at_own_clubs(user=user, actor=actor, action="login_ended", texts={"who": str(user)})


COOKIE = "__Host-devices" if settings.HTTPS else "devices"
COOKIE_AGE = timedelta(days=2 * 365)
SALT = "clubs.sign_in.devices"
PEOPLE_OF_A_BROWSER = 10
"""So many people are remembered by one browser; a club's own computer has a handful."""
NEW_LOGIN = timedelta(hours=1)
"""So long after a login was made its first browser is no news."""


def login_note(sender: object, request: HttpRequest, user: User, **_more: Any) -> None:
    """Keep in the session when and with what somebody logged in, and have the browser remember
    it."""
    request.session[BEGUN] = int(time.time())
    request.session[DEVICE] = list(_device(request))
    afterwards(request, partial(_remember, request, user))


def connect() -> None:
    """Listen to logins, whichever way they come in."""
    user_logged_in.connect(login_note, dispatch_uid="clubs.sign_in.login_note")


def _remember(request: HttpRequest, user: User, response: HttpResponse) -> None:
    """Remember in a signed cookie that this person uses this browser; one that did not have that
    yet is new, and a mail says so.

    The cookie opens nothing. It holds keyed hashes, which change when somebody logs out everywhere.
    """
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


@receiver(user_logged_in)
def login_accepted(**_signal: Any) -> None:
    """Somebody logged in."""
    LOGINS.labels("accepted").inc()


@receiver(user_login_failed)
def login_refused(**_signal: Any) -> None:
    """A password was wrong, or the login is locked."""
    LOGINS.labels("wrong").inc()


@receiver(user_locked_out)
def login_locked(**_signal: Any) -> None:
    """A login was locked for an address, or tried once more while it is."""
    LOGINS.labels("locked").inc()


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
