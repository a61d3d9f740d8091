"""Reading uploaded tables: CSV or Excel, unpacked safely, every fault with its line."""

import csv
import datetime as dt
import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Final
from xml.etree.ElementTree import ParseError
from zipfile import ZipFile

from django.utils.translation import gettext as _

MOST_BYTES = 60_000_000
MOST_ELEMENTS = 1_000_000
"""Limit of XML elements in sheets and their texts: some 300,000 cells."""
MOST_ELSEWHERE = 50_000
"""Limit in styles and the like, where each element takes far longer to read."""
MOST_TEXT = 20_000_000
"""Limit of characters in all cells together: any number of cells can share one text."""

_CELLS = "xl/worksheets/", "xl/sharedStrings.xml", "content.xml"
_TEXTS = ".xml", ".rels"
_PACKED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
_UTF16 = b"\xff\xfe", b"\xfe\xff"
_LONGEST = 100_000
"""Bytes of one tag and the text behind it; a cell holds 32,767 characters. A parser that is fed in
pieces reads a tag that does not end from its beginning again and again."""
_ENCODING = re.compile(rb"encoding\s*=\s*[\"']([^\"']*)")
_LONG_NAMESPACE = re.compile(
    rb"xmlns(?:[^=<]{100}|[^=<]{0,99}=(?:\s{100}|\s{0,99}(?:\"[^\"]{300}|'[^']{300})))"
)
"""A namespace is copied for each element in it, so a long one costs as much as a long file."""


def is_harmless(archive: ZipFile) -> bool:
    """Whether it can be read in seconds: no zip bomb, and no entities.

    Entities can expand without end or fetch other files; no spreadsheet has any. Other encodings
    than UTF-8 could hide them, and no spreadsheet program writes those.
    """
    parts = archive.infolist()
    if any(part.compress_type not in _PACKED for part in parts):
        return False
    if sum(part.file_size for part in parts) > MOST_BYTES:
        return False
    left = {True: MOST_ELEMENTS, False: MOST_ELSEWHERE}
    for name in _texts(archive):
        left[name.startswith(_CELLS)] -= _elements(part_of(archive, name))
        if min(left.values()) < 0:
            return False
    return True


def only_text(archive: ZipFile) -> IO[bytes]:
    """The archive with only the parts that `is_harmless` checked, without pictures and the like."""
    copy = BytesIO()
    with ZipFile(copy, "w") as other:
        for name in _texts(archive):
            other.writestr(name, part_of(archive, name))
    copy.seek(0)
    return copy


def _texts(archive: ZipFile) -> list[str]:
    return [name for name in dict.fromkeys(archive.namelist()) if name.endswith(_TEXTS)]


def part_of(archive: ZipFile, name: str) -> bytes:
    """The part, as long as the archive says that it is: what is packed may be far longer, and
    reading all of it would unpack that first."""
    with archive.open(name) as part:
        return part.read(archive.getinfo(name).file_size)


def _elements(content: bytes) -> int:
    """The number of elements; over the limit for a part that must not be read."""
    is_refused = (
        b"<!DOCTYPE" in content
        or not _is_utf8(content[:200])
        or _has_long_stretch(content)
        or _LONG_NAMESPACE.search(content)
    )
    return MOST_ELEMENTS + 1 if is_refused else content.count(b"<") - content.count(b"</")


def _has_long_stretch(content: bytes) -> bool:
    """Whether more than `_LONGEST` bytes follow each other without a tag."""
    start = 0
    while len(content) - start > _LONGEST:
        start = content.rfind(b"<", start, start + _LONGEST) + 1
        if start == 0:
            return True
    return False


def _is_utf8(head: bytes) -> bool:
    match = _ENCODING.search(head)
    declared = match[1].lower() if match else b"utf-8"
    return declared == b"utf-8" and b"\0" not in head and not head.startswith(_UTF16)


# Rows of CSV and XLSX files.

MAX_BYTES = 5_000_000
_MAX_COLUMNS = 200
_MAX_ROWS = 1_048_576
_MAX_LINES = 100_000
_FOUND = 200
"""How much of the headings is named where one is missing."""
_XLSX_SIGNATURE = b"PK\x03\x04"
WORKBOOK_ERRORS = (
    AttributeError,
    LookupError,
    OSError,
    ParseError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
)
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_IN_THOUSANDS = re.compile(r"-?[0-9]{1,3}([.,\u00a0\u202f ])[0-9]{3}(?:\1[0-9]{3})?")

