"""Logins, personal tokens, and mail to people who log in; each change is in the trail.

What no answer waits for, mostly mail, is done by one thread of its own, one after the other. Mail
over SMTP has an end here: Django's timeout is for each byte, so a server that sends one a second
would keep a page, and every mail behind it, waiting for an hour.
"""

import atexit
import datetime as dt
import logging
import smtplib
import socket
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_network
from smtplib import SMTPException
from threading import Condition, Thread, Timer
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend
from django.db import connections, transaction
from django.db.models import F, Q
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.http.network import login_url
from clubs.measurements.counters import MAILS
from clubs.models import ApiToken, Club, User
from clubs.models.user import SCOPES, SEEN_EVERY, secret_hash, secret_make
from clubs.profile.services import mailed_password_links, password_path
from clubs.text.errors import DomainError
from clubs.text.names import tidy_name

logger = logging.getLogger(__name__)
Act = Callable[[], object]
WHEN_STOPPING: Final = 4.0
"""Seconds that a server which stops goes on with it; service managers kill it after ten."""


def nothing() -> None:
    """What there is to do where nothing is to be put right."""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Something to do, and what puts it right where it is never done."""

    run: Act
    lost: Act


class Outbox:
    """A queue in memory, with the thread that works it off; `what` it does with it, for the log."""

    def __init__(self, what: str = "mailed") -> None:
        self._what = what
        self._waiting: deque[Job] = deque()
        self._under_way: Job | None = None
        self._thread: Thread | None = None
        self._changed = Condition()
        self._is_open = True

    def add(self, run: Act, lost: Act = nothing) -> None:
        """Do it soon. Where the server stops before it is done, `lost` is called instead."""
        with self._changed:
            if self._is_open:
                self._waiting.append(Job(run, lost))
                self._start()
                self._changed.notify_all()
                return
        _alone(lost)

    def settle(self, seconds: float) -> bool:
        """Wait until all of it is done, at most so long; whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._left(), seconds)

    def stop(self, seconds: float = WHEN_STOPPING) -> None:
        """Go on for at most so long, then give up what is left and take nothing more."""
        self.settle(seconds)
        with self._changed:
            self._is_open = False
            left = self._left()
            self._waiting.clear()
        if left:
            logger.warning("Not %s, since the server stops: %s", self._what, len(left))
        for job in left:
            _alone(job.lost)

    def _left(self) -> list[Job]:
        return [job for job in (self._under_way, *self._waiting) if job is not None]

    def _start(self) -> None:
        """Its thread is a daemon: a mail server that hangs does not keep the process alive."""
        if self._thread is None:
            self._thread = Thread(target=self._work, name="mail", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._under_way = None
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._waiting)
                self._under_way = self._waiting.popleft()
            _alone(self._under_way.run)


def _alone(act: Act) -> None:
    """Do it on connections of its own, which nobody else would close."""
    try:
        act()
    except Exception:
        logger.exception("Nothing was mailed")
    finally:
        connections.close_all()


outbox = Outbox()
atexit.register(outbox.stop)


LONGEST_MAIL = 15.0
"""Seconds that a mail may take from the moment there is a connection."""


class BoundedSMTP(smtplib.SMTP):
    """Is cut off after `LONGEST_MAIL` seconds, which smtplib reports as a server that hung up."""

    _wire: socket.socket | None = None
    _end: Timer | None = None

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        connected: socket.socket = super()._get_socket(host, port, timeout)  # type: ignore[misc]
        # A socket of its own: TLS puts another object in the place of the first.
        self._wire = connected.dup()
        self._end = Timer(LONGEST_MAIL, self._cut_off)
        self._end.daemon = True
        self._end.start()
        return connected

    def close(self) -> None:
        if self._wire is not None and self._end is not None:
            self._end.cancel()
            self._wire.close()
        super().close()

    def _cut_off(self) -> None:
        if self._wire is not None:
            with self._wire as wire, suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)


class BoundedSMTPS(smtplib.SMTP_SSL, BoundedSMTP):
    """The same where TLS comes first; its handshake counts too."""


class BoundedBackend(EmailBackend):
    """Django's, with those."""

    @property
    def connection_class(self) -> Any:
        return BoundedSMTPS if self.use_ssl else BoundedSMTP


# Logins, tokens, and what is mailed.


NAME_LENGTH = 60
MOST_NETWORKS = 20
MAILED_AT_MOST_EVERY = timedelta(minutes=5)
_NO_MAIL = "django.core.mail.backends.dummy.EmailBackend"


