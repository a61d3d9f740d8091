"""The desk's page of who was there on which evening of a season."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Max, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access.permissions import READ_MEMBERS, desk_view, owned
from clubs.files.exports import ListFile, list_response
from clubs.models import Club, Member
from tournaments.evenings.pages import find_season
from tournaments.models import Evening, PastResult, Registration, Season

THERE = "there"
LONG_AWAY = 3
"""Whoever missed so many evenings at the end has not been seen for long."""


@dataclass(frozen=True, slots=True)
class AttendanceCell:
    """What became of somebody on an evening: "there", "notice" or "none", or empty if they were
    not on the list."""

    evening: Evening
    state: str


@dataclass(frozen=True, slots=True)
class AttendanceRow:
    """A person with a cell for each evening; `missed` counts the evenings since they were there,
    and `last` is when that was, in whichever season."""

    member: Member
    cells: Sequence[AttendanceCell]
    last: dt.date | None

    @property
    def times(self) -> int:
        """How many evenings they were there."""
        return sum(cell.state == THERE for cell in self.cells)

    @property
    def missed(self) -> int:
        """How many evenings they have missed since the last one they came to."""
        for number, cell in enumerate(reversed(self.cells)):
            if cell.state == THERE:
                return number
        return len(self.cells)

    @property
    def is_long_away(self) -> bool:
        """Whether they have not been seen for long."""
        return self.missed >= LONG_AWAY and self.member.is_active


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who was there in a season, by surname, and how many people on each evening."""

    evenings: Sequence[Evening]
    rows: Sequence[AttendanceRow]

    @property
    def counts(self) -> list[int]:
        """How many people were there on each evening."""
        return [
            sum(row.cells[place].state == THERE for row in self.rows)
            for place in range(len(self.evenings))
        ]

    @property
    def long_away(self) -> list[AttendanceRow]:
        """Whoever has not been seen for long, the longest first."""
        away = [row for row in self.rows if row.is_long_away]
        return sorted(away, key=lambda row: row.last or dt.date.min)


def season_attendance(season: Season) -> Attendance:
    """Everybody who was on a list in the season, and the other active members. Six queries."""
    played = season.evenings.filter(state__in=[Evening.State.RUNNING, Evening.State.CLOSED])
    evenings = list(played.order_by("date", "sequence"))
    states = _states(season.club, evenings)
    people = Member.objects.of(season.club).filter(erased_at=None)
    member = Q(is_active=True, kind=Member.Kind.MEMBER)
    listed = list(people.filter(member | Q(pk__in=states)).by_surname())
    last = _last_seen(season.club)
    rows = [
        AttendanceRow(
            member,
            [
                AttendanceCell(evening, states[member.pk].get(evening.pk, ""))
                if member.pk in states
                else AttendanceCell(evening, "")
                for evening in evenings
            ],
            last.get(member.pk),
        )
        for member in listed
    ]
    return Attendance(evenings, rows)


def _states(club: Club, evenings: Sequence[Evening]) -> Mapping[int, dict[int, str]]:
    """By person and evening what became of them."""
    states: dict[int, dict[int, str]] = defaultdict(dict)
    past = owned(club, PastResult).filter(evening__in=evenings)
    for member_id, evening_id, absence in past.values_list("member", "evening", "absence"):
        states[member_id][evening_id] = absence or THERE
    listed = owned(club, Registration).filter(evening__in=evenings)
    for member_id, evening_id, present, absence in listed.values_list(
        "member", "evening", "present", "absence"
    ):
        state = THERE if present else absence
        if state:
            states[member_id].setdefault(evening_id, state)
    return states


def _last_seen(club: Club) -> dict[int, dt.date]:
    """When each person was last there."""
    over = Q(evening__state__in=[Evening.State.RUNNING, Evening.State.CLOSED])
    seen: dict[int, dt.date] = {}
    for rows in (
        owned(club, Registration).filter(over, present=True),
        owned(club, PastResult).filter(over, absence=""),
    ):
        for member_id, date in rows.order_by().values_list("member").annotate(Max("evening__date")):
            seen[member_id] = max(date, seen.get(member_id, date))
    return seen


@desk_view(READ_MEMBERS)
@require_safe
def season_attendance_page(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Who was there on which evening, how often, and who has not been seen for long."""
    season = find_season(club, season_slug)
    attendance = season_attendance(season)
    context = {
        "club": club,
        "section": "seasons",
        "season": season,
        "attendance": attendance,
        "enough": len(attendance.evenings) >= LONG_AWAY,
    }
    page = list_response(request, lambda: _file(season, attendance))
    return page or render(request, "tournaments/seasons/attendance.html", context)


def _file(season: Season, attendance: Attendance) -> ListFile:
    words = {THERE: "1", "notice": _("signed off"), "none": _("stayed away")}
    headings = {evening.slug: date_format(evening.date, "j-n-Y") for evening in attendance.evenings}
    return ListFile(
        name=_("Attendance %(season)s") % {"season": season.name},
        columns={
            "player": _("Name"),
            "kind": _("Member or guest"),
            **headings,
            "times": _("Evenings"),
            "last": _("Last there"),
        },
        rows=[
            (
                row.member.desk_name,
                row.member.get_kind_display(),
                *(words.get(cell.state, "") for cell in row.cells),
                row.times,
                row.last.isoformat() if row.last else "",
            )
            for row in attendance.rows
        ],
    )
