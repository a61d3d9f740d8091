"""Commands that read one problem as a JSON object and write its answer as one, without a
database."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.draw.core.reading import ProblemError

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
