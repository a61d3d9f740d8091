"""Reading an evening from a file, with everything that is wrong in it."""

from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _

from clubs.files import Fault, FileFaults, Row, Source, read_rows
from clubs.people import People, Person
from scoring.rules import SEATS, THREE, TWO, Regulation, Seat, chairs_taken, partner
from tournaments.evening_file.deal import DEAL_COLUMNS, RARE_COLUMNS, read_deal
from tournaments.evening_file.lines import DealLine, EveningFile
from tournaments.slugs import parse_evening_slug

PLACE_COLUMNS = "evening round table n e s w deal".split()
_LIMITS = {"round": 20, "table": 200, "deal": 99}
_COLUMNS = {column: [column] for column in (*PLACE_COLUMNS, *DEAL_COLUMNS, *RARE_COLUMNS)}


def read_evening(source: Source, regulation: Regulation, people: People) -> EveningFile:
    """The evening in a CSV or XLSX file, every deal checked against `regulation`.

    Raises FileFaults with everything that is wrong, line by line.
    """
    rows = read_rows(source, columns=_COLUMNS, required=[*PLACE_COLUMNS, "declarer"])
    faults: list[Fault] = []
    named = parse_evening_slug(rows[0]["evening"])
    if named is None:
        faults.append(rows[0].fault("evening", _("write the date as 2026-09-05")))
    for row in rows[1:]:
        if row["evening"] != rows[0]["evening"]:
            faults.append(row.fault("evening", _("a file holds one evening")))
    lines = [_line(row, regulation, people, faults) for row in rows]
    faults += _faults_between(zip(rows, lines, strict=True), people)
    if faults or named is None:
        raise FileFaults(faults)
    return EveningFile(*named, tuple(sorted(lines, key=lambda line: line.place)))


def read_deals(source: Source, regulation: Regulation) -> list[dict[str, object]]:
    """Deals that were played by nobody in particular: only the columns that tell a deal.

    Raises FileFaults with everything that is wrong, line by line.
    """
    columns = {column: _COLUMNS[column] for column in (*DEAL_COLUMNS, *RARE_COLUMNS)}
    faults: list[Fault] = []
    rows = read_rows(source, columns=columns, required=["declarer"])
    deals = [read_deal(row, regulation, faults) for row in rows]
    if faults:
        raise FileFaults(faults)
    return deals


def _line(row: Row, regulation: Regulation, people: People, faults: list[Fault]) -> DealLine:
    """A line of the file; a number with a fault is 0, a player with a fault is left out."""
    empty = _empty(row)
    place = {column: _number(row, column, faults) for column in _LIMITS}
    players = _players(row, people, faults, empty)
    written = read_deal(row, regulation, faults)
    if len(empty) == 1:
        _seat_three(row, written, chairs_taken(partner(empty[0])), faults)
    elif empty:
        written["seats"] = list(TWO)
    return DealLine(**place, players=players, written=written)


def _empty(row: Row) -> list[Seat]:
    """The chairs on which nobody sat: the one with the dummy of three people, opposite who played,
    or those opposite two. Where a name was forgotten there are none."""
    empty = [seat for seat in SEATS if not row[seat.lower()]]
    declarer = row["declarer"]
    of_three = len(empty) == 1 and declarer in THREE and partner(declarer) == empty[0]
    return empty if of_three or set(SEATS).difference(empty) == set(TWO) else []


def _seat_three(
    row: Row, written: dict[str, object], chairs: list[Seat], faults: list[Fault]
) -> None:
    """Say on which chairs three people sat, where the line does not say it in words."""
    told = row["seats"].split() or chairs
    if sorted(told) != sorted(chairs):
        words = _("with the dummy opposite who plays, three people sit at %(seats)s")
        faults.append(row.fault("seats", words % {"seats": " ".join(chairs)}))
    written["seats"] = told


def _number(row: Row, column: str, faults: list[Fault]) -> int:
    before, limit = len(faults), _LIMITS[column]
    number = row.whole_number(column, faults) or 0
    if len(faults) == before and not 1 <= number <= limit:
        faults.append(row.fault(column, _("give a number from 1 to %(limit)s") % {"limit": limit}))
    return number


def _players(
    row: Row, people: People, faults: list[Fault], empty: Collection[Seat]
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


def _faults_between(lines: Iterable[tuple[Row, DealLine]], people: People) -> list[Fault]:
    """A deal that stands there twice, somebody at two tables of one round, and a table that has
    three people in one deal and four in another, or two."""
    faults: list[Fault] = []
    sizes: dict[tuple[int, int], int] = {}
    deals: dict[tuple[int, int, int], int] = {}
    tables: dict[tuple[int, Person], int] = {}
    for row, line in lines:
        if not all(line.place):
            continue
        first = deals.setdefault(line.place, row.line)
        if first != row.line:
            faults.append(row.fault("deal", _("this deal stands on line %(n)s too") % {"n": first}))
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


def _size(row: Row) -> int:
    """How many people played a deal, as far as the line can be read."""
    return len(SEATS) - len(_empty(row))
