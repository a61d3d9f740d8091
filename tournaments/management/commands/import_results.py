"""Imports earlier results, one line per person and evening or round."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, no_translations

from clubs.audit.services import Actor
from clubs.management.shared import club_named, faults_named
from tournaments.imports.preview import EveningPreview, results_preview
from tournaments.imports.results import results_import, results_plan

PROGRAM = Actor.of_program("import_results")


class Command(BaseCommand):
    """`manage.py import_results FILE --club SLUG --season NAME [--preview]`: all or nothing."""

    help = "Import earlier results: evening, player, round, score [, pits, roem, absence]."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--season", required=True, metavar="NAME")
        parser.add_argument("--preview", action="store_true", help="only show what would change")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        if options["preview"]:
            self._preview(options)
        else:
            self._import(options)

    def _preview(self, options: dict[str, Any]) -> None:
        """Print what would change and likely mistakes, and that nothing was written."""
        with faults_named():
            plan = results_plan(
                club=club_named(options["club"]),
                season_name=options["season"],
                source=options["file"],
            )
        preview = results_preview(plan)
        for evening in preview.evenings:
            self.stdout.write(_evening_line(evening))
        for name in plan.guests:
            self.stdout.write(f"new guest: {name}")
        for doubt in preview.all_doubts:
            self.stdout.write(f"look at {doubt}")
        self.stdout.write(
            f"{plan.season or plan.season_name}: {len(plan.added)} would be added,"
            f" {len(plan.changed)} changed, {plan.unchanged} unchanged,"
            f" {len(plan.guests)} new guests; nothing has been written"
        )

    def _import(self, options: dict[str, Any]) -> None:
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


def _evening_line(evening: EveningPreview) -> str:
    known = "new" if evening.is_new else "changed" if evening.is_touched else "unchanged"
    figures = f"lowest {evening.lowest}, highest {evening.highest}, mean {evening.mean}"
    return f"{evening.slug}: {known}, {evening.people} people, {figures}"
