"""`manage.py league`: reads a league's problem as a JSON object and writes the answer as one."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.leagues.core.json_io import answer
from tournaments.leagues.core.reading import LeagueError

BAD_INPUT = 2


class Command(BaseCommand):
    help = "Read fixtures, a table, a roll-over or a ranking as a JSON object and write the answer."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            answered = answer(sys.stdin.buffer.read())
        except LeagueError as error:
            self.stderr.write(" ".join(str(error).split()))
            sys.exit(BAD_INPUT)
        sys.stdout.buffer.write(f"{answered}\n".encode())
