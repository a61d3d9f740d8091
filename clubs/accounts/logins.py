"""Every way in: with a password or a mailed link, and whoever has a second factor is asked for it
before they are logged in; requests of the API with a token; and the addresses that people log in
with, shown to be their own, and changed."""

import time
from abc import ABC, abstractmethod
from datetime import timedelta
from typing import TypedDict, cast

from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, TimestampSigner
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from clubs.accounts.services import (
    api_token_find,
    api_token_seen,
    audit_account,
    language_of,
    mail_goes_out,
    mail_now,
    mail_soon,
    password_mail,
    user_with_task,
)
from clubs.audit.services import Actor
from clubs.http.middleware import is_within
from clubs.http.network import login_url
from clubs.limits.table import ADDRESS_LINKS_OF_ONE, ADDRESS_LINKS_TO_ONE, LOGIN_LINKS
from clubs.models import ApiToken, User, has_second_factor
from clubs.text.errors import DomainError

PENDING = "pending_login"
"""Session key of a login that waits for the second factor."""
PENDING_SECONDS = 300
BACKEND = "django.contrib.auth.backends.ModelBackend"


class PendingLogin(TypedDict):
    """Who gave the right password, when, and where they go next. `hash` changes with the password,
    and when they log out everywhere."""

    user: int
    hash: str
    next: str
    at: float


def log_in(request: HttpRequest, user: User, next_url: str) -> str:
    """Log in somebody who showed one factor; returns where they go now.

    With a second factor they are not logged in yet: the session holds the pending login, for five
    minutes, and opens no page but the one that asks for the code or the passkey.
    """
    if not has_second_factor(user):
        login(request, user, BACKEND)
        return next_url
    request.session.flush()
    request.session[PENDING] = PendingLogin(
        user=user.pk, hash=user.get_session_auth_hash(), next=next_url, at=time.time()
    )
    return reverse("login_step")


def pending_login(request: HttpRequest) -> PendingLogin | None:
    """The login that this session waits to complete, or None; what is out of date is forgotten."""
    pending = cast(PendingLogin | None, request.session.get(PENDING))
    if pending is None:
        return None
    user = User.objects.filter(pk=pending["user"], is_active=True).first()
    is_over = not 0 <= time.time() - pending["at"] < PENDING_SECONDS
    if is_over or user is None or not _is_of(pending, user):
        del request.session[PENDING]
        return None
    return pending


def log_in_fully(request: HttpRequest, user: User) -> None:
    """Log in somebody who showed both factors."""
    request.session.pop(PENDING, None)
    login(request, user, BACKEND)


def _is_of(pending: PendingLogin, user: User) -> bool:
    return constant_time_compare(pending["hash"], user.get_session_auth_hash())


