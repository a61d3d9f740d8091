"""The file format of an evening: a line for each deal, or for the totals of a table that handed in
no deals; read with every fault, and written."""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from clubs.files.reading import FileFault, FileFaults, FileRow, Source, read_rows
from clubs.members.imports import People, Person
from clubs.text.names import name_key, tidy_name
from scoring.models import Regulation, Scoresheet
from scoring.rules import SEATS, THREE, TWO, RuleSet, Seat, chairs_of, chairs_taken, partner
from scoring.sheets.side_totals import HandedIn, totals_faults
from tournaments.imports.deal_cells import (
    DEAL_COLUMNS,
    RARE_COLUMNS,
    THREE_COLUMNS,
    TOTAL_COLUMNS,
    TOTALS,
    deal_cells,
    read_deal,
    read_totals,
    totals_of,
)
from tournaments.models import Competitor
from tournaments.models.evening import MOST_ROUNDS, format_evening_slug, parse_evening_slug

NAME_COLUMNS = "pair_ns pair_ew team_ns team_ew".split()
"""The pair or team whose side it is, whoever sits there; written where there are any."""

PLACE_COLUMNS = "evening round table n e s w deal".split()
_LIMITS = {"round": MOST_ROUNDS, "table": 200, "deal": 99}
_COLUMNS = {
    column: [column]
    for column in (
        *PLACE_COLUMNS,
        *NAME_COLUMNS,
        *DEAL_COLUMNS,
        *RARE_COLUMNS,
        *TOTAL_COLUMNS,
        *THREE_COLUMNS,
    )
}


@dataclass(frozen=True, slots=True)
class DealLine:
    """One deal of an evening: where it was played, by whom, and what was written, in the form of
    the contract's sheet line; or the `totals` of a sheet without deals, with its last deal.

    `players` are where they sat in this deal: at a table of three nobody sits opposite the
    declarer. `names` has by column the pairs and teams whose sides these are.
    """

    round: int
    table: int
    deal: int
    players: Mapping[Seat, Person]
    written: Mapping[str, object]
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> tuple[int, int, int]:
        """Table, round and number of the deal: the order of lines in a file."""
        return self.table, self.round, self.deal

    @property
    def totals(self) -> Mapping[str, HandedIn] | None:
        """What each side of the table handed in, or each of three people, where the line is about a
        whole sheet."""
        return self.written.get(TOTALS)  # type: ignore[return-value]

    @property
    def holders(self) -> Mapping[Seat, Person]:
        """The people by their seat on the sheet, which three people keep while changing chairs."""
        if len(self.players) != len(THREE) or self.totals:
            return self.players
        chairs = chairs_of(self.written["declarer"])  # type: ignore[arg-type]
        return {seat: self.players[chair] for seat, chair in chairs.items()}

    def says_the_same(self, other: "DealLine") -> bool:
        """Whether both would make the same line of a file."""
        return (
            (self.place, self.players) == (other.place, other.players)
            and self.named_keys == other.named_keys
            and deal_cells(self.written) == deal_cells(other.written)
        )

    @property
    def named_keys(self) -> dict[str, str]:
        """The names of pairs and teams as two spellings of them are compared."""
        return {column: name_key(name) for column, name in self.names.items()}

    def people_of(self, column: str) -> list[tuple[Seat, Person]]:
        """Who sat at the side that a column of names is about."""
        side = column.rpartition("_")[2].upper()
        return [
            (seat, self.players[seat]) for seat in SEATS if seat in side and seat in self.players
        ]


@dataclass(frozen=True, slots=True)
class EveningFile:
    """A whole evening: its date, its number on that day, and its deals in the order of `place`."""

    date: dt.date
    sequence: int
    lines: tuple[DealLine, ...]

    @property
    def slug(self) -> str:
        """The evening's name in files and addresses."""
        return format_evening_slug(self.date, self.sequence)


def read_evening(source: Source, regulation: RuleSet, people: People) -> EveningFile:
    """The evening in a CSV or XLSX file, every deal checked against `regulation`.

    Raises FileFaults with everything that is wrong, line by line.
    """
    rows = read_rows(source, columns=_COLUMNS, required=[*PLACE_COLUMNS, "declarer"])
    faults: list[FileFault] = []
    named = parse_evening_slug(rows[0]["evening"])
    if named is None:
        faults.append(rows[0].fault("evening", _("write the date as 2026-09-05")))
    for row in rows[1:]:
        if row["evening"] != rows[0]["evening"]:
            faults.append(row.fault("evening", _("a file holds one evening")))
    lines = _side_names_filled([_line(row, regulation, people, faults) for row in rows])
    faults += _faults_between(zip(rows, lines, strict=True), people)
    faults += _faults_of_totals(list(zip(rows, lines, strict=True)), regulation, people)
    faults += _faults_of_names(list(zip(rows, lines, strict=True)), people)
    if faults or named is None:
        raise FileFaults(faults)
    return EveningFile(*named, tuple(sorted(lines, key=lambda line: line.place)))


