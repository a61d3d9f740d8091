"""Clubs, their logins and roles."""

from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError
from clubs.models import Club, Role, User


@transaction.atomic
def club_create(*, slug: str, name: str, actor: Actor, language: str = "nl") -> Club:
    """A new club. Raises DomainError `slug_taken` or `bad_club` (params: faults)."""
    if Club.objects.filter(slug=slug).exists():
        raise DomainError("slug_taken", _("There is already a club called %s.") % slug)
    club = Club(slug=slug, name=name.strip(), language=language)
    try:
        club.full_clean()
    except ValidationError as error:
        raise DomainError("bad_club", " ".join(error.messages)) from error
    club.save()
    event_append(
        chain=club, club=club, actor=actor, action="club_created", object_ref=f"club:{club.uuid}"
    )
    return club


@transaction.atomic
def role_grant(*, club: Club, email: str, kind: str, actor: Actor, name: str = "") -> Role:
    """Give somebody a role at a club, with a login when there is none for this address yet.

    Raises DomainError `bad_email`, or `last_organiser` when nobody would be left to organise.
    """
    user = User.objects.filter(email__iexact=email.strip()).first() or _user_create(email, name)
    role = Role.objects.filter(user=user, club=club).first() or Role(user=user, club=club)
    if kind != Role.Kind.ORGANISER:
        _require_another_organiser(role)
    role.kind = kind
    role.save()
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="role_granted",
        object_ref=f"user:{user.uuid}",
        data={"kind": kind},
        texts={"who": str(user)},
    )
    return role


@transaction.atomic
def role_revoke(*, role: Role, actor: Actor) -> None:
    """Take a role away.

    Raises DomainError `last_organiser` when nobody would be left to organise.
    """
    _require_another_organiser(role)
    event_append(
        chain=role.club,
        club=role.club,
        actor=actor,
        action="role_revoked",
        object_ref=f"user:{role.user.uuid}",
        data={"kind": role.kind},
        texts={"who": str(role.user)},
    )
    role.delete()


def password_path(user: User) -> str:
    """The path of a link with which `user` sets a password; it works once."""
    return reverse(
        "password_set",
        args=[
            urlsafe_base64_encode(force_bytes(user.pk)),
            default_token_generator.make_token(user),
        ],
    )


def _user_create(email: str, name: str) -> User:
    try:
        User(email=email.strip(), name=name.strip()).clean_fields(exclude={"password"})
    except ValidationError as error:
        raise DomainError("bad_email", " ".join(error.messages)) from error
    return User.objects.create_user(email.strip(), name=name.strip())


def _require_another_organiser(role: Role) -> None:
    organisers = Role.objects.select_for_update().filter(club=role.club, kind=Role.Kind.ORGANISER)
    if [organiser.pk for organiser in organisers] == [role.pk]:
        raise DomainError("last_organiser", _("A club needs at least one organiser."))
