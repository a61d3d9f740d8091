"""Starting a club oneself, on a server that allows it: first the address is proved, by a link that
is mailed there; then the club is made."""

from datetime import timedelta
from typing import Final

from django.core.signing import BadSignature, TimestampSigner
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.accounts.invitations import has_login
from clubs.accounts.services import mail_soon, password_set
from clubs.audit.services import Actor
from clubs.http.network import server_url
from clubs.limits.table import CLUBS_FROM_ONE, CLUBS_OF_ONE, SIGN_UPS, SIGN_UPS_OF_ONE
from clubs.models import Club, Role, User
from clubs.profile.services import club_create, role_grant
from clubs.text.errors import DomainError
from clubs.text.names import tidy_name

GOOD_FOR: Final = timedelta(days=1)
_signer = TimestampSigner(sep=".", salt="clubs.sign_up")


def sign_up_ask(*, email: str, network: str) -> None:
    """Mail this address a link with which a club can be started. Whether it is known here already
    shows to nobody but who reads that mail.

    Raises DomainError `too_many_sign_ups` where this network asked too often. To an address that
    was mailed often nothing goes, and nothing says so.
    """
    if not SIGN_UPS.allows_from("sign up", network):
        raise DomainError("too_many_sign_ups", _("Too often from here. Try again in an hour."))
    email = email.strip()
    if not SIGN_UPS_OF_ONE.allows(f"sign up of {email.casefold()}"):
        return
    link = server_url() + reverse("sign_up_club", args=[sign_up_code(email)])
    mail_soon(
        subject=_("Start your club"),
        text=_(
            "With this link you start a club on Klaverclub. It works for a day.\n\n%s\n\n"
            "Did you not ask for this? Then do nothing."
        )
        % link,
        to=email,
    )


def sign_up_address(code: str) -> str | None:
    """The address that the link with this code was mailed to; None where it no longer works."""
    try:
        return bytes.fromhex(_signer.unsign(code, max_age=GOOD_FOR)).decode()
    except (BadSignature, ValueError):
        return None


@transaction.atomic
def sign_up_club(
    *,
    email: str,
    network: str,
    club_name: str,
    slug: str,
    language: str,
    user: User | None,
    name: str = "",
    password: str = "",
) -> Club:
    """The club of whoever proved this address: `user`, where they have a login that is in use; else
    they get one, with this name and password.

    Raises DomainError `too_many_clubs`, `slug_taken`, `bad_club` or `login_exists`.
    """
    if user is None and has_login(email, by_mail=True):
        raise DomainError("login_exists", _("You have a login already: log in first."))
    club = club_create(
        slug=slug, name=club_name, language=language, actor=Actor.of_program("sign_up")
    )
    counted = CLUBS_OF_ONE.allows(f"clubs of {email.casefold()}")
    if not (counted and CLUBS_FROM_ONE.allows_from("clubs", network)):
        raise DomainError(
            "too_many_clubs", _("No more clubs can be started from here today. Try again tomorrow.")
        )
    if user is None:
        user = _user(email, tidy_name(name))
        password_set(user=user, password=password, actor=Actor.of_user(user), by_mail=True)
    role_grant(club=club, email=user.email, kind=Role.Kind.ORGANISER, actor=Actor.of_user(user))
    return club


def _user(email: str, name: str) -> User:
    user = User.objects.filter(email__iexact=email).first() or User(email=email)
    user.name = name
    user.save()
    return user


def sign_up_code(email: str) -> str:
    """The secret part of a link for this address, which may only be mailed there."""
    return _signer.sign(email.encode().hex())
