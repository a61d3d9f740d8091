"""Imports an evening from a file, one line per deal."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from clubs.audit.services import Actor
from clubs.management.shared import club_named, faults_named
from clubs.models import Club
from clubs.text.errors import DomainError
from scoring.regulations.services import regulation_named
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
    [--replace]`: all or nothing; the evening is closed and published. In place of a preset stands
    the name of one of the club's own regulations."""

    help = "Import an evening, one line per deal, from a CSV or XLSX file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--season", default="", metavar="NAME")
        parser.add_argument(
            "--regulation",
            default="amsterdam",
            metavar="PRESET",
            help=f"{', '.join(PRESETS)}, or the name of one of the club's own",
        )
        parser.add_argument("--replace", action="store_true", help="replace that evening")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        club, regulation = club_named(options["club"]), options["regulation"]
        _require_known(club, regulation)
        with faults_named():
            done = evening_import(
                club=club,
                source=options["file"],
                regulation=regulation,
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


def _require_known(club: Club, regulation: str) -> None:
    """Refuse a name as an argument that is no choice is refused."""
    if regulation in PRESETS:
        return
    try:
        regulation_named(club=club, name=regulation)
    except DomainError as unknown:
        raise CommandError(f"argument --regulation: {unknown}", returncode=2) from unknown