NOTHING_INSTEAD: Final[Mapping[str, Iterable[str]]] = {}
"""No column stands in for another."""

Source = str | Path | IO[bytes]
NumberedLine = tuple[int, list[str]]


@dataclass(frozen=True, slots=True)
class FileFault:
    """One thing that is wrong in a file: on which line, under which heading, and what."""

    line: int | None
    column: str | None
    message: str

    def __str__(self) -> str:
        line = _("line %(number)s") % {"number": self.line} if self.line else None
        return ": ".join(part for part in (line, self.column, self.message) if part)


class FileFaults(Exception):
    """A file that cannot be used, with everything that is wrong in it; never empty."""

    def __init__(self, faults: Iterable[FileFault]) -> None:
        self.faults = sorted(faults, key=lambda fault: fault.line or 0)
        super().__init__("\n".join(str(fault) for fault in self.faults))


@dataclass(frozen=True, slots=True)
class FileRow:
    """A line of the file: `row["name"]` is the text in that column, stripped; empty when absent.

    `line` is its number in the file as an editor or spreadsheet shows it, the headings being 1.
    """

    line: int
    cells: Mapping[str, str]
    headings: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def fault(self, column: str | None, message: str) -> FileFault:
        """A fault on this line, under the heading that the file has for `column`."""
        return FileFault(self.line, self.headings.get(column, column) if column else None, message)

    def whole_number(
        self, column: str, faults: list[FileFault], *, in_thousands: bool = False
    ) -> int | None:
        """The number in a cell, or None when it is empty; adds to `faults` what is no number.

        With `in_thousands` it may be written as 5.811.
        """
        text = self[column]
        if in_thousands and (match := _IN_THOUSANDS.fullmatch(text)):
            text = text.replace(match[1], "")
        if text and not _WHOLE_NUMBER.fullmatch(text):
            faults.append(
                self.fault(column, _("'%(value)s' is not a whole number") % {"value": text[:40]})
            )
            return None
        return int(text) if text else None


def read_rows(
    source: Source,
    *,
    columns: Mapping[str, Sequence[str]],
    required: Sequence[str],
    instead: Mapping[str, Iterable[str]] = NOTHING_INSTEAD,
) -> list[FileRow]:
    """The rows of a CSV file (commas or semicolons) or of the first sheet of an XLSX file.

    `columns` gives for each column the headings it may have, without regard to case and spaces;
    other columns and empty lines are left out. At least one row comes back, and each row has
    every column. A number without a fraction reads "12", a date "2026-09-05".

    Raises FileFaults when the file cannot be read, is larger than `MAX_BYTES` or holds more than
    can be read in seconds, has no lines below its headings, or misses a column of `required` and
    every one that `instead` has for it.
    """
    lines = [line for line in _lines(_content(source), columns) if any(line[1])]
    if not lines:
        raise FileFaults([FileFault(None, None, _("the file is empty"))])
    if len(lines) > _MAX_LINES:
        raise too_much()
    positions, headings = _headings(lines[0], columns, required, instead)
    if len(lines) == 1:
        raise FileFaults([FileFault(None, None, _("there is nothing below the headings"))])
    width = len(lines[0][1])
    too_wide = [
        FileFault(line, None, _("there are more cells than headings"))
        for line, cells in lines[1:]
        if any(cells[width:])
    ]
    if too_wide:
        raise FileFaults(too_wide)
    return [
        FileRow(line, {name: _cell(cells, positions.get(name)) for name in columns}, headings)
        for line, cells in lines[1:]
    ]


def _content(source: Source) -> bytes:
    try:
        if isinstance(source, str | Path):
            with Path(source).open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        else:
            content = source.read(MAX_BYTES + 1)
    except OSError as error:
        raise FileFaults([FileFault(None, None, _("the file cannot be opened"))]) from error
    if len(content) > MAX_BYTES:
        raise FileFaults([FileFault(None, None, _("the file is larger than 5 MB"))])
    return content


def _lines(content: bytes, columns: Mapping[str, Sequence[str]]) -> Iterable[NumberedLine]:
    if content.startswith(_XLSX_SIGNATURE):
        return _xlsx_lines(content)
    return _csv_lines(_decoded(content), columns)


def _decoded(content: bytes) -> str:
    """The text of a CSV file: UTF-8, or what older spreadsheets write on Windows."""
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise FileFaults([FileFault(None, None, _("this is not a CSV or XLSX file"))])