@transaction.atomic
def name_change(*, user: User, name: str, actor: Actor) -> None:
    """Change the name of a login in the team and in the trail. Raises DomainError `bad_name`."""
    user.name = tidy_name(name)
    try:
        user.clean_fields(exclude=["password", "email"])
    except ValidationError as error:
        raise DomainError("bad_name", " ".join(error.messages)) from error
    user.save(update_fields=["name"])
    audit_account(user, actor, "login_renamed")


def audit_at_own_clubs(
    *,
    user: User,
    actor: Actor,
    action: str,
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str],
) -> None:
    """One event at each of the user's clubs, locked in order of id to avoid deadlocks.

    Must run inside a transaction. A login without any role leaves no trail: nobody would read it.
    """
    clubs = Club.objects.filter(roles__user=user).order_by("pk")
    for club in clubs.select_for_update(no_key=True, of=("self",)):
        event_append(
            chain=club,
            club=club,
            actor=actor,
            action=action,
            object_ref=f"user:{user.uuid}",
            data=data,
            texts=texts,
        )


# Personal tokens for programs.


@dataclass(frozen=True, slots=True)
class TokenMade:
    """A new token with its secret, which is not stored: it can only be shown now."""

    token: ApiToken
    secret: str


@transaction.atomic
def token_make(
    *,
    user: User,
    name: str,
    scopes: Iterable[str],
    actor: Actor,
    expires_at: dt.datetime | None = None,
    club: Club | None = None,
    networks: str = "",
) -> TokenMade:
    """A new token of a user, for some of `SCOPES`; without `expires_at` it works until withdrawn,
    without `club` at each of theirs, and without `networks` (addresses or networks, with commas
    between them) from everywhere.

    Raises DomainError `name_missing`, `bad_name`, `bad_scopes`, `already_expired`, `not_your_club`
    or `bad_networks`.
    """
    name, chosen = " ".join(name.split()), set(scopes)
    _require_name(name)
    if not chosen or not chosen <= set(SCOPES):
        raise DomainError("bad_scopes", _("Choose at least one thing that it may be used for."))
    if expires_at is not None and expires_at <= timezone.now():
        raise DomainError("already_expired", _("Choose a day that is still to come."))
    if club is not None and not user.roles.filter(club=club).exists():
        raise DomainError("not_your_club", _("Choose a club where this login has a task."))
    secret = secret_make()
    token = ApiToken.objects.create(
        user=user,
        name=name,
        secret_hash=secret_hash(secret),
        hint=secret[:4],
        scopes=[scope for scope in SCOPES if scope in chosen],
        expires_at=expires_at,
        club=club,
        networks=networks_read(networks),
    )
    _audit_token(token, actor, "token_made")
    return TokenMade(token, secret)


@transaction.atomic
def token_revoke(*, token: ApiToken, actor: Actor) -> None:
    """Withdraw a token, for good."""
    withdrawn = ApiToken.objects.filter(pk=token.pk, revoked_at=None)
    if withdrawn.update(revoked_at=timezone.now()):
        _audit_token(token, actor, "token_revoked")


def api_token_find(secret: str) -> ApiToken | None:
    """The valid token with this secret, with its `user` loaded; None for none."""
    token = ApiToken.objects.select_related("user").filter(secret_hash=secret_hash(secret)).first()
    if token is None or not token.is_valid or not token.user.is_active:
        return None
    return token


def api_token_seen(token: ApiToken) -> None:
    """Store when it was used, at most once in `SEEN_EVERY`, so that reads hardly ever write."""
    now = timezone.now()
    if token.seen_at is None or token.seen_at <= now - SEEN_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(seen_at=now)


def networks_read(typed: str) -> list[str]:
    """The networks in what somebody typed, such as `192.0.2.7, 2001:db8::/32`; a single address is
    a network of its own. Raises DomainError `bad_networks`.
    """
    networks = [_network(text.strip()) for text in typed.split(",") if text.strip()]
    if len(networks) > MOST_NETWORKS:
        raise DomainError("bad_networks", _("Use at most %d addresses.") % MOST_NETWORKS)
    return list(dict.fromkeys(networks))


def _network(text: str) -> str:
    try:
        network = ip_network(text)
    except ValueError as error:
        message = _("“%s” is not an address such as 192.0.2.7, nor a network such as 192.0.2.0/24.")
        raise DomainError("bad_networks", message % text[:50]) from error
    return str(network if network.num_addresses > 1 else network.network_address)


def _require_name(name: str) -> None:
    if not name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(name) > NAME_LENGTH:
        raise DomainError("bad_name", _("Use at most %d characters.") % NAME_LENGTH)


def _audit_token(token: ApiToken, actor: Actor, action: str) -> None:
    audit_at_own_clubs(
        user=token.user,
        actor=actor,
        action=action,
        data={"token": token.pk, "scopes": token.scopes},
        texts={"who": str(token.user), "name": token.name},
    )


