"""What the draw takes and what it gives back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

Player = str
Couple = tuple[Player, Player]
Seat = Literal["N", "E", "S", "W"]
Method = Literal["rotation", "lottery", "balanced", "ranked", "pairs"]
Leftover = Literal["sit_out", "three_handed"]


@dataclass(frozen=True)
class PastEvening:
    """What an earlier evening of the season says about who is due for what.

    `attended` left empty means everybody named in the entry. A couple that met twice is listed
    twice; who sat out twice likewise.
    """

    attended: tuple[Player, ...] = ()
    sat_out: tuple[Player, ...] = ()
    partners: tuple[Couple, ...] = ()
    opponents: tuple[Couple, ...] = ()
    three_handed: tuple[Player, ...] = ()

    def people(self) -> frozenset[Player]:
        """Everybody who was there."""
        if self.attended:
            return frozenset(self.attended)
        couples = {player for couple in (*self.partners, *self.opponents) for player in couple}
        return frozenset(couples.union(self.sat_out, self.three_handed))


@dataclass(frozen=True)
class TableDraw:
    """One table of one round: its number from 1 and who sits where.

    A table of three has no `W`: its people are table-mates, and nobody is anybody's partner.
    """

    number: int
    seats: Mapping[Seat, Player]

    def people(self) -> frozenset[Player]:
        """The players at this table."""
        return frozenset(self.seats.values())

    def partners(self) -> tuple[Couple, ...]:
        """The two couples, each in order of name, so that a couple is always written alike."""
        if len(self.seats) < 4:
            return ()
        return (
            ordered(self.seats["N"], self.seats["S"]),
            ordered(self.seats["E"], self.seats["W"]),
        )


@dataclass(frozen=True)
class RoundDraw:
    """One round: its tables in order of number, and who sits out."""

    tables: tuple[TableDraw, ...]
    sit_out: tuple[Player, ...]


@dataclass(frozen=True)
class Draw:
    """The rounds that were drawn, and what is needed to judge and repeat them.

    `partner_repeats` and `meeting_repeats` count, over the rounds played before and these, how
    often two people are partners, and share a table, beyond the first time; in a rotation the
    rounds of one block are one meeting. `steps` is how many exchanges the search tried, 0 where
    nothing had to be searched. A draw typed in by hand is a `lottery`.
    """

    rounds: tuple[RoundDraw, ...]
    partner_repeats: int
    meeting_repeats: int
    seed: int
    method: Method = "lottery"
    steps: int = 0


def ordered(player: Player, other: Player) -> Couple:
    """The couple written the one way in which couples are compared."""
    return (player, other) if player <= other else (other, player)


TABLE_SIZE = 4
BLOCK_LENGTH = 3


class Sizes(NamedTuple):
    """The tables of four, the tables of three, and the people who sit out, of one round."""

    fours: int
    threes: int
    out: int


def sizes(people: int, leftover: Leftover) -> Sizes:
    """How so many people are divided; with `three_handed` as few tables of three as possible.

    Every number from 4 up except 5 is a sum of fours and threes.

    >>> sizes(14, "sit_out"), sizes(14, "three_handed")
    (Sizes(fours=3, threes=0, out=2), Sizes(fours=2, threes=2, out=0))
    """
    if leftover == "sit_out":
        return Sizes(people // TABLE_SIZE, 0, people % TABLE_SIZE)
    threes = -people % TABLE_SIZE
    return Sizes((people - 3 * threes) // TABLE_SIZE, threes, 0)
