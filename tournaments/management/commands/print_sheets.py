"""Writes the score sheets of a round as PDF, to write on and to read from a photograph."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.management.shared import club_named
from tournaments.management.shared import evening_named, tables_named
from tournaments.printing.sheets_pdf import readable_pdf
from tournaments.table_links.services import table_links


class Command(BaseCommand):
    """`manage.py print_sheets --club SLUG --date DATE --round N --output FILE.pdf`."""

    help = "Write the score sheets of a round as PDF, a page a table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--date", required=True, help="2026-09-05, or 2026-09-05-2")
        parser.add_argument("--round", required=True, type=int, metavar="N")
        parser.add_argument("--output", required=True, type=Path, metavar="FILE.pdf")

    def handle(self, *args: Any, **options: Any) -> None:
        evening = evening_named(club_named(options["club"]), options["date"])
        tables = tables_named(evening, options["round"])
        content = readable_pdf(evening, tables, links=table_links(evening))
        try:
            options["output"].write_bytes(content)
        except OSError as error:
            raise CommandError(str(error)) from error
