"""Backs the whole database up to one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from clubs.archives.container import new_file
from clubs.archives.rows import migrated_to
from clubs.archives.whole import backup_write


class Command(BaseCommand):
    """`manage.py backup FILE`: also while people play, on either kind of database."""

    help = "Write everything in the database to one file, also while people play."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="where the backup goes")
        parser.add_argument("--force", action="store_true", help="replace an existing file")

    @no_translations
    def handle(self, *args: Any, file: Path, force: bool, **options: Any) -> None:
        if not migrated_to():
            raise CommandError("There is no database here yet: see DATABASE_URL.")
        with new_file(file, force=force) as opened:
            count = backup_write(opened)
        size = file.stat().st_size
        self.stdout.write(f"{file}: {count} rows, {size} bytes. The secret key is not in it.")
