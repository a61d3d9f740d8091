"""Check-in: who is here, and how that differs from the draw."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from clubs.models import Member, MemberQuerySet
from clubs.text.errors import DomainError
from clubs.text.names import name_key
from scoring.models import Seat, full_sheets
from tournaments.models import Evening, Placement, Registration, Round, Table
from tournaments.seating.store import upcoming_rounds

MOST_LISTED = 400
"""A page with more people is slow, on the server and on a telephone."""
MOST_FOUND = 50


@dataclass(frozen=True, slots=True)
class CheckInRow:
    """Somebody who may play tonight. `absence` is "notice", "none" or empty; `has_paid` is about
    the entry fee."""

    member: Member
    present: bool
    absence: str
    has_paid: bool = False


@dataclass(frozen=True, slots=True)
class CheckInList:
    """Some of the `total` people who may play tonight. `is_cut` says that more were found than are
    in `rows`."""

    rows: list[CheckInRow]
    total: int
    query: str = ""
    is_cut: bool = False

    @property
    def is_searched(self) -> bool:
        """Whether the club is too large to list everybody, so that people are found by name."""
        return self.total > MOST_LISTED


@dataclass(frozen=True, slots=True)
class EmptySeat:
    """Somebody who left during a round, and the seat they left empty."""

    member: Member
    round_number: int
    table_number: int


def check_in_rows(evening: Evening) -> list[CheckInRow]:
    """Every active member and everybody else on this evening's list, by surname."""
    return _rows(evening, _everybody(evening).by_surname())


def check_in_list(evening: Evening, query: str) -> CheckInList:
    """The same. Of a club of more than `MOST_LISTED` those whom the query finds; without one those
    of whom it is known whether they come."""
    first = list(_everybody(evening).by_surname()[: MOST_LISTED + 1])
    if len(first) <= MOST_LISTED:
        return CheckInList(_rows(evening, first), len(first))
    total, query = _everybody(evening).count(), query.strip()
    if not query:
        people = _everybody(evening).filter(registrations__evening=evening)
        return CheckInList(_rows(evening, people.by_surname()), total)
    people = _everybody(evening).matching(query).by_surname()
    found = _rows(evening, people[: MOST_FOUND + 1])
    return CheckInList(found[:MOST_FOUND], total, query, is_cut=len(found) > MOST_FOUND)


def _everybody(evening: Evening) -> MemberQuerySet:
    on_the_list = Q(pk__in=evening.registrations.values("member"))
    return Member.objects.of(evening.club).filter(Q(is_active=True) | on_the_list)


def _rows(evening: Evening, people: Iterable[Member]) -> list[CheckInRow]:
    registrations = {entry.member_id: entry for entry in evening.registrations.all()}
    return [_row(member, registrations.get(member.pk)) for member in people]


class LikelyHere(NamedTuple):
    """The people to tick as a start: those `of_last_time`, or on a first evening every member."""

    people: list[Member]
    of_last_time: bool


def likely_here(evening: Evening) -> LikelyHere:
    """Who came to the last evening played before this one; where nobody did, every member."""
    earlier = (
        Evening.objects.of(evening.club)
        .filter(date__lte=evening.date, is_history=False)
        .filter(state__in=[Evening.State.RUNNING, Evening.State.CLOSED])
        .exclude(pk=evening.pk)
        .filter(registrations__present=True)
        .first()
    )
    if earlier is None:
        members = Member.objects.of(evening.club).active().filter(kind=Member.Kind.MEMBER)
        return LikelyHere(list(members.by_surname()), of_last_time=False)
    came = _who_came(earlier)
    return LikelyHere(
        list(Member.objects.active().filter(pk__in=came).by_surname()), of_last_time=True
    )


def _who_came(evening: Evening) -> set[int]:
    """Who came to play: also who went home early, and not who only took over a seat."""
    started = Q(round__state__in=[Round.State.RUNNING, Round.State.CLOSED], round__evening=evening)
    out = Placement.objects.filter(started, table=None).values_list("member", flat=True)
    tables = Table.objects.filter(started)
    seats = Seat.objects.filter(sheet__table__in=tables, member__isnull=False)
    held = set(seats.values_list("member", "from_deal"))
    began = {*out, *(member for member, from_deal in held if from_deal == 1)}
    took_over = {member for member, _from_deal in held} - began
    here = evening.registrations.filter(present=True).values_list("member", flat=True)
    return {*here, *began} - took_over


def drawn_without(evening: Evening) -> tuple[list[Member], list[Member]]:
    """The people here but not in the upcoming draw, and those in it but not here."""
    first = next(iter(upcoming_rounds(evening).values()), None)
    if first is None:
        return [], []
    in_draw = {int(player) for player in first.people}
    here = set(evening.registrations.filter(present=True).values_list("member", flat=True))
    return _people(here - in_draw), _people(in_draw - here)


def gone_while_playing(evening: Evening) -> list[EmptySeat]:
    """The people who have a seat at an unfinished table of a running round but are no longer here,
    by round and table. Two queries."""
    seats = Seat.objects.filter(
        sheet__table__round__evening=evening, sheet__table__round__state=Round.State.RUNNING
    ).exclude(full_sheets("sheet__"))
    rows = seats.select_related("member", "sheet__table__round").order_by("from_deal")
    holders = {(seat.sheet_id, seat.seat): seat for seat in rows}
    here = set(evening.registrations.filter(present=True).values_list("member_id", flat=True))
    empty = [
        EmptySeat(seat.member, seat.sheet.table.round.number, seat.sheet.table.number)
        for seat in holders.values()
        if seat.member and seat.member_id not in here
    ]
    return sorted(empty, key=lambda seat: (seat.round_number, seat.table_number))


def member_called(evening: Evening, name: str) -> Member | None:
    """The active member or guest of the club with this name, ignoring case.

    Raises DomainError `name_shared` where several people have it.
    """
    named = list(Member.objects.of(evening.club).active().filter(name_key=name_key(name))[:5])
    if len(named) > 1:
        names = get_text_list([member.desk_name for member in named], _("and"))
        words = _("More than one person has this name: %(names)s. Choose from the list who it is.")
        raise DomainError("name_shared", words % {"names": names})
    return named[0] if named else None


def _people(ids: Iterable[int]) -> list[Member]:
    return list(Member.objects.filter(pk__in=ids).by_surname()) if ids else []


def _row(member: Member, registration: Registration | None) -> CheckInRow:
    if registration is None:
        return CheckInRow(member, present=False, absence="")
    has_paid = registration.paid is not None
    return CheckInRow(member, registration.present, registration.absence, has_paid)
