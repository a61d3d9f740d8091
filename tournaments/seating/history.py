"""Earlier seatings as the draw needs them; people by id."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import cast

from django.db.models import QuerySet

from tournaments.draw.core import PastEvening, RoundDraw, Seat, TableDraw
from tournaments.draw.core.models import Player, ordered
from tournaments.models import Evening, Placement
from tournaments.standings.scores import STARTED

Rounds = Mapping[int, RoundDraw]
"""Rounds by number, in order."""


def rounds_as_drawn(evening: Evening, *, before: int | None = None) -> list[RoundDraw]:
    """The evening's rounds as drawn, in order; with `before` only those with a lower number."""
    placed = Placement.objects.filter(round__evening=evening)
    if before is not None:
        placed = placed.filter(round__number__lt=before)
    return [*_drawn(placed).get(evening.pk, {}).values()]


def started_rounds(evenings: Collection[Evening]) -> dict[int, list[RoundDraw]]:
    """By evening id, the started rounds as drawn; evenings without any are left out. One query."""
    placed = Placement.objects.filter(round__evening__in=evenings, round__state__in=STARTED)
    return {evening_id: [*rounds.values()] for evening_id, rounds in _drawn(placed).items()}


def past_evenings(evening: Evening) -> list[PastEvening]:
    """The season's earlier evenings as the draw sees them, oldest first. One query.

    Evenings outside any season count together as one.
    """
    earlier = Evening.objects.filter(
        club=evening.club, season=evening.season, state=Evening.State.CLOSED, is_history=False
    ).filter(date__lte=evening.date)
    placed = Placement.objects.filter(round__evening__in=earlier.exclude(pk=evening.pk))
    return [past_evening([*rounds.values()]) for rounds in _drawn(placed).values()]


def past_evening(rounds: Sequence[RoundDraw]) -> PastEvening:
    """A played evening as the draw of a later one sees it."""
    tables = [table for drawn in rounds for table in drawn.tables]
    out = [player for drawn in rounds for player in drawn.sit_out]
    return PastEvening(
        attended=tuple(sorted({*out, *(player for table in tables for player in table.people())})),
        sat_out=tuple(out),
        partners=tuple(couple for table in tables for couple in table.partners()),
        opponents=tuple(couple for table in tables for couple in _opponents(table)),
        three_handed=tuple(
            player for table in tables if len(table.seats) == 3 for player in table.seats.values()
        ),
    )


def _opponents(table: TableDraw) -> Iterable[tuple[Player, Player]]:
    together = {ordered(*couple) for couple in combinations(table.seats.values(), 2)}
    return sorted(together.difference(table.partners()))


def _drawn(placements: QuerySet[Placement]) -> dict[int, Rounds]:
    """The rounds of each evening, by its id, oldest evening first.

    A seat belongs to the person it was drawn for, whoever took over; an extra seat at another
    table puts its player in the round twice.
    """
    evenings: dict[int, dict[int, tuple[dict[int, dict[Seat, Player]], list[Player]]]] = {}
    rows = placements.order_by(
        "round__evening__date",
        "round__evening__sequence",
        "round__evening",
        "round__number",
        "table__number",
        "substitute",
        "pk",
    )
    for evening_id, number, table, seat, member_id in rows.values_list(
        "round__evening", "round__number", "table__number", "seat", "member_id"
    ):
        tables, out = evenings.setdefault(evening_id, {}).setdefault(number, ({}, []))
        if seat:
            tables.setdefault(table, {}).setdefault(cast("Seat", seat), str(member_id))
        else:
            out.append(str(member_id))
    return {
        evening_id: {
            number: RoundDraw(
                tables=tuple(TableDraw(at, seats) for at, seats in tables.items()),
                sit_out=tuple(out),
            )
            for number, (tables, out) in rounds.items()
        }
        for evening_id, rounds in evenings.items()
    }