def _line(row: FileRow, regulation: RuleSet, people: People, faults: list[FileFault]) -> DealLine:
    """A line of the file; a number with a fault is 0, a player with a fault is left out."""
    empty = _empty(row)
    place = {column: _number(row, column, faults) for column in _LIMITS}
    players = _players(row, people, faults, empty)
    whose = totals_of(row)
    written = read_totals(row, faults) if whose else read_deal(row, regulation, faults)
    if whose:
        if (len(empty) == 1) != (whose == THREE):
            words = _("a table of three has a total for n, e and s, and w stays empty")
            faults.append(row.fault("total_n" if whose == THREE else "total_ns", words))
    elif len(empty) == 1:
        _seat_three(row, written, chairs_taken(partner(empty[0])), faults)
    elif empty:
        written["seats"] = list(TWO)
    names = {column: name for column in NAME_COLUMNS if (name := tidy_name(row[column]))}
    for column, name in names.items():
        if len(name) > Competitor.LONGEST_NAME:
            message = _("a name has at most %(n)s characters") % {"n": Competitor.LONGEST_NAME}
            faults.append(row.fault(column, message))
    return DealLine(**place, players=players, written=written, names=names)


def _empty(row: FileRow) -> list[Seat]:
    """The empty chairs: the dummy's, opposite the declarer, at a table of three, or W on a line of
    totals of three; and two at a table of two. None if a name was merely forgotten."""
    empty = [seat for seat in SEATS if not row[seat.lower()]]
    if totals_of(row) == THREE:
        return ["W"] if "W" in empty else []
    declarer = row["declarer"]
    of_three = len(empty) == 1 and declarer in THREE and partner(declarer) == empty[0]
    return empty if of_three or set(SEATS).difference(empty) == set(TWO) else []


def _seat_three(
    row: FileRow, written: dict[str, object], chairs: list[Seat], faults: list[FileFault]
) -> None:
    """Set the chairs on which three people sat; a line that names others has a fault."""
    seats = row["seats"].split() or chairs
    if sorted(seats) != sorted(chairs):
        words = _("with the dummy opposite the declarer, three people sit at %(seats)s")
        faults.append(row.fault("seats", words % {"seats": " ".join(chairs)}))
    written["seats"] = seats


def _number(row: FileRow, column: str, faults: list[FileFault]) -> int:
    before, limit = len(faults), _LIMITS[column]
    number = row.whole_number(column, faults) or 0
    if len(faults) == before and not 1 <= number <= limit:
        faults.append(row.fault(column, _("give a number from 1 to %(limit)s") % {"limit": limit}))
    return number


def _players(
    row: FileRow, people: People, faults: list[FileFault], empty: Collection[Seat]
) -> dict[Seat, Person]:
    players: dict[Seat, Person] = {}
    for seat in (seat for seat in SEATS if seat not in empty):
        column = seat.lower()
        try:
            player = people.find(row[column])
        except LookupError as error:
            faults.append(row.fault(column, str(error)))
            continue
        if player in players.values():
            message = _("'%(name)s' sits twice") % {"name": row[column]}
            faults.append(row.fault(column, message))
        players[seat] = player
    return players


def _faults_between(lines: Iterable[tuple[FileRow, DealLine]], people: People) -> list[FileFault]:
    """Duplicate deals, people at two tables in one round, and tables with a different number of
    people in different deals."""
    faults: list[FileFault] = []
    sizes: dict[tuple[int, int], int] = {}
    deals: dict[tuple[int, int, int], int] = {}
    tables: dict[tuple[int, Person], int] = {}
    for row, line in lines:
        if not all(line.place):
            continue
        first = deals.setdefault(line.place, row.line)
        if first != row.line:
            faults.append(row.fault("deal", _("this deal is on line %(n)s too") % {"n": first}))
        size = sizes.setdefault((line.round, line.table), _size(row))
        if _size(row) != size:
            words = _("a table has as many people in each deal: here it had %(n)s before")
            faults.append(row.fault("table", words % {"n": size}))
        for seat, player in line.players.items():
            at = tables.setdefault((line.round, player), line.table)
            if at != line.table:
                message = _("'%(name)s' sits at table %(table)s too")
                message %= {"name": people.called(player), "table": at}
                faults.append(row.fault(seat.lower(), message))
    return faults


def _faults_of_totals(
    lines: Sequence[tuple[FileRow, DealLine]], regulation: RuleSet, people: People
) -> list[FileFault]:
    """Totals that cannot be, of as many deals as the evening has, and tables with deals as well."""
    faults: list[FileFault] = []
    rules = Regulation(club=people.club, settings=regulation.as_settings())
    deals = max(line.deal for _row, line in lines)
    first: dict[tuple[int, int], tuple[FileRow, DealLine]] = {}
    for row, line in lines:
        before_row, before = first.setdefault((line.round, line.table), (row, line))
        if before is not line and TOTALS in {**before.written, **line.written}:
            message = _("line %(n)s is about this table too; totals go without deals")
            faults.append(row.fault("table", message % {"n": before_row.line}))
        if totals := line.totals:
            sheet = Scoresheet(
                club=people.club,
                regulation=rules,
                deals_planned=deals,
                three_handed=len(line.players) == len(THREE),
            )
            faults += [
                row.fault(f"total_{side.lower() or next(iter(totals)).lower()}", sentence)
                for side, sentence in totals_faults(sheet, totals)
            ]
    return faults


