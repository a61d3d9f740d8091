"""Shows the operator what browsers blocked on our pages."""

from typing import Any

from django.core.management.base import BaseCommand, no_translations
from django.utils.timezone import localtime

from clubs.models import CspReport


class Command(BaseCommand):
    """`manage.py csp_reports`."""

    help = "Print what browsers reported of the content security policy, the latest first."

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        for report in CspReport.objects.all():
            first, last = localtime(report.first_at), localtime(report.last_at)
            span = f"{first:%Y-%m-%d %H:%M} - {last:%Y-%m-%d %H:%M}"
            kind = f"{report.directive} {report.blocked} on {report.route or '/'}"
            self.stdout.write(f"{report.times:>7}  {span}  {kind}")
