"""Table links: a capability to write at one table for one evening, stored hashed; the addresses
behind their QR codes, and what to type without them."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.dispatch import receiver
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.audit.services import Actor
from clubs.http.network import base_url
from clubs.limits.table import DEAD_LINK_WRITES, Limit
from clubs.models import Club
from clubs.models.rows import Given, Prepared
from clubs.text.numbers import SIDE_COLOURS
from scoring.rules import SIDES
from tournaments.evenings.locking import evening_lock, evening_touch, require_state
from tournaments.models import Evening, PinGuard, Round, Table, TableToken
from tournaments.models.table import writing_changed
from tournaments.table_links.pins import token_pin

ENDS_AFTER = timedelta(days=7)
"""A phone that was forgotten in a coat comes to the next evening, and brings what it kept."""


@transaction.atomic
def tokens_ensure(*, evening: Evening, tables: int) -> None:
    """Give each of the tables up to number `tables` its missing links: one, or one for each side
    on an evening where both sides write. Valid links of the other kind are revoked.
    """
    evening = evening_lock(evening.pk)
    sides = link_sides(evening)
    valid = TableToken.objects.filter(evening=evening, revoked_at=None)
    valid.exclude(side__in=sides).update(revoked_at=timezone.now())
    existing = set(valid.values_list("table_number", "side"))
    last = _last_generations(evening)
    missing = [
        (number, side)
        for number in range(evening.first_table, tables + 1)
        for side in sides
        if (number, side) not in existing
    ]
    made = []
    for number, side in missing:
        last[number] += 1
        made.append(_token(evening, number, side, last[number]))
    TableToken.objects.bulk_create(made)


@transaction.atomic
def token_renew(*, evening_id: int, table_number: int, actor: Actor, side: str = "") -> TableToken:
    """Revoke the table's link and give it a new one, with another PIN.

    Raises DomainError `evening_state` if the evening is over.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    TableToken.objects.filter(
        evening=evening, table_number=table_number, side=side, revoked_at=None
    ).update(revoked_at=timezone.now())
    generation = _last_generations(evening)[table_number] + 1
    token = _token(evening, table_number, side, generation)
    token.save(force_insert=True)
    # A new PIN starts with a clean slate: earlier guesses were about the old one.
    guards = PinGuard.objects.filter(evening=evening, table_number=table_number)
    guards.update(failures=0, blocked_until=None)
    data = {"table": table_number} | ({"side": side} if side else {})
    evening_touch(evening, actor=actor, action="link_renewed", data=data)
    return token


def link_sides(evening: Evening) -> Sequence[str]:
    """The sides that have their own link on this evening; `("",)` for one link for the table."""
    return SIDES if evening.writing == Evening.Writing.BOTH else ("",)


def token_secret(token: TableToken) -> str:
    """The secret part of the link: 160 bits derived with the server's SECRET_KEY."""
    return _secret(token.evening, token.table_number, token.generation)


def token_of_side(token: TableToken, side: str) -> TableToken | None:
    """The valid link of a side of the same table; None where the sides have none of their own."""
    same = TableToken.objects.filter(
        evening=token.evening, table_number=token.table_number, side=side, revoked_at=None
    )
    return same.select_related("evening").first()


_by_digest = Prepared(
    lambda: TableToken.objects.select_related("evening__club", "evening__regulation").filter(
        digest=Given(TableToken, "digest")
    )
)


def token_find(secret: str) -> TableToken | None:
    """The link with this secret, valid or revoked; None if there is none."""
    return _by_digest.first(digest=_digest(secret))


def links_ensure(*, evening: Evening) -> list[TableToken]:
    """The valid links of the tables in order, North-South first; missing ones are made.

    Empty for an evening without phones, without a final draw, or that is over.
    """
    if not evening.phones or not evening.is_open:
        return []
    final = evening.rounds.exclude(state=Round.State.DRAFT)
    tables = final.aggregate(last=Max("tables__number"))["last"] or 0
    links = _valid(evening, tables)
    if len(links) < (tables - evening.first_table + 1) * len(link_sides(evening)):
        tokens_ensure(evening=evening, tables=tables)
        links = _valid(evening, tables)
    return links


def link_has_ended(token: TableToken) -> bool:
    """Whether not even what waited on a phone is taken over this link any more: a week after it was
    replaced, or after its evening was closed."""
    evening, last = token.evening, token.revoked_at
    if evening.state == Evening.State.CLOSED:
        closed = evening.releases.aggregate(at=Max("published_at"))["at"]
        last = min(filter(None, (last, closed)), default=None)
    return last is not None and timezone.now() > last + ENDS_AFTER


def link_writes_count(*, token: TableToken, client: str) -> int:
    """Count something that a phone sends over this link from a client's network. Returns for how
    many seconds to wait instead, when it was too often; else 0."""
    over = token.revoked_at is not None or not token.evening.is_open
    of_link = DEAD_LINK_WRITES if over else Limit(settings.TABLE_WRITES["link"])
    of_address = Limit(settings.TABLE_WRITES["address"])
    link, address = f"writes of link {token.pk} {over}", "writes of address"
    if of_link.is_spent(link):
        return of_link.wait
    if of_address.is_spent_from(address, client):
        return of_address.wait
    of_link.spend(link, 1)
    of_address.spend_from(address, client, 1)
    return 0


@receiver(writing_changed)
@transaction.atomic
def links_follow(evening: Evening, **_kwargs: object) -> None:
    """Make missing links, for a new table or for both sides, if this evening has links already."""
    made = evening.tokens.filter(revoked_at=None).aggregate(last=Max("table_number"))["last"]
    if made is not None:
        drawn = Table.objects.filter(round__evening=evening).aggregate(last=Max("number"))["last"]
        tokens_ensure(evening=evening, tables=max(made, drawn or 0))


def _token(evening: Evening, number: int, side: str, generation: int) -> TableToken:
    return TableToken(
        evening=evening,
        table_number=number,
        side=side,
        generation=generation,
        digest=_digest(_secret(evening, number, generation)),
    )


def _last_generations(evening: Evening) -> Counter[int]:
    """How many links each table has had, for either side."""
    made = TableToken.objects.filter(evening=evening).values_list("table_number")
    return Counter(dict(made.annotate(last=Max("generation"))))


def _secret(evening: Evening, number: int, generation: int) -> str:
    value = f"{evening.uuid}:{number}:{generation}"
    return salted_hmac("tournaments.table_token", value, algorithm="sha256").hexdigest()[:40]


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _valid(evening: Evening, tables: int) -> list[TableToken]:
    tokens = TableToken.objects.filter(
        evening=evening,
        revoked_at=None,
        table_number__gte=evening.first_table,
        table_number__lte=tables,
        side__in=link_sides(evening),
    ).order_by("table_number", "-side")
    for token in tokens:
        token.evening = evening
    return list(tokens)


@dataclass(frozen=True, slots=True)
class TableLink:
    """The link that opens a table on a phone; `side` is empty unless each side has its own."""

    number: int
    side: str
    url: str
    pin: str

    @property
    def colour(self) -> str:
        """The colour of its side on paper, green or brown; empty for the whole table. On a phone
        both sides are *we*."""
        return str(SIDE_COLOURS[self.side]) if self.side else ""


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
