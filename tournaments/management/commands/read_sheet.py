"""Reads score sheets from photographs and scans; writes nothing."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.sheet_photos.reading import PROBLEMS, read_file


class Command(BaseCommand):
    """`manage.py read_sheet FILE…`: exit status 1 when a file had no sheet."""

    help = "Read score sheets from photographs: a JSON object a line for each sheet, in order."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        seen: set[tuple[int, int]] = set()
        complete = True
        for name in files:
            sheets = 0
            for found in self._read(name, seen):
                sheets += "deals" in found
                self.stdout.write(json.dumps({"file": name, **found}, ensure_ascii=False))
            complete = complete and sheets > 0
        if not complete:
            sys.exit(1)

    def _read(self, name: str, seen: set[tuple[int, int]]) -> Any:
        try:
            content = Path(name).read_bytes()
        except OSError as error:
            message = f"{PROBLEMS['no_sheet']} {error.strerror}"
            yield {"problems": [{"code": "no_sheet", "message": message}]}
            return
        yield from read_file(content, seen)
