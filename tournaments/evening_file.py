"""An evening as a file: one line per deal, read into deals and written from them."""

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from clubs.files import Fault, FileFaults, Row, Source, read_rows
from clubs.names import name_key
from scoring.rules import SEATS, InvalidDeal, Regulation, Seat, evaluate, fault_message
from tournaments.slugs import parse_evening_slug

COLUMNS = (
    "evening round table n e s w deal declarer trump points_ns points_ew roem_ns roem_ew pit nat"
    " reneged"
).split()
RARE_COLUMNS = ["accused_wrongly_by", "nil", "replayed", "corrections"]
"""Written only when a deal needs them."""

_HEADINGS = {column: [column] for column in (*COLUMNS, *RARE_COLUMNS)}
_NEEDED = "evening round table n e s w deal declarer".split()
_SIDES = {"ns": "NS", "ew": "EW"}
_FIELD_COLUMNS = {
    "points.NS": "points_ns",
    "points.EW": "points_ew",
    "roem.NS": "roem_ns",
    "roem.EW": "roem_ew",
}


@dataclass(frozen=True, slots=True)
class DealLine:
    """One deal of an evening: where it was played, by whom, and what was written of it."""

    round: int
    table: int
    deal: int
    players: Mapping[Seat, str]
    written: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EveningFile:
    """A whole evening: its date, its number on that day, and every deal."""

    date: dt.date
    sequence: int
    lines: tuple[DealLine, ...]

    @property
    def deals_per_round(self) -> int:
        return max(line.deal for line in self.lines)


def read_evening(source: Source, regulation: Regulation) -> EveningFile:
    """The evening in a CSV or XLSX file, every deal checked against `regulation`.

    Raises FileFaults with everything that is wrong, line by line.
    """
    rows = read_rows(source, columns=_HEADINGS, required=_NEEDED)
    faults: list[Fault] = []
    evenings = {row["evening"]: row for row in rows}
    slug = parse_evening_slug(rows[0]["evening"])
    if slug is None:
        faults.append(rows[0].fault("evening", _("write the date as 2026-09-05")))
    for row in list(evenings.values())[1:]:
        faults.append(row.fault("evening", _("a file holds one evening")))
    lines = [(row, _line(row, regulation, faults)) for row in rows]
    read = [(row, line) for row, line in lines if line is not None]
    faults += _faults_between(read)
    if faults or slug is None:
        raise FileFaults(faults)
    return EveningFile(*slug, tuple(line for _row, line in read))


def format_evening(evening: EveningFile) -> tuple[list[str], list[list[str]]]:
    """The headings and the cells of the file that `read_evening` reads back as `evening`."""
    name = f"{evening.date:%Y-%m-%d}" + (f"-{evening.sequence}" if evening.sequence > 1 else "")
    rare = [key for key in RARE_COLUMNS if any(line.written.get(key) for line in evening.lines)]
    headings = [*COLUMNS, *rare]
    cells = [{"evening": name, **line_cells(line)} for line in evening.lines]
    return headings, [[row.get(heading, "") for heading in headings] for row in cells]


def _line(row: Row, regulation: Regulation, faults: list[Fault]) -> DealLine | None:
    before = len(faults)
    numbers = {
        column: _number(row, column, limit, faults)
        for column, limit in (("round", 20), ("table", 200), ("deal", 99))
    }
    players = _players(row, faults)
    written = _written(row, faults)
    if len(faults) == before:
        faults += _deal_faults(row, written, regulation)
    if len(faults) > before:
        return None
    return DealLine(**numbers, players=players, written=written)


def _number(row: Row, column: str, limit: int, faults: list[Fault]) -> int:
    before = len(faults)
    number = row.whole_number(column, faults)
    if len(faults) == before and (number is None or not 1 <= number <= limit):
        faults.append(row.fault(column, _("give a number from 1 to %(limit)s") % {"limit": limit}))
    return number or 0


def _players(row: Row, faults: list[Fault]) -> dict[Seat, str]:
    players: dict[Seat, str] = {seat: row[seat.lower()] for seat in SEATS}
    for seat, name in players.items():
        others = [name_key(other) for place, other in players.items() if place != seat]
        if not name:
            faults.append(row.fault(seat.lower(), _("the player is missing")))
        elif name_key(name) in others:
            faults.append(row.fault(seat.lower(), _("'%(name)s' sits twice") % {"name": name}))
    return players


