"""`manage.py score`: deals as JSON lines in, what they come to as JSON lines out."""

import os
import sys
from typing import Any

from django.core.management.base import BaseCommand

from scoring.rules import score_stream


class Command(BaseCommand):
    help = "Reads one deal per line as JSON and writes what it comes to, one line each."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with open(sys.stdin.fileno(), "rb", closefd=False) as source:
                all_objects = score_stream(source, sys.stdout.buffer)
        except BrokenPipeError:
            # The reader closed the pipe: keep Python from flushing to it again at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return
        if not all_objects:
            sys.exit(1)
