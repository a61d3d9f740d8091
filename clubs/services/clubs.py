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
    """Give somebody a role at a club, with a login when there is none for this address yet."""
    user = User.objects.filter(email__iexact=email.strip()).first()
    if user is None:
        user = User.objects.create_user(email, name=name.strip())
    role, _made = Role.objects.update_or_create(user=user, club=club, defaults={"kind": kind})
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
    """Take a role away. Raises DomainError `last_organiser` when nobody would be left to organise."""
    organisers = Role.objects.select_for_update().filter(club=role.club, kind=Role.Kind.ORGANISER)
    if role.kind == Role.Kind.ORGANISER and len(organisers) == 1:
        raise DomainError("last_organiser", _("A club needs at least one organiser."))
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
