"""Works every stored figure out anew and follows every trail."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, no_translations
from django.db import transaction

from scoring.models import Scoresheet
from scoring.signals import figures_asked
from scoring.verify import guard_faults, sheet_faults, trail_faults


class Command(BaseCommand):
    """`manage.py verify`: exit status 1 when anything is not as it was written."""

    help = (
        "Recompute every figure from the deals, check every audit chain and what guards it; "
        "report differences."
    )

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        faults = sheets = 0
        with transaction.atomic():
            faults += self._report(guard_faults())
            for sheet in Scoresheet.objects.select_related("regulation").iterator():
                sheets += 1
                faults += self._report(sheet_faults(sheet))
            faults += self._report(list(trail_faults()))
            for _receiver, found in figures_asked.send(sender=Scoresheet):
                faults += self._report(list(found or ()))
        if faults:
            self.stdout.write(f"{faults} differences.")
            sys.exit(1)
        self.stdout.write(f"{sheets} sheets and every trail are as they were written.")

    def _report(self, faults: list[str]) -> int:
        for fault in faults:
            self.stdout.write(fault)
        return len(faults)
