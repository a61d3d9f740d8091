"""Prints where the boxes of a printed score sheet are."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.management.shared import club_named
from scoring.pdf.reading_sheet import sheet_form
from scoring.reading.layout import layout_json
from tournaments.management.shared import evening_named, tables_named


class Command(BaseCommand):
    """`manage.py sheet_layout --club SLUG --date DATE --round N --table T`."""

    help = "Print where the boxes of a printed score sheet are, as JSON, in millimetres."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--date", required=True, help="2026-09-05, or 2026-09-05-2")
        parser.add_argument("--round", required=True, type=int, metavar="N")
        parser.add_argument("--table", required=True, type=int, metavar="T")

    def handle(self, *args: Any, **options: Any) -> None:
        evening = evening_named(club_named(options["club"]), options["date"])
        tables = tables_named(evening, options["round"])
        table = next((table for table in tables if table.number == options["table"]), None)
        if table is None:
            raise CommandError(f"Round {options['round']} has no table {options['table']}.")
        self.stdout.write(json.dumps(layout_json(sheet_form(table.sheet))))
