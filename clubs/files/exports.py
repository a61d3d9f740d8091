"""Lists as files to download: CSV and JSON for programs, Excel for people; and the thread that
makes long ones, so that no page waits."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from queue import Full, Queue
from threading import Lock, Thread
from typing import Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connections
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify

Cell = str | int | float | Decimal | None

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
# Dutch Excel splits at semicolons what was written with commas: a cell then begins in the middle.
_LATER_START = re.compile(r"""([;,|\t"]\s*)(?=[=+@-])""")
_TELEPHONE = re.compile(r"\+?[\d ().-]+", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFile:
    """A list to download. `name` is the file name without extension; `columns` maps each column's
    key for programs to its heading for people; `objects` are for JSON, where it has more than the
    rows."""

    name: str
    columns: Mapping[str, str]
    rows: Sequence[Sequence[Cell]]
    objects: Sequence[Mapping[str, object]] | None = None


def list_response(request: HttpRequest, make: Callable[[], ListFile]) -> HttpResponse | None:
    """The list in the format of `?format=`; None without that parameter.

    CSV and JSON use the keys of the columns, Excel the headings. Http404 for an unknown format.
    """
    kind = list_format(request)
    if kind is None:
        return None
    made = make()
    return list_file_response(list_bytes(made, kind), made.name, kind)


def list_format(request: HttpRequest) -> str | None:
    """The format of `?format=`; None without that parameter. Http404 for an unknown one."""
    wanted = request.GET.get("format")
    if wanted is not None and wanted not in _FORMATS:
        raise Http404
    return wanted


def list_bytes(made: ListFile, kind: str) -> bytes:
    """The list in this format."""
    return _FORMATS[kind].write(made)


def list_file_response(content: bytes, name: str, kind: str) -> HttpResponse:
    """A list in this format, to be kept under its name."""
    response = HttpResponse(content, content_type=_FORMATS[kind].content_type)
    disposition = content_disposition_header(
        as_attachment=True, filename=f"{slugify(name) or 'klaverclub'}.{kind}"
    )
    response.headers["Content-Disposition"] = disposition or "attachment"
    return response


def defused(cell: Cell) -> Cell:
    """A cell that no spreadsheet reads as a formula: such a text gets an apostrophe in front, also
    where it follows a separator.

    >>> defused("=1+1"), defused("+31 6 1234"), defused(-5), defused("Jan;=1+1")
    ("'=1+1", '+31 6 1234', -5, "Jan;'=1+1")
    """
    if not isinstance(cell, str):
        return cell
    harmless = not cell.startswith(_FORMULA_STARTS) or _TELEPHONE.fullmatch(cell)
    return _CONTROL.sub(" ", _LATER_START.sub(r"\1'", cell if harmless else f"'{cell}"))


def _csv(made: ListFile) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow([defused(key) for key in made.columns])
    writer.writerows([defused(cell) for cell in row] for row in made.rows)
    return text.getvalue().encode()


def _json(made: ListFile) -> bytes:
    objects = made.objects
    if objects is None:
        objects = [dict(zip(made.columns, row, strict=True)) for row in made.rows]
    return json.dumps(list(objects), cls=DjangoJSONEncoder, ensure_ascii=False).encode()


# A workbook of one sheet. openpyxl takes twenty times as long: seven seconds for 40,000 rows, in
# which a thread that makes them holds up the others of its process.

_LONGEST_TITLE: Final = 31
_LONGEST_CELL: Final = 32_767
_WIDEST: Final = 80
_BOLD: Final = ' s="1"'
_NOT_IN_TITLES = re.compile(r"[\\/*?:\[\]]")
_NOT_IN_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")

_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_SAME_IN_ALL: Final = {
    "[Content_Types].xml": f'''<Types xmlns="{_PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/>
<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>
</Types>''',
    "_rels/.rels": f'''<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>
</Relationships>''',
    "xl/_rels/workbook.xml.rels": f'''<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>
<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/>
</Relationships>''',
    # Two fonts, the second of which is bold: style 1 of the headings.
    "xl/styles.xml": f'''<styleSheet xmlns="{_MAIN}">
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill>
<fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>''',
}


def _xlsx(made: ListFile) -> bytes:
    """A sheet with bold headings that stay in sight, and columns as wide as what is in them."""
    headings = [str(label) for label in made.columns.values()]
    parts = {
        **_SAME_IN_ALL,
        "xl/workbook.xml": f'''<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">
<sheets><sheet name={quoteattr(_title(made.name))} sheetId="1" r:id="rId1"/></sheets>
</workbook>''',
        "xl/worksheets/sheet1.xml": "".join(_sheet([headings, *made.rows])),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, f"{_DECLARATION}\n{part}")
    return file.getvalue()


def _title(name: str) -> str:
    """What a sheet may be called: no apostrophe at either end, and never nothing."""
    title = _NOT_IN_TITLES.sub("-", _NOT_IN_XML.sub("", _CONTROL.sub(" ", name)))
    return title[:_LONGEST_TITLE].strip("' ") or "Klaverclub"


def _sheet(rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    letters = [_letters(column) for column in range(len(rows[0]))]
    # A long list says the same names over and over.
    texts = {cell: _text(cell) for cell in {*chain(*rows)} if isinstance(cell, str)}
    yield f'''<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>
</sheetView></sheetViews><cols>'''
    for number, cells in enumerate(zip(*rows, strict=True), 1):
        width = min(_WIDEST, 1 + max(len(str(cell)) for cell in {*cells}))
        yield f'<col min="{number}" max="{number}" width="{width}" customWidth="1"/>'
    yield "</cols><sheetData>"
    for number, row in enumerate(rows, 1):
        yield f'<row r="{number}">'
        for column, cell in zip(letters, row, strict=True):
            place = f'<c r="{column}{number}"'
            if isinstance(cell, str):
                style = _BOLD if number == 1 else ""
                yield f'{place} t="inlineStr"{style}><is>{texts[cell]}</is></c>'
            elif cell is not None:
                yield f"{place}><v>{cell}</v></c>"
        yield "</row>"
    yield "</sheetData></worksheet>"


def _text(cell: str) -> str:
    text = escape(_NOT_IN_XML.sub("", str(defused(cell))[:_LONGEST_CELL]))
    return f"<t>{text}</t>" if text == text.strip() else f'<t xml:space="preserve">{text}</t>'


def _letters(column: int) -> str:
    """What a spreadsheet calls the column with this number, from 0.

    >>> [_letters(column) for column in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    before, last = divmod(column, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)


class _Format(NamedTuple):
    write: Callable[[ListFile], bytes]
    content_type: str


_FORMATS: Mapping[str, _Format] = {
    "csv": _Format(_csv, "text/csv; charset=utf-8"),
    "xlsx": _Format(_xlsx, _XLSX),
    "json": _Format(_json, "application/json"),
}


Job = Callable[[], None]


class Aside:
    """A thread, begun by the first job, that does one job after the other."""

    def __init__(self, most_waiting: int) -> None:
        self._waiting: Queue[Job] = Queue(most_waiting)
        self._starting = Lock()
        self._thread: Thread | None = None

    def put(self, job: Job) -> bool:
        """Have a job done, which raises nothing; False if too many wait before it."""
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._work, daemon=True)
                self._thread.start()
        try:
            self._waiting.put_nowait(job)
        except Full:
            return False
        return True

    def _work(self) -> None:
        while True:
            job = self._waiting.get()
            try:
                job()
            finally:
                connections.close_all()
