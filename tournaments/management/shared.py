"""What commands share: finding an evening, and reading one problem as a JSON object and writing its
answer as one, without a database."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.models import Club
from tournaments.draw.core.reading import ProblemError
from tournaments.models import Evening

BAD_INPUT = 2


class ProblemCommand(BaseCommand):
    """Exits with 2 and one line on standard error if the problem has faults."""

    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            answered = self.answer(sys.stdin.buffer.read())
        except ProblemError as error:
            self.stderr.write(" ".join(str(error).split()))
            sys.exit(BAD_INPUT)
        sys.stdout.buffer.write(f"{answered}\n".encode())

    @staticmethod
    def answer(text: bytes) -> str:
        """The answer as one line of JSON; raises `ProblemError` with every fault."""
        raise NotImplementedError


def evening_named(club: Club, slug: str) -> Evening:
    """The club's evening on this date. Raises CommandError when there is none."""
    evening = Evening.objects.of(club).by_slug(slug).select_related("club").first()
    if evening is None:
        raise CommandError(f"There is no evening '{slug}' at {club.name}.")
    return evening
