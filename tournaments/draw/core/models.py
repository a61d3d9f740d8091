"""The input and output of a draw; and a round, or the rounds of a block, as an immutable state in
which people can be exchanged."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
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


Seats = tuple[Seat, ...]
Group = tuple[Player, ...]

FOUR: tuple[Seats, ...] = (("N", "E", "S", "W"), ("N", "S", "E", "W"), ("N", "E", "W", "S"))
"""The seats of a new table of four in the rounds of a block: everyone partners everyone once."""

THREE: Seats = ("N", "E", "S")
OPPOSITE: Mapping[Seat, Seat] = {"N": "S", "S": "N", "E": "W", "W": "E"}


@dataclass(frozen=True)
class SeatedTable:
    """The people at a table and, for each round, their seats in the same order."""

    people: Group
    seats: tuple[Seats, ...]

    def are_partners(self, player: Player, other: Player) -> bool:
        """Whether these two are partners in every round."""
        mine, yours = self.people.index(player), self.people.index(other)
        return all(OPPOSITE[seats[mine]] == seats[yours] for seats in self.seats)

    def drawn(self, number: int) -> Iterator[TableDraw]:
        """The table in each of the rounds, under this number."""
        for seats in self.seats:
            at = dict(zip(seats, self.people, strict=True))
            yield TableDraw(number, {seat: at[seat] for seat in FOUR[0] if seat in at})


@dataclass(frozen=True)
class DrawState:
    """The tables by number and who sits out, the same in all `length` rounds.

    `mates` are fixed partners; at a table of four they are partners in every round.
    """

    tables: Mapping[int, SeatedTable]
    out: Group
    length: int
    mates: Mapping[Player, Player]

    @classmethod
    def of(cls, rounds: Sequence[RoundDraw], mates: Mapping[Player, Player]) -> "DrawState":
        """The state of rounds in which each table keeps its people."""
        tables = {
            same[0].number: _places(same)
            for same in zip(*(drawn.tables for drawn in rounds), strict=True)
        }
        return cls(tables, rounds[0].sit_out, len(rounds), mates)

    @cached_property
    def table_of(self) -> Mapping[Player, int]:
        """The table number of everyone who plays."""
        return {player: number for number, table in self.tables.items() for player in table.people}

    def of_size(self, size: int) -> list[int]:
        """The numbers of the tables of this size."""
        return [number for number, table in self.tables.items() if len(table.people) == size]

    def couples_at(self, number: int) -> list[Couple]:
        """The fixed couples at this table."""
        people = self.tables[number].people
        pairs = [(player, self.mates[player]) for player in people if player in self.mates]
        return [(player, other) for player, other in pairs if player < other and other in people]

    def seat(self, changes: Mapping[int, Group], out: Iterable[Player]) -> "DrawState":
        """The state with these people at these tables (none: remove the table) and these out.

        People are in the order of the table's current seats, or of N, E, S, W.
        """
        tables = {**self.tables}
        for number, people in changes.items():
            if people:
                tables[number] = self._seated(people, tables.get(number))
            else:
                del tables[number]
        return replace(self, tables=tables, out=tuple(out))

    def exchanged(self, player: Player, other: Player) -> "DrawState":
        """The state with these two exchanged."""
        swap = {player: other, other: player}
        numbers = {self.table_of[person] for person in swap if person in self.table_of}
        changes = {
            number: tuple(swap.get(person, person) for person in self.tables[number].people)
            for number in numbers
        }
        return self.seat(changes, [swap.get(person, person) for person in self.out])

    def rounds(self) -> tuple[RoundDraw, ...]:
        """The rounds as drawn."""
        tables = [tuple(table.drawn(number)) for number, table in sorted(self.tables.items())]
        out = tuple(sorted(self.out))
        return tuple(
            RoundDraw(tuple(table[place] for table in tables), out) for place in range(self.length)
        )

    def _seated(self, people: Group, old: SeatedTable | None) -> SeatedTable:
        """A table of these people, in the old seats if possible, fixed couples as partners."""
        pattern = FOUR if len(people) == TABLE_SIZE else (THREE,) * len(FOUR)
        new = SeatedTable(people, pattern[: self.length])
        as_before = (
            SeatedTable(people, old.seats) if old and len(old.people) == len(people) else new
        )
        couple = [player for player in people if self.mates.get(player) in people][:1]
        if len(people) < TABLE_SIZE:
            return as_before
        if not couple:
            return as_before if len({*as_before.seats}) == self.length else new
        couple.append(self.mates[couple[0]])
        if as_before.are_partners(*couple):
            return as_before
        others = [player for player in people if player not in couple]
        return SeatedTable((couple[0], others[0], couple[1], others[1]), (FOUR[0],) * self.length)


def change_units(rounds: Sequence[RoundDraw], block: int) -> Iterator[Sequence[RoundDraw]]:
    """Groups of up to `block` successive rounds in which every table keeps its people."""
    start = 0
    for end in range(1, len(rounds) + 1):
        same = end < len(rounds) and _people(rounds[end]) == _people(rounds[start])
        if not same or end - start == block:
            yield rounds[start:end]
            start = end


def rounds_begun_in_block(
    before: Sequence[RoundDraw], unit: Sequence[RoundDraw], block: int
) -> int:
    """How many of the last rounds before the unit belong to the same block."""
    begun = 0
    most = block - len(unit)
    for drawn in before[: -most - 1 : -1]:
        if not any(table in _people(unit[0]) for table in _people(drawn)):
            break
        begun += 1
    return begun


def _people(drawn: RoundDraw) -> list[tuple[int, frozenset[Player]]]:
    return [(table.number, table.people()) for table in drawn.tables]


def _places(tables: Sequence[TableDraw]) -> SeatedTable:
    """The table over the rounds of a block; people in seat order of the first round."""
    seats = [{player: seat for seat, player in table.seats.items()} for table in tables]
    people = tuple(tables[0].seats[seat] for seat in FOUR[0] if seat in tables[0].seats)
    return SeatedTable(people, tuple(tuple(of[player] for player in people) for of in seats))
