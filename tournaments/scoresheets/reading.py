"""What photographs of score sheets say: which sheet each is, and the deals that stand on it.

NumPy and OpenCV are loaded when a picture comes, and not before.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.pdf.reading_sheet import sheet_form
from scoring.reading.layout import layouts_of
from scoring.sheets.services import sheet_of_code
from tournaments.models import Table

if TYPE_CHECKING:
    from scoring.reading.lines import Deal, SheetRead
    from scoring.reading.picture import Found

PROBLEMS: Final[dict[str, str | Promise]] = {
    "no_sheet": _("There is no score sheet of ours on this picture."),
    "other_server": _("This sheet was printed by another server, or does not exist any more."),
    "corner_missing": _("A corner of the sheet is not on the picture: all four marks must be."),
    "too_dark": _("The picture is too dark. Take it in better light, without flash."),
    "too_small": _("The sheet is too small on the picture. Hold the phone closer."),
    "twice": _("This sheet was on a picture before."),
    "too_many_pages": _("A PDF is read up to page 60. Make two files of this one."),
    "no_pdf": _("PDF cannot be opened here: the program pdftoppm is missing."),
}
MOST_PAGES: Final = 60
PDF_SECONDS: Final = 120


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a file, or a page of a PDF; without content, the problem says why."""

    page: int
    content: bytes
    problem: str = ""


def read_file(content: bytes, seen: set[tuple[int, int]]) -> Iterator[dict[str, Any]]:
    """What each sheet on a picture, or on the pages of a PDF, says; or why there is none. `seen`
    are the sheets that there have been, with their page."""
    for picture in _pictures(content):
        yield from ({"page": picture.page, **found} for found in _read(picture, seen))


def _pictures(content: bytes) -> Iterator[Picture]:
    if content[:1024].lstrip()[:5] != b"%PDF-":
        yield Picture(1, content)
        return
    program = shutil.which("pdftoppm")
    if program is None:
        yield Picture(1, b"", "no_pdf")
        return
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "pictures.pdf"
        source.write_bytes(content)
        command: list[str | Path] = [
            program,
            "-r",
            "200",
            "-gray",
            "-l",
            str(MOST_PAGES + 1),
            source,
            f"{folder}/page",
        ]
        try:
            subprocess.run(  # noqa: S603
                command, check=True, capture_output=True, timeout=PDF_SECONDS
            )
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            yield Picture(1, b"", "no_sheet")
            return
        for number, file in enumerate(sorted(Path(folder).glob("page*")), start=1):
            if number > MOST_PAGES:
                yield Picture(number, b"", "too_many_pages")
                return
            yield Picture(number, file.read_bytes())


def _read(picture: Picture, seen: set[tuple[int, int]]) -> Iterator[dict[str, Any]]:
    from scoring.reading.picture import UnreadableError, opened, sheets_on

    if picture.problem:
        yield _nothing(picture.problem)
        return
    try:
        sheets = sheets_on(opened(picture.content))
    except UnreadableError as error:
        yield _nothing(error.code)
        return
    for found in sheets:
        yield _told(found, seen)


def _told(found: "Found", seen: set[tuple[int, int]]) -> dict[str, Any]:
    from scoring.reading.reader import read_page

    if not found.code:
        return _nothing("no_sheet")
    named = sheet_of_code(found.code)
    table = _table_of(named[0]) if named else None
    if named is None or table is None:
        return _nothing("other_server")
    layouts = layouts_of(sheet_form(table.sheet))
    if not 1 <= named[1] <= len(layouts):
        return _nothing("other_server")
    layout = layouts[named[1] - 1]
    read = read_page(found, layout, table.sheet.regulation.rules)
    problems = [_problem("twice")] if (table.pk, layout.page) in seen else []
    seen.add((table.pk, layout.page))
    evening = table.round.evening
    return {
        "club": evening.club.slug,
        "date": evening.slug,
        "round": table.round.number,
        "table": table.number,
        "deals": [_deal(row.deal, deal) for row, deal in zip(layout.rows, read.deals, strict=True)],
        "totals": _totals(read),
        "problems": problems,
    }


def _table_of(uuid: Any) -> Table | None:
    tables = Table.objects.filter(sheet__uuid=uuid)
    return tables.select_related("round__evening__club", "sheet__regulation").first()


def _deal(number: int, deal: "Deal") -> dict[str, Any]:
    return {"deal": number, "line": deal.line, "sure": deal.sure, "doubts": deal.doubts}


def _totals(read: "SheetRead") -> dict[str, Any]:
    return {**read.totals, "agree": read.agree}


def _nothing(code: str) -> dict[str, Any]:
    return {"problems": [_problem(code)]}


def _problem(code: str) -> dict[str, str]:
    return {"code": code, "message": str(PROBLEMS[code])}
