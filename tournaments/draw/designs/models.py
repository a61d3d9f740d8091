"""What a schedule is made of."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

Table = tuple[int, int, int, int]
"""The players who sit N, E, S, W: the first and third are partners, the second and fourth."""

Round = list[Table]


@dataclass(frozen=True)
class Schedule:
    """So many `rounds`, made one by one in the order in which they are played.

    `make` starts anew each time. Knowing how many rounds there are takes no making.
    """

    rounds: int
    make: Callable[[], Iterator[Round]]


def as_table(players: Iterable[int]) -> Table:
    """The four players of one table, in this order; raises `ValueError` when they are not four."""
    north, east, south, west = players
    return north, east, south, west


def renamed(tables: Iterable[Table], names: Mapping[int, int] | list[int]) -> Round:
    """The tables with each player's number looked up in `names`."""
    return [as_table(names[player] for player in table) for table in tables]