def _csv_lines(text: str, columns: Mapping[str, Sequence[str]]) -> Iterator[NumberedLine]:
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=_delimiter(text, columns), strict=True
    )
    before = 0
    try:
        for cells in reader:
            yield before + 1, [cell.strip() for cell in cells]
            before = reader.line_num
    except csv.Error as error:
        message = _("the quotation marks do not match")
        raise FileFaults([FileFault(before + 1, None, message)]) from error


def _delimiter(text: str, columns: Mapping[str, Sequence[str]]) -> str:
    """The comma or the semicolon: whichever makes more known headings of the first line."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    known = {_key(heading) for accepted in columns.values() for heading in accepted}

    def matches(delimiter: str) -> tuple[int, int]:
        cells = first.split(delimiter)
        return sum(_key(cell.strip('" ')) in known for cell in cells), len(cells)

    return max(",;", key=matches)


def _xlsx_lines(content: bytes) -> list[NumberedLine]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if not is_harmless(archive):
                raise too_much()
            file = only_text(archive)
        with workbook(file) as book:
            return list(_filled(filled_rows(book.worksheets[0])))
    except WORKBOOK_ERRORS as error:
        message = _("this is not a CSV or XLSX file")
        raise FileFaults([FileFault(None, None, message)]) from error


def workbook(file: Any) -> closing[Any]:
    """An Excel workbook, to be read row by row. The library is a tenth of a server's memory, which
    only who reads one needs."""
    from openpyxl import load_workbook

    return closing(load_workbook(file, read_only=True, data_only=True, keep_links=False))


def filled_rows(sheet: Any) -> Iterator[tuple[int, list[object]]]:
    """The rows of a worksheet that are not empty, with their numbers, up to their last cell: a cell
    at the very bottom of a sheet has a million blank rows above it.

    Raises ValueError beyond the last possible row, and FileFaults where the cells hold too much
    text, before any of it is copied.
    """
    # The size that some programs write is too small, and what is outside would be left out.
    sheet.reset_dimensions()
    left = MOST_TEXT
    for line, row in enumerate(sheet.iter_rows(max_col=_MAX_COLUMNS, values_only=True), 1):
        if line > _MAX_ROWS:
            raise ValueError(line)
        if row.count(None) < len(row):
            left -= sum(len(value) for value in row if isinstance(value, str))
            if left < 0:
                raise too_much()
            width = max(at for at, value in enumerate(row, 1) if value is not None)
            yield line, list(row[:width])


def _filled(rows: Iterable[tuple[int, list[object]]]) -> Iterator[NumberedLine]:
    """The rows as text, as wide as the first."""
    width = 0
    for line, row in rows:
        width = width or len(row)
        yield line, [cell_text(value) for value in row[:width]]


def too_much() -> FileFaults:
    """The fault of a file that would take too long to read."""
    return FileFaults([FileFault(None, None, _("this file has more content than can be read"))])


def cell_text(value: object) -> str:
    """The value of a spreadsheet cell, as somebody would type it."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, dt.datetime) and value.time() == dt.time.min:
        return value.date().isoformat()
    if isinstance(value, dt.date):
        return value.isoformat()
    return "" if value is None else str(value).strip()


def _headings(
    line: NumberedLine,
    columns: Mapping[str, Sequence[str]],
    required: Sequence[str],
    instead: Mapping[str, Iterable[str]],
) -> tuple[dict[str, int], dict[str, str]]:
    """The position of each column, and its heading in the file."""
    number, cells = line
    positions: dict[str, int] = {}
    faults: list[FileFault] = []
    found = ", ".join(cell for cell in cells if cell)[:_FOUND]
    indexes_of = {name: _indexes(cells, accepted) for name, accepted in columns.items()}
    for name, indexes in indexes_of.items():
        if len(indexes) > 1:
            faults.append(
                FileFault(number, name, _("there is more than one column with this heading"))
            )
        elif indexes:
            positions[name] = indexes[0]
        elif name in required and not any(indexes_of[other] for other in instead.get(name, ())):
            words = _("there is no column with this heading, only: %(headings)s")
            faults.append(FileFault(number, name, words % {"headings": found}))
    if faults:
        raise FileFaults(faults)
    return positions, {name: cells[index] for name, index in positions.items()}


def _indexes(cells: Sequence[str], accepted: Sequence[str]) -> list[int]:
    keys = {_key(heading) for heading in accepted}
    return [index for index, cell in enumerate(cells) if _key(cell) in keys]


def _key(heading: str) -> str:
    return "".join(heading.split()).casefold()


def _cell(cells: Sequence[str], position: int | None) -> str:
    return cells[position] if position is not None and position < len(cells) else ""
