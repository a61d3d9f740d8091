"""One round, or the rounds of one block, as people in places that they can exchange."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments.draw.models import Player, RoundDraw, Seat, TableDraw
from tournaments.draw.sizes import TABLE_SIZE

Seats = tuple[Seat, ...]
Group = tuple[Player, ...]

FOUR: tuple[Seats, ...] = (("N", "E", "S", "W"), ("N", "S", "E", "W"), ("N", "E", "W", "S"))
"""Where the four of a new table sit in the rounds of a block: each is partner of each once."""

THREE: Seats = ("N", "E", "S")


@dataclass(frozen=True)
class Places:
    """A table: its people, and for each round the seats they have in it, in the same order."""

    people: Group
    seats: tuple[Seats, ...]

    @classmethod
    def new(cls, people: Sequence[Player], rounds: int) -> "Places":
        """A table of three or four, seated in the order given in the first round."""
        pattern = FOUR if len(people) == TABLE_SIZE else (THREE,) * len(FOUR)
        return cls(tuple(people), pattern[:rounds])


@dataclass(frozen=True)
class Hall:
    """The tables by number and who sits out, alike in all of `length` rounds."""

    tables: Mapping[int, Places]
    out: Group
    length: int

    @classmethod
    def of(cls, rounds: Sequence[RoundDraw]) -> "Hall":
        """The hall of rounds in which each table has the same people."""
        tables = {
            same[0].number: _places(same)
            for same in zip(*(drawn.tables for drawn in rounds), strict=True)
        }
        return cls(tables, rounds[0].sit_out, len(rounds))

    def table_of(self, player: Player) -> int | None:
        """The number of his table; None when he sits out."""
        return next((n for n, table in self.tables.items() if player in table.people), None)

    def seat(self, changes: Mapping[int, Sequence[Player]], out: Sequence[Player]) -> "Hall":
        """With these people, in order of seat, at these tables, and those out.

        Where a table keeps its size its seats stay; one of nobody is taken away.
        """
        tables = {**self.tables}
        for number, people in changes.items():
            old = tables.pop(number, None)
            if people and old and len(old.people) == len(people):
                tables[number] = replace(old, people=tuple(people))
            elif people:
                tables[number] = Places.new(people, self.length)
        return replace(self, tables=tables, out=tuple(out))

    def rounds(self) -> tuple[RoundDraw, ...]:
        """The rounds as they are drawn."""
        return tuple(
            RoundDraw(tuple(self._tables(place)), tuple(sorted(self.out)))
            for place in range(self.length)
        )

    def _tables(self, place: int) -> Iterator[TableDraw]:
        for number, table in sorted(self.tables.items()):
            at = dict(zip(table.seats[place], table.people, strict=True))
            yield TableDraw(number, {seat: at[seat] for seat in ("N", "E", "S", "W") if seat in at})


def units(rounds: Sequence[RoundDraw], together: int) -> Iterator[Sequence[RoundDraw]]:
    """The rounds that change as one: up to `together` in which all tables have the same people."""
    start = 0
    for end in range(1, len(rounds) + 1):
        same = end < len(rounds) and _people(rounds[end]) == _people(rounds[start])
        if not same or end - start == together:
            yield rounds[start:end]
            start = end


def _people(drawn: RoundDraw) -> list[tuple[int, frozenset[Player]]]:
    return [(table.number, table.people()) for table in drawn.tables]


def _places(tables: Sequence[TableDraw]) -> Places:
    """The table in the rounds of a block; its people in order of seat in the first of them."""
    seats = [{who: seat for seat, who in table.seats.items()} for table in tables]
    people = tuple(tables[0].seats[seat] for seat in FOUR[0] if seat in tables[0].seats)
    return Places(people, tuple(tuple(of[who] for who in people) for of in seats))
