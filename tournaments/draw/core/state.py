"""One round, or the rounds of one block, as people in places that they can exchange."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tournaments.draw.core.models import TABLE_SIZE, Couple, Player, RoundDraw, Seat, TableDraw

Seats = tuple[Seat, ...]
Group = tuple[Player, ...]

FOUR: tuple[Seats, ...] = (("N", "E", "S", "W"), ("N", "S", "E", "W"), ("N", "E", "W", "S"))
"""Where the four of a new table sit in the rounds of a block: each is partner of each once."""

THREE: Seats = ("N", "E", "S")
OPPOSITE: Mapping[Seat, Seat] = {"N": "S", "S": "N", "E": "W", "W": "E"}


@dataclass(frozen=True)
class SeatedTable:
    """A table: its people, and for each round the seats they have in it, in the same order."""

    people: Group
    seats: tuple[Seats, ...]

    def are_partners(self, player: Player, other: Player) -> bool:
        """Whether these two are partners in all of the rounds."""
        mine, yours = self.people.index(player), self.people.index(other)
        return all(OPPOSITE[seats[mine]] == seats[yours] for seats in self.seats)

    def drawn(self, number: int) -> Iterator[TableDraw]:
        """The table under that number in each of the rounds."""
        for seats in self.seats:
            at = dict(zip(seats, self.people, strict=True))
            yield TableDraw(number, {seat: at[seat] for seat in FOUR[0] if seat in at})


@dataclass(frozen=True)
class DrawState:
    """The tables by number and who sits out, alike in all of `length` rounds.

    `mates` are the others of fixed couples, who are partners in all rounds at a table of four.
    """

    tables: Mapping[int, SeatedTable]
    out: Group
    length: int
    mates: Mapping[Player, Player]

    @classmethod
    def of(cls, rounds: Sequence[RoundDraw], mates: Mapping[Player, Player]) -> "DrawState":
        """The hall of rounds in which each table has the same people."""
        tables = {
            same[0].number: _places(same)
            for same in zip(*(drawn.tables for drawn in rounds), strict=True)
        }
        return cls(tables, rounds[0].sit_out, len(rounds), mates)

    @cached_property
    def table_of(self) -> Mapping[Player, int]:
        """The number of the table of everybody who plays."""
        return {player: number for number, table in self.tables.items() for player in table.people}

    def of_size(self, size: int) -> list[int]:
        """The numbers of the tables with so many people."""
        return [number for number, table in self.tables.items() if len(table.people) == size]

    def couples_at(self, number: int) -> list[Couple]:
        """The fixed couples of whom both are at this table."""
        people = self.tables[number].people
        pairs = [(player, self.mates[player]) for player in people if player in self.mates]
        return [(player, other) for player, other in pairs if player < other and other in people]

    def seat(self, changes: Mapping[int, Group], out: Iterable[Player]) -> "DrawState":
        """With these people at these tables, those of no people taken away, and those out.

        The people are in the order of the table's own places, or else of N, E, S and W.
        """
        tables = {**self.tables}
        for number, people in changes.items():
            if people:
                tables[number] = self._seated(people, tables.get(number))
            else:
                del tables[number]
        return replace(self, tables=tables, out=tuple(out))

    def exchanged(self, player: Player, other: Player) -> "DrawState":
        """With these two in each other's place."""
        swap = {player: other, other: player}
        numbers = {self.table_of[person] for person in swap if person in self.table_of}
        changes = {
            number: tuple(swap.get(person, person) for person in self.tables[number].people)
            for number in numbers
        }
        return self.seat(changes, [swap.get(person, person) for person in self.out])

    def rounds(self) -> tuple[RoundDraw, ...]:
        """The rounds as they are drawn."""
        tables = [tuple(table.drawn(number)) for number, table in sorted(self.tables.items())]
        out = tuple(sorted(self.out))
        return tuple(
            RoundDraw(tuple(table[place] for table in tables), out) for place in range(self.length)
        )

    def _seated(self, people: Group, old: SeatedTable | None) -> SeatedTable:
        """These people, in the seats of old where that can be, fixed couples as partners."""
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
    """The rounds that change as one: up to `block` in which all tables have the same people."""
    start = 0
    for end in range(1, len(rounds) + 1):
        same = end < len(rounds) and _people(rounds[end]) == _people(rounds[start])
        if not same or end - start == block:
            yield rounds[start:end]
            start = end


def rounds_begun_in_block(
    before: Sequence[RoundDraw], unit: Sequence[RoundDraw], block: int
) -> int:
    """How many of the last rounds before are of the same block: some table goes on in the unit."""
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
    """The table in the rounds of a block; its people in order of seat in the first of them."""
    seats = [{player: seat for seat, player in table.seats.items()} for table in tables]
    people = tuple(tables[0].seats[seat] for seat in FOUR[0] if seat in tables[0].seats)
    return SeatedTable(people, tuple(tuple(of[player] for player in people) for of in seats))