# Mail. Without a mail server nothing is sent, and pages say so.


def mail_goes_out() -> bool:
    """Whether there is a mail server; else every link is shown, to be copied."""
    return settings.EMAIL_BACKEND != _NO_MAIL


def mail_now(*, subject: str, text: str, to: str, reply_to: str = "") -> bool:
    """Send a mail; whether the mail server accepted it. A failure is logged without the address."""
    if not mail_goes_out():
        return False
    answer = [reply_to] if reply_to else None
    try:
        EmailMessage(" ".join(subject.split()), text, None, [to], reply_to=answer).send()
    except (OSError, SMTPException) as error:
        logger.warning("Mail was not sent: %s", type(error).__name__)
        MAILS.labels("failed").inc()
        return False
    MAILS.labels("sent").inc()
    return True


def mail_soon(
    *, subject: str, text: str, to: str, sent: Act = nothing, missed: Act = nothing
) -> None:
    """Send a mail without having the response wait for it; afterwards `sent` or `missed` is called.

    `missed` also where the server stops before it is sent.
    """

    def send() -> None:
        (sent if mail_now(subject=subject, text=text, to=to) else missed)()

    outbox.add(send, missed)


@transaction.atomic
def password_change(*, user: User, password: str, actor: Actor) -> None:
    """Another password: wherever else somebody is logged in, that ends."""
    user.set_password(password)
    user.save(update_fields=["password"])
    audit_account(user, actor, "password_changed")


@transaction.atomic
def password_set(*, user: User, password: str, actor: Actor, by_mail: bool) -> int:
    """The password that somebody chose with a link; whatever was opened with the one before ends:
    other logins, tokens, and another address that was asked for, all of which may be of whoever
    knew that one. Returns how many tokens.

    A link that was mailed shows whose the address is. With one that an organiser passed on nobody
    knows any longer who has this login.
    """
    password_change(user=user, password=password, actor=actor)
    user.email_proved_at, user.email_wanted = timezone.now() if by_mail else None, ""
    user.save(update_fields=["email_proved_at", "email_wanted"])
    tokens = list(user.api_tokens.filter(revoked_at=None))
    for token in tokens:
        token_revoke(token=token, actor=actor)
    return len(tokens)


@transaction.atomic
def logins_end(*, user: User, actor: Actor) -> None:
    """Log somebody out on every device, this one included. His tokens go on working."""
    User.objects.filter(pk=user.pk).update(logins_version=F("logins_version") + 1)
    user.refresh_from_db(fields=["logins_version"])
    audit_account(user, actor, "logins_ended")


def password_mail(*, email: str) -> None:
    """Mail a link to set a password, if this address belongs to somebody in a club's team, or to
    a leader of a league.

    Nobody gets another within five minutes, unless it could not be sent. How long this takes shows
    who is known here, so it is done by the outbox, after the response.
    """
    user = user_with_task(email)
    if user is None or not _mail_is_due(user):
        return
    with translation.override(language_of(user)):
        link = login_url(user, password_path(user, mailed_password_links))
        is_sent = mail_now(
            subject=_("Choose a new password"),
            text=_("With this link you choose a new password. It works once.\n\n%s\n") % link,
            to=user.email,
        )
    if not is_sent:
        password_mail_missed(email=email)


def password_mail_missed(*, email: str) -> None:
    """The mail with the link did not go out: whoever asked can ask again at once."""
    User.objects.filter(email__iexact=email).update(password_mailed_at=None)


def user_with_task(email: str) -> User | None:
    """Whoever logs in with this address, if they have a role at a club or lead a league."""
    user = User.objects.filter(email__iexact=email, is_active=True).first()
    has_task = user is not None and (user.roles.exists() or user.leagues_led.exists())
    return user if has_task else None


def language_of(user: User) -> str:
    """The language of their first club, else that of their first league."""
    role = user.roles.select_related("club").first()
    if role is not None:
        return role.club.language
    leader = user.leagues_led.select_related("league").first()
    return leader.league.language if leader is not None else settings.LANGUAGE_CODE


def _mail_is_due(user: User) -> bool:
    """Claim the right to mail this person; only one process gets it."""
    now = timezone.now()
    waited = Q(password_mailed_at=None) | Q(password_mailed_at__lte=now - MAILED_AT_MOST_EVERY)
    turns = User.objects.filter(waited, pk=user.pk).update(password_mailed_at=now)
    return turns == 1


def audit_account(user: User, actor: Actor, action: str) -> None:
    audit_at_own_clubs(user=user, actor=actor, action=action, texts={"who": str(user)})
