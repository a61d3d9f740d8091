"""Reads results from before, one line per person and evening or round."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, no_translations

from clubs.audit import Actor
from clubs.management.imports import club_named, faults_named
from tournaments.services import results_import

PROGRAM = Actor.of_program("import_results")


class Command(BaseCommand):
    """`manage.py import_results FILE --club SLUG --season NAME`: all or nothing."""

    help = "Import results from before: evening, player, round, score [, pits, roem, absence]."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--season", required=True, metavar="NAME")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        with faults_named():
            done = results_import(
                club=club_named(options["club"]),
                season_name=options["season"],
                source=options["file"],
                actor=PROGRAM,
            )
        self.stdout.write(
            f"{done.season.name}: {done.added} added, {done.changed} changed,"
            f" {done.unchanged} unchanged, {done.guests} new guests"
        )
