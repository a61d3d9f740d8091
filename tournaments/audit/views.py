"""The trail for the director: of a table, of a deal, and about or by a person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_list_or_404, get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access.permissions import MANAGE_MEMBERS, SEE_TRAIL, desk_view, may, owned
from clubs.audit.trail import TrailPage, TrailPlace, trail_page
from clubs.models import AuditEvent, Club, Member
from clubs.text.numbers import whole_number
from scoring.display.history import revisions
from tournaments.evenings.pages import evening_url, find_evening, show_evening
from tournaments.models import Evening, Table
from tournaments.scoresheets.data import (
    CHANGED,
    deal_events,
    member_events,
    member_table_events,
    sheet_events,
    table_events,
    user_of,
)
from tournaments.scoresheets.views.desk import TablePlace, find_table


@dataclass(frozen=True, slots=True)
class TrailFilter:
    """A link that filters the trail; `current` if it is the filter in use."""

    label: str
    url: str
    current: bool


@desk_view(SEE_TRAIL)
@require_safe
def table_trail(request: HttpRequest, club: Club, evening_slug: str, number: int) -> HttpResponse:
    """What happened at a table this evening; `?round=` on one sheet, `?only=changes` without what
    was simply written."""
    evening = find_evening(club, evening_slug)
    tables = _tables(evening, number)
    round_number = whole_number(request.GET.get("round", ""))
    of_round = [table for table in tables if table.round.number == round_number]
    events = sheet_events(of_round) if of_round else table_events(evening, number, tables)
    only_changes = request.GET.get("only") == "changes"
    return show_evening(
        request,
        "audit/table_trail.html",
        evening,
        number=number,
        trail=_at_this_table(
            trail_page(events.filter(CHANGED) if only_changes else events, request.GET.get("page")),
            _round_places(evening, number, tables),
        ),
        rounds=_rounds(evening, number, tables, round_number),
        narrower=_narrower(request, only_changes),
        of_round=bool(of_round),
        people=_people(of_round or tables),
    )


@desk_view(SEE_TRAIL)
@require_safe
def deal_trail(
    request: HttpRequest, club: Club, deal_number: int, **place: Unpack[TablePlace]
) -> HttpResponse:
    """Everything about one deal: each thing that was written of it, and all else that happened."""
    desk = find_table(club, **place)
    deal = desk.view.deal(deal_number)
    if deal is None:
        raise Http404
    events = deal_events(desk.table.sheet, deal_number)
    return show_evening(
        request,
        "audit/deal_trail.html",
        desk.evening,
        desk=desk,
        deal=deal,
        history=revisions(deal, desk.view),
        restore_url="" if desk.view.handed_in else desk.url_of("deal_restore", deal_number),
        cards_url=desk.url_of("table_cards", deal_number),
        trail=trail_page(events, request.GET.get("page")),
    )


@desk_view(SEE_TRAIL)
@require_safe
def member_trail(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """What was done about somebody; `?show=tables` what was changed on the sheets of their tables,
    `?show=by` what they did themselves, if they have a login."""
    member = get_object_or_404(club.members.select_related("club"), pk=pk)
    member.club = club
    events = _events_of(member)
    requested = request.GET.get("show", "")
    shown = requested if requested in events else "about"
    labels = {
        "about": _("About this person"),
        "tables": _("Changed on sheets of this person"),
        "by": _("Done by this person"),
    }
    context = {
        "club": club,
        "section": "members" if may(request, MANAGE_MEMBERS, club) else "evenings",
        "member": member,
        "choices": [TrailFilter(labels[key], f"?show={key}", key == shown) for key in events],
        "trail": trail_page(events[shown], request.GET.get("page")),
    }
    return render(request, "tournaments/audit/member_trail.html", context)


def _events_of(member: Member) -> dict[str, QuerySet[AuditEvent]]:
    """Somebody's events, by the value of `?show=`."""
    events = {"about": member_events(member), "tables": member_table_events(member)}
    user = user_of(member)
    if user is not None:
        events["by"] = AuditEvent.objects.filter(club=member.club, actor=f"user:{user.uuid}")
    return events


def _tables(evening: Evening, number: int) -> list[Table]:
    """The tables with this number, round by round; Http404 when there is none."""
    tables = owned(evening.club, Table).filter(round__evening=evening, number=number)
    full = tables.select_related("round", "sheet").prefetch_related("sheet__seats__member")
    return get_list_or_404(full.order_by("round__number"))


def _rounds(
    evening: Evening, number: int, tables: Sequence[Table], current: int
) -> list[TrailFilter]:
    """A filter for all rounds and one for each; none if there is only one round."""
    if len(tables) == 1:
        return []
    url = evening_url("table_trail", evening, number)
    numbers = [table.round.number for table in tables]
    return [
        TrailFilter(_("The whole evening"), url, current not in numbers),
        *(
            TrailFilter(
                _("Round %(n)s") % {"n": round_}, f"{url}?round={round_}", round_ == current
            )
            for round_ in numbers
        ),
    ]


def _round_places(evening: Evening, number: int, tables: Sequence[Table]) -> dict[str, str]:
    """The names of the rounds by address; none if there is only one round."""
    url = evening_url("table_trail", evening, number)
    if len(tables) == 1:
        return {}
    numbers = [table.round.number for table in tables]
    return {f"{url}?round={round_}": _("round %(n)s") % {"n": round_} for round_ in numbers}


def _at_this_table(trail: TrailPage, places: Mapping[str, str]) -> TrailPage:
    """The page with only the round as place: its heading names the evening and the table."""
    lines = [
        replace(line, where=TrailPlace(places[line.where.url], line.where.url))
        if line.where.url in places
        else replace(line, where=TrailPlace(""))
        for line in trail.lines
    ]
    return replace(trail, lines=lines)


def _narrower(request: HttpRequest, only_changes: bool) -> TrailFilter:
    """The link to leave out what was simply written, or to show it again."""
    query = {"round": request.GET["round"]} if "round" in request.GET else {}
    if only_changes:
        return TrailFilter(_("Show everything"), f"?{urlencode(query)}", current=False)
    only = urlencode({**query, "only": "changes"})
    return TrailFilter(_("Show only what was changed"), f"?{only}", current=False)


def _people(tables: Sequence[Table]) -> list[Member]:
    """The people who sat there, by name."""
    sat = {
        seat.member.pk: seat.member
        for table in tables
        for seat in table.sheet.seats.all()
        if seat.member
    }
    return sorted(sat.values(), key=lambda member: member.sort_name)
