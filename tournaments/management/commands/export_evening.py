"""Writes an evening to standard output, one line per deal."""

import csv
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, no_translations

from clubs.management.imports import club_named
from tournaments.deal_lines import evening_lines
from tournaments.evening_file import EveningFile, format_evening
from tournaments.management.evenings import evening_named
from tournaments.models import Table


class Command(BaseCommand):
    """`manage.py export_evening --club SLUG --date DATE`."""

    help = "Export an evening as CSV, one line per deal, as import_evening reads it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--date", required=True, help="2026-09-05, or 2026-09-05-2")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        evening = evening_named(club_named(options["club"]), options["date"])
        file = EveningFile(evening.date, evening.sequence, tuple(evening_lines(evening)))
        headings, rows = format_evening(file)
        writer = csv.writer(self.stdout, lineterminator="\n")
        writer.writerow(headings)
        writer.writerows(rows)
        totals = Table.objects.filter(round__evening=evening, sheet__side_totals__isnull=False)
        for table in totals.select_related("round").distinct():
            self.stderr.write(
                f"round {table.round.number}, table {table.number}: handed in totals only,"
                " which a file of deals cannot hold"
            )
