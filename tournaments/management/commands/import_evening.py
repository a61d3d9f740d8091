"""Reads an evening from a file, one line per deal."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, no_translations
from django.db import transaction

from clubs.audit import Actor
from clubs.management.imports import club_named, faults_named
from scoring.rules import PRESETS
from scoring.services import regulation_from_preset
from tournaments.evening_file import read_evening
from tournaments.services import evening_import, season_ensure

PROGRAM = Actor.of_program("import_evening")
DONE = {
    "imported": "{evening}: {deals} deals imported, {guests} new guests",
    "replaced": "{evening}: replaced by {deals} deals, {guests} new guests",
    "unchanged": "{evening}: the same {deals} deals were there already, nothing changed",
}


class Command(BaseCommand):
    """`manage.py import_evening FILE --club SLUG [--season NAME] [--regulation PRESET]
    [--replace]`: all or nothing; the evening is closed and published."""

    help = "Import an evening, one line per deal, from a CSV or XLSX file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--season", metavar="NAME")
        parser.add_argument(
            "--regulation", default="amsterdam", choices=list(PRESETS), metavar="PRESET"
        )
        parser.add_argument("--replace", action="store_true", help="replace that evening")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        club = club_named(options["club"])
        with faults_named(), transaction.atomic():
            file = read_evening(options["file"], PRESETS[options["regulation"]])
            name = options["season"]
            done = evening_import(
                club=club,
                file=file,
                regulation=regulation_from_preset(
                    club=club, preset=options["regulation"], actor=PROGRAM
                ),
                season=season_ensure(club=club, name=name, actor=PROGRAM) if name else None,
                actor=PROGRAM,
                replace=options["replace"],
            )
        sentence = DONE[done.outcome]
        self.stdout.write(
            sentence.format(evening=done.evening.slug, deals=done.deals, guests=done.guests)
        )
