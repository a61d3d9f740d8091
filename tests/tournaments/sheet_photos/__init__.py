"""Pictures of the sheets of an evening: printed, filled in, scanned; or as if they were read."""

from collections.abc import Mapping
from random import Random
from typing import Any

import cv2

from scoring.pdf.reading_sheet import sheet_form
from scoring.reading.layout import Form, Row, layouts_of
from tests.scoring.reading.photographs import DPI, Grey, Writer, from_printer
from tournaments.models import Evening, SheetPhoto, Table
from tournaments.printing.sheets_pdf import readable_pdf, spare_sheets_pdf

Line = dict[str, Any]
TYPED = {
    "declarer": "NS",
    "trump": "H",
    "points": {"NS": 100, "EW": 62},
    "roem": {"NS": [20], "EW": []},
}
"""A line that is easy to read: 120–62."""


def printed(evening: Evening, round_number: int = 1) -> list[Grey]:
    """The sheets of a round as they come from the printer, table by table."""
    tables = list(
        Table.objects.filter(round__evening=evening, round__number=round_number)
        .select_related("round", "sheet__regulation", "sheet__club")
        .order_by("number")
    )
    content = readable_pdf(evening, tables, links=[])
    return [from_printer(content, page) for page in range(1, len(tables) + 1)]


def spare(
    evening: Evening,
    *,
    table_number: int,
    round_number: int,
    line: Line,
    three: bool = False,
    halved: bool = False,
) -> Grey:
    """A spare sheet of the evening, with the table and the round written on it, and a deal."""
    content = spare_sheets_pdf(evening, three=three, halved=halved)
    page, writer = from_printer(content, compact=halved), _writer()
    form = Form(evening.deals_per_round, three=three, spare=True, compact=halved)
    layout = layouts_of(form)[0]
    writer.number(page, layout.named["table"], table_number)
    writer.number(page, layout.named["round"], round_number)
    _write(page, layout.rows[0], line, writer)
    return page


def fill_in(page: Grey, table: Table, lines: Mapping[int, Line], *, spoil: int = 0) -> Grey:
    """The page with these lines written on it, by deal; in one of them digits are crossed out."""
    writer = _writer()
    written = page.copy()
    for row in layouts_of(sheet_form(table.sheet))[0].rows:
        if row.deal in lines:
            _write(written, row, lines[row.deal], writer)
        if row.deal == spoil:
            _cross_out(written, row)
    return written


def _writer() -> Writer:
    writer = Writer(Random(2))
    writer.to_left = writer.one_side = writer.dashes = False
    return writer


def _write(page: Grey, row: Row, line: Line, writer: Writer) -> None:
    writer.tick(page, row.declarer[line["declarer"]])
    writer.tick(page, row.trump[line["trump"]])
    for side in ("NS", "EW"):
        writer.number(page, row.points[side], line["points"][side])
        if line["roem"][side]:
            writer.number(page, row.roem[side], sum(line["roem"][side]))


def _cross_out(page: Grey, row: Row) -> None:
    x, y, width, high = row.points["NS"][1]
    dots = DPI / 25.4
    for share in (0.2, 0.4, 0.6, 0.8):
        start = (round((x + 0.6) * dots), round((y + high * share) * dots))
        end = (round((x + width - 0.6) * dots), round((y + high * (1 - share)) * dots))
        cv2.line(page, start, end, 30, 9)


def as_read(
    table: Table,
    lines: Mapping[int, Line | None],
    *,
    doubtful: Mapping[int, str] | None = None,
    totals: Mapping[str, int | None] | None = None,
    **more: Any,
) -> SheetPhoto:
    """A picture of a table's sheet from which these lines were read, those named doubtful for a
    reason; the others are blank."""
    doubtful = doubtful or {}
    deals = [
        {
            "deal": row.deal,
            "box": list(row.line),
            "line": lines.get(row.deal),
            "sure": row.deal not in doubtful,
            "doubts": [doubtful[row.deal]] if row.deal in doubtful else [],
            "choices": _choices(lines.get(row.deal)),
        }
        for row in layouts_of(sheet_form(table.sheet))[0].rows
    ]
    read = {"deals": deals, "totals": totals or {"NS": None, "EW": None}, "agree": None}
    given: dict[str, Any] = {
        "evening": table.round.evening,
        "sha256": f"{SheetPhoto.objects.count():064x}",
        "sheet": table.sheet,
        "page": 1,
        "content": b"\xff\xd8\xff\xe0 a picture",
        "read": read,
        "state": SheetPhoto.State.READ,
    }
    return SheetPhoto.objects.create(**given | more)


def _choices(line: Line | None) -> list[Line]:
    if line is None:
        return []
    other = {**line, "points": {"NS": line["points"]["NS"] - 1, "EW": line["points"]["EW"] + 1}}
    return [{"line": each, "score": [0, 0], "fits": True} for each in (line, other)]
