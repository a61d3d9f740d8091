"""Restores a backup."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations
from django.db import DatabaseError, OperationalError

from clubs.archives.container import Archive, BadArchive, archive_open
from clubs.archives.places import DatabasePlace, place_here, without_pool, working_on
from clubs.archives.whole import BACKUP, backup_load, is_empty
from scoring.audit.verify import faults


class Command(BaseCommand):
    """`manage.py restore FILE`: built beside the database, verified, and only then put in place."""

    help = "Restore a file that `backup` wrote. The present database is kept aside."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file that `backup` wrote")
        parser.add_argument(
            "--overwrite", action="store_true", help="also if the database is not empty"
        )
        parser.add_argument(
            "--despite-differences", action="store_true", help="also if `verify` finds differences"
        )

    @no_translations
    def handle(
        self, *args: Any, file: Path, overwrite: bool, despite_differences: bool, **options: Any
    ) -> None:
        with without_pool():
            self._restore(file, overwrite=overwrite, despite_differences=despite_differences)

    def _restore(self, file: Path, *, overwrite: bool, despite_differences: bool) -> None:
        if not overwrite:
            self._require_empty()
        place = place_here()
        try:
            with archive_open(file, kind=BACKUP) as archive:
                count = self._make(archive, place, despite_differences=despite_differences)
            old = place.take()
        except BadArchive as error:
            raise CommandError(f"Nothing has been changed.\n{error}") from error
        finally:
            place.discard()
        self.stdout.write(f"{count} rows are back. Everybody logs in anew.")
        if old:
            self.stdout.write(f"What was there before is kept as {old}.")

    def _require_empty(self) -> None:
        try:
            empty = is_empty()
        except OperationalError as error:
            raise CommandError(f"The database does not answer: {error}") from error
        except DatabaseError as error:
            raise CommandError(f"The database cannot be read: {error}; see --overwrite.") from error
        if not empty:
            raise CommandError("The database is not empty: see --overwrite.")

    def _make(self, archive: Archive, place: DatabasePlace, *, despite_differences: bool) -> int:
        """Make the database beside the one that is there; returns how many rows it has."""
        with working_on(place.clear()):
            count = backup_load(archive)
            differences = list(faults())
        for fault in differences:
            self.stderr.write(fault)
        if differences and not despite_differences:
            message = f"`verify` finds {len(differences)} differences: see --despite-differences."
            raise CommandError(f"Nothing has been changed.\n{message}")
        return count
