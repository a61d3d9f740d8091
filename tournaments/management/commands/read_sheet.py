"""Reads score sheets from photographs and scans; writes nothing."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand

from scoring.pdf.reading_sheet import sheet_forms
from scoring.reading.layout import layouts_of
from scoring.sheets.services import occasion_of_code, sheet_of_code
from tournaments.models import Evening, Table
from tournaments.seating.store import page_code, spare_sheet
from tournaments.sheet_photos.process import Answer, Known, answers
from tournaments.sheet_photos.reading import PROBLEMS, Place, problem_of

NO_SHEET: Final = (
    "no_code",
    "no_picture",
    "no_heic",
    "locked",
    "too_many_pixels",
    "too_long",
    "rest_left",
)


class Command(BaseCommand):
    """`manage.py read_sheet FILE…`: exit status 1 when a file had no sheet."""

    help = "Read score sheets from photographs: a JSON object a line for each sheet, in order."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        seen: set[tuple[object, ...]] = set()
        complete = True
        for name in files:
            sheets = 0
            for found in self._read(name, seen):
                sheets += "deals" in found
                self.stdout.write(json.dumps({"file": name, **found}, ensure_ascii=False))
            complete = complete and sheets > 0
        if not complete:
            sys.exit(1)

    def _read(self, name: str, seen: set[tuple[object, ...]]) -> Any:
        try:
            content = Path(name).read_bytes()
        except OSError as error:
            message = f"{PROBLEMS['no_sheet']} {error.strerror}"
            yield {"problems": [{"code": "no_sheet", "message": message}]}
            return
        yield from _read_file(content, seen)


def _read_file(content: bytes, seen: set[tuple[object, ...]]) -> Iterator[dict[str, Any]]:
    """What each sheet on a picture, or on the pages of a PDF, says; or why there is none. `seen`
    are the sheets that there have been, with their page."""
    places: dict[str, tuple[Evening, Place]] = {}
    for answer in answers(content, partial(_known, places), keep_picture=False):
        yield {"page": answer["page"], **_as_told(answer, places, seen)}


def _known(places: dict[str, tuple[Evening, Place]], code: str) -> Known | None:
    evening, table = _evening_of(code)
    if evening is None:
        return None
    spares = (spare_sheet(evening, three=three) for three in (False, True))
    for sheet in [table.sheet] if table else filter(None, spares):
        for form in sheet_forms(sheet):
            for layout in layouts_of(form):
                if page_code(sheet, layout.page, evening, compact=form.compact) == code:
                    places[code] = evening, Place(table, layout.page)
                    return Known(layout, sheet.regulation.rules)
    return None


def _evening_of(code: str) -> tuple[Evening | None, Table | None]:
    """The evening that a code is of, and the table where it names one."""
    named = sheet_of_code(code)
    if named is None:
        uuid = occasion_of_code(code)
        evenings = Evening.objects.select_related("club", "regulation")
        return (evenings.filter(uuid=uuid).first() if uuid else None), None
    found = Table.objects.filter(sheet__uuid=named[0])
    table = found.select_related("round__evening__club", "sheet__regulation").first()
    return (table.round.evening, table) if table else (None, None)


def _as_told(
    answer: Answer,
    places: dict[str, tuple[Evening, Place]],
    seen: set[tuple[object, ...]],
) -> dict[str, Any]:
    if "deals" not in answer:
        problem = answer.get("problem") or problem_of(answer["code"])
        return {"problems": [_problem(problem)]}
    evening, (table, page) = places[answer["code"]]
    named = answer["named"]
    numbers = (table.round.number, table.number) if table else (named["round"], named["table"])
    place = (evening.pk, *numbers, page)
    problems = [_problem("twice")] if place in seen and None not in place else []
    seen.add(place)
    return {
        "club": evening.club.slug,
        "date": evening.slug,
        "round": numbers[0],
        "table": numbers[1],
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
