"""The input and output of a draw."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

Player = str
Couple = tuple[Player, Player]
Seat = Literal["N", "E", "S", "W"]
Method = Literal["rotation", "lottery", "balanced", "ranked", "pairs"]
"""How a draw is made.

- `rotation` keeps tables together for blocks of three rounds counted from the first; each player
  has each of the other three as partner once;
- `lottery` draws each round at random;
- `balanced` repeats as few partners and meetings as possible, this evening first, then over the
  season;
- `ranked` puts the first four players at table 1, first and fourth as partners;
- `pairs` keeps fixed pairs together; a movement says how they meet. Without one even pairs stay,
  and odd pairs move up a table.
"""
Leftover = Literal["sit_out", "three_handed", "three_handed_rest"]
Movement = Literal["even_stay", "howell", "by_program", "lot", "by_standing"]
"""How fixed pairs meet."""

TABLE_SIZE = 4
BLOCK_LENGTH = 3
"""The rounds of a rotation in which a table keeps its four players."""


@dataclass(frozen=True)
class PastEvening:
    """An earlier evening of the season, for fairness over the season.

    An empty `attended` means everyone named in the other fields. A couple that met twice is
    listed twice, and so is a player who sat out twice.
    """

    attended: tuple[Player, ...] = ()
    sat_out: tuple[Player, ...] = ()
    partners: tuple[Couple, ...] = ()
    opponents: tuple[Couple, ...] = ()
    three_handed: tuple[Player, ...] = ()

    def people(self) -> frozenset[Player]:
        """Everyone who attended."""
        if self.attended:
            return frozenset(self.attended)
        couples = {player for couple in (*self.partners, *self.opponents) for player in couple}
        return frozenset(couples.union(self.sat_out, self.three_handed))


@dataclass(frozen=True)
class TableDraw:
    """One table in one round: its number, from 1, and its seats.

    A table of three has no `W`, and no partners.
    """

    number: int
    seats: Mapping[Seat, Player]

    def people(self) -> frozenset[Player]:
        """The players at this table."""
        return frozenset(self.seats.values())

    def partners(self) -> tuple[Couple, ...]:
        """The two couples, each sorted by name."""
        if len(self.seats) < 4:
            return ()
        return (
            ordered(self.seats["N"], self.seats["S"]),
            ordered(self.seats["E"], self.seats["W"]),
        )


@dataclass(frozen=True)
class RoundDraw:
    """One round: its tables by number, and the players who sit out.

    Of a round that was played, `substitutes` are those who took over a seat in it.
    """

    tables: tuple[TableDraw, ...]
    sit_out: tuple[Player, ...]
    substitutes: tuple[Player, ...] = ()


def shifted(rounds: Iterable[RoundDraw], by: int) -> tuple[RoundDraw, ...]:
    """The rounds with every table so many numbers higher."""
    return tuple(
        replace(
            drawn,
            tables=tuple(TableDraw(table.number + by, table.seats) for table in drawn.tables),
        )
        for drawn in rounds
    )


@dataclass(frozen=True)
class Draw:
    """The drawn rounds, with what is needed to judge and repeat them.

    `partner_repeats` and `meeting_repeats` count how often two people are partners, or share a
    table, beyond the first time, over the rounds already played and these; a block of a rotation
    counts as one meeting. `steps` is the number of exchanges tried, 0 if nothing was searched.
    A draw typed in by hand is a `lottery`. `movement` is how fixed pairs meet: never `by_program`,
    but what that chose. `team_meetings` counts the tables of these rounds with teammates at them
    who are no fixed pair, None without teams.
    """

    rounds: tuple[RoundDraw, ...]
    partner_repeats: int
    meeting_repeats: int
    seed: int
    method: Method = "lottery"
    steps: int = 0
    movement: Movement | None = None
    team_meetings: int | None = None


def ordered(player: Player, other: Player) -> Couple:
    """The couple sorted by name, so that couples can be compared."""
    return (player, other) if player <= other else (other, player)


class Sizes(NamedTuple):
    """The number of tables of four, tables of three, and players who sit out."""

    fours: int
    threes: int
    out: int


def sizes(people: int, leftover: Leftover) -> Sizes:
    """How this many people are divided, with as few tables of three as possible.

    Every number from 4 up except 5 is a sum of fours and threes. With `three_handed_rest` three
    people who are left over make a table, and one or two sit out.

    >>> sizes(14, "sit_out"), sizes(14, "three_handed")
    (Sizes(fours=3, threes=0, out=2), Sizes(fours=2, threes=2, out=0))
    >>> sizes(15, "three_handed_rest"), sizes(13, "three_handed_rest")
    (Sizes(fours=3, threes=1, out=0), Sizes(fours=3, threes=0, out=1))
    """
    rest = people % TABLE_SIZE
    if leftover == "sit_out" or (leftover == "three_handed_rest" and rest != TABLE_SIZE - 1):
        return Sizes(people // TABLE_SIZE, 0, rest)
    threes = -rest % TABLE_SIZE
    return Sizes((people - 3 * threes) // TABLE_SIZE, threes, 0)
