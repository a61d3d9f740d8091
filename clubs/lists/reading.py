"""Lists from files of any usual kind, or pasted: what can be read, or a sentence that says why not.

Raises FileFaults with one sentence for a person who has never heard of a file format.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from xml.etree.ElementTree import Element, iterparse
from zipfile import ZipFile

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.files.reading import (
    MAX_BYTES,
    WORKBOOK_ERRORS,
    FileFault,
    FileFaults,
    cell_text,
    filled_rows,
    is_harmless,
    only_text,
    part_of,
    too_much,
    workbook,
)
from clubs.lists.core.layout import NO_HEADINGS, Line, Sheet
from clubs.text.names import PREFIXES

MOST_BREAKS: Final = 1_000_000
"""Of a text, empty lines included."""

_PICTURES = b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*"
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_USUAL = frozenset("éëèêïîíöóôòüúûäáàâåçñøæßÉËÖÜ’‘“”€–…°º´\xa0")
"""The accents and signs in Dutch lists; read in a wrong encoding, they become others."""
_SEPARATORS = "\t;,|"
_WIDE_GAP = re.compile(" {2,}")


@dataclass(frozen=True, slots=True)
class ListFile:
    """The sheets of a file that have something on them, and what was met while reading."""

    sheets: tuple[Sheet, ...]
    notices: tuple[str, ...] = ()


def list_read(content: bytes) -> ListFile:
    """The sheets of a CSV, XLSX or ODS file, or of a text; at least one, with a line each.

    Raises FileFaults with a sentence for what is no list: a picture, a locked workbook and so on.
    """
    if len(content) > MAX_BYTES:
        raise refused(_("The file is larger than 5 MB. Is this the list of your club?"))
    if fault := _not_a_list(content):
        raise refused(fault)
    try:
        read = _workbook(content) if content.startswith(b"PK\x03\x04") else _text_file(content)
    except WORKBOOK_ERRORS as error:
        raise refused(_broken()) from error
    sheets = tuple(sheet for sheet in read.sheets if sheet.lines)
    if not sheets:
        raise refused(_("There is nothing in this file."))
    if any(len(sheet.lines) > MOST_LINES for sheet in sheets):
        raise refused(_too_long())
    return ListFile(sheets, read.notices)


def text_read(text: str) -> ListFile:
    """The list in a text that was typed or pasted. Raises FileFaults where there is none."""
    return list_read(text.encode())


def refused(message: str) -> FileFaults:
    """The fault of a whole file."""
    return FileFaults([FileFault(None, None, message)])


def _broken() -> str:
    return _(
        "This file is damaged and cannot be read. Open it in the program that made it, save it"
        " again and choose the new file; or copy the list there and paste it here."
    )


def _too_long() -> str:
    return _("This file has more lines than can be read. Is this the list of your club?")


def _not_a_list(content: bytes) -> str | None:
    """What this is when it is certainly no list."""
    if not content.strip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"):
        return _("There is nothing in this file.")
    if content.startswith(_PICTURES) or content[4:8] == b"ftyp" or content[8:12] == b"WEBP":
        return _("This is a picture. A list in a photo cannot be read: choose the list itself.")
    if content.startswith(b"%PDF"):
        return _("This is a PDF. Open it, select the list, copy it and paste it here.")
    if content.startswith(b"{\\rtf"):
        return _copy_from_text_program()
    return _old_office(content) if content.startswith(_OLD_OFFICE) else None


def _old_office(content: bytes) -> str:
    if "EncryptedPackage".encode("utf-16-le") in content:
        return _locked()
    return _(
        "This is a file of an old Excel or Word. Open it, choose “Save as” and the kind “Excel"
        " workbook (.xlsx)”, and choose that file; or copy the list and paste it here."
    )


def _locked() -> str:
    return _(
        "This file is locked with a password. Take the password off in Excel or LibreOffice, save"
        " it and choose it again; or copy the list there and paste it here."
    )


def _copy_from_text_program() -> str:
    return _("This is a letter (Word). Open it, select the list, copy it and paste it here.")


# Workbooks.


def _workbook(content: bytes) -> ListFile:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = set(archive.namelist())
        if any(part.flag_bits & 1 for part in archive.infolist()):
            raise refused(_locked())
        if "word/document.xml" in names:
            raise refused(_copy_from_text_program())
        if "xl/workbook.xml" in names:
            return ListFile(tuple(xlsx_sheets(archive)), _formulas(uncounted_formulas(archive)))
        if "content.xml" not in names:
            raise refused(_("This is not a list: it is a ZIP file or a file of another program."))
        if ods_is_locked(archive):
            raise refused(_locked())
        return ListFile(tuple(ods_sheets(archive)))


def _formulas(uncounted: int) -> tuple[str, ...]:
    if not uncounted:
        return ()
    notice = ngettext(
        "One cell has a formula whose outcome is not in the file, so it is read as empty. Open the"
        " file in Excel, save it and choose it again to have it.",
        "%(n)s cells have a formula whose outcome is not in the file, so they are read as empty."
        " Open the file in Excel, save it and choose it again to have them.",
        uncounted,
    )
    return (notice % {"n": uncounted},)


# Text.


def _text_file(content: bytes) -> ListFile:
    text = _decoded(content)
    if (
        text.count("\n") > MOST_BREAKS
        or sum(map(bool, map(str.strip, text.split("\n")))) > MOST_LINES
    ):
        raise refused(_too_long())
    if text.lstrip()[:200].casefold().startswith(("<!doctype html", "<html", "<?xml")):
        raise refused(
            _("This is a page of a website. Open it, select the list, copy it and paste it here.")
        )
    rows, has_odd_quotes = _cells(text)
    notices = (_("The quotation marks in this file do not match. Check the lines below."),)
    lines = [Line(number, cells) for number, cells in rows if any(cells)]
    return ListFile((Sheet("", tuple(lines)),), notices if has_odd_quotes else ())


def _decoded(content: bytes) -> str:
    """The text: UTF-8, UTF-16, or what Windows, DOS and old Macs wrote, by their accents."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError as error:
            raise refused(_broken()) from error
    if b"\0" in content:
        raise refused(_("This is not a list. Choose a file of Excel, LibreOffice or a CSV file."))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        texts = [content.decode(name, "replace") for name in ("cp1252", "cp850", "mac_roman")]
        return max(texts, key=_likely)


