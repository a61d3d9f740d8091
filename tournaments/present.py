"""The list on which the organiser ticks who is here."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from clubs.models import Member
from clubs.names import name_key
from scoring.models import full_sheets
from tournaments.models import Evening, Placement, Registration, Round
from tournaments.to_come import rounds_to_come


@dataclass(frozen=True, slots=True)
class PresentRow:
    """Somebody who may play tonight; `absence` is notice, none or empty."""

    member: Member
    present: bool
    absence: str


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
    first = next(iter(rounds_to_come(evening).values()), None)
    if first is None:
        return [], []
    in_draw = {int(who) for who in first.people}
    here = set(evening.registrations.filter(present=True).values_list("member", flat=True))
    return _people(here - in_draw), _people(in_draw - here)


def gone_while_playing(evening: Evening) -> list[Placement]:
    """Where somebody is missing: the seats, in rounds that are being played, of those who are no
    longer here. With member, table and round; in order of round and table."""
    placed = Placement.objects.filter(
        round__evening=evening, round__state=Round.State.RUNNING, table__isnull=False
    )
    rows = placed.exclude(full_sheets("table__sheet__")).select_related("member", "table", "round")
    holders = {(one.table_id, one.seat): one for one in rows.order_by("pk")}
    here = set(evening.registrations.filter(present=True).values_list("member_id", flat=True))
    gone = [one for one in holders.values() if one.member_id not in here]
    return sorted(gone, key=lambda one: (one.round.number, one.table.number if one.table else 0))


def member_called(evening: Evening, name: str) -> Member | None:
    """The active member or guest of the club who has this name, however it is spelt."""
    return Member.objects.of(evening.club).active().filter(name_key=name_key(name)).first()


def _people(ids: Iterable[int]) -> list[Member]:
    return list(Member.objects.filter(pk__in=ids).by_surname()) if ids else []


def _row(member: Member, registration: Registration | None) -> PresentRow:
    if registration is None:
        return PresentRow(member, present=False, absence="")
    return PresentRow(member, registration.present, registration.absence)
