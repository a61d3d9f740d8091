"""What pictures of score sheets say: which sheet each is, and the deals that stand on it.

NumPy and OpenCV are loaded when a picture comes, and not before: in a process of its own for what
is sent to a server (`process.py` says why), in this one for the command `read_sheet`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from threading import Timer
from typing import IO, TYPE_CHECKING, Any, Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.pdf.reading_sheet import sheet_form
from scoring.reading.layout import layouts_of
from scoring.sheets.services import sheet_code, sheet_of_code
from tournaments.models import Evening, Round, Table

if TYPE_CHECKING:
    from tournaments.sheet_photos.process import Answer, Known

PROBLEMS: Final[dict[str, str | Promise]] = {
    "no_sheet": _("There is no score sheet of ours on this picture."),
    "other_server": _("This sheet was printed by another server, or does not exist any more."),
    "other_evening": _("This sheet is of another evening."),
    "corner_missing": _("A corner of the sheet is not on the picture: all four marks must be."),
    "too_dark": _("The picture is too dark. Take it in better light, without flash."),
    "too_small": _("The sheet is too small on the picture. Hold the phone closer."),
    "twice": _("This sheet was on a picture before."),
    "no_code": _("The square code at the foot of the sheet cannot be read on this picture."),
    "no_picture": _("This file is broken, or no picture."),
    "no_heic": _("HEIC cannot be opened here. Let the phone make JPEG: “most compatible”."),
    "no_pdf": _("PDF cannot be opened here: the program pdftoppm is missing."),
    "too_many_pages": _("A PDF is read up to page 60. Make two files of this one."),
    "too_many_pixels": _("The picture has more than 60 million pixels. Choose a smaller one."),
    "too_long": _("Reading this file took too long. Make two files of it, or a smaller picture."),
}
NO_SHEET: Final = ("no_code", "no_picture", "no_heic", "too_many_pixels", "too_long")
SILENCE: Final = 60
"""Seconds a page may take before its process is ended."""
LONGEST_ANSWER: Final = 6_000_000

Sheets = Mapping[str, Any]
"""What the process gets to know of the sheets of an evening: `sheets` by code, and `rules`."""


def sheets_of(evening: Evening) -> tuple[Sheets, dict[str, tuple[Table, int]]]:
    """The sheets of an evening as the process gets them, and each page by its code."""
    tables = (
        Table.objects.filter(round__evening=evening)
        .exclude(round__state=Round.State.DRAFT)
        .select_related("round", "sheet__regulation")
    )
    rules: list[dict[str, object]] = []
    sheets: dict[str, list[object]] = {}
    pages: dict[str, tuple[Table, int]] = {}
    for table in tables:
        form, played = sheet_form(table.sheet), table.sheet.regulation.rules.as_settings()
        if played not in rules:
            rules.append(played)
        for layout in layouts_of(form):
            code = sheet_code(table.sheet, layout.page)
            sheets[code] = [list(form), layout.page, rules.index(played)]
            pages[code] = (table, layout.page)
    return {"sheets": sheets, "rules": rules}, pages


def file_read(content: bytes, sheets: Sheets) -> Iterator["Answer"]:
    """Have a process of its own read a file: the answers of `process.answers`, and last, where it
    was ended or broke down, the problem `too_long`, or `no_picture`."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tournaments.sheet_photos.process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=settings.BASE_DIR,
        env=_environment(),
    )
    ended: list[bool] = []
    with process:
        try:
            yield from _answers(process, content, sheets, ended)
        finally:
            process.kill()


def _answers(
    process: "subprocess.Popen[bytes]", content: bytes, sheets: Sheets, ended: list[bool]
) -> Iterator["Answer"]:
    source, out = process.stdin, process.stdout
    if source is None or out is None:
        raise RuntimeError("the process has no pipes")
    timer = _timer(process, ended)
    try:
        _give(source, json.dumps(sheets).encode() + b"\n" + content)
        while line := out.readline(LONGEST_ANSWER):
            timer.cancel()
            answer = json.loads(line)
            if "done" in answer:
                return
            yield answer
            timer = _timer(process, ended)
        yield {"page": 1, "problem": "too_long" if ended else "no_picture"}
    finally:
        timer.cancel()


def _timer(process: "subprocess.Popen[bytes]", ended: list[bool]) -> Timer:
    """Ends the process if it says nothing for too long."""

    def end() -> None:
        ended.append(True)
        process.kill()

    timer = Timer(SILENCE, end)
    timer.daemon = True
    timer.start()
    return timer


def _give(source: IO[bytes], content: bytes) -> None:
    try:
        source.write(content)
        source.close()
    except OSError:
        # It broke down before it had read all; what it did not answer says so.
        return


def _environment() -> dict[str, str]:
    """Nothing that says where the database is, or what the key is."""
    needed = "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR"
    kept = {name: os.environ[name] for name in needed if name in os.environ}
    return {**kept, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def problem_of(code: str, evening: Evening | None = None) -> str:
    """Why a page that was found is not read, by what its QR code says."""
    if not code:
        return "no_code"
    named = sheet_of_code(code)
    if named is None or not Table.objects.filter(sheet__uuid=named[0]).exists():
        return "other_server"
    return "other_evening" if evening else "other_server"


# The command `read_sheet`.


def read_file(content: bytes, seen: set[tuple[int, int]]) -> Iterator[dict[str, Any]]:
    """What each sheet on a picture, or on the pages of a PDF, says; or why there is none. `seen`
    are the sheets that there have been, with their page."""
    from tournaments.sheet_photos.process import answers

    tables: dict[str, tuple[Table, int]] = {}
    for answer in answers(content, partial(_known, tables), keep_picture=False):
        yield {"page": answer["page"], **_as_told(answer, tables, seen)}


def _known(tables: dict[str, tuple[Table, int]], code: str) -> "Known | None":
    from tournaments.sheet_photos.process import Known

    named = sheet_of_code(code)
    if named is None:
        return None
    found = Table.objects.filter(sheet__uuid=named[0])
    table = found.select_related("round__evening__club", "sheet__regulation").first()
    layouts = layouts_of(sheet_form(table.sheet)) if table else []
    if table is None or not 1 <= named[1] <= len(layouts):
        return None
    tables[code] = (table, named[1])
    return Known(layouts[named[1] - 1], table.sheet.regulation.rules)


def _as_told(
    answer: "Answer", tables: dict[str, tuple[Table, int]], seen: set[tuple[int, int]]
) -> dict[str, Any]:
    if "deals" not in answer:
        problem = answer.get("problem") or problem_of(answer["code"])
        return {"problems": [_problem(problem)]}
    table, page = tables[answer["code"]]
    evening, place = table.round.evening, (table.pk, page)
    problems = [_problem("twice")] if place in seen else []
    seen.add(place)
    return {
        "club": evening.club.slug,
        "date": evening.slug,
        "round": table.round.number,
        "table": table.number,
        "deals": [
            {key: deal[key] for key in ("deal", "line", "sure", "doubts")}
            for deal in answer["deals"]
        ],
        "totals": {**answer["totals"], "agree": answer["agree"]},
        "problems": problems,
    }


def _problem(code: str) -> dict[str, str]:
    # Programs know all that is no readable picture by one code; the message says which.
    known = "no_sheet" if code in NO_SHEET else code
    return {"code": known, "message": str(PROBLEMS[code])}
