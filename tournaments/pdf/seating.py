"""Who sits where in each round, as lists on paper want it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from clubs.models import Member
from scoring.rules import SEATS, THREE, Seat
from tournaments.models import Evening, Placement, Round

Four = dict[Seat, Member]
"""Who sits where at a table; a table of three has nobody West, where the dummy's cards are, and
one of two has North and East."""


@dataclass(frozen=True, slots=True)
class RoundSeating:
    """One round: by table number who sits where now, and who sits out; `extra` is at which table
    somebody plays beside his own."""

    number: int
    tables: dict[int, Four] = field(default_factory=dict)
    out: list[Member] = field(default_factory=list)
    extra: set[tuple[int, Member]] = field(default_factory=set)

    def same_tables(self, other: "RoundSeating") -> bool:
        """Whether every table has the same people in both rounds, in whatever seats."""
        return _people(self.tables) == _people(other.tables)


def evening_seating(evening: Evening) -> list[RoundSeating]:
    """The rounds whose draw is final, in order. Two queries.

    Where a substitute took over, the seat is his; who left is no longer listed.
    """
    final = evening.rounds.exclude(state=Round.State.DRAFT).order_by("number")
    rounds = {number: RoundSeating(number) for number in final.values_list("number", flat=True)}
    placements = (
        Placement.objects.filter(round__evening=evening, round__number__in=rounds)
        .select_related("member", "table", "round")
        .order_by("round__number", "table__number", "substitute", "pk")
    )
    for placement in placements:
        _place(rounds[placement.round.number], placement)
    return list(rounds.values())


def is_four(four: Four) -> bool:
    """Whether every seat of a table has somebody."""
    return len(four) == len(SEATS)


def is_three(four: Four) -> bool:
    """Whether three people sit at a table, with the dummy."""
    return len(four) == len(THREE)


def block_of(rounds: Sequence[RoundSeating], number: int) -> list[RoundSeating]:
    """Round `number` with its neighbours in which the tables stay together; mostly one round."""
    at = next(index for index, one in enumerate(rounds) if one.number == number)
    start = end = at
    while start > 0 and rounds[start - 1].same_tables(rounds[at]):
        start -= 1
    while end + 1 < len(rounds) and rounds[end + 1].same_tables(rounds[at]):
        end += 1
    return list(rounds[start : end + 1])


def _place(seating: RoundSeating, placement: Placement) -> None:
    if placement.table is None:
        seating.out.append(placement.member)
    else:
        number = placement.table.number
        four = seating.tables.setdefault(number, {})
        if placement.substitute and placement.seat not in four:
            seating.extra.add((number, placement.member))
        four[placement.seat] = placement.member  # type: ignore[index]


def _people(tables: Mapping[int, Four]) -> dict[int, frozenset[int]]:
    return {number: frozenset(who.pk for who in four.values()) for number, four in tables.items()}
