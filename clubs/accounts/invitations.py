"""Invitations to a club's team, by a link that is mailed where a mail server is set."""

from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from clubs.accounts.logins import is_proved
from clubs.accounts.services import mail_soon, password_set
from clubs.audit.services import Actor, event_append
from clubs.http.network import absolute_url, mailed_url
from clubs.limits.table import MAILED_BY_A_CLUB, MAILED_TO_ONE, invitations_of
from clubs.models import Club, Invitation, Role, User
from clubs.models.member import GOOD_FOR
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import tidy_name

AT_MOST = 30


@transaction.atomic
def invitation_make(
    *, club: Club, email: str, kind: str, actor: Actor, name: str = ""
) -> Invitation:
    """Ask somebody to join; the link of an earlier invitation to this address stops.

    Raises DomainError `bad_email`, `bad_role`, `already_in_team` or `too_many_invitations`.
    """
    club = club_lock(club.pk)
    invitation = Invitation(
        club=club,
        email=email.strip(),
        name=tidy_name(name),
        kind=kind,
        expires_at=timezone.now() + GOOD_FOR,
    )
    _require_sense(invitation)
    if club.roles.filter(user__email__iexact=invitation.email).exists():
        raise _already_in_team(invitation.email)
    club.invitations.filter(email__iexact=invitation.email).delete()
    if club.invitations.count() >= AT_MOST:
        raise DomainError(
            "too_many_invitations",
            _("There are %d invitations without an answer. Withdraw some first.") % AT_MOST,
        )
    invitation.save()
    _audit(invitation, actor, "invitation_made")
    return invitation


@transaction.atomic
def invitation_withdraw(*, invitation: Invitation, actor: Actor) -> None:
    """Withdraw an invitation: its link no longer works. A repeat changes nothing."""
    club_lock(invitation.club_id)
    if Invitation.objects.filter(pk=invitation.pk).delete()[0]:
        _audit(invitation, actor, "invitation_withdrawn")


@transaction.atomic
def invitation_accept(*, invitation: Invitation, user: User, by_mail: bool = False) -> Role:
    """The person who was invited accepts with their login: they join the team, and the link stops
    working. One that came by mail also shows that they read the mail of their address.

    Raises DomainError `invitation_over`, `for_somebody_else` where the login has another address,
    `address_unproved` where anybody could have made it, or `already_in_team` where nothing changes.
    """
    club_lock(invitation.club_id)
    _require_open(invitation)
    if not is_for(invitation, user):
        raise DomainError(
            "for_somebody_else",
            _("This invitation is for %(invited)s. You are logged in with %(email)s.")
            % {"invited": invitation.email, "email": user.email},
        )
    if not by_mail and not is_proved(user):
        message = _("First confirm that %s is your address.") % user.email
        raise DomainError("address_unproved", message)
    role = _join(invitation, user)
    if by_mail:
        _prove(user)
    return role


def _join(invitation: Invitation, user: User) -> Role:
    if not Invitation.objects.filter(pk=invitation.pk).delete()[0]:
        raise _invitation_over()
    if invitation.club.roles.filter(user=user).exists():
        raise _already_in_team(user.email)
    role = Role.objects.create(user=user, club=invitation.club, kind=invitation.kind)
    _audit(invitation, Actor.of_user(user), "invitation_accepted", joined=user)
    return role


@transaction.atomic
def invitation_join(
    *, invitation: Invitation, name: str, password: str, by_mail: bool = False
) -> User:
    """Somebody without a login in use accepts, and gets one with the invited address. Unless they
    came by the link that was mailed, nothing shows yet that the address is theirs.

    Raises DomainError `invitation_over`, or `login_exists` when the address has a login already:
    then only that login can accept.
    """
    club_lock(invitation.club_id)
    _require_open(invitation)
    if has_login(invitation.email, by_mail=by_mail):
        raise _login_exists()
    try:
        with transaction.atomic():
            user = _unused(invitation.email, by_mail=by_mail) or User(email=invitation.email)
            user.name = tidy_name(name)
            user.save()
            password_set(user=user, password=password, actor=Actor.of_user(user), by_mail=by_mail)
    except IntegrityError as error:
        raise _login_exists() from error
    _join(invitation, user)
    return user


def is_for(invitation: Invitation, user: User) -> bool:
    """Whether the login has the address that was invited; capitals make no difference."""
    return invitation.email.casefold() == user.email.casefold()


