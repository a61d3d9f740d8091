"""The columns that tell a deal: what a line says becomes what a sheet has, and back."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from clubs.files import Fault, Row
from scoring.rules import SEATS, SIDES, InvalidDeal, Regulation, Side, evaluate, fault_message

DEAL_COLUMNS = "declarer trump points_ns points_ew roem_ns roem_ew pit nat reneged".split()
RARE_COLUMNS = "accused_wrongly_by nil replayed replays corrections dealer seats".split()
"""Written only when a deal needs them."""

_TEXTS = "declarer", "trump", "pit", "reneged", "accused_wrongly_by", "nil", "dealer"
_MARKS = "nat", "replayed"

Reader = Callable[[Row, str, list[Fault]], object]


def read_deal(row: Row, regulation: Regulation, faults: list[Fault]) -> dict[str, object]:
    """What a line says of its deal, for `evaluate`; adds to `faults` all that cannot be."""
    before = len(faults)
    written: dict[str, object] = {key: row[key] for key in _TEXTS if row[key]}
    written.setdefault("trump", None)
    for key in _MARKS:
        if row[key] == "1":
            written[key] = True
        elif row[key]:
            faults.append(row.fault(key, _("write 1, or nothing")))
    readers: tuple[tuple[str, Reader], ...] = (
        ("points", Row.whole_number),
        ("roem", _whole_numbers),
    )
    for key, read in readers:
        found = {side: read(row, _column(key, side), faults) for side in SIDES}
        if given := {side: value for side, value in found.items() if value not in (None, [])}:
            written[key] = given
    if (replays := row.whole_number("replays", faults)) is not None:
        written["replays"] = replays
    if row["seats"]:
        written["seats"] = row["seats"].split()
    if row["corrections"]:
        written["corrections"] = _json(row, "corrections", faults)
    if len(faults) == before:
        faults += _deal_faults(row, written, regulation)
    return written


def deal_cells(written: Mapping[str, Any]) -> dict[str, str]:
    """What stands in each column that tells a deal; equal for what reads back as the same deal."""
    cells = {key: str(written.get(key) or "") for key in _TEXTS}
    cells |= {key: "1" if written.get(key) else "" for key in _MARKS}
    cells["replays"] = str(written.get("replays") or "")
    points, roem = written.get("points") or {}, written.get("roem") or {}
    for side in SIDES:
        number = points.get(side)
        cells[_column("points", side)] = "" if number is None else str(number)
        cells[_column("roem", side)] = " ".join(map(str, roem.get(side) or ()))
    everybody = sorted(written.get("seats") or SEATS) == sorted(SEATS)
    cells["seats"] = "" if everybody else " ".join(written["seats"])
    corrections = written.get("corrections")
    cells["corrections"] = (
        json.dumps(corrections, ensure_ascii=False, sort_keys=True) if corrections else ""
    )
    return cells


def _column(key: str, side: Side) -> str:
    return f"{key}_{side.lower()}"


def _whole_numbers(row: Row, column: str, faults: list[Fault]) -> list[int]:
    """The numbers of a cell with spaces between them; none when one of them is no number."""
    before = len(faults)
    parts = row[column].split()
    for part in parts:
        if not (part.isascii() and part.isdecimal() and len(part) <= 9):
            message = _("'%(value)s' is not a whole number") % {"value": part[:40]}
            faults.append(row.fault(column, message))
    return [int(part) for part in parts] if len(faults) == before else []


def _json(row: Row, column: str, faults: list[Fault]) -> object:
    try:
        found = json.loads(row[column])
        if b"\\u0000" not in json.dumps(found, ensure_ascii=False).encode():
            return found
    except (ValueError, RecursionError):
        pass
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
    root, _dot, rest = field.partition(".")
    if root in ("points", "roem"):
        side = rest.partition(".")[0]
        return f"{root}_{side.lower() or 'ns'}"
    return root
