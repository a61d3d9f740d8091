"""`manage.py draw`: reads the players as a JSON object and writes their seats as one."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.draw.core.json_io import WrongDrawError, answer
from tournaments.draw.core.problem import DrawError

OUR_FAULT = 1
BAD_INPUT = 2


class Command(BaseCommand):
    help = "Read the players as a JSON object and write their seats as one."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            answered = answer(sys.stdin.buffer.read())
        except (DrawError, WrongDrawError) as error:
            self.stderr.write(" ".join(str(error).split()))
            sys.exit(BAD_INPUT if isinstance(error, DrawError) else OUR_FAULT)
        sys.stdout.buffer.write(f"{answered}\n".encode())