SCHEME = "Token"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Token …`; `request.auth` is the token. Without a token the request is
    anonymous; a wrong token is refused (401) even on public addresses, and so is a token that is
    limited to other networks than that of the caller."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, __, secret = get_authorization_header(request).partition(b" ")
        if scheme.lower() != SCHEME.lower().encode():
            return None
        token = api_token_find(secret.strip().decode("latin-1"))
        if token is None:
            raise AuthenticationFailed(
                "This token opens nothing: it is wrong, withdrawn or out of date.", "bad_token"
            )
        if token.networks and not is_within(request.META.get("REMOTE_ADDR", ""), token.networks):
            raise AuthenticationFailed(
                "This token works from other addresses only.", "not_from_here"
            )
        api_token_seen(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return SCHEME


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
    """Mail a link to log in, if this address belongs to somebody in a club's team, or to a leader
    of a league. Where nothing shows yet that they made that login, the link sets a password
    instead: whoever did make it knows the present one.

    To be called as `password_mail` is: by the outbox.
    """
    user = user_with_task(email)
    if user is None:
        return
    if user.email_proved_at is None:
        password_mail(email=email)
    elif LOGIN_LINKS.allows(f"login link to {user.pk}"):
        _mail(user, language_of(user))


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


class AddressLinks(MailedLinks):
    """Links to confirm an address, or the one that is to take its place. They open nothing: who
    uses one must be logged in, since an address and a password that belong to different people are
    what this is against."""

    purpose = "address"
    good_for = timedelta(days=1)

    def _state(self, user: User) -> tuple[object, ...]:
        return user.email, user.email_wanted, str(user.email_proved_at), user.password


address_links = AddressLinks()


@transaction.atomic
def email_change(*, user: User, email: str, actor: Actor) -> None:
    """Change the address somebody logs in with at once, and mail the old one. Nothing shows that
    the new one is theirs, unless it is the same in other capitals.

    Raises DomainError `bad_email` or `email_taken`.
    """
    is_same = is_spelled_alike(user.email, email)
    _change(user, email.strip(), actor, proved=is_same and user.email_proved_at is not None)


@transaction.atomic
def email_want(*, user: User, email: str, actor: Actor) -> None:
    """Somebody wants to log in with another address; it counts once `email_prove` is called with
    the link that is mailed there. Whether somebody else has it only shows then.

    Raises DomainError `bad_email`.
    """
    user.email_wanted = email.strip()
    try:
        user.clean_fields(exclude=["password", "name"])
    except ValidationError as error:
        raise DomainError("bad_email", " ".join(error.messages)) from error
    user.save(update_fields=["email_wanted"])
    audit_account(user, actor, "login_address_wanted")


@transaction.atomic
def email_keep(*, user: User, actor: Actor) -> None:
    """Somebody goes on with the address they have. A repeat changes nothing."""
    if User.objects.filter(pk=user.pk).exclude(email_wanted="").update(email_wanted=""):
        audit_account(user, actor, "login_address_kept")
    user.email_wanted = ""


@transaction.atomic
def email_prove(*, user: User, code: str, actor: Actor) -> None:
    """Whoever is logged in has opened the link that was mailed to the address they want, or to the
    one they have.

    Raises DomainError `link_over`, or `email_taken` where somebody else has the address.
    """
    user.refresh_from_db(from_queryset=User.objects.select_for_update())
    if not address_links.is_good(code, user):
        raise DomainError("link_over", _("This link no longer works."))
    if user.email_wanted:
        _change(user, user.email_wanted, actor, proved=True)
        return
    user.email_proved_at = timezone.now()
    user.save(update_fields=["email_proved_at"])
    audit_account(user, actor, "login_address_proved")


def address_link_mail(user: User) -> bool:
    """Mail the link to the address that somebody wants, else to the one they have. False where
    there is no mail, or too much of it."""
    to = user.email_wanted or user.email
    if not mail_goes_out() or not _is_within_limits(user, to):
        return False
    link = login_url(user, reverse("account_email_confirm", args=[address_links.code(user)]))
    mail_soon(
        subject=_("Is this your e-mail address?"),
        text=_(
            "With this link you confirm that you read the mail of %(email)s. From then on you log "
            "in with this address. The link works once, for a day.\n\n%(link)s\n\nYou may have to "
            "log in first, as you did so far. Did you not ask for this? Then do nothing."
        )
        % {"email": to, "link": link},
        to=to,
    )
    return True


def is_proved(user: User) -> bool:
    """Whether this login counts as that of whoever has its address: once they showed it. Where no
    mail goes out nobody can."""
    return user.email_proved_at is not None or not mail_goes_out()


def is_spelled_alike(one: str, other: str) -> bool:
    """Whether two addresses are the same but for capitals and spaces around them."""
    return one.strip().casefold() == other.strip().casefold()


def _is_within_limits(user: User, to: str) -> bool:
    receiver = f"address link to {to.casefold()}"
    sender = f"address link of {user.pk}"
    return ADDRESS_LINKS_TO_ONE.allows(receiver) and ADDRESS_LINKS_OF_ONE.allows(sender)


def _change(user: User, email: str, actor: Actor, *, proved: bool) -> None:
    before, user.email, user.email_wanted = user.email, email, ""
    user.email_proved_at = timezone.now() if proved else None
    try:
        user.clean_fields(exclude=["password", "name"])
        with transaction.atomic():
            user.save(update_fields=["email", "email_wanted", "email_proved_at"])
    except ValidationError as error:
        raise DomainError("bad_email", " ".join(error.messages)) from error
    except IntegrityError as error:
        taken = _("Somebody else logs in with this address.")
        raise DomainError("email_taken", taken) from error
    audit_account(user, actor, "login_address_changed")
    message = _("From now on you log in with %s. Did you not ask for this? Tell your club.")
    transaction.on_commit(
        lambda: mail_soon(
            subject=_("Another address to log in with"), text=message % user.email, to=before
        )
    )
