"""The verifier's third part: whether those who cannot change tables stay where they are."""

from collections.abc import Collection, Iterator, Sequence

from tournaments.draw.models import Couple, Player, RoundDraw


def stay_faults(
    rounds: Sequence[RoundDraw],
    played: Sequence[RoundDraw],
    stays: Collection[Player],
    fixed: Sequence[Couple],
) -> Iterator[str]:
    """Who is at another table than where he first sat; those of a fixed couple are one."""
    first_of = {who: min(couple) for couple in fixed for who in couple}
    names = {who: first_of.get(who, who) for who in stays}
    tables = {table.number for table in rounds[0].tables} if rounds else set()
    sat: dict[str, int] = {}
    for player, number in _seatings(played, names.keys()):
        sat.setdefault(names[player], number)
    table_of: dict[str, int] = {}
    for name in sorted(sat):
        if sat[name] in tables.difference(table_of.values()):
            table_of[name] = sat[name]
    for player, number in _seatings(rounds, names.keys()):
        kept = table_of.setdefault(names[player], number)
        if kept != number:
            yield f"{player} keeps table {kept} and sits at table {number}"


def staying_apart(stays: Collection[Player], fixed: Sequence[Couple]) -> list[Couple]:
    """Every two of those who stay but fixed couples: each of them needs another table."""
    couples = {frozenset(couple) for couple in fixed}
    people = sorted(stays)
    return [
        (one, other)
        for place, one in enumerate(people)
        for other in people[place + 1 :]
        if frozenset((one, other)) not in couples
    ]


def _seatings(
    rounds: Sequence[RoundDraw], people: Collection[Player]
) -> Iterator[tuple[Player, int]]:
    for drawn in rounds:
        for table in drawn.tables:
            yield from ((who, table.number) for who in table.seats.values() if who in people)