def _likely(text: str) -> int:
    return sum(2 if char in _USUAL else -1 for char in text if ord(char) > 127)


def _cells(text: str) -> tuple[list[tuple[int, tuple[str, ...]]], bool]:
    """The cells of each line with its number, and whether quotation marks had to be ignored."""
    separator = _separator(text)
    if separator is None:
        lines = (_WIDE_GAP.split(line.strip()) for line in text.splitlines())
        return list(enumerate(map(_stripped, lines), 1)), False
    try:
        return list(_csv(text, separator, csv.QUOTE_MINIMAL)), False
    except csv.Error:
        try:
            return list(_csv(text, separator, csv.QUOTE_NONE)), True
        except csv.Error as error:
            raise refused(_("A cell in this file is too long. Is this the list?")) from error


def _csv(
    text: str, separator: str, quoting: Literal[0, 3]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    source = io.StringIO(text, newline="")
    reader = csv.reader(source, delimiter=separator, quoting=quoting, strict=True)
    before = 0
    for cells in reader:
        yield before + 1, _stripped(cells[:MOST_COLUMNS])
        before = reader.line_num


def _stripped(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(" ".join(cell.split()) for cell in cells)


def _separator(text: str) -> str | None:
    """The sign that stands equally often on most of the first lines, or None."""
    lines = [line for line in text.splitlines()[:200] if line.strip()]

    def evenness(sign: str) -> tuple[int, int]:
        counts = [line.count(sign) for line in lines if sign in line]
        most = max(counts, key=counts.count, default=0)
        return counts.count(most), most

    sign = max(_SEPARATORS, key=evenness)
    if evenness(sign)[0] == 0 or (sign == "," and _is_inside_names(lines)):
        return None
    return sign


def _is_inside_names(lines: Sequence[str]) -> bool:
    """Whether the commas are those of "Bos, Jan" and "Berg, van den, Mia", alone on each line."""
    parts = [line.split(",") for line in lines if "," in line]
    return all(
        not any(char.isdigit() or char == "@" for char in "".join(line))
        and all(not part.strip() or part.startswith(" ") for part in line[1:])
        and (len(line) == 2 or (len(line) == 3 and _is_prefix(line[1])))
        for line in parts
    )


def _is_prefix(text: str) -> bool:
    return all(word in PREFIXES for word in text.casefold().split())


_SHOWN: Final = 15
_LONGEST: Final = 60


def heading_lines(sheet: Sheet, present: int) -> list[tuple[int, str]]:
    """The lines that may have the headings, each with its number, the `present` one included; and
    that there are none."""
    first = [line for at, line in enumerate(sheet.lines) if at < _SHOWN or line.number == present]
    lines = [
        (
            line.number,
            _("line %(number)s: %(text)s")
            % {
                "number": line.number,
                "text": Truncator(" · ".join(line.filled)).chars(_LONGEST),
            },
        )
        for line in first
    ]
    return [(NO_HEADINGS, _("there are no headings")), *lines]


def heading_at(sheet: Sheet, above: int, below: int) -> int:
    """The number of the line with the headings, where those after the first `above` lines end
    before the line `below`."""
    return sheet.lines[above].number if above < below else NO_HEADINGS


def sheets_words(sheets: Iterable[Sheet]) -> list[str]:
    """These sheets by name, with how much is on them."""
    return [
        ngettext("%(name)s (%(n)s line)", "%(name)s (%(n)s lines)", len(sheet.lines))
        % {"name": sheet.name, "n": len(sheet.lines)}
        for sheet in sheets
    ]


def side_by_side_words(sheet: Sheet) -> str:
    """That the parts of this sheet stand beside each other, and how their lines are numbered."""
    return _(
        "This list has several columns of names side by side. They are read one below the other:"
        " lines from %(n)s on are those of the second column."
    ) % {"n": sheet.lines[-1].number + 1}


# The sheets of Excel and OpenDocument workbooks, unpacked safely.


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
            cells = _row_cells(element)
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


def _row_cells(row: Element) -> tuple[str, ...]:
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
