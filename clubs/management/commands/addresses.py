"""Prints where the running server can be found."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from clubs.http.network import lan_addresses


class Command(BaseCommand):
    """`manage.py addresses`: on this machine, in the hall, and the public one if it is set."""

    help = "Print the addresses of the server: on this machine and for phones in the hall."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        places = [(_("On this computer"), f"http://127.0.0.1:{settings.PORT}")]
        places += [
            (_("For phones in the hall"), f"http://{address}:{settings.PORT}")
            for address in lan_addresses()
            if address != "127.0.0.1"
        ]
        if settings.PUBLIC_URL:
            places.append((_("For everybody"), settings.PUBLIC_URL))
        for place, url in places:
            self.stdout.write(f"{place}: {url}/")
