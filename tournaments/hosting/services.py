"""What whoever operates a server for many does with a club: close it for a while, have its copy
made for its organisers, let it go. None of it looks into the club's people."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.accounts.services import mail_soon
from clubs.audit.services import Actor, event_append
from clubs.caches.shared import forget
from clubs.http.network import absolute_url
from clubs.limits.table import MAILED_BY_A_CLUB, MEMBERS_MAILED, Limit, invitations_of, mails_of
from clubs.models import Club, Member, Role, User
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from scoring.models import Deal
from tournaments.copies.services import copy_start
from tournaments.copies.worker import copy_make_aside
from tournaments.models import Evening


@dataclass(frozen=True, slots=True)
class Size:
    """How large a club is, and when it played last: numbers and a day, nobody's name."""

    club: Club
    members: int
    evenings: int
    last: dt.date | None


def club_sizes(clubs: Sequence[Club]) -> list[Size]:
    """The size of each of these clubs. Two queries, however many there are."""
    ids = [club.pk for club in clubs]
    members = dict(
        Member.objects.filter(club__in=ids, erased_at=None)
        .values_list("club")
        .annotate(Count("pk"))
        .order_by()
    )
    played = {
        club: (number, last)
        for club, number, last in Evening.objects.filter(club__in=ids)
        .values_list("club")
        .annotate(number=Count("pk"), last=Max("date", filter=Q(state=Evening.State.CLOSED)))
        .order_by()
    }
    return [Size(club, members.get(club.pk, 0), *played.get(club.pk, (0, None))) for club in clubs]


def deals_of(club: Club) -> int:
    """How many deals a club has written."""
    return Deal.objects.filter(sheet__table__round__evening__club=club).count()


@dataclass(frozen=True, slots=True)
class LimitUsed:
    """How much of a limit a club has used."""

    words: str
    used: int
    most: int


def limits_used(club: Club) -> list[LimitUsed]:
    """What a club has used today of what it may have mailed."""
    limits: list[tuple[str, Limit, str]] = [
        (_("Invitations mailed"), MAILED_BY_A_CLUB, invitations_of(club)),
        (_("Messages to members"), MEMBERS_MAILED, mails_of(club)),
    ]
    return [LimitUsed(words, limit.used(client), limit.most) for words, limit, client in limits]


@transaction.atomic
def club_suspend(*, club: Club, actor: Actor) -> None:
    """Close a club for everybody, until `club_open`; its organisers are mailed, and can
    take a copy. A repeat changes nothing."""
    club = club_lock(club.pk)
    if club.suspended_at is None:
        _hold(club, actor, "club_suspended", suspended_at=timezone.now())
        _tell(club)


@transaction.atomic
def club_open(*, club: Club, actor: Actor) -> None:
    """Open it again, and forget the day on which it was to go. A repeat changes nothing."""
    club = club_lock(club.pk)
    if club.suspended_at is not None:
        _hold(club, actor, "club_opened", suspended_at=None, goes_on=None)
        _tell(club)


@transaction.atomic
def club_let_go(*, club: Club, actor: Actor) -> dt.date:
    """Close a club, and delete everything of it after `CLUB_KEPT_DAYS`: which day. A repeat changes
    nothing."""
    club = club_lock(club.pk)
    if club.goes_on is not None:
        return club.goes_on
    day = timezone.localdate() + dt.timedelta(days=settings.CLUB_KEPT_DAYS)
    since = club.suspended_at or timezone.now()
    _hold(club, actor, "club_let_go", suspended_at=since, goes_on=day)
    _tell(club)
    return day


@transaction.atomic
def club_copy_for_them(*, club: Club, language: str) -> None:
    """Have a file with everything made, which its organisers find on their page of copies; they are
    mailed. Nobody else is given it.

    Raises DomainError `no_organiser` where nobody could fetch it.
    """
    if not _organisers(club):
        raise DomainError("no_organiser", _("This club has no organiser who could fetch the file."))
    copy, is_new = copy_start(club=club, user=None)
    if is_new:
        copy_make_aside(copy, language)
    text = _(
        "A file with everything of %(name)s is being made for you. Within a few minutes it is here,"
        " for a day:\n\n%(link)s\n"
    )
    _mail(club, _("A copy of your club"), text, reverse("copy_home", args=[club.slug]))


def _hold(club: Club, actor: Actor, action: str, **columns: object) -> None:
    for name, value in columns.items():
        setattr(club, name, value)
    club.save_changes(*columns)
    # Its practice evening is a club of its own.
    practice = Club.objects.filter(practice_of=club)
    practice.update(suspended_at=club.suspended_at)
    for slug in practice.values_list("slug", flat=True):
        forget(slug)
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action=action,
        object_ref=f"club:{club.uuid}",
        data={"goes_on": str(club.goes_on or "")},
    )


def _organisers(club: Club) -> list[User]:
    roles = club.roles.filter(kind=Role.Kind.ORGANISER).select_related("user")
    return [role.user for role in roles.order_by("pk")]


def _tell(club: Club) -> None:
    """Mail the organisers what became of their club."""
    if club.goes_on:
        text = _(
            "Whoever runs this server has closed %(name)s. On %(day)s everything of the club is"
            " deleted. Take your copy before that day:\n\n%(link)s\n"
        )
        _mail(club, _("Your club will be deleted"), text, reverse("copy_home", args=[club.slug]))
    elif club.suspended_at:
        text = _(
            "Whoever runs this server has closed %(name)s for now. Nothing is lost, and you can"
            " take a copy of everything:\n\n%(link)s\n"
        )
        _mail(club, _("Your club is closed for now"), text, reverse("copy_home", args=[club.slug]))
    else:
        text = _("%(name)s is open again:\n\n%(link)s\n")
        _mail(club, _("Your club is open again"), text, reverse("desk", args=[club.slug]))


def _mail(club: Club, subject: str, text: str, path: str) -> None:
    with translation.override(club.language):
        day = date_format(club.goes_on) if club.goes_on else ""
        words = {"name": club.name, "day": day, "link": absolute_url(club, path)}
        for user in _organisers(club):
            mail_soon(subject=subject, text=text % words, to=user.email)
