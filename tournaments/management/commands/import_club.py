"""Imports a club from another server."""

import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from clubs.archives.container import BadArchive, archive_open
from clubs.archives.rows import require_migrated
from clubs.http.network import login_url
from clubs.models import Club, Role
from clubs.profile.services import password_path
from tournaments.transfer.into import Differs, club_read
from tournaments.transfer.out import KIND
from tournaments.transfer.replacing import file_of_now


class Command(BaseCommand):
    """`manage.py import_club FILE`: all of it, or nothing."""

    help = "Import a club that `export_club` wrote, verify it, and name its organisers."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file that `export_club` wrote")
        parser.add_argument("--as", dest="slug", default="", help="another web name for the club")
        parser.add_argument(
            "--despite-differences", action="store_true", help="also if `verify` finds differences"
        )

    @no_translations
    def handle(
        self, *args: Any, file: Path, slug: str, despite_differences: bool, **options: Any
    ) -> None:
        require_migrated()
        try:
            with (
                tempfile.TemporaryDirectory(prefix="klaverclub-club-") as folder,
                archive_open(
                    file_of_now(file, Path(folder)), kind=KIND, is_foreign=True
                ) as archive,
            ):
                club = club_read(archive, slug=slug, despite_differences=despite_differences)
        except BadArchive as error:
            if isinstance(error, Differs):
                self.stderr.write("\n".join(error.faults))
            raise CommandError(f"Nothing has been changed.\n{error}") from error
        self.stdout.write(f"{club.name} is here, as '{club.slug}'.")
        self._who_organises(club)

    def _who_organises(self, club: Club) -> None:
        """A link for each organiser who has no password on this server yet."""
        roles = club.roles.filter(kind=Role.Kind.ORGANISER).select_related("user")
        for role in roles.order_by("pk"):
            if not role.user.has_usable_password():
                self.stdout.write(f"{role.user.email} sets a password here (the link works once):")
                self.stdout.write(login_url(role.user, password_path(role.user)))
