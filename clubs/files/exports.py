"""Lists as files to download: CSV and JSON for programs, Excel for people."""

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import cast

import tablib
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
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
    wanted = request.GET.get("format")
    if wanted is None:
        return None
    if wanted not in _ANSWERS:
        raise Http404
    made = make()
    response = _ANSWERS[wanted](made)
    disposition = content_disposition_header(
        as_attachment=True, filename=f"{slugify(made.name) or 'klaverclub'}.{wanted}"
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


def _csv(made: ListFile) -> HttpResponse:
    return HttpResponse(
        cast("str", _dataset(made, list(made.columns)).export("csv", quoting=csv.QUOTE_ALL)),
        content_type="text/csv; charset=utf-8",
    )


def _xlsx(made: ListFile) -> HttpResponse:
    dataset = _dataset(made, [str(label) for label in made.columns.values()])
    return HttpResponse(cast("bytes", dataset.export("xlsx")), content_type=_XLSX)


def _json(made: ListFile) -> HttpResponse:
    objects = made.objects
    if objects is None:
        objects = [dict(zip(made.columns, row, strict=True)) for row in made.rows]
    return JsonResponse(list(objects), safe=False, json_dumps_params={"ensure_ascii": False})


def _dataset(made: ListFile, headings: Sequence[str]) -> tablib.Dataset:
    rows = [tuple(defused(cell) for cell in row) for row in made.rows]
    title = _CONTROL.sub(" ", made.name)[:31]
    return tablib.Dataset(*rows, headers=[defused(heading) for heading in headings], title=title)


_ANSWERS: Mapping[str, Callable[[ListFile], HttpResponse]] = {
    "csv": _csv,
    "xlsx": _xlsx,
    "json": _json,
}