def _written(row: Row, faults: list[Fault]) -> dict[str, object]:
    written: dict[str, object] = {"declarer": row["declarer"], "trump": row["trump"] or None}
    points = {
        side: number
        for column, side in _SIDES.items()
        if (number := row.whole_number(f"points_{column}", faults)) is not None
    }
    if points:
        written["points"] = points
    roem = {side: _roem(row, f"roem_{column}", faults) for column, side in _SIDES.items()}
    if any(roem.values()):
        written["roem"] = roem
    for key in ("pit", "reneged", "accused_wrongly_by", "nil"):
        if row[key]:
            written[key] = row[key]
    for key in ("nat", "replayed"):
        if row[key] == "1":
            written[key] = True
        elif row[key]:
            faults.append(row.fault(key, _("write 1, or nothing")))
    if row["corrections"]:
        written["corrections"] = _json(row, "corrections", faults)
    return written


def _roem(row: Row, column: str, faults: list[Fault]) -> list[int]:
    parts = row[column].split()
    for part in parts:
        if not (part.isascii() and part.isdecimal()):
            faults.append(
                row.fault(column, _("'%(value)s' is not a whole number") % {"value": part[:40]})
            )
            return []
    return [int(part) for part in parts]


def _json(row: Row, column: str, faults: list[Fault]) -> object:
    try:
        return json.loads(row[column])
    except ValueError:
        faults.append(row.fault(column, _("this cannot be read")))
        return None


def _deal_faults(row: Row, written: Mapping[str, object], regulation: Regulation) -> list[Fault]:
    try:
        evaluate(written, regulation)
    except InvalidDeal as invalid:
        return [
            row.fault(_column_of(fault.field), fault_message(fault, "en"))
            for fault in invalid.faults
        ]
    return []


def _column_of(field: str) -> str:
    """The column that a fault at `field` is about: `roem.NS.1` is in `roem_ns`."""
    for prefix, column in _FIELD_COLUMNS.items():
        if field.startswith(prefix):
            return column
    return "points_ns" if field == "points" else field.partition(".")[0]


def _faults_between(lines: Iterable[tuple[Row, DealLine]]) -> list[Fault]:
    """A deal that stands there twice, and somebody at two tables of one round."""
    faults: list[Fault] = []
    deals: dict[tuple[int, int, int], int] = {}
    tables: dict[tuple[int, str], int] = {}
    for row, line in lines:
        place = (line.round, line.table, line.deal)
        if place in deals:
            faults.append(
                row.fault("deal", _("this deal stands on line %(n)s too") % {"n": deals[place]})
            )
        deals.setdefault(place, row.line)
        for seat, name in line.players.items():
            at = tables.setdefault((line.round, name_key(name)), line.table)
            if at != line.table:
                message = _("'%(name)s' sits at table %(table)s too") % {"name": name, "table": at}
                faults.append(row.fault(seat.lower(), message))
    return faults


def line_cells(line: DealLine) -> dict[str, str]:
    """What stands in each column for this deal, the evening left out."""
    written = line.written
    cells = {"round": str(line.round), "table": str(line.table), "deal": str(line.deal)}
    cells |= {seat.lower(): name for seat, name in line.players.items()}
    for key in ("declarer", "trump", "pit", "reneged", "accused_wrongly_by", "nil"):
        cells[key] = str(written.get(key) or "")
    for key in ("nat", "replayed"):
        cells[key] = "1" if written.get(key) else ""
    if written.get("corrections"):
        cells["corrections"] = json.dumps(written["corrections"], ensure_ascii=False)
    points, roem = _by_side(written, "points"), _by_side(written, "roem")
    for column, side in _SIDES.items():
        cells[f"points_{column}"] = str(points.get(side, ""))
        cells[f"roem_{column}"] = " ".join(map(str, roem.get(side, [])))
    return cells


def _by_side(written: Mapping[str, object], key: str) -> dict[str, Any]:
    value = written.get(key)
    return value if isinstance(value, dict) else {}
