"""Where one person sits in every round of an evening."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from clubs.models import Member
from clubs.scoping import owned
from tournaments.models import Evening, Placement, Round, Table
from tournaments.views.public.seating import Seated, seat_note, table_url


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody sits in a round. `table` is None for who sits out; `url` is the table's own
    page; where three play `partner` says "a dummy". `note` is that of his `NameLine`."""

    round: Round
    table: Table | None
    url: str
    partner: str
    opponents: Sequence[str]
    note: str


def places_of(evening: Evening, member: Member) -> list[Place]:
    """Where somebody sits in every round whose draw is final, in order; twice in a round where he
    plays at two tables, the seat beside his own last. One query."""
    own = (
        owned(evening.club, Placement)
        .filter(round__evening=evening, member=member)
        .exclude(round__state=Round.State.DRAFT)
    )
    around = Q(pk__in=own) | Q(table__in=own.filter(table__isnull=False).values("table"))
    found = (
        owned(evening.club, Placement)
        .filter(around)
        .select_related("member", "round", "table__sheet")
    )
    placements = list(found.order_by("round__number", "table__number", "pk"))
    seated = Seated(placements)
    places = [_place(evening, one, seated) for one in placements if one.member_id == member.pk]
    return sorted(places, key=lambda place: (place.round.number, place.note != ""))


def current_place(places: Sequence[Place]) -> Place | None:
    """Where he is to be now: in the round that is being played, else in the next one."""
    running = [place for place in places if place.round.state == Round.State.RUNNING]
    waiting = [place for place in places if place.round.state == Round.State.DRAWN]
    return next(iter(running or waiting), None)


def _place(evening: Evening, placement: Placement, seated: Seated) -> Place:
    placement.round.evening = evening
    table = placement.table
    return Place(
        round=placement.round,
        table=table,
        url=table_url(evening.club, placement.round, table) if table else "",
        partner=seated.partner_name(placement),
        opponents=seated.opponent_names(placement),
        note=seat_note(placement, seated),
    )
