"""The sheets of Excel and OpenDocument workbooks, unpacked safely."""

import io
import re
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element, iterparse
from zipfile import ZipFile

from clubs.files.reading import (
    cell_text,
    filled_rows,
    is_harmless,
    only_text,
    part_of,
    too_much,
    workbook,
)
from clubs.lists.core.layout import Line, Sheet

MOST_SHEETS: Final = 300
MOST_COLUMNS: Final = 200
MOST_LINES: Final = 100_000
MOST_CELLS: Final = 1_000_000
"""In all sheets together: a file of OpenDocument can say that a line is there a million times."""

# Nothing in it goes on beyond the next "<": each part of a file is looked at once.
_UNCOUNTED = re.compile(rb"<f(?:\s[^<>]*)?(?:/>|>[^<]*</f>)\s*(?:</c>|<v\s*/>|<v>\s*</v>)")
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CELL = _TABLE + "table-cell", _TABLE + "covered-table-cell"


def xlsx_sheets(archive: ZipFile) -> list[Sheet]:
    """The sheets of an Excel workbook; a formula has the outcome that Excel left in the file.

    Raises FileFaults where it holds too much, and WORKBOOK_ERRORS where it is broken.
    """
    if not is_harmless(archive):
        raise too_much()
    file = only_text(archive)
    with workbook(file) as book:
        sheets = [
            Sheet(sheet.title, tuple(_lines_of_excel(sheet)))
            for sheet in book.worksheets[:MOST_SHEETS]
        ]
    if sum(len(sheet.lines) for sheet in sheets) > MOST_LINES:
        raise too_much()
    return sheets


def _lines_of_excel(sheet: object) -> Iterator[Line]:
    for number, row in filled_rows(sheet):
        cells = tuple(" ".join(cell_text(value).split()) for value in row)
        if any(cells):
            yield Line(number, cells)


def uncounted_formulas(archive: ZipFile) -> int:
    """How many cells have a formula and no outcome, as files that no spreadsheet has saved."""
    parts = dict.fromkeys(archive.namelist())
    sheets = [name for name in parts if re.fullmatch(r"xl/worksheets/.*\.xml", name)]
    return sum(len(_UNCOUNTED.findall(part_of(archive, name))) for name in sheets)


def ods_is_locked(archive: ZipFile) -> bool:
    """Whether an OpenDocument file has a password."""
    manifest = "META-INF/manifest.xml"
    return manifest in archive.namelist() and b"encryption-data" in part_of(archive, manifest)


def ods_sheets(archive: ZipFile) -> list[Sheet]:
    """The sheets of an OpenDocument workbook. Raises as `xlsx_sheets` does."""
    if not is_harmless(archive):
        raise too_much()
    sheets: list[Sheet] = []
    lines: list[Line] = []
    number = total = 0
    content = io.BytesIO(part_of(archive, "content.xml"))
    # `is_harmless` has refused what could expand.
    for event, element in iterparse(content, events=("start", "end")):  # noqa: S314
        if event == "start" and element.tag == _TABLE + "table":
            lines, number = [], 0
        elif event == "end" and element.tag == _TABLE + "table-row":
            times = _repeated(element, "rows")
            cells = _cells(element)
            if any(cells):
                total += times * len(cells)
                if times > MOST_LINES or total > MOST_CELLS:
                    raise too_much()
                lines += [Line(number + at, cells) for at in range(1, times + 1)]
            number += times
            element.clear()
        elif event == "end" and element.tag == _TABLE + "table":
            sheets.append(Sheet(element.get(_TABLE + "name", ""), tuple(lines)))
    return sheets[:MOST_SHEETS]


def _repeated(element: Element, of: str) -> int:
    text = element.get(f"{_TABLE}number-{of}-repeated", "1")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 1


def _cells(row: Element) -> tuple[str, ...]:
    cells: list[str] = []
    for cell in row:
        if cell.tag in _CELL:
            room = MOST_COLUMNS - len(cells)
            cells += [_cell(cell)] * min(_repeated(cell, "columns"), room)
    while cells and not cells[-1]:
        cells.pop()
    return tuple(cells)


def _cell(cell: Element) -> str:
    """The text that is shown; of a date and of a number with a fraction, the value."""
    shown = " ".join(" ".join(map(_shown, cell.findall(_TEXT + "p"))).split())
    match cell.get(_OFFICE + "value-type"):
        case "date":
            return cell.get(_OFFICE + "date-value", shown).removesuffix("T00:00:00")
        case "float" if not _is_digits(shown):
            return _number(cell.get(_OFFICE + "value", shown))
    return shown


def _is_digits(text: str) -> bool:
    """Whether it is a whole number as it was typed, with the zeros in front that the value lost."""
    return text.isascii() and text.isdecimal()


def _number(text: str) -> str:
    try:
        return cell_text(float(text))
    except (ValueError, OverflowError):
        return text


def _shown(paragraph: Element) -> str:
    """The text of a paragraph, with its spaces and without remarks."""
    parts = [paragraph.text or ""]
    for child in paragraph:
        if child.tag == _TEXT + "s":
            parts.append(" ")
        elif not child.tag.startswith(_OFFICE):
            parts.append(_shown(child))
        parts.append(child.tail or "")
    return "".join(parts)
