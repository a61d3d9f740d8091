"""What commands share: finding an evening and its tables, and reading one problem as a JSON object
and writing its answer as one, without a database."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.models import Club
from tournaments.draw.core.json_io import ProblemError
from tournaments.models import Evening, Round, Table

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


def tables_named(evening: Evening, number: int) -> list[Table]:
    """The tables of a round whose draw is final. Raises CommandError when there are none."""
    tables = Table.objects.filter(round__evening=evening, round__number=number)
    drawn = tables.exclude(round__state=Round.State.DRAFT)
    found = list(
        drawn.select_related("round", "sheet__regulation", "sheet__club").order_by("number")
    )
    if not found:
        raise CommandError(f"Round {number} of evening '{evening.slug}' has no final draw.")
    return found
