"""Recomputes every stored figure and follows every trail."""

import sys
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from clubs.archives.rows import require_migrated
from clubs.archives.whole import snapshot
from clubs.audit.guards import BadHeads, heads_faults
from scoring.audit.verify import faults, sheets_of


class Command(BaseCommand):
    """`manage.py verify`: exit status 1 when anything is not as it was written."""

    help = (
        "Recompute every figure from the deals, check every audit chain and what guards it; "
        "report differences."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--heads", type=Path, help="a heads.jsonl of `export_trail`, to compare the trails with"
        )

    @no_translations
    def handle(self, *args: Any, heads: Path | None = None, **options: Any) -> None:
        require_migrated()
        if heads and not heads.exists():
            raise CommandError(f"There is no file {heads}.")
        count = 0
        try:
            with snapshot():
                for fault in chain(faults(), heads_faults(heads) if heads else ()):
                    count += 1
                    self.stdout.write(fault)
                sheets = sheets_of(None).count()
        except BadHeads as error:
            raise CommandError(str(error)) from error
        if count:
            self.stdout.write(f"{count} differences.")
            sys.exit(1)
        self.stdout.write(f"{sheets} sheets and every trail are as they were written.")
