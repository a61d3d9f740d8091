"""Writes the boxes of digits on a club's pictures, by the digit that was written in the end."""

from argparse import ArgumentParser
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from clubs.management.shared import club_named
from scoring.models import deals_of
from scoring.pdf.reading_sheet import sheet_forms
from scoring.reading.layout import PAGE, Box, layouts_of
from scoring.rules import SIDES, entry_of_three
from tournaments.models import SheetPhoto

if TYPE_CHECKING:
    from PIL import Image

INSET = 0.4
"""Millimetres inside the line of its box that a digit is looked for."""
DARK, LEAST = 0.6, 0.02
"""How light ink is at most beside paper, and which part of a box is ink if something is in it."""


class Command(BaseCommand):
    """`manage.py reading_samples --club SLUG --output FOLDER`."""

    help = (
        "Write the boxes of digits on the pictures of a club's score sheets that are kept, as PNG "
        "in a folder for each digit, to train the reader again. Nothing leaves this computer."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--output", required=True, type=Path, metavar="FOLDER")

    def handle(self, *args: Any, **options: Any) -> None:
        photos = SheetPhoto.objects.filter(
            evening__club=club_named(options["club"]), state__in=SheetPhoto.USED
        ).select_related("sheet__regulation")
        count = 0
        try:
            for photo in photos.iterator(chunk_size=1):
                for name, digit, box in _samples(photo):
                    folder = options["output"] / digit
                    folder.mkdir(parents=True, exist_ok=True)
                    box.save(folder / f"{name}.png")
                    count += 1
        except OSError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{count} digits.")


def _samples(photo: SheetPhoto) -> Iterator[tuple[str, str, "Image.Image"]]:
    """A name, the digit, and the box in which it stands, of every number of which as many boxes
    have ink as it has digits."""
    from PIL import Image

    sheet = photo.sheet
    if sheet is None or not photo.content:
        return
    page = Image.open(BytesIO(bytes(photo.content)))
    on_page = {deal["deal"]: deal["box"] for deal in photo.read["deals"]}
    rows = {
        row.deal: row
        for form in sheet_forms(sheet)
        for layout in layouts_of(form)
        for row in layout.rows
        if [round(side, 2) for side in row.line] == on_page.get(row.deal)
    }
    for deal in deals_of(sheet):
        written = deal.current.written if deal.current else None
        if written is None or deal.number not in photo.decided or deal.number not in rows:
            continue
        entry = entry_of_three(written) if sheet.three_handed else written
        for side in SIDES:
            row = rows[deal.number]
            points = (entry.get("points") or {}).get(side)
            roem = sum((entry.get("roem") or {}).get(side) or [])
            for what, boxes, number in (("p", row.points, points), ("r", row.roem, roem or None)):
                found = [part for box in boxes[side] if _has_ink(part := _part(page, box))]
                digits = "" if number is None else str(number)
                if digits and len(digits) == len(found):
                    for place, (digit, part) in enumerate(zip(digits, found, strict=True)):
                        name = f"{photo.sha256[:12]}-{deal.number}-{side}-{what}{place}"
                        yield name, digit, part


def _part(page: "Image.Image", box: Box) -> "Image.Image":
    scale = page.width / PAGE[0]
    left, top, width, high = box
    edges = (left + INSET, top + INSET, left + width - INSET, top + high - INSET)
    return page.crop(tuple(round(edge * scale) for edge in edges))  # type: ignore[arg-type]


def _has_ink(part: "Image.Image") -> bool:
    values = sorted(part.convert("L").tobytes())
    paper = values[len(values) * 3 // 4] or 1
    return sum(value < DARK * paper for value in values) > LEAST * len(values)