def has_login(email: str, *, by_mail: bool = False) -> bool:
    """Whether this address has a login in use: with a role somewhere, a password or a league.
    Whoever shows that they read its mail needs a role."""
    user = User.objects.filter(email__iexact=email).first()
    return user is not None and user != _unused(email, by_mail=by_mail)


def invitation_find(uuid: UUID, code: str) -> Invitation | None:
    """The open invitation of this link, or None, also as long as its club is suspended."""
    invitations = Invitation.objects.filter(uuid=uuid, club__suspended_at=None)
    invitation = invitations.select_related("club").first()
    if invitation is None or not (
        constant_time_compare(invitation.code, code) or came_by_mail(invitation, code)
    ):
        return None
    return invitation if invitation.is_open else None


def came_by_mail(invitation: Invitation, code: str) -> bool:
    """Whether this code is that of the link that was mailed, which the desk does not show."""
    return constant_time_compare(invitation.mailed_code, code)


def invitation_link(invitation: Invitation) -> str:
    """The absolute URL that is passed on."""
    return absolute_url(invitation.club, _path(invitation, invitation.code))


def _path(invitation: Invitation, code: str) -> str:
    return reverse("invitation", args=[invitation.uuid, code])


def invitation_mail(invitation: Invitation) -> bool:
    """Mail the link in the club's language, and note what becomes of that. False where this club,
    or somebody with this address, had too many: then the link is passed on."""
    receiver = f"invitation to {invitation.email.casefold()}"
    club = invitations_of(invitation.club)
    if not MAILED_TO_ONE.allows(receiver) or not MAILED_BY_A_CLUB.allows(club):
        return False
    with translation.override(invitation.club.language):
        text = _(
            "%(club)s asks you to help as %(task)s.\n\nWith this link you say yes. It works once, "
            "until %(day)s.\n\n%(link)s\n\nDo you not know this club? Then do nothing."
        )
        until = timezone.localdate(invitation.expires_at)
        words = {
            "club": invitation.club.name,
            "task": invitation.get_kind_display(),
            "day": until.strftime("%d-%m-%Y"),
            "link": mailed_url(invitation.club, _path(invitation, invitation.mailed_code)),
        }
        subject = _("%s asks you to help") % invitation.club.name
        _mail_note(invitation, Invitation.Mail.UNDER_WAY)
        mail_soon(
            subject=subject,
            text=text % words,
            to=invitation.email,
            sent=lambda: _mail_note(invitation, Invitation.Mail.SENT),
            missed=lambda: _mail_note(invitation, Invitation.Mail.FAILED),
        )
    return True


def _mail_note(invitation: Invitation, state: Invitation.Mail) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(mail=state)


def _prove(user: User) -> None:
    if user.email_proved_at is None:
        user.email_proved_at = timezone.now()
        user.save(update_fields=["email_proved_at"])


def _unused(email: str, *, by_mail: bool) -> User | None:
    """A login of this address without a role and, unless they came by mail, without a password or
    a league."""
    user = User.objects.filter(email__iexact=email, is_active=True).first()
    if user is None or user.roles.exists():
        return None
    is_used = user.has_usable_password() or user.leagues_led.exists()
    return None if is_used and not by_mail else user


def _require_sense(invitation: Invitation) -> None:
    if invitation.kind not in Role.Kind.values:
        raise DomainError("bad_role", _("There is no such role."))
    try:
        invitation.clean_fields(exclude=["club", "kind"])
    except ValidationError as error:
        raise DomainError("bad_email", " ".join(error.messages)) from error


def _require_open(invitation: Invitation) -> None:
    if not invitation.is_open:
        raise _invitation_over()


def _invitation_over() -> DomainError:
    return DomainError("invitation_over", _("This invitation no longer works."))


def _already_in_team(email: str) -> DomainError:
    return DomainError("already_in_team", _("%s is in the team already.") % email)


def _login_exists() -> DomainError:
    return DomainError("login_exists", _("There is a login with this address: log in to say yes."))


def _audit(invitation: Invitation, actor: Actor, action: str, joined: User | None = None) -> None:
    about = f"user:{joined.uuid}" if joined else f"invitation:{invitation.uuid}"
    event_append(
        chain=invitation.club,
        club=invitation.club,
        actor=actor,
        action=action,
        object_ref=about,
        data={"kind": invitation.kind, "invitation": str(invitation.uuid)},
        texts={"who": str(joined or invitation)},
    )