def _side_names_filled(lines: Sequence[DealLine]) -> list[DealLine]:
    """The lines, with the pair or team of a side that is named in one deal in every deal of that
    table and round."""
    named: dict[tuple[int, int], dict[str, str]] = {}
    for line in lines:
        own = named.setdefault((line.round, line.table), {})
        for column, name in line.names.items():
            own.setdefault(column, name)
    return [
        replace(line, names={**named[line.round, line.table], **line.names})
        if len(line.players) != len(THREE)
        else line
        for line in lines
    ]


def _faults_of_names(lines: Sequence[tuple[FileRow, DealLine]], people: People) -> list[FileFault]:
    """Sides that change their name halfway, pairs and teams against themselves, pairs at two
    tables or of other people than before, and people who play for two of them."""
    faults: list[FileFault] = []
    first_of_side: dict[tuple[int, int, str], tuple[FileRow, str]] = {}
    first_of_person: dict[tuple[str, Person], tuple[FileRow, str]] = {}
    at_table: dict[tuple[int, str], int] = {}
    pairs: dict[str, set[Person]] = {}
    for row, line in lines:
        faults += _against_themselves(row, line)
        for column in NAME_COLUMNS:
            kind, name = column.partition("_")[0], line.names.get(column, "")
            key = name_key(name)
            before = first_of_side.setdefault((line.round, line.table, column), (row, name))
            if name_key(before[1]) != key and len(line.players) != len(THREE):
                faults.append(row.fault(column, _other_name(before)))
            sat = line.people_of(column)
            for _seat, person in sat:
                own = first_of_person.setdefault((kind, person), (row, name))
                if name_key(own[1]) != key:
                    faults.append(row.fault(column, _plays_for(people.called(person), own)))
            if kind == "pair" and name:
                faults += _pair_faults(row, line, column, at_table, pairs)
    return list(dict.fromkeys(faults))


def _against_themselves(row: FileRow, line: DealLine) -> Iterator[FileFault]:
    keys = line.named_keys
    for kind, message in (
        ("pair", _("a pair does not play against itself")),
        ("team", _("a team does not play against itself")),
    ):
        ours, theirs = keys.get(f"{kind}_ns"), keys.get(f"{kind}_ew")
        if ours and ours == theirs:
            yield row.fault(f"{kind}_ew", message)


def _pair_faults(
    row: FileRow,
    line: DealLine,
    column: str,
    at_table: dict[tuple[int, str], int],
    pairs: dict[str, set[Person]],
) -> Iterator[FileFault]:
    name = line.names[column]
    at = at_table.setdefault((line.round, name_key(name)), line.table)
    if at != line.table:
        message = _("pair '%(name)s' sits at table %(table)s too") % {"name": name, "table": at}
        yield row.fault(column, message)
    sat = {person for _seat, person in line.people_of(column)}
    before = pairs.setdefault(name_key(name), set(sat))
    if sat and before.isdisjoint(sat):
        message = _("pair '%(name)s' is two other people on an earlier line") % {"name": name}
        yield row.fault(column, message)
    before |= sat


def _other_name(before: tuple[FileRow, str]) -> str:
    words = {"n": before[0].line, "name": before[1]}
    return (
        _("this side is '%(name)s' on line %(n)s")
        if before[1]
        else _("this side has no name on line %(n)s")
    ) % words


def _plays_for(person: str, before: tuple[FileRow, str]) -> str:
    words = {"person": person, "n": before[0].line, "name": before[1]}
    return (
        _("'%(person)s' plays for '%(name)s' on line %(n)s")
        if before[1]
        else _("'%(person)s' plays for nobody on line %(n)s")
    ) % words


def _size(row: FileRow) -> int:
    """How many people played a deal, as far as the line can be read."""
    return len(SEATS) - len(_empty(row))


def format_evening(evening: EveningFile, people: People) -> list[list[str]]:
    """The headings and then a line for each deal, as `read_evening` reads them back.

    Columns that are rarely needed are left out when no deal needs them.
    """
    lines = [{"evening": evening.slug, **_line_cells(line, people)} for line in evening.lines]
    kinds = {column.partition("_")[0] for line in evening.lines for column in line.names}
    names = [column for column in NAME_COLUMNS if column.partition("_")[0] in kinds]
    seldom = (*RARE_COLUMNS, *TOTAL_COLUMNS, *THREE_COLUMNS)
    rare = [column for column in seldom if any(cells.get(column) for cells in lines)]
    headings = [*PLACE_COLUMNS, *names, *DEAL_COLUMNS, *rare]
    return [headings, *([cells.get(heading, "") for heading in headings] for cells in lines)]


def _line_cells(line: DealLine, people: People) -> dict[str, str]:
    return {
        "round": str(line.round),
        "table": str(line.table),
        "deal": str(line.deal),
        **{seat.lower(): people.called(player) for seat, player in line.players.items()},
        **line.names,
        **deal_cells(line.written),
    }
