"""Writes an evening to standard output, one line per deal."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management.base import BaseCommand, no_translations

from clubs.management.shared import club_named
from clubs.members.imports import People
from scoring.rules import PRESETS
from tournaments.imports.evening_file import EveningFile, format_evening
from tournaments.imports.evenings import evening_lines
from tournaments.management.shared import evening_named
from tournaments.models import Evening, Placement, Table
from tournaments.standings.texts import csv_text


class Command(BaseCommand):
    """`manage.py export_evening --club SLUG --date DATE`; what a file of deals cannot hold is
    named on standard error."""

    help = "Export an evening as CSV, one line per deal, as import_evening reads it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--date", required=True, help="2026-09-05, or 2026-09-05-2")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        club = club_named(options["club"])
        evening = evening_named(club, options["date"])
        file = EveningFile(evening.date, evening.sequence, tuple(evening_lines(evening)))
        self.stdout.write(csv_text(format_evening(file, People(club))))
        rules = evening.regulation
        if rules and rules.rules not in PRESETS.values():
            version = "" if rules == rules.newest else f" ({rules.version})"
            self.stderr.write(f'Read it back with --regulation "{rules.name}{version}"')
        for left_out in _left_out(evening):
            self.stderr.write(f"Not in the file: {left_out}")


def _left_out(evening: Evening) -> Iterator[str]:
    """The results of the evening that are neither deals nor totals."""
    for table in _played_off(evening):
        figures = f"{table.sheet.play_off_ns}-{table.sheet.play_off_ew}"
        yield f"round {table.round.number}, table {table.number} was played off: {figures}"
    out = Placement.objects.filter(round__evening=evening, table=None).select_related(
        "member", "round"
    )
    for placement in out.order_by("round__number", "member__sort_name"):
        yield f"round {placement.round.number}, {placement.member.desk_name} sat out"


def _played_off(evening: Evening) -> Iterable[Table]:
    """The tables whose match ended equal and was decided by four more deals."""
    tables = Table.objects.filter(round__evening=evening, sheet__play_off_ns__isnull=False)
    return tables.select_related("round", "sheet").order_by("round__number", "number")
