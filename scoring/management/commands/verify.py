"""Recomputes every stored figure and follows every trail."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, no_translations

from clubs.archives.rows import require_migrated
from clubs.archives.whole import snapshot
from scoring.audit.verify import faults, sheets_of


class Command(BaseCommand):
    """`manage.py verify`: exit status 1 when anything is not as it was written."""

    help = (
        "Recompute every figure from the deals, check every audit chain and what guards it; "
        "report differences."
    )

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        require_migrated()
        count = 0
        with snapshot():
            for fault in faults():
                count += 1
                self.stdout.write(fault)
            sheets = sheets_of(None).count()
        if count:
            self.stdout.write(f"{count} differences.")
            sys.exit(1)
        self.stdout.write(f"{sheets} sheets and every trail are as they were written.")
