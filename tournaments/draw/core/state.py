"""A round, or the rounds of a block, as an immutable state in which people can be exchanged."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tournaments.draw.core.models import TABLE_SIZE, Couple, Player, RoundDraw, Seat, TableDraw

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
