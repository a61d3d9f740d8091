"""A club itself: lock, settings, address and whether phones open it, roles, logo, practice, and
what it shows outside."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Final

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.files.pictures import picture_read
from clubs.http.network import absolute_url, base_url, lan_addresses, origins_read
from clubs.models import Club, ClubLogo, PublicAs, Role, SearchEngines, User
from clubs.text.errors import DomainError
from clubs.text.names import tidy_name

MOST_SITES: Final = 10


class PasswordLinks(PasswordResetTokenGenerator):
    """Django's links, which work once and for three days, and not after logging in or a change of
    roles or leagues: an organiser must never get in elsewhere with a link for their own team.
    """

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        clubs = user.roles.order_by("club_id").values_list("club_id", flat=True)
        leagues = user.leagues_led.order_by("league_id").values_list("league_id", flat=True)
        led = "".join(f" league {pk}" for pk in leagues)
        return f"{super()._make_hash_value(user, timestamp)}{list(clubs)}{led}"


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
def club_sheets_choose(
    *, club: Club, paper_sheet: str, sheet_photo_days: int, actor: Actor
) -> Club:
    """Choose which score sheet is printed, and for how many days after the result pictures of
    sheets are kept. Raises DomainError `bad_club` (params: faults)."""
    club.paper_sheet, club.sheet_photo_days = paper_sheet, sheet_photo_days
    _require_sense(club)
    club.version = club_lock(club.pk).version
    club.save_changes("paper_sheet", "sheet_photo_days")
    data = {"paper_sheet": paper_sheet, "sheet_photo_days": sheet_photo_days}
    _audit(club, actor, "club_sheets_chosen", data=data)
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
    organise, or a league that they do not lead: a link would let them take it over.
    """
    own = Role.objects.filter(user=actor.user, kind=Role.Kind.ORGANISER).values("club")
    if role.user.roles.exclude(club__in=own).exists():
        raise DomainError(
            "works_elsewhere",
            _("%s also has a task at another club, so a link cannot be made here.") % role.user,
        )
    led = list(actor.user.leagues_led.values_list("league_id", flat=True)) if actor.user else []
    if role.user.leagues_led.exclude(league__in=led).exists():
        raise DomainError(
            "works_elsewhere",
            _("%s also leads a league, so a link cannot be made here.") % role.user,
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


_PHONE_CODE_LENGTH = 20


def phone_check_url(club: Club) -> str:
    """The address of the page that a phone opens to try out the club's present address."""
    return absolute_url(club, reverse("phone_check", args=[club.slug, _phone_code(club)]))


def phone_check_is(club: Club, code: str) -> bool:
    """Whether this is the code of that page: one that was made for another address tells nothing of
    the present one."""
    return constant_time_compare(code, _phone_code(club))


def phone_opened(club: Club) -> bool:
    """Whether a phone opened the present address."""
    return club.phone_address == base_url(club)


def phone_note(*, club: Club, client: str) -> None:
    """Remember that somebody at `client` opened the present address, unless that is this computer
    itself. Not in the trail: it is about a network, and nobody did it to the club."""
    if not phone_opened(club) and not _is_here(client):
        Club.objects.filter(pk=club.pk).update(phone_address=base_url(club))


def _phone_code(club: Club) -> str:
    return salted_hmac("clubs.phone_check", f"{club.pk} {base_url(club)}").hexdigest()[
        :_PHONE_CODE_LENGTH
    ]


def _is_here(client: str) -> bool:
    with suppress(ValueError):
        return ip_address(client).is_loopback or client in lan_addresses()
    return True


def practice_club(club: Club) -> Club | None:
    """The practice club of this club, if there is one that is not over."""
    return club.practice_clubs.filter(practice_until__gt=timezone.now()).first()


@transaction.atomic
def practice_remove(*, club: Club) -> None:
    """Remove the club's practice club with everything in it. Nothing says that it was there: it has
    no trail, and that of the club tells nothing of it."""
    club_lock(club.pk)
    Club.objects.filter(practice_of=club).delete()


def practice_sweep() -> None:
    """Remove the practice clubs of which the day is over; while there are none, it only reads."""
    for club in Club.objects.filter(practice_clubs__practice_until__lte=timezone.now()):
        practice_remove(club=club)


@transaction.atomic
def outside_change(
    *,
    club: Club,
    search_engines: str,
    new_public_as: str,
    frame_sites: Sequence[str],
    actor: Actor,
) -> None:
    """Choose what is shown outside. Raises DomainError `bad_choice`, `bad_site` (params: site) or
    `too_many_sites`."""
    if search_engines not in SearchEngines.values or new_public_as not in PublicAs.values:
        raise DomainError("bad_choice", _("There is no such choice."))
    locked = club_lock(club.pk)
    locked.search_engines, locked.new_public_as = search_engines, new_public_as
    locked.frame_sites = sites_read(frame_sites)
    locked.save(update_fields=["search_engines", "new_public_as", "frame_sites"])
    event_append(
        chain=locked,
        club=locked,
        actor=actor,
        action="outside_changed",
        object_ref=f"club:{locked.uuid}",
    )


def sites_read(lines: Sequence[str]) -> list[str]:
    """The websites of these lines. Raises DomainError like `outside_change`."""
    try:
        sites = origins_read(lines)
    except ValueError as error:
        message = _(
            "This is not the address of a website: %s. Type it as in https://www.example.org."
        )
        site = str(error.args[0])[:100] if error.args else ""
        raise DomainError("bad_site", message % site, site=site) from error
    if len(sites) > MOST_SITES:
        message = _("At most %d websites.") % MOST_SITES
        raise DomainError("too_many_sites", message)
    return sites
