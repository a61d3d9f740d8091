"""Prints the permissions, as in docs/access.md."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.management.access_matrix import access_tables


class Command(BaseCommand):
    """`manage.py access`: every action, page and operation of the API, and who may use it."""

    help = "Print who may do what, in tables, as the code decides it."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(access_tables(), ending="")
