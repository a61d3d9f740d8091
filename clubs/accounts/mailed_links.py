"""Codes in links that are mailed: whoever sends one back reads the mail of that address."""

from abc import ABC, abstractmethod
from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner

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
