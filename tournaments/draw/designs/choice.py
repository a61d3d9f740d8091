"""Which schedule is the best for so many players and rounds."""

from functools import cache
from itertools import islice

from tournaments.draw.designs.models import Round, Schedule
from tournaments.draw.designs.products import has_transversals, product, three_times, without_last
from tournaments.draw.designs.resolvable import four_layers, three_layers
from tournaments.draw.designs.starters import developed, thirty_two
from tournaments.draw.designs.steps import around, steps
from tournaments.draw.designs.whist import whist


def design_rounds(players: int, rounds: int) -> list[Round] | None:
    """So many rounds for players 0 … players − 1, or None when no schedule here is that long.

    In each round there are players // 4 tables; who is at none of them sits out. Nobody is
    partner of the same person twice. Up to `rounds_without_reunion` nobody shares a table with
    the same person twice either, and nobody sits out twice. After that:

    - players divisible by four who have all met (or all but a trio or a couple each): the same
      tables again with other partners, up to three times over; where all have met, no schedule
      has fewer repeated meetings;
    - a whist tournament, in which two people meet three times when it is played to the end; of
      4n + 1 players each sits out once.
    """
    if players < 4:
        return None
    schedule = _longest(players)
    if rounds > schedule.rounds:
        longer = _beyond(players, schedule)
        if longer is None or rounds > longer.rounds:
            return None
        schedule = longer
    return list(islice(schedule.make(), max(rounds, 0)))


def rounds_without_reunion(players: int) -> int:
    """In how many rounds of `design_rounds` nobody meets twice; 0 for fewer than four players."""
    return _longest(players).rounds if players >= 4 else 0


def _beyond(players: int, schedule: Schedule) -> Schedule | None:
    complete = schedule.rounds == (players - 1) // 3
    return three_times(schedule) if complete and players % 4 == 0 else whist(players)


@cache
def _longest(players: int) -> Schedule:
    """The longest known schedule in which nobody meets twice."""
    if players % 4 == 3:
        return without_last(_longest(players + 1), players)
    known = [
        schedule
        for find in (three_layers, four_layers, developed, thirty_two, around)
        if (schedule := find(players))
    ]
    return max([steps(players), *known, *_products(players)], key=lambda one: one.rounds)


def _products(players: int) -> list[Schedule]:
    sizes = [players // groups for groups in range(4, players, 4) if players % groups == 0]
    return [
        product(
            outer=_longest(players // size),
            groups=players // size,
            inner=_longest(size) if size % 4 == 0 else None,
            size=size,
        )
        for size in sizes
        if has_transversals(size)
    ]
