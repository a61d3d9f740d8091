"""Exports a club to one file, to take to another server."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser, no_translations

from clubs.archives.container import new_file
from clubs.archives.rows import require_migrated
from clubs.management.shared import club_named
from tournaments.transfer.out import club_write


class Command(BaseCommand):
    """`manage.py export_club SLUG FILE`: also while people play."""

    help = "Write everything of one club to a file that `import_club` reads on another server."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the club's web name")
        parser.add_argument("file", type=Path, help="the file to write")
        parser.add_argument("--force", action="store_true", help="replace an existing file")

    @no_translations
    def handle(self, *args: Any, slug: str, file: Path, force: bool, **options: Any) -> None:
        require_migrated()
        club = club_named(slug)
        with new_file(file, force=force) as opened:
            count = club_write(club, opened)
        self.stdout.write(f"{file}: {club.name}, {count} rows, {file.stat().st_size} bytes.")
