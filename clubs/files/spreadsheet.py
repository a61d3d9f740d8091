"""Excel files of one sheet. A long one is written by a process of its own, which lets all others go
first: a thread that writes 40,000 rows would hold up the hall's saves for seconds."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from decimal import Decimal
from itertools import chain
from typing import Final

Cell = str | int | float | Decimal | None

LONG: Final = 20_000
"""So many cells take a quarter of a second, about as long as it takes to start a process."""
PATIENCE: Final = 600
"""Seconds for the longest list there can be."""
LONGEST_TITLE: Final = 31
LONGEST_CELL: Final = 32_767
WIDEST: Final = 80

_NOT_IN_TITLES = re.compile(r"[\\/*?:\[\]]")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def spreadsheet(title: str, headings: Sequence[str], rows: Sequence[Sequence[Cell]]) -> bytes:
    """A workbook with bold headings that stay in sight, and columns as wide as what is in them."""
    if len(headings) * len(rows) < LONG:
        return _write(title, headings, rows)
    done = subprocess.run(  # noqa: S603 — this file
        [sys.executable, __file__],
        input=json.dumps([title, headings, rows], default=_plain).encode(),
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=True,
    )
    return done.stdout


def _plain(cell: object) -> float | str:
    return float(cell) if isinstance(cell, Decimal) else str(cell)


def _write(title: str, headings: Sequence[str], rows: Sequence[Sequence[Cell]]) -> bytes:
    # Only here, so that a server that writes no spreadsheet does not keep this in memory.
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    sheet = book.create_sheet(_title(title))
    sheet.freeze_panes = "A2"
    for number, cells in enumerate(zip(headings, *rows, strict=True), start=1):
        width = min(WIDEST, 1 + max(len(str(cell)) for cell in {*cells}))
        sheet.column_dimensions[get_column_letter(number)].width = width
    bold = [WriteOnlyCell(sheet, value=_text(heading)) for heading in headings]
    for cell in bold:
        cell.font = Font(bold=True)
    sheet.append(bold)
    kept = {cell: _text(cell) for cell in {*chain(*rows)} if isinstance(cell, str)}
    for row in rows:
        sheet.append([kept[cell] if isinstance(cell, str) else cell for cell in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _title(name: str) -> str:
    """What a sheet may be called: no apostrophe at either end, and never nothing."""
    title = _NOT_IN_TITLES.sub("-", _NOT_IN_XML.sub("", name))
    return title[:LONGEST_TITLE].strip("' ") or "Klaverclub"


def _text(cell: str) -> str:
    return _NOT_IN_XML.sub("", cell[:LONGEST_CELL])


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(15)
    sys.stdout.buffer.write(_write(*json.load(sys.stdin)))
