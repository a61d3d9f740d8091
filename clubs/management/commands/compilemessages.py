"""Builds the `.mo` files, in place of Django's command of this name, which needs GNU gettext."""

from typing import Any

from django.core.management.base import BaseCommand

from clubs.management.shared import build, sources


class Command(BaseCommand):
    """Build every catalogue in the tree, whatever its domain."""

    help = "Builds the .mo file of every .po file."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        targets = [build(source) for source in sources()]
        if options["verbosity"]:
            self.stdout.write(f"{len(targets)} catalogues built")
