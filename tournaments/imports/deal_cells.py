"""The cells of a deal, or of a table's totals, in a file of an evening: read with every fault, and
written."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from clubs.files.reading import FileFault, FileFaults, FileRow, Source, read_rows
from scoring.rules import (
    SEATS,
    SIDES,
    THREE,
    InvalidDeal,
    RuleSet,
    Seat,
    Side,
    evaluate,
    fault_message,
)
from scoring.sheets.side_totals import HandedIn

DEAL_COLUMNS = "declarer trump points_ns points_ew roem_ns roem_ew pit nat reneged".split()
RARE_COLUMNS = "accused_wrongly_by nil replayed replays corrections dealer seats bid".split()
"""Written only when a deal needs them."""

TOTAL_COLUMNS = "total_ns total_ew pits_ns pits_ew correction_ns correction_ew".split()
"""Of a line that has a table's totals, with its last deal in `deal`; beside them only `points` and
`roem`. Written when a table handed in totals."""
TOTALS = "totals"

_FIGURES = "total", "points", "roem", "pits", "correction"
THREE_COLUMNS = [f"{figure}_{seat.lower()}" for figure in _FIGURES for seat in THREE]
"""The same of each of three people, who have no sides."""

_TEXTS = "declarer", "trump", "pit", "reneged", "accused_wrongly_by", "nil", "dealer"
_MARKS = "nat", "replayed"

Reader = Callable[[FileRow, str, list[FileFault]], object]


def read_deal(row: FileRow, regulation: RuleSet, faults: list[FileFault]) -> dict[str, object]:
    """The deal of a line, as `evaluate` takes it; everything impossible is added to `faults`."""
    before = len(faults)
    written: dict[str, object] = {key: row[key] for key in _TEXTS if row[key]}
    written.setdefault("trump", None)
    written |= _marks(row, faults)
    readers: tuple[tuple[str, Reader], ...] = (
        ("points", FileRow.whole_number),
        ("roem", _whole_numbers),
    )
    for key, read in readers:
        values = {side: read(row, column_of(key, side), faults) for side in SIDES}
        if given := {side: value for side, value in values.items() if value not in (None, [])}:
            written[key] = given
    for key in ("replays", "bid"):
        if (number := row.whole_number(key, faults)) is not None:
            written[key] = number
    if row["seats"]:
        written["seats"] = row["seats"].split()
    if row["corrections"]:
        written["corrections"] = _json(row, "corrections", faults)
    if len(faults) == before:
        faults += _deal_faults(row, written, regulation)
    return written


def _marks(row: FileRow, faults: list[FileFault]) -> dict[str, object]:
    faults += [
        row.fault(key, _("write 1, or nothing")) for key in _MARKS if row[key] not in ("", "1")
    ]
    return {key: True for key in _MARKS if row[key] == "1"}


def deal_cells(written: Mapping[str, Any]) -> dict[str, str]:
    """The cells of a deal's columns; equal for deals that read back as the same."""
    if TOTALS in written:
        return _totals_cells(written[TOTALS])
    cells = {key: str(written.get(key) or "") for key in _TEXTS}
    cells |= {key: "1" if written.get(key) else "" for key in _MARKS}
    cells |= {key: str(written.get(key) or "") for key in ("replays", "bid")}
    points, roem = written.get("points") or {}, written.get("roem") or {}
    for side in SIDES:
        number = points.get(side)
        cells[column_of("points", side)] = "" if number is None else str(number)
        cells[column_of("roem", side)] = " ".join(map(str, roem.get(side) or ()))
    everybody = sorted(written.get("seats") or SEATS) == sorted(SEATS)
    cells["seats"] = "" if everybody else " ".join(written["seats"])
    corrections = written.get("corrections")
    cells["corrections"] = (
        json.dumps(corrections, ensure_ascii=False, sort_keys=True) if corrections else ""
    )
    return cells


def totals_of(row: FileRow) -> Sequence[Side] | Sequence[Seat]:
    """Whose totals a line has: of both sides or of each of three people; of nobody on the line of a
    deal."""
    found = [all_ for all_ in (SIDES, THREE) if any(row[column_of("total", one)] for one in all_)]
    return found[0] if found else ()


def read_totals(row: FileRow, faults: list[FileFault]) -> dict[str, object]:
    """The totals of a line, as `HandedIn` has them by side, or by seat at a table of three."""
    whose = totals_of(row)
    figures = {column_of(figure, side) for figure in _FIGURES for side in whose}
    message = _("leave this empty on a line with totals")
    faults += [
        row.fault(column, message)
        for column in (*DEAL_COLUMNS, *RARE_COLUMNS, *TOTAL_COLUMNS, *THREE_COLUMNS)
        if row[column] and column not in figures
    ]
    totals: dict[Side | Seat, HandedIn] = {}
    for side in whose:
        given = {key: row.whole_number(column_of(key, side), faults) for key in _FIGURES}
        totals[side] = HandedIn(**{key: n for key, n in given.items() if n is not None})
    return {TOTALS: totals}


def _totals_cells(totals: Mapping[Side | Seat, HandedIn]) -> dict[str, str]:
    return {
        column_of(key, side): "" if number is None else str(number)
        for side, handed_in in totals.items()
        for key, number in {**asdict(handed_in), "correction": handed_in.correction or None}.items()
    }


def column_of(key: str, side: Side | Seat) -> str:
    """The column of a figure of one side, or of one of three people."""
    return f"{key}_{side.lower()}"


def _whole_numbers(row: FileRow, column: str, faults: list[FileFault]) -> list[int]:
    """The space-separated numbers of a cell; none if one of them is not a number."""
    before = len(faults)
    parts = row[column].split()
    for part in parts:
        if not (part.isascii() and part.isdecimal() and len(part) <= 9):
            message = _("'%(value)s' is not a whole number") % {"value": part[:40]}
            faults.append(row.fault(column, message))
    return [int(part) for part in parts] if len(faults) == before else []


def _json(row: FileRow, column: str, faults: list[FileFault]) -> object:
    try:
        value = json.loads(row[column])
        if b"\\u0000" not in json.dumps(value, ensure_ascii=False).encode():
            return value
    except (ValueError, RecursionError):
        pass
    faults.append(row.fault(column, _("this cannot be read")))
    return None


def _deal_faults(
    row: FileRow, written: Mapping[str, object], regulation: RuleSet
) -> list[FileFault]:
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
    root, _dot, rest = field.partition(".")
    if root in ("points", "roem"):
        side = rest.partition(".")[0]
        return f"{root}_{side.lower() or 'ns'}"
    return root


def read_deals(source: Source, regulation: RuleSet) -> list[dict[str, object]]:
    """Deals without players: only the columns of a deal itself.

    Raises FileFaults with everything that is wrong, line by line.
    """
    columns = {column: [column] for column in (*DEAL_COLUMNS, *RARE_COLUMNS)}
    faults: list[FileFault] = []
    rows = read_rows(source, columns=columns, required=["declarer"])
    deals = [read_deal(row, regulation, faults) for row in rows]
    if faults:
        raise FileFaults(faults)
    return deals
