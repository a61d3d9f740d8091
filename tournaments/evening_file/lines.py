"""What a file of deals holds."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from clubs.people import Person
from scoring.rules import THREE, Seat, chairs_of
from tournaments.evening_file.deal import deal_cells
from tournaments.slugs import format_evening_slug


@dataclass(frozen=True, slots=True)
class DealLine:
    """One deal of an evening: where it was played, by whom, and what was written of it, in the
    shape of the contract's sheet line. `players` are where they sat in this deal: of three people
    whoever plays has nobody opposite him."""

    round: int
    table: int
    deal: int
    players: Mapping[Seat, Person]
    written: Mapping[str, object]

    @property
    def place(self) -> tuple[int, int, int]:
        """Table, round and number of the deal: the order of lines in a file."""
        return self.table, self.round, self.deal

    @property
    def holders(self) -> Mapping[Seat, Person]:
        """Who has which seat on the sheet, which three people keep while they change chairs."""
        if len(self.players) != len(THREE):
            return self.players
        chairs = chairs_of(self.written["declarer"])  # type: ignore[arg-type]
        return {seat: self.players[chair] for seat, chair in chairs.items()}

    def says_the_same(self, other: "DealLine") -> bool:
        """Whether both would make the same line of a file."""
        return (self.place, self.players) == (other.place, other.players) and deal_cells(
            self.written
        ) == deal_cells(other.written)


@dataclass(frozen=True, slots=True)
class EveningFile:
    """A whole evening: its date, its number on that day, and its deals in the order of `place`."""

    date: dt.date
    sequence: int
    lines: tuple[DealLine, ...]

    @property
    def slug(self) -> str:
        """How the evening is called in files and addresses."""
        return format_evening_slug(self.date, self.sequence)
