"""The addresses behind the QR codes of an evening's tables."""

from django.urls import reverse

from clubs.links import base_url
from tournaments.models import Evening
from tournaments.services.links import links_ensure
from tournaments.services.tokens import token_secret


def table_links(evening: Evening) -> dict[int, str]:
    """The address that a phone opens at each table, by its number; see `links_ensure`."""
    base = base_url(evening.club)
    return {
        number: base + reverse("table_page", args=[token_secret(token)])
        for number, token in links_ensure(evening=evening).items()
    }
