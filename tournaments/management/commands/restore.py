"""Restores a backup."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations
from django.db import DatabaseError, OperationalError

from clubs.archives.container import Archive, BadArchive, archive_open
from clubs.archives.whole import (
    BACKUP,
    DatabasePlace,
    backup_load,
    is_empty,
    place_here,
    without_pool,
    working_on,
)
from clubs.audit.services import seal_anew
from scoring.audit.verify import carriers_of, faults


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
        parser.add_argument(
            "--other-key",
            action="store_true",
            help="made with another secret key: seal its trails with the present one",
        )

    @no_translations
    def handle(self, *args: Any, file: Path, overwrite: bool, **options: Any) -> None:
        with without_pool():
            if not overwrite:
                self._require_empty()
            self._restore(file, options)

    def _restore(self, file: Path, options: dict[str, Any]) -> None:
        place = place_here()
        try:
            with archive_open(file, kind=BACKUP) as archive:
                count = self._make(archive, place, options)
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

    def _make(self, archive: Archive, place: DatabasePlace, options: dict[str, Any]) -> int:
        """Make the database beside the one that is there; returns how many rows it has."""
        other_key, despite = options["other_key"], options["despite_differences"]
        with working_on(place.clear()):
            count = backup_load(archive)
            differences = list(faults(sealed=not other_key))
            if other_key:
                seal_anew(carriers_of(None))
        for fault in differences:
            self.stderr.write(fault)
        if differences and not despite:
            message = (
                f"`verify` finds {len(differences)} differences: see --despite-differences, and"
                " --other-key if the backup was made with another secret key."
            )
            raise CommandError(f"Nothing has been changed.\n{message}")
        return count
