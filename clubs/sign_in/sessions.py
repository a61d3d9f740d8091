"""Where somebody is logged in: every open session with its device, ended singly or together.

Of what a browser says of itself only what tells one's own devices apart is read. Others imitate
these names; nothing depends on them.
"""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth import HASH_SESSION_KEY
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from clubs.accounts.services import audit_at_own_clubs
from clubs.audit.services import Actor
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
