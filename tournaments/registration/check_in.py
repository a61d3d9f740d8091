"""The list on which the organiser ticks who is here."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from clubs.models import Member
from clubs.text.names import name_key
from scoring.models import Seat, full_sheets
from tournaments.models import Evening, Registration, Round
from tournaments.seating.upcoming import upcoming_rounds


@dataclass(frozen=True, slots=True)
class PresentRow:
    """Somebody who may play tonight; `absence` is notice, none or empty. `has_paid` tells about
    the stake."""

    member: Member
    present: bool
    absence: str
    has_paid: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    """Somebody whose seat is empty, and where that is."""

    member: Member
    round_number: int
    table_number: int


def present_rows(evening: Evening) -> list[PresentRow]:
    """Every active member and whoever else is on this evening's list, by surname."""
    registrations = {one.member_id: one for one in evening.registrations.all()}
    people = Member.objects.of(evening.club).filter(Q(is_active=True) | Q(pk__in=registrations))
    return [_row(member, registrations.get(member.pk)) for member in people.by_surname()]


def present_before(evening: Evening) -> list[Member]:
    """Who was here on the last evening that was played before this one; nobody without one."""
    earlier = (
        Evening.objects.of(evening.club)
        .filter(date__lte=evening.date, is_history=False)
        .filter(state__in=[Evening.State.RUNNING, Evening.State.CLOSED])
        .exclude(pk=evening.pk)
        .filter(registrations__present=True)
        .first()
    )
    if earlier is None:
        return []
    here = earlier.registrations.filter(present=True).values("member")
    return list(Member.objects.active().filter(pk__in=here).by_surname())


def drawn_without(evening: Evening) -> tuple[list[Member], list[Member]]:
    """Who is here but not in the draw that has not started, and who is in it but not here."""
    first = next(iter(upcoming_rounds(evening).values()), None)
    if first is None:
        return [], []
    in_draw = {int(who) for who in first.people}
    here = set(evening.registrations.filter(present=True).values_list("member", flat=True))
    return _people(here - in_draw), _people(in_draw - here)


def gone_while_playing(evening: Evening) -> list[Missing]:
    """Who has a seat in a round that is being played, at a table that is not ready, and is no
    longer here; in order of round and table. Two queries."""
    seats = Seat.objects.filter(
        sheet__table__round__evening=evening, sheet__table__round__state=Round.State.RUNNING
    ).exclude(full_sheets("sheet__"))
    rows = seats.select_related("member", "sheet__table__round").order_by("from_deal")
    holders = {(one.sheet_id, one.seat): one for one in rows}
    here = set(evening.registrations.filter(present=True).values_list("member_id", flat=True))
    missing = [
        Missing(one.member, one.sheet.table.round.number, one.sheet.table.number)
        for one in holders.values()
        if one.member and one.member_id not in here
    ]
    return sorted(missing, key=lambda one: (one.round_number, one.table_number))


def member_called(evening: Evening, name: str) -> Member | None:
    """The active member or guest of the club who has this name, however it is spelt."""
    return Member.objects.of(evening.club).active().filter(name_key=name_key(name)).first()


def _people(ids: Iterable[int]) -> list[Member]:
    return list(Member.objects.filter(pk__in=ids).by_surname()) if ids else []


def _row(member: Member, registration: Registration | None) -> PresentRow:
    if registration is None:
        return PresentRow(member, present=False, absence="")
    has_paid = registration.paid is not None
    return PresentRow(member, registration.present, registration.absence, has_paid)
