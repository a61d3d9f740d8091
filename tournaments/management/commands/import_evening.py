"""Imports an evening from a file, one line per deal."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, no_translations

from clubs.audit.services import Actor
from clubs.management.imports import club_named, faults_named
from scoring.rules import PRESETS
from tournaments.imports.evenings import evening_import

PROGRAM = Actor.of_program("import_evening")
DONE = {
    "imported": "{evening}: {deals} deals imported, {guests} new guests",
    "replaced": "{evening}: replaced by {deals} deals, {guests} new guests",
    "moved": "{evening}: the same {deals} deals were there already, now in {season}",
    "unchanged": "{evening}: the same {deals} deals were there already, nothing changed",
}


class Command(BaseCommand):
    """`manage.py import_evening FILE --club SLUG [--season NAME] [--regulation PRESET]
    [--replace]`: all or nothing; the evening is closed and published."""

    help = "Import an evening, one line per deal, from a CSV or XLSX file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--season", default="", metavar="NAME")
        parser.add_argument(
            "--regulation", default="amsterdam", choices=list(PRESETS), metavar="PRESET"
        )
        parser.add_argument("--replace", action="store_true", help="replace that evening")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        with faults_named():
            done = evening_import(
                club=club_named(options["club"]),
                source=options["file"],
                preset=options["regulation"],
                season_name=options["season"],
                replace=options["replace"],
                actor=PROGRAM,
            )
        sentence = DONE[done.outcome].format(
            evening=done.evening.slug,
            season=done.evening.season,
            deals=done.deals,
            guests=done.guests,
        )
        self.stdout.write(sentence)
