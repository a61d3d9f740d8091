"""Codes in links that are mailed, and the links with which people log in without their password.

Whoever sends a code back reads the mail of that address.
"""

from abc import ABC, abstractmethod
from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs.accounts.services import mail_now, password_mail, task_of
from clubs.http.network import login_url
from clubs.limits.table import LOGIN_LINKS
from clubs.models import User


class MailedLinks(ABC):
    """Links for one purpose: each is for one login, works for a while, and only as long as what
    `_state` says of that login is as it was when the link was made."""

    purpose: str
    good_for: timedelta

    def code(self, user: User) -> str:
        """The secret part of a new link."""
        return self._signer(user).sign(str(user.pk))

    def is_good(self, code: str, user: User) -> bool:
        """Whether this is the code of a link for this login that still works."""
        try:
            return self._signer(user).unsign(code, max_age=self.good_for) == str(user.pk)
        except BadSignature:
            return False

    def owner(self, code: str) -> User | None:
        """The login that the code is for, if the link still works."""
        pk = code.partition(".")[0]
        is_number = pk.isascii() and pk.isdecimal() and len(pk) < 19
        user = User.objects.filter(pk=pk, is_active=True).first() if is_number else None
        return user if user is not None and self.is_good(code, user) else None

    @abstractmethod
    def _state(self, user: User) -> tuple[object, ...]:
        """What must not have changed since the link was made."""

    def _signer(self, user: User) -> TimestampSigner:
        return TimestampSigner(sep=".", salt=f"clubs.{self.purpose} {self._state(user)!r}")


class LoginLinks(MailedLinks):
    """Links to log in. One stops when its login is used, or gets another address or password."""

    purpose = "login"
    good_for = timedelta(minutes=15)

    def _state(self, user: User) -> tuple[object, ...]:
        times = str(user.last_login), str(user.email_proved_at)
        return user.email, user.password, user.logins_version, *times


login_links = LoginLinks()


def login_link_mail(*, email: str) -> None:
    """Mail a link to log in, if this address belongs to somebody in a club's team. Where nothing
    shows yet that they made that login, the link sets a password instead: whoever did make it knows
    the present one.

    To be called as `password_mail` is: by the outbox.
    """
    role = task_of(email)
    if role is None:
        return
    user = role.user
    if user.email_proved_at is None:
        password_mail(email=email)
    elif LOGIN_LINKS.allows(f"login link to {user.pk}"):
        _mail(user, role.club.language)


def login_link_use(code: str) -> User | None:
    """Whom the link with this code logs in, from now on no longer; None if it does not work."""
    user = login_links.owner(code)
    if user is None:
        return None
    # Of two who open it at once only the first finds the login as it was.
    unused = User.objects.filter(pk=user.pk, last_login=user.last_login, password=user.password)
    if not unused.update(last_login=timezone.now()):
        return None
    user.refresh_from_db()
    return user


def _mail(user: User, language: str) -> None:
    with translation.override(language):
        link = login_url(user, reverse("login_link", args=[login_links.code(user)]))
        mail_now(
            subject=_("Your link to log in"),
            text=_(
                "With this link you log in. It works once, for a quarter of an hour.\n\n%s\n\n"
                "Did you not ask for this? Then do nothing: without this message nobody gets in."
            )
            % link,
            to=user.email,
        )
