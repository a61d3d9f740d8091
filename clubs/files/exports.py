"""Lists as files to download: CSV and JSON for programs, Excel for people; and the thread that
makes long ones, so that no page waits."""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from queue import Full, Queue
from threading import Lock, Thread
from typing import NamedTuple

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connections
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify

from clubs.files.spreadsheet import Cell, spreadsheet

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


def _xlsx(made: ListFile) -> bytes:
    headings = [str(defused(str(label))) for label in made.columns.values()]
    rows = [[defused(cell) for cell in row] for row in made.rows]
    return spreadsheet(made.name, headings, rows)


def _json(made: ListFile) -> bytes:
    objects = made.objects
    if objects is None:
        objects = [dict(zip(made.columns, row, strict=True)) for row in made.rows]
    return json.dumps(list(objects), cls=DjangoJSONEncoder, ensure_ascii=False).encode()


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
