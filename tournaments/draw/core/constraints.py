"""Agreements about seating: fixed couples, couples kept apart, and fixed seats."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from tournaments.draw.core.models import TABLE_SIZE, Couple, Player, RoundDraw, TableDraw, ordered


class Constraints:
    """Finds violations at a table; `first_tables` are the tables of people with a fixed seat."""

    def __init__(
        self, fixed: Sequence[Couple], apart: Sequence[Couple], first_tables: Mapping[Player, int]
    ) -> None:
        self._mates = {
            player: other for couple in fixed for player, other in (couple, couple[::-1])
        }
        self._apart: dict[Player, set[Player]] = {}
        for couple in apart:
            for player, other in (couple, couple[::-1]):
                self._apart.setdefault(player, set()).add(other)
        self._first_tables = first_tables
        self._concerned = self._mates.keys() | self._apart.keys() | first_tables.keys()

    def count_faults(self, table: TableDraw, out: Collection[Player]) -> int:
        """The number of violations at this table, one for each code of each player.

        A fixed couple at a table of three, which has no partners, counts as one.
        """
        concerned = self._concerned.intersection(table.seats.values())
        faults = sum(sum(1 for _ in self.faults(player, table, out)) for player in concerned)
        if len(table.seats) < TABLE_SIZE:
            faults += sum(self._mates.get(player) in concerned for player in concerned) // 2
        return faults

    def faults(self, player: Player, table: TableDraw, out: Collection[Player]) -> Iterator[str]:
        """The violations for this player at this table while `out` sit out.

        `apart`: someone they must not meet is at the table; `fixed`: their fixed partner plays but
        is not their partner (at a table of three: is not at the table); `stays`: it is not their
        fixed table.
        """
        seats = table.seats.values()
        if player in self._apart and not self._apart[player].isdisjoint(seats):
            yield "apart"
        mate = self._mates.get(player)
        if mate is not None and mate not in out:
            beside = (
                mate in seats
                if len(seats) < TABLE_SIZE
                else ordered(player, mate) in table.partners()
            )
            if not beside:
                yield "fixed"
        if self._first_tables.get(player, table.number) != table.number:
            yield "stays"


def first_tables(stays: Collection[Player], rounds: Iterable[RoundDraw]) -> dict[Player, int]:
    """The table where each of these players first sits; those who never play are left out."""
    table_of: dict[Player, int] = {}
    for drawn in rounds:
        for table in drawn.tables:
            for player in table.seats.values():
                if player in stays:
                    table_of.setdefault(player, table.number)
    return table_of
