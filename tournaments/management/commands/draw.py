"""`manage.py draw`: who plays as one JSON object in, who sits where as one JSON object out."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.draw.core import DrawError
from tournaments.draw.core.json_io import WrongDrawError, answer

OUR_FAULT = 1
BAD_INPUT = 2


class Command(BaseCommand):
    help = "Reads one JSON object that says who plays and writes who sits where."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            answered = answer(sys.stdin.buffer.read())
        except (DrawError, WrongDrawError) as error:
            self.stderr.write(" ".join(str(error).split()))
            sys.exit(BAD_INPUT if isinstance(error, DrawError) else OUR_FAULT)
        sys.stdout.buffer.write(f"{answered}\n".encode())
