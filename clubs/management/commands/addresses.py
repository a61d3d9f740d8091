"""Prints where the running server can be found."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.http.network import lan_addresses, lan_urls
from clubs.http.reach import Reach, is_elsewhere, reach
from clubs.models import Club

REASONS: Final = {
    Reach.NO_NETWORK: gettext_lazy(
        "This computer is on no network: join the hall's wifi, or let a phone share its connection."
    ),
    Reach.FIREWALL: gettext_lazy(
        "Does it not open on a phone? This computer hears other devices on this network, so most"
        " likely its own firewall stands between: allow incoming connections."
    ),
    Reach.APART: gettext_lazy(
        "Does it not open on a phone? This computer hears no other device on this network: is the"
        " phone on the same wifi? Otherwise the wifi keeps its devices apart, and another one is"
        " needed, such as the connection that a phone shares."
    ),
}


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
        for reason in reasons():
            self.stdout.write(reason)


def reasons() -> Iterator[str]:
    """What would keep phones from opening those addresses, as far as this computer can see."""
    if settings.PUBLIC_URL:
        return
    found = reach(lan_urls()[0])
    if found in REASONS:
        yield str(REASONS[found])
    for club in _changed():
        yield _(
            "The codes of %(club)s carry %(address)s, and that is not the address of this computer"
            " now. Choose the address anew: Settings, Address for phones."
        ) % {"club": club.name, "address": club.address}


def _changed() -> list[Club]:
    """The clubs with an address of before; none where there is no database yet."""
    with suppress(DatabaseError):
        return [club for club in Club.objects.order_by("slug") if is_elsewhere(club.address)]
    return []
