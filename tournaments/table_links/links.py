"""The addresses behind the QR codes of an evening's tables, and what to type without them."""

from dataclasses import dataclass

from django.urls import reverse

from clubs.http.network import base_url
from clubs.models import Club
from clubs.text.numbers import side_name
from tournaments.models import Evening
from tournaments.table_links.pins import token_pin
from tournaments.table_links.services import links_ensure, token_secret


@dataclass(frozen=True, slots=True)
class TableLink:
    """The link that opens a table on a phone; `side` is empty unless each side has its own."""

    number: int
    side: str
    url: str
    pin: str

    @property
    def side_name(self) -> str:
        """We or they; empty for the whole table."""
        return side_name(self.side) if self.side else ""


def table_links(evening: Evening) -> list[TableLink]:
    """The links of the tables in order; see `links_ensure`."""
    base = base_url(evening.club)
    return [
        TableLink(
            token.table_number,
            token.side,
            base + reverse("table_page", args=[token_secret(token)]),
            token_pin(token),
        )
        for token in links_ensure(evening=evening)
    ]


def pin_address(club: Club) -> str:
    """The address to type instead of scanning: without `http://`, which a browser adds."""
    return base_url(club).partition("://")[2] + reverse("pin").rstrip("/")
