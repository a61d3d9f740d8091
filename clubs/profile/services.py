"""A club itself: its lock, settings, address, roles, password links and logo."""

from collections.abc import Mapping

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.files.pictures import picture_read
from clubs.models import Club, ClubLogo, Role, User
from clubs.text.errors import DomainError
from clubs.text.names import tidy_name


class PasswordLinks(PasswordResetTokenGenerator):
    """Django's links, which work once and for three days, and not after logging in or a change of
    roles: an organiser must never get into another club with a link for their own team.
    """

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        clubs = user.roles.order_by("club_id").values_list("club_id", flat=True)
        return f"{super()._make_hash_value(user, timestamp)}{list(clubs)}"


class MailedPasswordLinks(PasswordLinks):
    """The same for links that are mailed and shown to nobody: whoever opens one reads that mail."""

    key_salt = "clubs.mailed_password_links"


password_links = PasswordLinks()
mailed_password_links = MailedPasswordLinks()


def club_lock(club_id: int) -> Club:
    """The club, locked until the end of the transaction.

    The order of locks avoids deadlocks: every change of a club but a deal takes this first, then
    sheets in order of id, and last what sheets announce (an evening's revision).
    """
    return Club.objects.select_for_update(no_key=True).get(pk=club_id)


@transaction.atomic
def club_create(*, slug: str, name: str, actor: Actor, language: str = "nl") -> Club:
    """A new club. Raises DomainError `slug_taken` or `bad_club` (params: faults)."""
    if Club.objects.filter(slug=slug).exists():
        raise DomainError("slug_taken", _("There is already a club called %s.") % slug)
    club = Club(slug=slug, name=tidy_name(name), language=language)
    _require_sense(club)
    club.save()
    _audit(club, actor, "club_created")
    return club


@transaction.atomic
def club_change(
    *,
    club: Club,
    name: str,
    language: str,
    pit_word: str,
    sit_out_word: str,
    roem_letters: str,
    actor: Actor,
) -> Club:
    """Change the club's name, language and the words and letters it uses.

    Raises DomainError `bad_club` (params: faults).
    """
    words = {
        "language": language,
        "pit_word": tidy_name(pit_word),
        "sit_out_word": tidy_name(sit_out_word),
        "roem_letters": tidy_name(roem_letters),
    }
    club.name = tidy_name(name)
    for field, value in words.items():
        setattr(club, field, value)
    _require_sense(club)
    club.version = club_lock(club.pk).version
    club.save_changes("name", *words)
    _audit(club, actor, "club_changed", data=words, texts={"name": club.name})
    return club


@transaction.atomic
def address_choose(*, club: Club, address: str, actor: Actor) -> Club:
    """Set the address for links and QR codes; empty: chosen automatically."""
    club.address = address.rstrip("/")
    club.save(update_fields=["address"])
    _audit(club, actor, "address_chosen", data={"address": club.address})
    return club


def start_put_away(*, club: Club, away: bool) -> None:
    """Take the first steps off the club's desk, or put them back; that is nothing for the trail."""
    Club.objects.filter(pk=club.pk).update(start_put_away=away)


@transaction.atomic
def role_grant(*, club: Club, email: str, kind: str, actor: Actor, name: str = "") -> Role:
    """Give somebody a role at a club, with a login when there is none for this address yet.

    Raises DomainError `bad_email`, `bad_role`, or `last_organiser` when nobody would be left to
    organise.
    """
    club = club_lock(club.pk)
    if kind not in Role.Kind.values:
        raise DomainError("bad_role", _("There is no such role."))
    user = User.objects.filter(email__iexact=email.strip()).first() or _user_create(email, name)
    role = Role.objects.filter(user=user, club=club).first() or Role(user=user, club=club)
    if kind != Role.Kind.ORGANISER:
        _require_another_organiser(role)
    role.kind = kind
    role.save()
    _audit_role(role, actor, "role_granted")
    return role


