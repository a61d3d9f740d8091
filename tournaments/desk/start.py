"""The first steps of a new club, each done or not by what is there, and what organisers are
reminded of: a copy that failed or that was made long ago, and birthdays."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.access.permissions import is_alone
from clubs.http.network import base_url, is_private
from clubs.models import Club, Member
from clubs.profile.services import phone_opened, practice_club
from tournaments.draw.core.models import TABLE_SIZE
from tournaments.models import Copy, CopyFolder, Evening, Release, Round

NOT_YET = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartStep:
    """A thing to do before the first evening: why, and the button that leads there.

    `outcome` says what is there when it is done, and is empty while it is not. A step that
    `can_wait` does not keep the list on the desk.
    """

    title: str
    why: str
    label: str
    url: str
    outcome: str
    warning: str = ""
    can_wait: bool = False

    @property
    def is_done(self) -> bool:
        return bool(self.outcome)


@dataclass(frozen=True, slots=True)
class Start:
    """The steps of a club, of which one comes next."""

    steps: tuple[StartStep, ...]

    @property
    def done(self) -> int:
        """How many steps are done."""
        return sum(step.is_done for step in self.steps)

    @property
    def following(self) -> StartStep:
        """The first step that is still to be done."""
        return next(step for step in self.steps if not step.is_done)


def club_start(club: Club) -> Start | None:
    """The first steps of a club; None once they were put away, all that matters is done, or its
    first evening was played."""
    if club.start_put_away or _has_played(club):
        return None
    makers: tuple[Callable[[Club], StartStep], ...] = (
        _rules,
        _members,
        _dates,
        _phones,
        _helper,
        _practice,
        _copy,
    )
    steps = tuple(make(club) for make in makers)
    return None if all(step.is_done or step.can_wait for step in steps) else Start(steps)


def _has_played(club: Club) -> bool:
    return club.evenings.filter(state=Evening.State.CLOSED, is_history=False).exists()


def _rules(club: Club) -> StartStep:
    names = list(club.regulations.current().values_list("name", flat=True).order_by("name")[:3])
    return StartStep(
        title=_("The rules that you play by"),
        why=_("Then phones and computer count as your club does."),
        label=_("Choose the rules"),
        url=reverse("regulation_list" if names else "regulation_new", args=[club.slug]),
        outcome=", ".join(names),
    )


def _members(club: Club) -> StartStep:
    count = club.members.active().filter(kind=Member.Kind.MEMBER).count()
    words = ngettext("%(n)s member on the list.", "%(n)s members on the list.", count)
    return StartStep(
        title=_("The members"),
        why=_("Then you only tick who is here. A list from Excel or a message will do."),
        label=_("Read in the list"),
        url=reverse("member_import" if not count else "member_list", args=[club.slug]),
        outcome=words % {"n": count} if count >= TABLE_SIZE else NOT_YET,
    )


def _dates(club: Club) -> StartStep:
    count = club.evenings.filter(is_history=False).exclude(state=Evening.State.CANCELLED).count()
    words = ngettext("%(n)s evening is planned.", "%(n)s evenings are planned.", count)
    return StartStep(
        title=_("The dates"),
        why=_("Then everybody sees on the club's page when you play."),
        label=_("Plan the evenings"),
        url=reverse("evening_list" if count else "planner", args=[club.slug]),
        outcome=words % {"n": count} if count else NOT_YET,
    )


def _phones(club: Club) -> StartStep:
    is_tried = phone_opened(club)
    return StartStep(
        title=_("The address for phones"),
        why=_("Scan a code with your phone: does it open? Then it does at the tables too."),
        label=_("Try it with a phone"),
        url=reverse("club_address", args=[club.slug]),
        outcome=_("A phone opened %(address)s.") % {"address": club.phone_address}
        if is_tried
        else NOT_YET,
        warning=_("This address opens on this computer's own wifi only, not at people's homes.")
        if is_private(base_url(club))
        else "",
    )


def _helper(club: Club) -> StartStep:
    team = club.roles.count()
    invited = club.invitations.filter(expires_at__gt=timezone.now()).exists()
    words = ngettext("%(n)s person can log in.", "%(n)s people can log in.", team)
    outcome = words % {"n": team} if team > 1 else NOT_YET
    return StartStep(
        title=_("A helper"),
        why=_("Then an evening goes on when you cannot be there."),
        label=_("Invite somebody"),
        url=reverse("team_invite", args=[club.slug]),
        outcome=outcome or (_("Somebody is invited.") if invited else NOT_YET),
    )


def _practice(club: Club) -> StartStep:
    practice = practice_club(club)
    is_on = practice is not None and Round.objects.filter(evening__club=practice).exists()
    return StartStep(
        title=_("A practice evening"),
        why=_("With made-up people. None of it counts, and none of it stays."),
        label=_("Practise") if practice is None else _("Go on practising"),
        url=reverse("practice", args=[club.slug]),
        outcome=_("The practice evening is on.") if is_on else NOT_YET,
        can_wait=True,
    )


def _copy(club: Club) -> StartStep:
    by_itself = CopyFolder.objects.exists() and is_alone(club)
    taken = Copy.objects.filter(club=club).exclude(taken_at=None).exists()
    return StartStep(
        title=_("A backup copy"),
        why=_("Then nothing is lost with the computer. A stick will do."),
        label=_("Keep copies"),
        url=reverse("copy_home", args=[club.slug]),
        outcome=_("Copies are made.") if by_itself or taken else NOT_YET,
        can_wait=True,
    )


LATE: Final = dt.timedelta(days=2)
"""A copy that is made each day by itself is missed after so long: a laptop is off for days."""


@dataclass(frozen=True, slots=True)
class CopyReminder:
    """The copy by itself that failed; else how many evenings were closed since the last one, and
    when that was, if there ever was one."""

    folder: CopyFolder | None
    evenings: int = 0
    last: dt.datetime | None = None


def copy_reminder(club: Club) -> CopyReminder | None:
    """What to say of copies, if anything; on a server whoever looks after it makes them."""
    if club.is_demo or not is_alone(club):
        return None
    folder = CopyFolder.objects.first()
    if folder is not None and folder.fault:
        return CopyReminder(folder)
    by_itself = folder.made_at if folder else None
    if by_itself is not None and by_itself > timezone.now() - LATE:
        return None
    taken = Copy.objects.filter(club=club).exclude(taken_at=None).order_by("-taken_at").first()
    moments = [by_itself, taken.taken_at if taken else None]
    last = max((moment for moment in moments if moment), default=None)
    closed = Release.objects.filter(evening__club=club, number=1)
    evenings = (closed.filter(published_at__gt=last) if last else closed).count()
    return CopyReminder(None, evenings, last) if evenings else None


BIRTHDAYS_AHEAD = 7
"""How many days after today are looked at."""


class Birthday(NamedTuple):
    """Somebody's birthday; `day` is this year's."""

    name: str
    day: dt.date


def birthdays(club: Club, today: dt.date) -> list[Birthday]:
    """The birthdays of active people today and in the next week, in order. One query.

    Whoever was born on 29 February has theirs on 1 March of other years.
    """
    days = [today + dt.timedelta(days=ahead) for ahead in range(BIRTHDAYS_AHEAD + 1)]
    day_of = {key: day for day in days for key in _birth_keys(day)}
    wanted = Q()
    for month, number in day_of:
        wanted |= Q(birthday__month=month, birthday__day=number)
    people = club.members.active().filter(wanted).by_surname()
    found = [
        Birthday(person.desk_name, day_of[person.birthday.month, person.birthday.day])
        for person in people
        if person.birthday
    ]
    return sorted(found, key=lambda birthday: birthday.day)


def _birth_keys(day: dt.date) -> list[tuple[int, int]]:
    """The months and days of birth that are kept on this day."""
    keys = [(day.month, day.day)]
    leap = (day - dt.timedelta(days=1)).day == 29
    if keys == [(3, 1)] and not leap:
        keys.append((2, 29))
    return keys
