"""Django's `migrate`, with a copy of the database first where a folder for copies was chosen."""

from django.core.management.commands import migrate
from django.utils import translation

from tournaments.copies.services import folder_copy_before_migrating


class Command(migrate.Command):
    def run_from_argv(self, argv: list[str]) -> None:
        """Only where somebody calls it: a restore migrates a database that is thrown away if need
        be."""
        with translation.override("en"):
            fault = folder_copy_before_migrating()
        if fault:
            self.stderr.write(f"No copy was made before migrating: {fault}")
        super().run_from_argv(argv)
