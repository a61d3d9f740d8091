"""Adds what happened since the last time to files of the trail."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from clubs.archives.rows import require_migrated
from clubs.archives.whole import snapshot
from clubs.audit.guards import HEADS, BadHeads, heads_faults, torn_lines_cut, trail_export


class Command(BaseCommand):
    """`manage.py export_trail FOLDER`: exit status 1 when something exported before is gone."""

    help = "Add the events since the last export, and the heads of their chains, to two files."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="where heads.jsonl and events.jsonl are")

    @no_translations
    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        require_migrated()
        try:
            for message in torn_lines_cut(folder):
                self.stderr.write(message)
            with snapshot():
                faults = list(heads_faults(folder / HEADS))
                count = trail_export(folder)
        except (BadHeads, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{count} events are exported.")
        for fault in faults:
            self.stderr.write(fault)
        if faults:
            sys.exit(1)
