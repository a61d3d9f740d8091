"""What somebody does with their own login."""

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.links import login_url
from clubs.mail import mail_soon
from clubs.models import Role, User
from clubs.names import tidy_name
from clubs.services._people_audit import audit_at_own_clubs
from clubs.services.clubs import password_path
from clubs.services.tokens import token_revoke

MAILED_AT_MOST_EVERY = timedelta(minutes=5)


@transaction.atomic
def name_change(*, user: User, name: str, actor: Actor) -> None:
    """Change how somebody is called in the team and in the trail. Raises DomainError `bad_name`."""
    user.name = tidy_name(name)
    try:
        user.clean_fields(exclude=["password", "email"])
    except ValidationError as error:
        raise DomainError("bad_name", " ".join(error.messages)) from error
    user.save(update_fields=["name"])
    _audit(user, actor, "login_renamed")


@transaction.atomic
def email_change(*, user: User, email: str, actor: Actor) -> None:
    """Change the address somebody logs in with, and tell the old one.

    Raises DomainError `bad_email` or `email_taken`.
    """
    before, user.email = user.email, email.strip()
    try:
        user.clean_fields(exclude=["password", "name"])
        with transaction.atomic():
            user.save(update_fields=["email"])
    except ValidationError as error:
        raise DomainError("bad_email", " ".join(error.messages)) from error
    except IntegrityError as error:
        taken = _("Somebody else logs in with this address.")
        raise DomainError("email_taken", taken) from error
    _audit(user, actor, "login_address_changed")
    message = _("From now on you log in with %s. Did you not ask for this? Tell your club.")
    transaction.on_commit(
        lambda: mail_soon(
            subject=_("Another address to log in with"), text=message % user.email, to=before
        )
    )


@transaction.atomic
def password_change(*, user: User, password: str, actor: Actor) -> None:
    """Another password: wherever else somebody is logged in, that ends."""
    user.set_password(password)
    user.save(update_fields=["password"])
    _audit(user, actor, "password_changed")


@transaction.atomic
def password_set(*, user: User, password: str, actor: Actor) -> int:
    """The password that somebody chose with a link; whatever was opened with the one before ends:
    other logins, and tokens, which whoever knew that one may have made. Returns how many tokens.
    """
    password_change(user=user, password=password, actor=actor)
    tokens = list(user.api_tokens.filter(revoked_at=None))
    for token in tokens:
        token_revoke(token=token, actor=actor)
    return len(tokens)


@transaction.atomic
def logins_end(*, user: User, actor: Actor) -> None:
    """Log somebody out on every device, this one included. His tokens go on working."""
    User.objects.filter(pk=user.pk).update(logins_version=F("logins_version") + 1)
    user.refresh_from_db(fields=["logins_version"])
    _audit(user, actor, "logins_ended")


def password_mail(*, email: str) -> None:
    """Mail a link to set a password to whoever of a club's team has this address.

    Nobody gets another within five minutes, however often it is asked for; and whether one goes
    out, the answer and the time it takes do not tell.
    """
    roles = Role.objects.filter(user__email__iexact=email, user__is_active=True)
    role = roles.select_related("user", "club").first()
    if role is None or not _mail_is_due(role.user):
        return
    with translation.override(role.club.language):
        link = login_url(role.user, password_path(role.user))
        mail_soon(
            subject=_("Choose a new password"),
            text=_("With this link you choose a new password. It works once.\n\n%s\n") % link,
            to=role.user.email,
        )


def _mail_is_due(user: User) -> bool:
    """Take the turn to mail this person, which only one process can."""
    now = timezone.now()
    waited = Q(password_mailed_at=None) | Q(password_mailed_at__lte=now - MAILED_AT_MOST_EVERY)
    turns = User.objects.filter(waited, pk=user.pk).update(password_mailed_at=now)
    return turns == 1


def _audit(user: User, actor: Actor, action: str) -> None:
    audit_at_own_clubs(user=user, actor=actor, action=action, texts={"who": str(user)})