@transaction.atomic
def role_revoke(*, role: Role, actor: Actor) -> None:
    """Take a role away.

    Raises DomainError `last_organiser` when nobody would be left to organise.
    """
    club_lock(role.club_id)
    _require_another_organiser(role)
    _audit_role(role, actor, "role_revoked")
    role.delete()


@transaction.atomic
def password_link_make(*, role: Role, actor: Actor) -> str:
    """The path of a link for somebody in the club's team to set a password.

    Raises DomainError `works_elsewhere` when the login opens a club that the actor does not
    organise: a link would let them take it over.
    """
    own = Role.objects.filter(user=actor.user, kind=Role.Kind.ORGANISER).values("club")
    if role.user.roles.exclude(club__in=own).exists():
        raise DomainError(
            "works_elsewhere",
            _("%s also has a task at another club, so a link cannot be made here.") % role.user,
        )
    _audit_role(role, actor, "password_link_made")
    return password_path(role.user)


@transaction.atomic
def password_link_print(*, user: User, actor: Actor) -> str:
    """The path of a link for somebody to set a password, asked for at the server itself. The trail
    of each of their clubs tells so."""
    for role in user.roles.select_related("club", "user").order_by("club_id"):
        _audit_role(role, actor, "password_link_made")
    return password_path(user)


def password_path(user: User, links: PasswordLinks = password_links) -> str:
    """The path of a link for `user` to set a password; it works once."""
    return reverse(
        "password_set",
        args=[urlsafe_base64_encode(force_bytes(user.pk)), links.make_token(user)],
    )


def _require_sense(club: Club) -> None:
    try:
        club.clean_fields(exclude=["address"])
    except ValidationError as error:
        faults = error.message_dict
        raise DomainError("bad_club", " ".join(error.messages), faults=faults) from error


def _audit(
    club: Club,
    actor: Actor,
    action: str,
    *,
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action=action,
        object_ref=f"club:{club.uuid}",
        data=data,
        texts=texts,
    )


def _audit_role(role: Role, actor: Actor, action: str) -> None:
    event_append(
        chain=role.club,
        club=role.club,
        actor=actor,
        action=action,
        object_ref=f"user:{role.user.uuid}",
        data={"kind": role.kind},
        texts={"who": str(role.user)},
    )


def _user_create(email: str, name: str) -> User:
    try:
        User(email=email.strip(), name=name.strip()).clean_fields(exclude={"password"})
    except ValidationError as error:
        raise DomainError("bad_email", " ".join(error.messages)) from error
    return User.objects.create_user(email.strip(), name=name.strip())


def _require_another_organiser(role: Role) -> None:
    organisers = Role.objects.filter(club=role.club, kind=Role.Kind.ORGANISER)
    if [organiser.pk for organiser in organisers] == [role.pk]:
        raise DomainError("last_organiser", _("A club needs at least one organiser."))


# The logo.


def logo_choose(*, club: Club, content: bytes, actor: Actor) -> ClubLogo:
    """Set or replace the club's logo.

    Raises DomainError `no_picture` or `picture_too_large`.
    """
    picture = picture_read(content)
    with transaction.atomic():
        club = club_lock(club.pk)
        logo, _made = ClubLogo.objects.update_or_create(
            club=club,
            defaults={"png": picture.png, "width": picture.width, "height": picture.height},
        )
        size = {"width": picture.width, "height": picture.height}
        _audit_logo(club, actor, "logo_chosen", has_logo=True, data=size)
    return logo


@transaction.atomic
def logo_remove(*, club: Club, actor: Actor) -> None:
    """Remove the club's logo, if it has one."""
    club = club_lock(club.pk)
    if ClubLogo.objects.filter(club=club).delete()[0]:
        _audit_logo(club, actor, "logo_removed", has_logo=False, data={})


def _audit_logo(
    club: Club, actor: Actor, action: str, *, has_logo: bool, data: dict[str, int]
) -> None:
    """Record it in the trail. The event's number becomes the logo's version, so none is reused."""
    event = event_append(
        chain=club, club=club, actor=actor, action=action, object_ref=f"club:{club.uuid}", data=data
    )
    Club.objects.filter(pk=club.pk).update(logo_version=event.number if has_logo else 0)
